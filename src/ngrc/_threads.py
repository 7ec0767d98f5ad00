"""BLAS on one thread, where the number of threads would reach a result or cost more than it brings."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from threadpoolctl import ThreadpoolController

# How many modules were loaded where we are inside already, else 0: a panel is, and as long as no import has brought
# another library none need be asked again at every series.
_INSIDE: ContextVar[int] = ContextVar("ngrc_one_thread", default=0)


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
    modules = len(sys.modules)
    if _INSIDE.get() == modules:
        yield
        return
    token = _INSIDE.set(modules)
    try:
        with _libraries(modules).limit(limits=1):
            yield
    finally:
        _INSIDE.reset(token)


@lru_cache(maxsize=1)
def _libraries(modules: int) -> "ThreadpoolController":
    """The loaded libraries that have threads: looked for again after an import, which may have brought another one."""
    # Imported here: looking at the loaded libraries costs milliseconds that `import ngrc` need not pay.
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()
