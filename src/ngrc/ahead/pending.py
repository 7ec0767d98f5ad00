"""Forecasts that were made before the last observation, of targets that are still to come."""

from itertools import pairwise
from typing import Any

import numpy as np

from ngrc._types import FloatArray, IntArray
from ngrc.ahead.paths import Paths
from ngrc.forecasters.beside import Beside
from ngrc.forecasters.walking import asked


def pending_forecasts(values: FloatArray, paths: Paths, beside: Beside) -> FloatArray:
    """What the last H - 1 origins before the newest said, each by the fit of its time.

    Shape (H - 1, H, channels): row i is the path forecast at the origin n - H + i; NaN before the first fit. Of step h
    the h - 1 newest rows have their target after the last observation: what is pending at an interval issued now.
    """
    size, horizon = len(values), int(paths.model.horizon)
    said = np.full((horizon - 1, horizon, values.size // size), np.nan)
    # A pass over the rows costs as much as one path; columns beside the series have no rows to pass over beyond its
    # end, unless they are known ahead, and then each origin is asked for itself.
    ask = _by_rows if beside.channels is None else _by_origins
    # Up to the origin n - 2: at n - 1 the newest fit speaks.
    begins = [*(first for first, _ in paths.late), size - 1]
    for (_, fitted), (begin, stop) in zip(paths.late, pairwise(begins), strict=True):
        origins = np.arange(max(begin, size - horizon), stop)
        if origins.size:
            said[origins - (size - horizon)] = ask(fitted, values, origins, beside)
    if paths.before is not None:
        then, kept = paths.before
        # Row i was said at the origin then - H + i; of those at then - 2 and before only what was kept is known.
        still = max(horizon - 1 - (size - then), 0)
        said[:still] = kept[len(kept) - still :]
    return said


def carried_on(
    model: Any, said: FloatArray, pending: FloatArray, values: FloatArray, beside: Beside
) -> FloatArray:
    """Forecasts by target and step of one series, gone on with over rows that are newer than what was said.

    Parameters
    ----------
    model
        The last fit, which speaks from the last row of `said` on.
    said
        Shape (rows before, H).
    pending
        What the H - 1 origins before that row said, shape (H - 1, H), as of `pending_forecasts`.
    values, beside
        All rows, and what stands beside them.
    """
    (kept, steps), size = said.shape, len(values)
    longer = np.full((size, steps), np.nan)
    longer[:kept] = said
    if size == kept:
        return longer
    fresh = model.predict_path(values, **beside.until(size), **asked(model.predict_path, since=kept))
    for step in range(1, steps + 1):
        # Targets whose origins came before the last kept row were forecast then, row i from kept - H + i; from that
        # row on the last fit speaks.
        first = kept - 1 + step
        waiting = np.arange(kept, min(first, size))
        longer[waiting, step - 1] = pending[waiting - step - (kept - steps), step - 1]
        longer[first:, step - 1] = fresh[first:, step - 1]
    return longer


def _by_rows(fitted: Any, values: FloatArray, origins: IntArray, beside: Beside) -> FloatArray:
    """Paths from all origins in one pass over a series that is made longer."""
    steps = np.arange(1, fitted.horizon + 1)
    # What stands after the last observation is never read: a forecast reads values through its origin.
    longer = np.concatenate([values, np.repeat(values[-1:], fitted.horizon - 1, axis=0)])
    inputs = {**beside.until(len(longer)), **asked(fitted.predict_path, since=int(origins[0]) + 1)}
    by_target = fitted.predict_path(longer, **inputs).reshape(len(longer), fitted.horizon, -1)
    return np.asarray(by_target[origins[:, None] + steps, steps - 1])


def _by_origins(fitted: Any, values: FloatArray, origins: IntArray, beside: Beside) -> FloatArray:
    """Paths from one origin after the other, each shown what was observed by then."""
    paths = [
        fitted.forecast(values[: origin + 1], **beside.until(origin + 1, fitted.horizon))
        for origin in origins
    ]
    return np.reshape(paths, (origins.size, fitted.horizon, -1))
