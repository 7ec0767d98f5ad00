"""Scores of forecasts and intervals, each also as a running curve over a trailing window.

Interval scores take outcomes and ends; outcomes may be residuals if the ends are offsets from the forecast,
as all of them are shift invariant. An infinite end gives an infinite width and score: reported, not hidden.
"""

from typing import NamedTuple

import numpy as np

from ngrc._types import BoolArray, FloatArray
from ngrc.validation import check_count, check_level


def rmse(outcomes: FloatArray, forecasts: FloatArray) -> float:
    """Root mean squared error.

    Examples
    --------
    >>> rmse(np.array([1.0, 3.0]), np.array([1.0, 1.0]))
    1.4142135623730951
    """
    return float(np.sqrt(np.mean((outcomes - forecasts) ** 2)))


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
