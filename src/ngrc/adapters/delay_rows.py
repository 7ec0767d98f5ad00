"""A series as rows of its own past, each with the value that is to be forecast from it."""

from typing import Any, NamedTuple

import numpy as np

from ngrc._types import FloatArray
from ngrc.observed import observe
from ngrc.validation import check_count


class DelayRows(NamedTuple):
    """Rows for scikit-learn: `X` to forecast from, `y` to forecast, `coming` without an outcome yet."""

    X: FloatArray
    """Shape (n, width), of c channels (n, c width): the last `width` values up to an origin, the newest last."""
    y: FloatArray
    """Shape (n,), of c channels (n, c): the value `horizon` steps after the origin."""
    coming: FloatArray
    """Shape (horizon, width): the rows at the last origins, whose outcomes are still to come."""


def delay_rows(series: Any, width: int, horizon: int = 1) -> DelayRows:
    """Cut a series, or a vector of them, into rows that each hold a stretch of the past.

    A row stands by itself, which is what scikit-learn expects of a sample: it may be split off, shuffled or left out,
    and no feature made of it looks beyond its origin. Split with `TimeSeriesSplit(gap=horizon - 1)`, so that every
    outcome of the fit is known at the first origin of the test.

    Parameters
    ----------
    series
        Shape (n,), or (n, channels): finite.
    width
        How many values a row holds; of several channels how many of each, one channel after the other.
    horizon
        Steps from a row's newest value to its outcome.

    Examples
    --------
    >>> rows = delay_rows([1.0, 2.0, 3.0, 4.0, 5.0], width=2, horizon=2)
    >>> rows.X.tolist(), rows.y.tolist(), rows.coming.tolist()
    ([[1.0, 2.0], [2.0, 3.0]], [4.0, 5.0], [[3.0, 4.0], [4.0, 5.0]])
    """
    observed = observe(series)
    width, horizon = check_count(width, "width"), check_count(horizon, "horizon")
    size = observed.size
    if size < width + horizon:
        raise ValueError(
            f"rows of {width} values and outcomes {horizon} steps later need {width + horizon} observations, got "
            f"{size}; give more, or make width or horizon smaller"
        )
    windows = np.lib.stride_tricks.sliding_window_view(observed.values, width, axis=0)
    rows = np.ascontiguousarray(windows.reshape(size - width + 1, -1))
    outcomes = observed.values[width - 1 + horizon :]
    return DelayRows(rows[:-horizon], outcomes if observed.vector else outcomes[:, 0], rows[-horizon:])
