"""`jit`: a function compiled at its first call, for the types it is called with."""

from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

import numba

from ngrc._jit.cache import KernelCache

P = ParamSpec("P")
R = TypeVar("R")


def jit(function: Callable[P, R]) -> Callable[P, R]:
    """Compile `function` in nopython mode and keep the result on disk.

    Numba's own cache is not used: it raises where nothing can be written or read, trusts whatever bytes it
    reads, and keeps a kernel when one that it calls has changed. See `ngrc._jit.cache`.
    """
    return compiled(function, nogil=True)


def compiled(function: Callable[P, R], *, nogil: bool) -> Callable[P, R]:
    """The same, with or without other threads of Python going on meanwhile."""
    # Numba freezes the values of enclosing variables too, and `code_digest` sees globals only: a kept copy made with
    # another value would pass for this one.
    if getattr(function, "__closure__", None):
        raise TypeError(f"a kernel must not use variables of an enclosing function, {function!r} does")
    # The numpy error model lets a division by zero give inf or nan instead of testing every divisor, which would keep
    # loops from being vectorised. No fast mathematics: it reorders sums, and digits would depend on the processor.
    kernel: Any = numba.njit(nogil=nogil, error_model="numpy")(function)
    # With NUMBA_DISABLE_JIT the function itself comes back, and there is nothing to keep.
    if kernel is not function:
        kernel._cache = KernelCache(function)
    result: Callable[P, R] = kernel
    return result
