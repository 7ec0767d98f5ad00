"""Sums over a moving window without drift: nothing is ever subtracted.

Time is cut into chunks of the window's length M. A window is the tail of one chunk and the head of the next,
so its sum is a suffix sum plus a prefix sum: O(1) per step, and an error that does not grow with the length of
the stream. Source: van Herk (1992), doi:10.1016/0167-8655(92)90069-C, for sums in place of maxima.
"""

from dataclasses import dataclass, field

import numpy as np

from ngrc._types import FloatArray
from ngrc.archive import check_shape, check_that


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


@dataclass(slots=True)
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

    values: FloatArray
    head: float = field(default=0.0, init=False)
    filled: int = field(default=0, init=False)
    tails: FloatArray = field(init=False)

    def __post_init__(self) -> None:
        self.values = np.array(self.values, dtype=np.float64)
        self.tails = suffix_sums(self.values)

    def check_kept(self) -> None:
        """Refuse sums of another window."""
        check_shape(self.tails, (self.values.size,), "tails")
        check_that(0 <= self.filled < self.values.size, "the chunk that is being filled is not full")

    @property
    def total(self) -> float:
        """Sum of the last M values."""
        # Tail plus head, in the order of `moving_sums`: the two agree to the last bit.
        return float(self.tails[self.filled] + self.head)

    def push(self, value: float) -> None:
        """Take in the next value; the oldest leaves the window."""
        # The places before `filled` belong to the new chunk, those after it to the old one, whose sums `tails` keeps.
        self.values[self.filled] = value
        self.head += value
        self.filled += 1
        if self.filled == self.values.size:
            self.tails = suffix_sums(self.values)
            self.head, self.filled = 0.0, 0
