"""Which grid a series' times follow, and the first row that leaves it."""

from collections.abc import Iterator

import numpy as np

from ngrc._types import AnyArray, IntArray
from ngrc.series.grid import MONDAY_TO_FRIDAY, FloatSteps, Grid, Months, Steps, Weekdays, ticks_per_day
from ngrc.series.sessions import Sessions, find_sessions
from ngrc.series.wording import Where, shown_time

# Weeks in which a day of the week never occurs before it counts as a day off.
_LEAST_WEEKS = 4
# Working days without a row, as a share of all and in one stretch, up to which they are holidays: China's exchanges
# close on 7 %, and for eight days in a row at New Year.
_HOLIDAYS, _LONGEST_HOLIDAY = 0.1, 10
_REMEDY = "put the series on the regular grid with resample=True (--resample)"


def most_common(values: IntArray) -> int:
    """Return the value that occurs most often, the smallest on ties."""
    unique, counts = np.unique(values, return_counts=True)
    return int(unique[np.argmax(counts)])


def constant_step(times: AnyArray) -> int | None:
    """The step of at least two dates or whole numbers that rise by one and the same, in their own unit; else None.

    Examples
    --------
    >>> constant_step(np.array([1, 4, 7])), constant_step(np.array([1, 4, 8])), constant_step(np.array([1.0, 2.0]))
    (3, None, None)
    """
    if times.dtype.kind == "f" or times.size < 2:
        return None
    # As numbers: a difference of dates looks at each for whether it is one.
    ticks = times.astype(np.int64)
    steps = ticks[1:] - ticks[:-1]
    return int(steps[0]) if steps[0] > 0 and (steps == steps[0]).all() else None


def find_grid(times: AnyArray) -> Grid:
    """Return the grid that links most consecutive times.

    Parameters
    ----------
    times
        At least two strictly increasing times, shape (n,): `datetime64` in days or finer, or numbers.

    Examples
    --------
    >>> find_grid(np.array(["2024-01-31", "2024-02-29", "2024-03-31"], dtype="M8[D]")).label
    '1 month'
    """
    step = constant_step(times)
    if step is not None:
        # The constant step links all times, and the first candidate would win.
        return Steps(int(times[0].astype(np.int64)) % step, step, times.dtype)
    # The first candidate wins ties, so that a constant step is preferred to a calendar that says the same.
    best, linked = None, -1
    for grid in _candidates(times):
        cells, exact = grid.cells(times)
        score = int(np.sum((np.diff(cells) == 1) & exact[1:] & exact[:-1]))
        if score > linked:
            best, linked = grid, score
    assert best is not None
    return best


def _candidates(times: AnyArray) -> Iterator[Grid]:
    if times.dtype.kind == "f":
        yield _float_steps(times)
        return
    ticks = times.astype(np.int64)
    step = most_common(np.diff(ticks))
    # The phase that most times share, so that one odd first time does not shift the whole grid.
    yield Steps(most_common(ticks % step), step, times.dtype)
    if times.dtype.kind != "M":
        return
    day = ticks_per_day(times)
    clock = most_common(ticks % day)
    # From 28 days on steps may be months; the median, as a gap or a repeated time must not decide it.
    if np.median(np.diff(ticks)) >= 28 * day:
        month = times.astype("M8[M]").astype(np.int64)
        stride = max(most_common(np.diff(month)), 1)
        date = (times.astype("M8[D]") - times.astype("M8[M]")).astype(np.int64) + 1
        # The day of the month: the latest seen (30 January, 28 February, 30 March), the usual one, or the month's end.
        for anchor in (int(date.max()), most_common(date), 31):
            yield Months(most_common(month % stride), stride, anchor, clock, times.dtype)
    elif step == day:
        days = _working_days(times.astype("M8[D]"))
        if days is not None:
            yield Weekdays(clock, times.dtype, days)
    elif step < day:
        sessions = find_sessions(times, step, _working_days(times.astype("M8[D]")))
        if sessions is not None:
            yield sessions


def _working_days(dates: AnyArray) -> str | None:
    """Which days of the week occur, in numpy's form: Monday to Friday, or others that are seen over weeks."""
    if np.all(np.is_busday(dates)):
        return MONDAY_TO_FRIDAY
    # 1970-01-01 was a Thursday, the fourth day.
    days = (dates.astype(np.int64) + 3) % 7
    occurs = np.bincount(days, minlength=7) > 0
    weeks = int((dates[-1] - dates[0]).astype(np.int64)) // 7
    # A Sunday that lacks once is a gap; that no Sunday of so many weeks has a row is a habit.
    if occurs.all() or weeks < _LEAST_WEEKS:
        return None
    return "".join("01"[int(one)] for one in occurs)


def _float_steps(times: AnyArray) -> FloatSteps:
    gaps = np.diff(times)
    # Cumulated whole steps, then one step for the whole span: rounding of single times averages out.
    whole = np.concatenate([[0.0], np.cumsum(np.maximum(np.rint(gaps / np.median(gaps)), 0))])
    step = float((times[-1] - times[0]) / whole[-1]) if whole[-1] > 0 else float(np.median(gaps))
    return FloatSteps(float(np.median(times - step * whole)), step)


def check_regular(times: AnyArray, where: Where) -> None:
    """Raise `ValueError` naming the first row whose time is unsorted, repeated or off the grid."""
    late = np.flatnonzero(times[1:] <= times[:-1])
    if late.size:
        row = int(late[0]) + 1
        verb = "repeats" if times[row] == times[row - 1] else "comes before"
        raise ValueError(
            f"{where(row)}: time {shown_time(times[row])} {verb} the time of the row before, "
            f"{shown_time(times[row - 1])}; sort and merge, or {_REMEDY}"
        )
    # Two times make one step, and any one step is regular.
    if times.size < 3:
        return
    grid = find_grid(times)
    if holidays(times, grid) is not None:
        return
    cells, exact = grid.cells(times)
    wrong = np.flatnonzero(~exact[1:] | ~exact[:-1] | (np.diff(cells) != 1))
    if wrong.size:
        row = int(wrong[0]) + 1
        raise ValueError(
            f"{where(row)}: time {shown_time(times[row])} does not follow {shown_time(times[row - 1])} "
            f"by {grid.label} as most rows do; {_REMEDY}"
        )


def holidays(times: AnyArray, grid: Grid) -> int | None:
    """How many points have no row, where times are those of working days or sessions with holidays; else None.

    Such times count as regular: their rows are consecutive observations, as those of an exchange are.

    Examples
    --------
    >>> days = np.array(["2024-01-05", "2024-01-08", "2024-01-09", "2024-01-11"], dtype="M8[D]")
    >>> grid = Weekdays(0, days.dtype)
    >>> holidays(np.append(days, np.busday_offset("2024-01-12", np.arange(20))), grid)
    1
    """
    if not isinstance(grid, Weekdays | Sessions):
        return None
    cells, exact = grid.cells(times)
    steps = np.diff(cells)
    lost = int(np.sum(steps - 1))
    daily = len(grid.clocks) if isinstance(grid, Sessions) else 1
    longest = np.max(steps, initial=1) <= _LONGEST_HOLIDAY * daily + 1
    few = lost <= _HOLIDAYS * (cells[-1] - cells[0]) and longest
    return lost if bool(exact.all()) and bool(few) and bool(np.all(steps > 0)) else None


def is_regular(times: AnyArray) -> bool:
    """Whether the times pass `check_regular`."""
    try:
        check_regular(times, str)
    except ValueError:
        return False
    return True


def coming_times(times: AnyArray, steps: int) -> AnyArray:
    """The `steps` grid points after the last of at least two regular times.

    Examples
    --------
    >>> ends = np.array(["2024-09-30", "2024-10-31", "2024-11-30", "2024-12-31"], dtype="M8[D]")
    >>> coming_times(ends, 2).tolist()
    [datetime.date(2025, 1, 31), datetime.date(2025, 2, 28)]
    """
    step = constant_step(times)
    if step is not None:
        future: AnyArray = (int(times[-1].astype(np.int64)) + step * np.arange(1, steps + 1)).astype(
            times.dtype
        )
    else:
        grid = find_grid(times)
        (last,), _ = grid.cells(times[-1:])
        future = grid.points(last + 1 + np.arange(steps))
    # Integers wrap around silently: datetime64[ns] ends in April 2262.
    line = np.concatenate([times[-1:], future])
    if np.any(line[1:] <= line[:-1]):
        raise ValueError(
            f"the coming times after {shown_time(times[-1])} do not fit into {times.dtype}; "
            "give times of a coarser unit"
        )
    return future
