"""Kernels of one signature, called without numba's look at the types of their arguments.

A call through numba's dispatcher takes 0.3 microseconds and more with every array, most of it spent on finding out
which compiled form fits. A step of an online method is shorter than that. Where the types are known the compiled form
can be called itself, in 0.1 microseconds.

It converts what `float` and `int` convert or raises `TypeError`, but of an array it looks at the size of an item alone:
one of whole numbers is read as one of floats, and one with gaps as if it had none. Arrays must therefore be right by
construction: made by the caller's own code, and checked by `check_state` where they come from a file.
"""

from collections.abc import Callable
from typing import Any, Generic, ParamSpec, TypeVar

import numpy as np
from numba import typeof

from ngrc._jit.kernels import compiled
from ngrc._types import AnyArray

P = ParamSpec("P")
R = TypeVar("R")


class Direct(Generic[P, R]):
    """A kernel and its compiled form: `call` compiles it or takes it from the disk at first use.

    Parameters
    ----------
    kernel
        As `jit` makes it.
    signature
        Its types, such as "(float64[::1], float64)"; None for those of what `settle` is shown first.
    """

    __slots__ = ("_types", "call", "kernel", "signature")

    def __init__(self, kernel: Callable[P, R], signature: str | None = None) -> None:
        self.kernel = kernel
        self.signature = signature
        self._types: tuple[Any, ...] | None = None
        self.call: Callable[P, R] = self._first

    def settle(self, *arguments: P.args, **named: P.kwargs) -> None:
        """Compile for the types of these arguments, or refuse them where it was compiled for others.

        For states of many arrays, whose types nobody would write down: called whenever one is made.
        """
        types = tuple(typeof(one) for one in arguments)
        if self._types is None:
            self._types, self.call = types, self._compiled(types)
        elif types != self._types:
            raise ValueError("arrays of this state are not of the types that its kernel reads; make it anew")

    def _first(self, *arguments: P.args, **named: P.kwargs) -> R:
        if self.signature is None:
            raise RuntimeError(f"settle the types of {self.kernel!r} before it is called")
        self.call = self._compiled(self.signature)
        return self.call(*arguments, **named)

    def _compiled(self, signature: str | tuple[Any, ...]) -> Callable[P, R]:
        # With NUMBA_DISABLE_JIT the kernel is the function itself, and a numba that hands out no compiled form still
        # has its dispatcher: slower, and the same numbers.
        compile_for: Any = getattr(self.kernel, "compile", None)
        entry = None if compile_for is None else compile_for(signature)
        return entry if callable(entry) else self.kernel


def direct(signature: str) -> Callable[[Callable[P, R]], Direct[P, R]]:
    """Compile a function for one signature, such as "(float64[::1], float64)", and call it directly.

    The lock of the interpreter is kept: it costs 0.05 microseconds to give it away and take it back, and a step that no
    other thread can see half done needs no lock of its own.
    """

    def made(function: Callable[P, R]) -> Direct[P, R]:
        return Direct(compiled(function, nogil=False), signature)

    return made


def check_state(array: AnyArray, dtype: type[Any], dimensions: int, name: str) -> None:
    """Refuse an array that a direct kernel would misread.

    Examples
    --------
    >>> check_state(np.zeros((4, 2))[:, 0], np.float64, 1, "state")
    Traceback (most recent call last):
    ValueError: state should be 1 dimension of float64 without gaps, got 1 of float64 with gaps
    """
    gaps = "without" if array.flags.c_contiguous and array.flags.aligned else "with"
    if array.dtype != np.dtype(dtype) or array.ndim != dimensions or gaps == "with":
        raise ValueError(
            f"{name} should be {dimensions} dimension{'s' * (dimensions > 1)} of {np.dtype(dtype)} without gaps, got "
            f"{array.ndim} of {array.dtype} {gaps} gaps"
        )
