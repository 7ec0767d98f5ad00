"""What a forecaster said, entry by entry, how far each entry may read, and where two answers differ."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ngrc._types import BoolArray, FloatArray, IntArray


@dataclass(frozen=True, eq=False, slots=True)
class Output:
    """Numbers by time.

    Parameters
    ----------
    name
        What they are, such as "predict".
    times
        Index of each row, shape (m,): of its target, or of its origin where `delay` is 0.
    values
        Shape (m, ...).
    delay
        The row of time t may read inputs through t - delay; one number, or one per column.
    fitted
        Index of the last observation of the fit behind them, which they may read in any case; -1 of none.
    """

    name: str
    times: IntArray
    values: FloatArray
    delay: int | IntArray = 0
    fitted: int = -1

    def readable(self, known: bool) -> IntArray:
        """The last index that each entry may read, in the shape of the values."""
        shape = (-1,) + (1,) * (self.values.ndim - 1)
        delay = np.asarray(0 if known else self.delay)
        # One delay per column stands along the second axis, before any channels.
        delay = delay.reshape((-1,) + (1,) * (self.values.ndim - 2)) if delay.ndim else delay
        reach = np.maximum(self.times.reshape(shape) - delay, self.fitted)
        return np.broadcast_to(reach, self.values.shape)


@dataclass(frozen=True, slots=True)
class Difference:
    """The first entry that changed although it may not know of the change, and how many did."""

    output: str
    time: int
    column: tuple[int, ...]
    readable: int
    before: float
    after: float
    count: int

    @property
    def entry(self) -> str:
        """Which entry, in words."""
        column = f", {', '.join(map(str, self.column))}" if self.column else ""
        return f"entry {self.time}{column} of {self.output}"


def differing(before: Output, after: Output, tolerance: float) -> BoolArray:
    """Where two answers about the same times differ by more than `tolerance` of the largest entry."""
    one, two = before.values, after.values
    finite = np.abs(one[np.isfinite(one)])
    allowed = tolerance * float(finite.max()) if tolerance and finite.size else 0.0
    with np.errstate(invalid="ignore"):
        alike = (one == two) | (np.isnan(one) & np.isnan(two)) | (np.abs(one - two) <= allowed)
    return np.asarray(~alike)


def first_difference(
    before: Sequence[Output],
    after: Sequence[Output],
    cut: int,
    *,
    known: bool = False,
    tolerance: float = 0.0,
) -> Difference | None:
    """The first entry that may read inputs through `cut` at most and differs; None where there is none.

    Rows that only one of the answers has are left alone: a series cut short has no more.

    Examples
    --------
    >>> times = np.arange(4)
    >>> answers = [[Output("predict", times, np.array(values), 1)] for values in ([0.0, 1, 2, 3], [0.0, 1, 5, 7])]
    >>> first_difference(*answers, cut=1).entry
    'entry 2 of predict'
    """
    for one, two in zip(before, after, strict=True):
        _, rows, others = np.intersect1d(one.times, two.times, return_indices=True)
        one, two = _rows(one, rows), _rows(two, others)
        if one.name != two.name or one.values.shape != two.values.shape:
            raise AssertionError(
                f"{one.name} of shape {one.values.shape} became {two.name} of shape {two.values.shape} when values "
                f"after {cut} changed"
            )
        wrong = differing(one, two, tolerance) & (one.readable(known) <= cut)
        if wrong.any():
            place = tuple(int(index) for index in np.argwhere(wrong)[0])
            return Difference(
                one.name,
                int(one.times[place[0]]),
                place[1:],
                int(one.readable(known)[place]),
                float(one.values[place]),
                float(two.values[place]),
                int(np.count_nonzero(wrong)),
            )
    return None


def _rows(output: Output, rows: IntArray) -> Output:
    return Output(output.name, output.times[rows], output.values[rows], output.delay, output.fitted)
