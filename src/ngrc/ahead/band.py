"""The band that holds the whole path: pointwise offsets, times the largest factor that a past path needed.

A path stays inside where the largest of its scaled residuals does, so that one number per past origin is calibrated
(a max-score), and the shape over the steps stays that of the pointwise offsets.
"""

import numpy as np

from ngrc._types import FloatArray
from ngrc.order.quantiles import conformal_rank

LEAST_WIDTH = 0.01
"""Least half-width of a step in units of the widest over the path. At night the pointwise width of solar power is next
to nothing, and a residual of next to nothing there must not decide how wide the day is."""


def scores(residuals: FloatArray, lower: FloatArray, upper: FloatArray) -> FloatArray:
    """Smallest factor, per path, by which offsets about their centre hold all its residuals.

    A step with an infinite end holds anything.

    Parameters
    ----------
    residuals
        One path per row, shape (paths, steps).
    lower, upper
        Offsets as issued at each path's origin, of the same shape, or one row for all.

    Examples
    --------
    >>> scores(np.array([[1.0, -3.0], [0.5, 1.0]]), np.array([[-1.0, -2.0]]), np.array([[1.0, 2.0]])).tolist()
    [1.5, 0.5]
    """
    centre, half = shape(lower, upper)
    return np.asarray(np.max(np.abs(residuals - centre) / half, axis=-1))


def path_factor(needed: FloatArray, level: float, steps: int) -> tuple[float, bool]:
    """The ceil((m + H) level)-th of m factors, and whether there are so many; else the largest. At least one.

    Paths of H steps from neighbouring origins share all outcomes but one, so that m of them count as m / H independent
    ones. The corrected quantile of m / H draws has the probability level (1 + H / m), which is this rank among m; with
    H = 1 it is that of split conformal prediction. A band of the path is never inside the pointwise one.

    Parameters
    ----------
    needed
        One factor per past path, of origins in a row.
    level
        Of the band.
    steps
        H.

    Examples
    --------
    >>> path_factor(np.arange(1.0, 20.0), 0.9, 1), path_factor(np.arange(1.0, 20.0), 0.9, 3)
    ((18.0, True), (19.0, False))
    >>> path_factor(np.array([0.5, 2.0]), 0.9, 1), path_factor(np.zeros(9), 0.5, 4)
    ((2.0, False), (1.0, True))
    """
    rank = conformal_rank(needed.size + steps - 1, level)
    enough = rank <= needed.size
    value = float(np.sort(needed)[min(rank, needed.size) - 1])
    return max(value, 1.0), enough


def widened(lower: FloatArray, upper: FloatArray, factor: float) -> tuple[FloatArray, FloatArray]:
    """Offsets about their centre times a factor; where an end is infinite both are, as nothing is promised there.

    Examples
    --------
    >>> widened(np.array([-1.0, -np.inf]), np.array([3.0, 1.0]), 2.0)
    (array([ -3., -inf]), array([ 5., inf]))
    """
    centre, half = shape(lower, upper)
    return centre - factor * half, centre + factor * half


def shape(lower: FloatArray, upper: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Centres and half-widths; an infinite half-width about zero where an end is infinite."""
    told = np.isfinite(lower) & np.isfinite(upper)
    low, high = np.where(told, lower, 0.0), np.where(told, upper, 0.0)
    half = 0.5 * (high - low)
    # A path without any width at all has no scale of its own; the smallest number keeps the division whole.
    least = np.maximum(LEAST_WIDTH * half.max(axis=-1, keepdims=True), np.finfo(np.float64).tiny)
    return 0.5 * (low + high), np.where(told, np.maximum(half, least), np.inf)
