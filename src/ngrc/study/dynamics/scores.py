"""Scores of a free run: normalised errors and how long they stay small."""

from collections.abc import Sequence

import numpy as np

from ngrc._types import FloatArray


def pooled_variance(states: FloatArray) -> float:
    """Variance of all numbers about their one mean, which the published code takes for Lorenz63."""
    return float(np.var(states))


def total_variance(states: FloatArray) -> float:
    """Sum of the channels' variances, the squared size of the attractor; states of shape (n, channels)."""
    return float(np.var(states, axis=0).sum())


def nrmse(errors: FloatArray, variance: float) -> float:
    """Root of the mean squared error over a variance; infinite where a run has diverged.

    Examples
    --------
    >>> nrmse(np.array([[3.0, -3.0]]), 36.0), nrmse(np.array([np.nan]), 1.0)
    (0.5, inf)
    """
    if not np.all(np.isfinite(errors)):
        return float("inf")
    # By the largest error, so that the square of a diverging one cannot overflow.
    largest = float(np.max(np.abs(errors), initial=0.0))
    if largest == 0.0:
        return 0.0
    return float(largest * np.sqrt(np.mean((errors / largest) ** 2) / variance))


def normalised_errors(run: FloatArray, truth: FloatArray, variance: float) -> FloatArray:
    """Distance of a run from the truth at every step over the attractor's size, shape (steps,).

    Infinite where the run is not a number any more.
    """
    gap = np.abs(run - truth) / np.sqrt(variance)
    largest = gap.max(axis=1, keepdims=True)
    with np.errstate(invalid="ignore"):
        # hypot over the channels, scaled so that nothing overflows; 0/0 where a run is exact.
        shares = np.where(largest > 0.0, gap / largest, 0.0)
    distance: FloatArray = largest[:, 0] * np.sqrt(np.sum(shares**2, axis=1))
    return np.where(np.isfinite(distance), distance, np.inf)


def quantiles(values: FloatArray, shares: Sequence[float]) -> FloatArray:
    """Quantiles of numbers that may be infinite; one that lies between two infinite ones is infinite.

    Examples
    --------
    >>> quantiles(np.array([1.0, 2.0, np.inf, np.inf]), (0.0, 0.25, 0.9))
    array([1.  , 1.75,  inf])
    """
    with np.errstate(invalid="ignore"):
        found = np.quantile(values, shares)
    return np.where(np.isnan(found), np.inf, found)


def median(values: FloatArray) -> float:
    """The median, infinite where half of the numbers are."""
    return float(quantiles(values, (0.5,))[0])


def valid_steps(errors: FloatArray, threshold: float) -> int:
    """Steps before the first error beyond the threshold; all of them where none is.

    Examples
    --------
    >>> valid_steps(np.array([0.1, 0.4, 0.5, 0.2]), 0.4), valid_steps(np.array([0.1, np.nan]), 0.4)
    (2, 1)
    """
    # Not "above": a NaN is above nothing.
    beyond = ~(errors <= threshold)
    return int(np.argmax(beyond)) if beyond.any() else errors.size
