"""How far from the level chance alone leaves a coverage."""

from math import sqrt

import numpy as np

from ngrc._types import FloatArray

LIKELY = 1.959964
"""Standard errors that 95 % of coverages stay within, which charts shade."""


def clumping(size_correlations: FloatArray) -> float:
    """How many misses count as one: 1 + 2 sum r_k over the lags below the horizon.

    Forecasts H steps ahead have errors that overlap, and misses come together up to lag H - 1. Whether an interval
    misses hangs on the size of the error, so that the correlations of the sizes stand for those of the misses; those
    below zero are noise, and are not believed. One where nothing overlaps.

    Parameters
    ----------
    size_correlations
        Of |error| at the lags 1 to H - 1.

    Examples
    --------
    >>> clumping(np.array([])), clumping(np.array([0.5, 0.25, -0.1]))
    (1.0, 2.5)
    """
    return 1.0 + 2.0 * float(np.sum(np.maximum(size_correlations, 0.0)))


def coverage_error(level: float, outcomes: int, together: float) -> float:
    """Standard error of the coverage of a right method: sqrt(p (1 - p) c / m), where c misses count as one.

    Examples
    --------
    >>> round(coverage_error(0.5, 100, 1.0), 3), round(coverage_error(0.5, 100, 4.0), 3)
    (0.05, 0.1)
    """
    return sqrt(level * (1.0 - level) * together / outcomes)
