"""Sums over a moving window without drift: nothing is ever subtracted.

Time is cut into chunks of the window's length M. A window is the tail of one chunk and the head of the next,
so its sum is a suffix sum plus a prefix sum: O(1) per step, and an error that does not grow with the length of
the stream. Source: van Herk (1992), doi:10.1016/0167-8655(92)90069-C, for sums in place of maxima.
"""

from typing import Any

import numpy as np

from ngrc._kernels.order import SUMS_FILLED, SUMS_FIRST, SUMS_HEAD, sums_push, sums_total
from ngrc._types import FloatArray
from ngrc.archive import check_shape, check_that

HEAD, FILLED, FIRST = SUMS_HEAD, SUMS_FILLED, SUMS_FIRST
"""Places in the state: sum of the new chunk, how much of it is filled, and the first of M values and M tails' sums."""


def suffix_sums(chunks: FloatArray) -> FloatArray:
    """Sums from each place to the end of its chunk, along the last axis."""
    result: FloatArray = np.cumsum(chunks[..., ::-1], axis=-1)[..., ::-1]
    return result


def moving_sums(values: FloatArray, window: int) -> FloatArray:
    """Sum of every `window` consecutive values: shape (n,) to (n - window + 1,), for n >= window.

    Examples
    --------
    >>> moving_sums(np.array([1.0, 2.0, 3.0, 4.0]), 3).tolist()
    [6.0, 9.0]
    """
    count = values.size - window + 1
    # One chunk of zeros at the end, so that the last one with values has a successor whose head can be added.
    chunks = np.zeros((-(-values.size // window) + 1, window))
    chunks.ravel()[: values.size] = values
    heads = np.cumsum(chunks[1:], axis=1)
    sums = suffix_sums(chunks[:-1])
    # The window that starts at place j of a chunk ends at place j - 1 of the next; at j = 0 it is the chunk itself.
    sums[:, 1:] += heads[:, :-1]
    return sums.ravel()[:count]


class MovingSum:
    """The same sums one value at a time, equal to the last bit.

    Parameters
    ----------
    values
        The first full window, shape (M,).

    Examples
    --------
    >>> moving = MovingSum(np.array([1.0, 2.0, 3.0]))
    >>> moving.push(4.0)
    >>> moving.total
    9.0
    """

    __slots__ = ("state",)

    def __init__(self, values: FloatArray) -> None:
        self.state: FloatArray = np.concatenate([np.zeros(FIRST), values, suffix_sums(values)])

    def __repr__(self) -> str:
        return f"MovingSum({self.size} values, {self.total:.6g})"

    def kept(self) -> dict[str, Any]:
        """The window, and the sums of the chunk before it and of its own."""
        values, tails = self.state[FIRST:].reshape(2, -1)
        return {
            "values": values.copy(),
            "head": float(self.state[HEAD]),
            "filled": int(self.state[FILLED]),
            "tails": tails.copy(),
        }

    @classmethod
    def rebuilt(cls, kept: dict[str, Any]) -> "MovingSum":
        """The sums of what was kept; those of another window are refused."""
        check_that(list(kept) == ["values", "head", "filled", "tails"], "sums have values, head and tails")
        values, head, filled, tails = kept.values()
        for array in (values, tails):
            check_that(getattr(array, "dtype", None) == np.float64 and array.ndim == 1, "sums are of numbers")
        check_shape(tails, values.shape, "tails")
        check_that(type(head) is float and type(filled) is int, "a chunk has a sum and a length")
        check_that(0 <= filled < values.size, "the chunk that is being filled is not full")
        moving = cls.__new__(cls)
        moving.state = np.concatenate([[head, float(filled)], values, tails])
        return moving

    @property
    def size(self) -> int:
        """M."""
        return (self.state.size - FIRST) // 2

    @property
    def total(self) -> float:
        """Sum of the last M values."""
        return sums_total(self.state)

    def push(self, value: float) -> None:
        """Take in the next value; the oldest leaves the window."""
        sums_push(self.state, value)
