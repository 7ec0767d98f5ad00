"""Widths that move smoothly over the steps: each step hears its neighbours, as far as they tell of the same thing.

The intervals of neighbouring steps are estimated one by one, from errors that overlap, and differ by noise: a level
that moved after a miss of one step and not of the next, a quantile that fell on another residual. Widths that differ
because errors do, by day and night, must stay.
"""

import numpy as np

from ngrc._types import FloatArray

REACH = 2
"""Steps on either side. Binomial weights, 1 4 6 4 1: among kernels of this length they leave nothing of the fastest
alternation and never turn a sign; seven of them bought little more evenness on hourly series, and reach into hours
with other errors."""
ALIKE = 0.5
"""Difference of log widths, and of centres in widths, beyond which neighbours are no longer the same quantity. Noise
between neighbours is a factor of 1.1 to 1.5, half an e-fold at most; from night to day or at a jump it is several
e-folds, and a neighbour two of these away counts a seventh."""


def smoothed(lower: FloatArray, upper: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Ends whose centres and log widths are means over neighbouring steps.

    With c the centre of a step's offsets and w their width, both become weighted means over the steps j near i,

        c_i <- sum K_ij c_j,   log w_i <- sum K_ij log w_j,
        K_ij ~ binomial(j - i) exp(-[(log w_i - log w_j)^2 + (c_i - c_j)^2 / (w_i w_j)] / (2 ALIKE^2)).

    Near the first and the last step the reach shrinks, so that a kernel is never one-sided: errors grow with the step,
    and a one-sided mean would widen the first interval and narrow the last. A step with an infinite end, or without any
    width, stays as it is and tells its neighbours nothing.

    Parameters
    ----------
    lower, upper
        Offsets around the forecasts, steps along the last axis.

    Examples
    --------
    >>> _, upper = smoothed(-np.array([2.0, 2.9, 3.1, 2.0, 2.7]), np.array([2.0, 2.9, 3.1, 2.0, 2.7]))
    >>> upper.round(2).tolist()
    [2.0, 2.74, 2.72, 2.34, 2.7]
    """
    with np.errstate(invalid="ignore"):
        told = np.isfinite(lower) & np.isfinite(upper) & (upper > lower)
    centre = np.where(told, 0.5 * (np.where(told, lower, 0.0) + np.where(told, upper, 0.0)), 0.0)
    width = np.where(told, np.where(told, upper, 1.0) - np.where(told, lower, 0.0), 1.0)
    log_width = np.log(width)
    steps = lower.shape[-1]
    reach = np.minimum(np.arange(steps), np.arange(steps)[::-1])
    total, centres, widths = np.zeros(lower.shape), np.zeros(lower.shape), np.zeros(lower.shape)
    # A reach below the full one has its own binomial row: 1 2 1 beside the first step, 1 alone at it.
    for own in range(REACH + 1):
        here = np.flatnonzero(np.minimum(reach, REACH) == own)
        for shift, weight in zip(range(-own, own + 1), _binomial(own), strict=True):
            there = here + shift
            apart = (log_width[..., here] - log_width[..., there]) ** 2
            apart += (centre[..., here] - centre[..., there]) ** 2 / (width[..., here] * width[..., there])
            share = weight * np.exp(-0.5 * apart / ALIKE**2) * told[..., there]
            total[..., here] += share
            centres[..., here] += share * centre[..., there]
            widths[..., here] += share * log_width[..., there]
    # A step that is not told anything of has no share of its own; it is put back below.
    total = np.where(told, total, 1.0)
    half = 0.5 * np.exp(widths / total)
    middle = centres / total
    return np.where(told, middle - half, lower), np.where(told, middle + half, upper)


def _binomial(reach: int) -> tuple[float, ...]:
    """Binomial weights of 2 reach + 1 steps.

    Examples
    --------
    >>> _binomial(1), _binomial(2)
    ((1.0, 2.0, 1.0), (1.0, 4.0, 6.0, 4.0, 1.0))
    """
    row = np.ones(1)
    for _ in range(2 * reach):
        row = np.convolve(row, [1.0, 1.0])
    return tuple(row.tolist())


def roughness(widths: FloatArray) -> float:
    """Mean absolute second difference of log widths over the steps, the last axis.

    Examples
    --------
    >>> round(roughness(np.array([1.0, np.e, 1.0])), 3), roughness(np.array([1.0, 2.0, 4.0]))
    (2.0, 0.0)
    """
    return float(np.mean(np.abs(np.diff(np.log(widths), n=2, axis=-1))))
