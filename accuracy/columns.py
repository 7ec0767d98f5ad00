"""The columns of the regressions: lags at the origin, and the clock of the target where the series has times."""

import numpy as np

from ngrc._types import AnyArray, FloatArray, IntArray

MOST_LAGS = 48
"""Lags of one season, but no more than so many."""


def lagged(values: FloatArray, origins: IntArray, lags: int) -> FloatArray:
    """Observations at the origin and the `lags` - 1 steps before it, shape (m, lags).

    Examples
    --------
    >>> lagged(np.arange(5.0), np.array([2, 4]), 2)
    array([[2., 1.],
           [4., 3.]])
    """
    if origins.size and origins.min() < lags - 1:
        raise ValueError(f"origin {origins.min()} has no {lags} observations behind it; begin later")
    return np.asarray(values[origins[:, None] - np.arange(lags)])


def clock(times: AnyArray | None, targets: IntArray) -> FloatArray:
    """One column per hour of the day (steps below a day) or per day of the week, 1 where the target lies in it."""
    if times is None:
        return np.empty((targets.size, 0))
    step = times[1] - times[0]
    # The grid is regular, so that a target beyond the last observation is reached by counting.
    moments = times[0] + targets * step
    unit, count = ("h", 24) if step < np.timedelta64(1, "D") else ("D", 7)
    phase = moments.astype(f"M8[{unit}]").astype(np.int64) % count
    return np.asarray(phase[:, None] == np.arange(count), dtype=np.float64)


def design(
    values: FloatArray, times: AnyArray | None, origins: IntArray, horizon: int, lags: int
) -> FloatArray:
    """Lags and the clock of the target `horizon` steps ahead, shape (m, p)."""
    return np.hstack([lagged(values, origins, lags), clock(times, origins + horizon)])
