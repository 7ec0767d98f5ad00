"""Forecasts that were made before the last observation, of targets that are still to come."""

from itertools import pairwise
from typing import Any

import numpy as np

from ngrc._types import FloatArray
from ngrc.ahead.paths import Paths
from ngrc.forecasters.beside import Beside


def pending_forecasts(values: FloatArray, paths: Paths, beside: Beside) -> FloatArray:
    """What the last H - 1 origins before the newest said, each by the fit of its time.

    Shape (H - 1, H, channels): row i is the path forecast at the origin n - H + i; NaN before the first fit. Of step h
    the h - 1 newest rows have their target after the last observation: what is pending at an interval issued now.
    """
    size, horizon = len(values), int(paths.model.horizon)
    said = np.full((horizon - 1, horizon, values.size // size), np.nan)
    # Up to the origin n - 2: at n - 1 the newest fit speaks.
    begins = [*(first for first, _ in paths.late), size - 1]
    for (_, fitted), (begin, stop) in zip(paths.late, pairwise(begins), strict=True):
        for origin in range(max(begin, size - horizon), stop):
            said[origin - (size - horizon)] = _path(fitted, values[: origin + 1], beside)
    return said


def _path(fitted: Any, values: FloatArray, beside: Beside) -> FloatArray:
    """The path from the last of the given observations, which are all that the model is shown."""
    ahead = beside.until(len(values), fitted.horizon)
    return np.reshape(fitted.forecast(values, **ahead), (fitted.horizon, -1))
