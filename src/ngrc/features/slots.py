"""Slots of the day or week: where the times have one step, the clock at any target follows from the origin's slot."""

from dataclasses import dataclass

import numpy as np

from ngrc._types import AnyArray, FloatArray, IntArray
from ngrc.features.inputs import Inputs

HOUR, DAY, WEEK = 3_600_000_000, 86_400_000_000, 604_800_000_000
"""Lengths in microseconds, in which every time of a calendar is counted."""

# 1 January 1970, from which datetime64 counts, was a Thursday.
EPOCH_WEEKDAY = 3


def microseconds(times: AnyArray) -> IntArray:
    """Times as whole microseconds since the Monday before 1970."""
    return times.astype("M8[us]").astype(np.int64) + EPOCH_WEEKDAY * DAY


def common_step(times: AnyArray) -> int | None:
    """The one step between times of shape (n,), in microseconds; None where there are several.

    Examples
    --------
    >>> common_step(np.array(["2024-01-01T00", "2024-01-01T01", "2024-01-01T02"], dtype="M8[h]")) == HOUR
    True
    """
    steps = np.diff(microseconds(times))
    return int(steps[0]) if steps.size and bool(np.all(steps == steps[0])) else None


@dataclass(frozen=True, slots=True)
class Slots:
    """One indicator column per slot of `step` in a `span`, a day or a week, at the origin's time.

    Parameters
    ----------
    span, step
        Microseconds; the span is a whole number of steps.

    Examples
    --------
    >>> Slots(DAY, HOUR).count(1)
    24
    """

    span: int
    step: int

    moving = False

    def names(self, horizon: int) -> tuple[str, ...]:
        """Column names."""
        return tuple(f"slot(t)={slot}" for slot in range(self.count(horizon)))

    def count(self, horizon: int) -> int:
        """Number of slots."""
        return self.span // self.step

    def reach(self, horizon: int) -> int:
        """Zero: nothing of the past is read."""
        return 0

    def columns(self, inputs: Inputs, horizon: int, first: int, stop: int) -> FloatArray:
        """Indicators at the origins of the targets first..stop-1."""
        assert inputs.times is not None
        origins = microseconds(inputs.times[first - horizon : stop - horizon])
        places = origins % self.span // self.step
        indicators: FloatArray = (places[:, np.newaxis] == np.arange(self.count(horizon))).astype(np.float64)
        return indicators

    def later(self, horizon: int, length: int, values: int) -> FloatArray:
        """Matrix from slots to the values, each `length` long and `values` in a cycle, that the clock shows later.

        Row s has its 1 at the value that is shown `horizon` steps after slot s. A length that is a whole number of
        steps makes it exact wherever within its slot a time lies.
        """
        slots = np.arange(self.count(horizon))
        starts = (slots + horizon) * self.step % self.span
        matrix: FloatArray = (starts[:, np.newaxis] // length % values == np.arange(values)).astype(
            np.float64
        )
        return matrix
