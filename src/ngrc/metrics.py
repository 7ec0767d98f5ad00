"""Scores of forecasts, intervals and quantiles, those of intervals also as a running curve over a trailing window.

Scores take outcomes and ends or quantiles; outcomes may be residuals if the ends are offsets from the forecast,
as all of them are shift invariant. An infinite end gives an infinite width and score: reported, not hidden.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ngrc._types import BoolArray, FloatArray
from ngrc.validation import check_count, check_level, check_probabilities


def rmse(outcomes: FloatArray, forecasts: FloatArray) -> float:
    """Root mean squared error.

    Examples
    --------
    >>> rmse(np.array([1.0, 3.0]), np.array([1.0, 1.0]))
    1.4142135623730951
    """
    return float(np.sqrt(np.mean((outcomes - forecasts) ** 2)))


def mae(outcomes: FloatArray, forecasts: FloatArray) -> float:
    """Mean absolute error.

    Examples
    --------
    >>> mae(np.array([1.0, 3.0]), np.array([1.0, 1.0]))
    1.0
    """
    return float(np.mean(np.abs(outcomes - forecasts)))


def naive_scale(values: FloatArray, season: int = 1) -> float:
    """Mean absolute change over a season, mean |y[t] - y[t - m]|: what the naive forecast one step ahead errs by.

    NaN where the values are no longer than a season.

    Examples
    --------
    >>> naive_scale(np.array([0.0, 1.0, 3.0, 1.0])), naive_scale(np.array([0.0, 1.0, 3.0, 1.0]), 2)
    (1.6666666666666667, 1.5)
    """
    check_count(season, "season")
    return (
        float(np.mean(np.abs(values[season:] - values[:-season]))) if values.size > season else float("nan")
    )


def mase(outcomes: FloatArray, forecasts: FloatArray, scale: float) -> float:
    """Mean absolute scaled error: the mean absolute error over the `naive_scale` of the values that were fitted.

    Below 1 the forecast errs less than the naive one did there (Hyndman and Koehler 2006,
    doi:10.1016/j.ijforecast.2006.03.001). NaN where the scale is zero or unknown: a constant fit block.

    Examples
    --------
    >>> mase(np.array([1.0, 3.0]), np.array([1.0, 1.0]), 2.0)
    0.5
    """
    return mae(outcomes, forecasts) / scale if scale > 0.0 else float("nan")


def r_squared(outcomes: FloatArray, forecasts: FloatArray) -> float:
    """Share of the variance that forecasts explain, 1 - sum (y - f)^2 / sum (y - mean y)^2; at most one.

    Of outcomes that are all the same it is 1 where every forecast is right, and 0 otherwise.

    Examples
    --------
    >>> r_squared(np.array([1.0, 2.0, 3.0]), np.array([1.0, 2.0, 2.0]))
    0.5
    """
    left, whole = np.sum((outcomes - forecasts) ** 2), np.sum((outcomes - np.mean(outcomes)) ** 2)
    if whole == 0.0:
        return float(left == 0.0)
    return float(1.0 - left / whole)


def covered(outcomes: FloatArray, lower: FloatArray, upper: FloatArray) -> BoolArray:
    """Which outcomes lie in their closed interval, shape (n,)."""
    inside: BoolArray = (lower <= outcomes) & (outcomes <= upper)
    return inside


def coverage(outcomes: FloatArray, lower: FloatArray, upper: FloatArray) -> float:
    """Share of outcomes inside their interval."""
    return float(np.mean(covered(outcomes, lower, upper)))


def coverage_error(outcomes: FloatArray, lower: FloatArray, upper: FloatArray, level: float) -> float:
    """Signed coverage error in percentage points, 100 (coverage - level)."""
    return 100.0 * (coverage(outcomes, lower, upper) - check_level(level))


def width(lower: FloatArray, upper: FloatArray) -> float:
    """Mean interval width."""
    return float(np.mean(upper - lower))


def winkler_scores(outcomes: FloatArray, lower: FloatArray, upper: FloatArray, level: float) -> FloatArray:
    """Winkler (interval) score of each outcome, shape (n,); smaller is better.

    W = (U - L) + (2 / alpha) max(L - y, 0, y - U), alpha = 1 - level.

    Examples
    --------
    >>> winkler_scores(np.array([0.0, 3.0]), np.full(2, -1.0), np.full(2, 1.0), 0.9).round(6)
    array([ 2., 42.])
    """
    # 2 / alpha is the weight under which the central interval of the true law has the smallest expected score
    # (Gneiting and Raftery 2007, doi:10.1198/016214506000001437, section 6.2).
    penalty = 2.0 / (1.0 - check_level(level))
    miss = np.maximum(np.maximum(lower - outcomes, outcomes - upper), 0.0)
    return (upper - lower) + penalty * miss


def winkler(outcomes: FloatArray, lower: FloatArray, upper: FloatArray, level: float) -> float:
    """Mean Winkler score."""
    return float(np.mean(winkler_scores(outcomes, lower, upper, level)))


def pinball_scores(outcomes: FloatArray, quantiles: FloatArray, probability: float) -> FloatArray:
    """Quantile (pinball) loss of each outcome, shape (n,); smaller is better.

    rho_p(y, q) = p (y - q) where y is above q, (1 - p) (q - y) where it is below: the p-quantile of the true law has
    the smallest expected loss. Both ends of an interval at a level are quantiles, of alpha / 2 and 1 - alpha / 2 with
    alpha = 1 - level, and the mean of their losses is alpha / 4 times the Winkler score.

    Examples
    --------
    >>> pinball_scores(np.array([0.0, 3.0]), np.array([1.0, 1.0]), 0.75)
    array([0.25, 1.5 ])
    >>> ends = pinball(np.array([3.0]), np.array([-1.0]), 0.05), pinball(np.array([3.0]), np.array([1.0]), 0.95)
    >>> round(sum(ends) / 2, 9), round(0.1 / 4 * winkler(np.array([3.0]), -np.ones(1), np.ones(1), 0.9), 9)
    (1.05, 1.05)
    """
    (p,) = check_probabilities([probability])
    above = outcomes - quantiles
    return np.maximum(p * above, (p - 1.0) * above)


def pinball(outcomes: FloatArray, quantiles: FloatArray, probability: float) -> float:
    """Mean pinball loss."""
    return float(np.mean(pinball_scores(outcomes, quantiles, probability)))


def crps_scores(outcomes: FloatArray, quantiles: FloatArray, probabilities: Sequence[float]) -> FloatArray:
    """Continuous ranked probability score of each outcome from a set of quantiles, shape (n,); smaller is better.

    CRPS = 2 integral over p from 0 to 1 of rho_p(y, q(p)), rho the pinball loss, here by a sum over the given
    probabilities: each stands for the cell from half-way to its left neighbour to half-way to its right one, the
    outermost up to 0 and 1. The weights sum to one, so that it is a mean of proper scores and itself proper.

    Parameters
    ----------
    outcomes
        Shape (n,).
    quantiles
        Shape (n, K), one column per probability.
    probabilities
        K of them in (0, 1), rising.

    Notes
    -----
    At (k - 1/2) / K, k = 1 .. K, it is the exact score of the law that has mass 1 / K at each quantile; the mean over
    outcomes of a Gaussian law of scale s is then too large by less than s / K^2. Few probabilities with a wide gap in
    their middle give too little: both ends of 0.5, 0.8, 0.9 and 0.95 nine tenths of a Gaussian's, both ends of 0.95
    alone one fifth. Compare scores of the same probabilities only.

    Examples
    --------
    >>> crps_scores(np.array([2.0]), np.array([[0.5, 0.5, 0.5]]), [0.1, 0.5, 0.9])
    array([1.5])
    """
    levels = np.array(check_probabilities(probabilities))
    if np.shape(quantiles) != (np.size(outcomes), levels.size):
        raise ValueError(
            f"quantiles must have one row per outcome and one column per probability, shape "
            f"{(np.size(outcomes), levels.size)}, got {np.shape(quantiles)}"
        )
    weights = np.diff(np.concatenate([[0.0], 0.5 * (levels[1:] + levels[:-1]), [1.0]]))
    above = np.asarray(outcomes)[:, None] - quantiles
    scores: FloatArray = 2.0 * np.maximum(levels * above, (levels - 1.0) * above) @ weights
    return scores


def crps(outcomes: FloatArray, quantiles: FloatArray, probabilities: Sequence[float]) -> float:
    """Mean of `crps_scores`."""
    return float(np.mean(crps_scores(outcomes, quantiles, probabilities)))


def crps_samples(outcomes: FloatArray, samples: FloatArray, *, fair: bool = True) -> float:
    """Mean continuous ranked probability score from samples of each outcome's law; smaller is better.

    Mean |x_i - y| less half the mean |x_i - x_j|. The latter mean is over the m (m - 1) pairs of different samples
    (fair: its expectation is the score of the law that was sampled, however few the samples), or over all m^2 pairs
    (plain: the exact score of the law with mass 1 / m at each sample, too large by half the mean distance over m).

    Parameters
    ----------
    outcomes
        Shape (n,).
    samples
        Shape (n, m), finite, with m at least 2 where the score is fair.
    fair
        Whether it is fair, as it is by default, or plain.

    Examples
    --------
    >>> outcomes, samples = np.zeros(1), np.array([[-1.0, 1.0]])
    >>> crps_samples(outcomes, samples), crps_samples(outcomes, samples, fair=False)
    (0.0, 0.5)
    """
    count = samples.shape[1] if np.ndim(samples) == 2 else 0
    if np.shape(samples)[:1] != np.shape(outcomes) or count < 1 + fair:
        raise ValueError(
            f"samples must have one row per outcome and at least {1 + fair} columns, shape ({np.size(outcomes)}, m), "
            f"got {np.shape(samples)}"
        )
    if not np.isfinite(samples).all():
        raise ValueError("samples must be finite, got NaN or infinity; draw from a law without them")
    # Of the ordered samples x_1 <= ... <= x_m the distances sum to sum_i (2 i - m - 1) x_i over pairs i < j: no pair is
    # formed. Taken from the first sample, as values far from zero would lose their differences.
    ordered = np.sort(samples, axis=1)
    between = (ordered - ordered[:, :1]) @ (2.0 * np.arange(1, count + 1) - count - 1)
    error = np.mean(np.abs(samples - np.asarray(outcomes)[:, None]), axis=1)
    return float(np.mean(error - between / (count * (count - fair))))


class IntervalScores(NamedTuple):
    """How a block of intervals scored; `infinite` counts those without a bound."""

    coverage: float
    width: float
    winkler: float
    infinite: int


def interval_scores(
    outcomes: FloatArray, lower: FloatArray, upper: FloatArray, level: float
) -> IntervalScores:
    """All scores of a block of intervals, of which the last may still await their outcomes.

    Parameters
    ----------
    outcomes
        Shape (m,), those of the first m intervals. Coverage and Winkler score are over these, NaN where m is 0.
    lower, upper
        Ends, shape (n,) with n >= m; the width is over all of them.
    level
        Nominal coverage.

    Examples
    --------
    >>> interval_scores(np.array([0.0]), np.full(2, -1.0), np.array([1.0, np.inf]), 0.9)
    IntervalScores(coverage=1.0, width=inf, winkler=2.0, infinite=1)
    """
    scored = slice(0, outcomes.size)
    known = outcomes, lower[scored], upper[scored]
    return IntervalScores(
        coverage=coverage(*known) if outcomes.size else float("nan"),
        width=width(lower, upper),
        winkler=winkler(*known, level) if outcomes.size else float("nan"),
        # One infinite end is enough; two of them also give NaN widths (inf - inf), which are not finite either.
        infinite=int(np.count_nonzero(~np.isfinite(upper - lower))),
    )


def running_mean(values: FloatArray | BoolArray, window: int) -> FloatArray:
    """Mean over the trailing `window` values, shape (n,); NaN until the window is full.

    Examples
    --------
    >>> running_mean(np.array([1.0, 2.0, 3.0]), 2)
    array([nan, 1.5, 2.5])
    """
    check_count(window, "window")
    # Averages over a window that is not full yet would start as noise and look like a finding.
    curve = np.full(len(values), np.nan)
    if window <= len(values):
        # A mean per window rather than a running sum: the rounding of a sum would travel through the whole curve, and
        # one infinite width would leave it NaN for good.
        views = np.lib.stride_tricks.sliding_window_view(np.asarray(values, dtype=np.float64), window)
        curve[window - 1 :] = views.mean(axis=1)
    return curve


def running_rmse(outcomes: FloatArray, forecasts: FloatArray, window: int) -> FloatArray:
    """RMSE over the trailing window."""
    return np.sqrt(running_mean((outcomes - forecasts) ** 2, window))


def running_coverage(outcomes: FloatArray, lower: FloatArray, upper: FloatArray, window: int) -> FloatArray:
    """Coverage over the trailing window."""
    return running_mean(covered(outcomes, lower, upper), window)


def running_coverage_error(
    outcomes: FloatArray, lower: FloatArray, upper: FloatArray, level: float, window: int
) -> FloatArray:
    """Signed coverage error in percentage points over the trailing window."""
    return 100.0 * (running_coverage(outcomes, lower, upper, window) - check_level(level))


def running_width(lower: FloatArray, upper: FloatArray, window: int) -> FloatArray:
    """Mean width over the trailing window."""
    return running_mean(upper - lower, window)


def running_winkler(
    outcomes: FloatArray, lower: FloatArray, upper: FloatArray, level: float, window: int
) -> FloatArray:
    """Mean Winkler score over the trailing window."""
    return running_mean(winkler_scores(outcomes, lower, upper, level), window)
