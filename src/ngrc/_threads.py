"""BLAS on one thread, where the number of threads would reach a result or cost more than it brings."""

from collections.abc import Iterator
from contextlib import contextmanager


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
    # Imported here: looking at the loaded libraries costs milliseconds that `import ngrc` need not pay.
    from threadpoolctl import threadpool_limits

    with threadpool_limits(limits=1):
        yield
