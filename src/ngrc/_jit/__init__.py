"""One typed doorway to numba: compiled once, kept on disk where that is possible, no Python objects."""

from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

import numba

from ngrc._jit.cache import KernelCache
from ngrc._jit.notices import COMPILING

__all__ = ["COMPILING", "jit"]

P = ParamSpec("P")
R = TypeVar("R")


def jit(function: Callable[P, R]) -> Callable[P, R]:
    """Compile `function` in nopython mode and keep the result on disk.

    Numba's own cache is not used: it raises where nothing can be written or read, trusts whatever bytes it
    reads, and keeps a kernel when one that it calls has changed. See `ngrc._jit.cache`.
    """
    # Numba freezes the values of enclosing variables too, and `code_digest` sees globals only: a kept copy made with
    # another value would pass for this one.
    if getattr(function, "__closure__", None):
        raise TypeError(f"a kernel must not use variables of an enclosing function, {function!r} does")
    # The numpy error model lets a division by zero give inf or nan instead of testing every divisor, which would keep
    # loops from being vectorised. No fast mathematics: it reorders sums, and digits would depend on the processor.
    compiled: Any = numba.njit(nogil=True, error_model="numpy")(function)
    # With NUMBA_DISABLE_JIT the function itself comes back, and there is nothing to keep.
    if compiled is not function:
        compiled._cache = KernelCache(function)
    kernel: Callable[P, R] = compiled
    return kernel
