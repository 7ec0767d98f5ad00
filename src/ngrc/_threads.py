"""BLAS on one thread, where the number of threads would reach a result or cost more than it brings."""

import sys
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from functools import lru_cache
from threading import Lock
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from threadpoolctl import ThreadpoolController

# How many modules were loaded where we are inside already, else 0: a panel is, and as long as no import has brought
# another library none need be asked again at every series.
_INSIDE: ContextVar[int] = ContextVar("ngrc_one_thread", default=0)

# From so many rows and columns on a decomposition is long enough to gain by a second thread. Below, one is as quick,
# and gives the same bits on any machine: sums of parts depend on how many parts there are.
FEW = 1000


class _Held:
    """Libraries on one thread, and how many callers need them so.

    Their number of threads belongs to the process: of callers in several threads the first sets it, and the last to
    leave puts back what was there. Each for itself, one would set it back under another.
    """

    def __init__(self) -> None:
        self.lock, self.inside = Lock(), 0
        self.before: list[tuple[Any, int]] = []

    def enter(self, libraries: Iterable[Any]) -> None:
        """One thread for each of the libraries."""
        with self.lock:
            self.inside += 1
            self.before += _limited(libraries)

    def leave(self) -> None:
        """As many as there were, when nobody is inside any more."""
        with self.lock:
            self.inside -= 1
            if not self.inside:
                _put_back(self.before)
                self.before = []


def _limited(libraries: Iterable[Any]) -> list[tuple[Any, int]]:
    """Set to one thread, those that had more with how many they had."""
    before = [(library, library.num_threads) for library in libraries]
    more = [(library, threads) for library, threads in before if threads != 1]
    for library, _ in more:
        _set(library, 1)
    return more


def _put_back(before: Iterable[tuple[Any, int]]) -> None:
    for library, threads in before:
        _set(library, threads)


def _set(library: Any, threads: int) -> None:
    # Newer threadpoolctl (3.8) lets one Python thread alone set the number of OpenBLAS, and silently ignores all others
    # until that one gives it free; here a lock and a count do that, and the last to leave may be another thread.
    free = getattr(library, "clear_controlling_thread", None)
    if free is not None:
        free(force=True)
    library.set_num_threads(threads)
    if free is not None:
        free(force=True)


def _of_each_thread(library: Any) -> bool:
    """Whether its number is one of the calling thread, as OpenMP has it, and not of the process."""
    return library.user_api == "openmp" or getattr(library, "threading_layer", None) == "openmp"


_HELD = _Held()


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
    libraries = _libraries(modules).lib_controllers
    own = _limited(library for library in libraries if _of_each_thread(library))
    _HELD.enter(library for library in libraries if not _of_each_thread(library))
    try:
        yield
    finally:
        _HELD.leave()
        _put_back(own)
        _INSIDE.reset(token)


def threads_for(size: int) -> AbstractContextManager[None]:
    """One thread for work around a matrix of fewer than 1000 rows and columns, as many as there are for a larger one.

    Examples
    --------
    >>> with threads_for(10):
    ...     len("small")
    5
    """
    return one_thread() if size < FEW else nullcontext()


@lru_cache(maxsize=1)
def _libraries(modules: int) -> "ThreadpoolController":
    """The loaded libraries that have threads: looked for again after an import, which may have brought another one."""
    # Imported here: looking at the loaded libraries costs milliseconds that `import ngrc` need not pay.
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()
