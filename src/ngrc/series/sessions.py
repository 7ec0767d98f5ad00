"""Days of which only some hours have rows: those of an exchange, of an office, of daylight."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from ngrc._types import AnyArray, BoolArray, IntArray
from ngrc.series.grid import FIRST_MONDAY, Steps, ticks_per_day
from ngrc.series.wording import plural

# Fewer days show no habit.
_LEAST_DAYS = 5
# Share of the days' length beyond which the rest is a gap that repeats, and no night.
_AROUND = 0.9
# Share of the days on which a time of day must have a row to be one of the session.
_USUAL = 0.5


@dataclass(frozen=True)
class Sessions:
    """The same times of day on some days of the week; nights and days off lie between two points.

    Parameters
    ----------
    clocks
        Times of day in ticks since midnight, rising.
    step
        The most common step in ticks.
    dtype
        Of the times.
    days
        For Monday to Sunday whether there is a session, as numpy's business days have it.

    Examples
    --------
    >>> grid = Sessions((9, 10, 11), 1, np.dtype("M8[h]"), "1111100")
    >>> friday = grid.cells(np.array(["2024-01-05T11"], dtype="M8[h]"))[0]
    >>> grid.points(friday + 1).astype(str).tolist(), grid.label
    (['2024-01-08T09'], '1 hour in daily sessions')
    """

    clocks: tuple[int, ...]
    step: int
    dtype: np.dtype[Any]
    days: str

    def cells(self, times: AnyArray) -> tuple[IntArray, BoolArray]:
        """Number the times by day and time of day; between two sessions the first point of the next."""
        length = ticks_per_day(times)
        ticks = times.astype(np.int64)
        date = (ticks // length).astype("M8[D]")
        slot = np.searchsorted(self.clocks, ticks % length)
        # On a day off the next session's first point; the count of sessions before is that session's number already.
        slot = np.where(np.is_busday(date, self.days), slot, 0)
        cells = np.busday_count(FIRST_MONDAY, date, self.days) * len(self.clocks) + slot
        return cells.astype(np.int64), self.points(cells) == times

    def points(self, cells: IntArray) -> AnyArray:
        """The times of the numbered points."""
        day, slot = np.divmod(cells, len(self.clocks))
        date = np.busday_offset(FIRST_MONDAY, day, roll="forward", weekmask=self.days)
        ticks = date.astype(self.dtype).astype(np.int64) + np.array(self.clocks)[slot]
        points: AnyArray = ticks.astype(self.dtype)
        return points

    @property
    def label(self) -> str:
        """The step for a person."""
        return f"{Steps(0, self.step, self.dtype).label} in daily sessions"

    def remark(self, lost: int) -> str:
        """What was assumed, and how many points have no row."""
        # The times of day on the first day that ticks count from.
        ends = np.array([self.clocks[0], self.clocks[-1]]).astype(self.dtype).astype("M8[m]")
        first, last = (str(end) for end in ends)
        lacking = f"; {plural(lost, 'row')} that lack taken as holidays" if lost else ""
        return (
            f"daily sessions of {len(self.clocks)} rows from {first[11:16]} to {last[11:16]}: the time between them is "
            f"no gap, and rows are consecutive{lacking}"
        )


def find_sessions(times: AnyArray, step: int, days: str | None) -> Sessions | None:
    """Sessions that times follow, or None where rows come around the clock or of too few days.

    Parameters
    ----------
    times
        `datetime64` finer than days, rising.
    step
        Their most common step in ticks.
    days
        The days of the week that occur, where not all do.
    """
    length = ticks_per_day(times)
    ticks = times.astype(np.int64)
    dates = np.unique(ticks // length)
    if step >= length or dates.size < _LEAST_DAYS:
        return None
    clocks, counts = np.unique(ticks % length, return_counts=True)
    usual = clocks[counts >= _USUAL * dates.size]
    if usual.size < 2 or usual.size * step > _AROUND * length:
        return None
    return Sessions(tuple(usual.tolist()), step, times.dtype, days or "1111111")
