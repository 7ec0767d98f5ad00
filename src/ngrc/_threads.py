"""BLAS on one thread, where the number of threads would reach a result or cost more than it brings."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from threadpoolctl import ThreadpoolController


@contextmanager
def one_thread() -> Iterator[None]:
    """Inside this, BLAS and LAPACK use one thread; the setting before comes back afterwards.

    Examples
    --------
    >>> import numpy as np
    >>> with one_thread():
    ...     float(np.ones(3) @ np.ones(3))
    3.0
    """
    with _libraries(len(sys.modules)).limit(limits=1):
        yield


@lru_cache(maxsize=1)
def _libraries(modules: int) -> "ThreadpoolController":
    """The loaded libraries that have threads: looked for again after an import, which may have brought another one."""
    # Imported here: looking at the loaded libraries costs milliseconds that `import ngrc` need not pay.
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()
