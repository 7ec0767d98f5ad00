"""Irregular observations on a regular grid, without looking ahead.

The value of a grid point is the last observation made after the point before it and not later than the point
itself. Observations at one and the same time are averaged. Points without an observation stay missing, to be
carried forward.
"""

from collections.abc import Callable, Iterable

import numpy as np

from ngrc._types import AnyArray, FloatArray
from ngrc.series.grid import FloatSteps
from ngrc.series.regular import find_grid
from ngrc.series.wording import plural

GROWTH_LIMIT = 20
"""How many grid points per observation are too many.

Weekly reports on a daily grid bring 7 and are meant; one wrong year in a list of dates brings thousands. Short lists
may always reach `LEAST_POINTS`, which cost nothing.
"""

NAMED = 6
"""Repeated times that a note names: they fit on a line."""

LEAST_POINTS = 1000
"""A grid of this many points is always allowed."""


def resample(
    times: AnyArray, values: FloatArray, spelled: Callable[[AnyArray], Iterable[object]] | None = None
) -> tuple[AnyArray, FloatArray, tuple[str, ...]]:
    """Put observations on the grid of their most common step.

    Parameters
    ----------
    times
        Shape (n,), in any order.
    values
        Shape (n,), NaN where missing.
    spelled
        How times are written in notes; None leaves them out.

    Returns
    -------
    times, values, notes
        Regular times of shape (m,), values with NaN where nothing was observed, and what was done.

    Examples
    --------
    >>> times, values, notes = resample(np.array([0, 1, 2, 4]), np.array([5.0, 6.0, 7.0, 8.0]))
    >>> times, values
    (array([0, 1, 2, 3, 4]), array([ 5.,  6.,  7., nan,  8.]))
    """
    unique, means = _averaged(times, values)
    notes = _disorder(times, unique, spelled)
    if unique.size < 2:
        return unique, means, notes
    grid = find_grid(unique)
    cells, exact = grid.cells(unique)
    # Floating-point times may miss their point by 1 % of a step: the grid moves so far on that none is placed early.
    if isinstance(grid, FloatSteps):
        grid = grid.not_before(unique)
        cells, _ = grid.cells(unique)
    length = int(cells[-1] - cells[0]) + 1
    if length > max(GROWTH_LIMIT * unique.size, LEAST_POINTS):
        raise ValueError(
            f"the regular grid of step {grid.label} would have {length} points for {unique.size} times; "
            "aggregate the series to a coarser step, or correct a wrong time"
        )
    gridded = np.full(length, np.nan)
    known = ~np.isnan(means)
    # Times ascend, so of several in one cell the last is written last and stays.
    gridded[cells[known] - cells[0]] = means[known]
    occupied = int(np.unique(cells).size)
    remarks = (
        (int(np.sum(~exact)), "time", f"off the grid of {grid.label} moved to the next grid point"),
        (unique.size - occupied, "observation", "superseded by a later one before the same grid point"),
        (length - occupied, "gap", f"on the grid of {grid.label}"),
    )
    notes += tuple(f"{plural(count, noun)} {rest}" for count, noun, rest in remarks if count)
    return grid.points(np.arange(cells[0], cells[-1] + 1)), gridded, notes


def _averaged(times: AnyArray, values: FloatArray) -> tuple[AnyArray, FloatArray]:
    unique, inverse = np.unique(times, return_inverse=True)
    known = ~np.isnan(values)
    counts = np.bincount(inverse[known], minlength=unique.size)
    sums = np.bincount(inverse[known], weights=values[known], minlength=unique.size)
    # A time whose values are all missing stays missing; the division is only done where something was counted.
    means = np.full(unique.size, np.nan)
    np.divide(sums, counts, out=means, where=counts > 0)
    return unique, means


def _disorder(
    times: AnyArray, unique: AnyArray, spelled: Callable[[AnyArray], Iterable[object]] | None
) -> tuple[str, ...]:
    notes = []
    if np.any(times[1:] < times[:-1]):
        notes.append("times were not in order and were sorted")
    if unique.size < times.size:
        notes.append(f"{plural(times.size - unique.size, 'repeated time')} averaged{_named(times, spelled)}")
    return tuple(notes)


def _named(times: AnyArray, spelled: Callable[[AnyArray], Iterable[object]] | None) -> str:
    """Which times are repeated, the first of them by name."""
    if spelled is None:
        return ""
    unique, counts = np.unique(times, return_counts=True)
    repeated = unique[counts > 1]
    more = f" and {repeated.size - NAMED} more" if repeated.size > NAMED else ""
    return f": {', '.join(map(str, spelled(repeated[:NAMED])))}{more}"
