"""Periods that the spacing of time stamps suggests."""

from collections.abc import Iterator

import numpy as np

from ngrc._types import AnyArray
from ngrc.auto.periods.period import Period
from ngrc.series.grid import Grid, Months, Steps, Weekdays, ticks_per_day
from ngrc.series.regular import find_grid
from ngrc.series.sessions import Sessions

HOUR, DAY, WEEK = 3_600.0, 86_400.0, 604_800.0
YEAR = 365.25 * DAY

# Share of neighbouring times that must be one step apart. Missing weekdays on holidays leave 96 %; hours of which some
# are lost every night leave 86 % and have no 24-step day.
_LINKED = 0.9
# A week of five-minute steps; a longer cycle needs more delays and more data than a proposal is worth.
_LONGEST = 2016
# Where a cycle is no whole number of steps, its seasonal delay misses by half a step: by 1 % or less from here on.
_LONG_ENOUGH = 50
_ADJECTIVES = {HOUR: "hourly", DAY: "daily", WEEK: "weekly"}


def spacing_periods(times: AnyArray | None) -> tuple[Period, ...]:
    """Periods that times suggest by their spacing alone, shortest first.

    Parameters
    ----------
    times
        `datetime64` times, shape (n,), regular or nearly so; None, numbers, and times without a common step have
        no calendar and give no period.

    Examples
    --------
    >>> [(p.name, p.steps) for p in spacing_periods(np.arange("2024-01-01", "2024-02-01", dtype="M8[h]"))]
    [('day', 24.0), ('week', 168.0), ('year', 8766.0)]
    """
    if times is None or times.dtype.kind != "M":
        return ()
    known = times[~np.isnat(times)]
    # Months and years as units have no whole number of days; their first days have.
    known = known.astype("M8[D]") if np.datetime_data(known.dtype)[0] in ("Y", "M", "W") else known
    if known.size < 2 or np.any(known[1:] <= known[:-1]):
        return ()
    grid = find_grid(known)
    cells, exact = grid.cells(known)
    if np.mean((np.diff(cells) == 1) & exact[1:] & exact[:-1]) < _LINKED:
        return ()
    return tuple(_cycles(grid, ticks_per_day(known)))


def _cycles(grid: Grid, day: int) -> Iterator[Period]:
    if isinstance(grid, Weekdays):
        days = grid.days.count("1")
        yield Period(float(days), "week", "time stamps on weekdays")
        yield Period(days / 7 * YEAR / DAY, "year", "time stamps on weekdays")
    elif isinstance(grid, Sessions):
        daily = len(grid.clocks)
        for steps, name in ((daily, "day"), (daily * grid.days.count("1"), "week")):
            if steps <= _LONGEST:
                yield Period(float(steps), name, "time stamps of daily sessions")
    elif isinstance(grid, Months):
        if grid.step < 12 and 12 % grid.step == 0:
            yield Period(12.0 / grid.step, "year", _reason(grid.label))
    elif isinstance(grid, Steps):
        seconds = grid.step * DAY / day
        reason = _reason(grid.label) if seconds not in _ADJECTIVES else f"{_ADJECTIVES[seconds]} time stamps"
        yield from (Period(length / seconds, name, reason) for name, length in _lengths(seconds))


def _reason(label: str) -> str:
    words = {"1 month": "monthly", "3 months": "quarterly", "30 minutes": "half-hourly"}
    return f"{words[label]} time stamps" if label in words else f"time stamps every {label}"


def _lengths(seconds: float) -> Iterator[tuple[str, float]]:
    # People keep hours, days and weeks; an hour in steps of five minutes or more is rarely a habit of anything.
    for name, length in (("hour", HOUR), ("day", DAY), ("week", WEEK)):
        steps = length / seconds
        fits = steps == np.rint(steps) or steps >= _LONG_ENOUGH
        if fits and 2 <= steps <= _LONGEST and (name != "hour" or seconds < HOUR / 12):
            yield name, length
    # The seasons reach hourly and coarser values as a clock; below an hour the year has too many steps.
    if seconds >= HOUR and YEAR / seconds >= 4:
        yield "year", YEAR
