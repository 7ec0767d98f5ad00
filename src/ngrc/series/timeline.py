"""Rows in the order of time: sorted where they were not, and one step apart."""

from typing import NamedTuple

import numpy as np

from ngrc._types import AnyArray, IntArray
from ngrc.series.clock_changes import without_clock_changes
from ngrc.series.regular import check_regular, find_grid, holidays, is_regular
from ngrc.series.sessions import Sessions
from ngrc.series.wording import Where, plural


class Timeline(NamedTuple):
    """Regular times of shape (n,), and what was done to get them."""

    times: AnyArray
    notes: tuple[str, ...] = ()


def regular_times(times: AnyArray, where: Where) -> Timeline:
    """Times as they are where they are regular, and those of a local clock without its changes; others raise."""
    try:
        check_regular(times, where)
    except ValueError:
        settled = without_clock_changes(times)
        if settled is None:
            raise
        return Timeline(settled[0], (settled[1],))
    if times.size < 3:
        return Timeline(times)
    grid = find_grid(times)
    free = holidays(times, grid)
    if isinstance(grid, Sessions):
        return Timeline(times, (grid.remark(free or 0),))
    note = f"{plural(free or 0, 'working day')} without a row taken as holidays: rows are consecutive"
    return Timeline(times, (note,) if free else ())


def time_order(times: AnyArray) -> tuple[IntArray, str] | None:
    """The order in which rows become regular, and a remark; None where they stand in order or no order helps.

    Examples
    --------
    >>> time_order(np.array([3, 2, 1]))
    (array([2, 1, 0]), 'rows stood newest first and were turned round')
    """
    if times.size < 2 or np.all(times[1:] >= times[:-1]):
        return None
    backward = np.arange(times.size)[::-1]
    # Turned round as a whole where possible, so that the hour that a clock change repeats keeps its order.
    if _helps(times[::-1]):
        return backward, "rows stood newest first and were turned round"
    order = np.argsort(times, kind="stable")
    return (order, "rows were not in the order of time and were sorted") if _helps(times[order]) else None


def _helps(times: AnyArray) -> bool:
    return is_regular(times) or without_clock_changes(times) is not None
