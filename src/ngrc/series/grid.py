"""Regular time grids: a constant step, calendar months, weekdays.

Every grid numbers its points. `cells` gives each time the number of the first point *at or after* it, so that
an observation moved to the grid never appears before its own time, and says which times lie on a point.
"""

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from ngrc._types import AnyArray, BoolArray, IntArray
from ngrc.series.wording import plural

FLOAT_TOLERANCE = 0.01
"""Share of a step by which floating-point times may miss a grid point and still count as regular.

Decimal years of months rounded to two places miss by up to 6 % and are refused, to three places by 0.6 % and pass.
"""

# Units in the last place that computing origin + cell * step may lose.
_ROUNDING = 8 * float(np.finfo(np.float64).eps)

MONDAY_TO_FRIDAY = "1111100"
"""The usual working week, in the form that numpy's business days take."""

FIRST_MONDAY = np.datetime64("0001-01-01", "D")
"""The first Monday that proleptic Gregorian dates can name: weekday counts from it are never negative."""
_LENGTHS = (("day", 86_400), ("hour", 3_600), ("minute", 60), ("second", 1))


class Grid(Protocol):
    """Numbered points in time."""

    def cells(self, times: AnyArray) -> tuple[IntArray, BoolArray]:
        """Return the number of the first point at or after each time, and whether the time is on it."""

    def points(self, cells: IntArray) -> AnyArray:
        """Return the times of the numbered points."""

    @property
    def label(self) -> str:
        """The step for a person."""


def ticks_per_day(times: AnyArray) -> int:
    """Return how many units of a `datetime64` array make a day."""
    # The dtype's own unit may be a multiple, such as 10 minutes, so the ratio is taken of two durations.
    return int(np.timedelta64(1, "D") // np.ones(1, times.dtype.str.replace("M8", "m8"))[0])


@dataclass(frozen=True)
class Steps:
    """A constant step between whole-number times or `datetime64` ticks."""

    origin: int
    step: int
    dtype: np.dtype[Any]

    def cells(self, times: AnyArray) -> tuple[IntArray, BoolArray]:
        """Number the times by exact integer arithmetic."""
        ticks = times.astype(np.int64)
        # -(-a // b) is the ceiling of a / b in integers; floats would lose ticks of nanoseconds.
        return -((self.origin - ticks) // self.step), (ticks - self.origin) % self.step == 0

    def points(self, cells: IntArray) -> AnyArray:
        """Return origin + cell * step."""
        points: AnyArray = (self.origin + cells * self.step).astype(self.dtype)
        return points

    @property
    def label(self) -> str:
        """The step in its largest whole unit."""
        if self.dtype.kind != "M":
            return f"{self.step}"
        second = np.timedelta64(1, "s") / np.ones(1, self.dtype.str.replace("M8", "m8"))[0]
        for noun, seconds in _LENGTHS:
            if self.step % (seconds * second) == 0:
                return plural(int(self.step // (seconds * second)), noun)
        return f"{self.step / second:g} seconds"


@dataclass(frozen=True)
class FloatSteps:
    """A constant step between floating-point times.

    `late` is the share of a step by which a time may come after its point and still count as on it.
    """

    origin: float
    step: float
    late: float = FLOAT_TOLERANCE

    def not_before(self, times: AnyArray) -> "FloatSteps":
        """Return the grid moved on so far that no time on it comes after its point, beyond rounding."""
        cells, exact = self.cells(times)
        # Times that are on no point go to the next one anyway, so that they need no shift.
        delays = (times - self.points(cells))[exact]
        rounding = _ROUNDING * float(np.max(np.abs(times)))
        delay = float(np.max(delays, initial=0.0))
        origin = self.origin if delay <= rounding else self.origin + delay
        return FloatSteps(origin, self.step, rounding / self.step)

    def cells(self, times: AnyArray) -> tuple[IntArray, BoolArray]:
        """Number the times; within the tolerance of a point they count as on it."""
        position = (times - self.origin) / self.step
        # Not symmetric: a time a little before its point is known when the point comes; after it, by `late` at most.
        nearest = np.rint(position)
        exact = (position - nearest <= self.late) & (nearest - position <= FLOAT_TOLERANCE)
        return np.where(exact, nearest, np.ceil(position)).astype(np.int64), exact

    def points(self, cells: IntArray) -> AnyArray:
        """Return origin + cell * step."""
        points: AnyArray = self.origin + cells * self.step
        return points

    @property
    def label(self) -> str:
        """The step as a number."""
        return f"{self.step:g}"


@dataclass(frozen=True)
class Months:
    """One day of every `step`-th month at one time of day; `day` 31 is the month's end."""

    phase: int
    step: int
    day: int
    clock: int
    dtype: np.dtype[Any]

    def _in_month(self, month: IntArray) -> AnyArray:
        # `day` or the last of the month, whichever is first: 31 gives 28, 29, 30 or 31.
        first = month.astype("M8[M]").astype("M8[D]")
        length = (month + 1).astype("M8[M]").astype("M8[D]") - first
        date = first + np.minimum(np.timedelta64(self.day, "D"), length) - np.timedelta64(1, "D")
        points: AnyArray = (date.astype(self.dtype).astype(np.int64) + self.clock).astype(self.dtype)
        return points

    def cells(self, times: AnyArray) -> tuple[IntArray, BoolArray]:
        """Number the times by their month, or the next where the month's point has passed."""
        month = times.astype("M8[M]").astype(np.int64)
        month = month + (times > self._in_month(month))
        # The ceiling again: a month between two points belongs to the later one.
        cells = -((self.phase - month) // self.step)
        return cells, self.points(cells) == times

    def points(self, cells: IntArray) -> AnyArray:
        """Return the chosen day of each numbered month."""
        return self._in_month(self.phase + cells * self.step)

    @property
    def label(self) -> str:
        """The step in months or years."""
        return plural(self.step // 12, "year") if self.step % 12 == 0 else plural(self.step, "month")


@dataclass(frozen=True)
class Weekdays:
    """Some days of the week at one time of day; `days` says for Monday to Sunday whether there is a point."""

    clock: int
    dtype: np.dtype[Any]
    days: str = MONDAY_TO_FRIDAY

    def cells(self, times: AnyArray) -> tuple[IntArray, BoolArray]:
        """Number the times by weekday; days without a point belong to the next that has one."""
        ticks = times.astype(np.int64) - self.clock
        # Measured from the clock time of the grid and rounded up: an hour past it is the next weekday's.
        day = -(-ticks // ticks_per_day(times))
        cells = np.busday_count(FIRST_MONDAY, day.astype("M8[D]"), self.days).astype(np.int64)
        return cells, self.points(cells) == times

    def points(self, cells: IntArray) -> AnyArray:
        """Return the numbered weekdays."""
        day = np.busday_offset(FIRST_MONDAY, cells, roll="forward", weekmask=self.days)
        points: AnyArray = (day.astype(self.dtype).astype(np.int64) + self.clock).astype(self.dtype)
        return points

    @property
    def label(self) -> str:
        """The step for a person."""
        return "1 weekday" if self.days == MONDAY_TO_FRIDAY else "1 working day"
