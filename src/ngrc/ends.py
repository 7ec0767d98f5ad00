"""Ends of intervals in the series' own units, cut to bounds, and how they score; coverage is decided on residuals."""

from dataclasses import dataclass

import numpy as np

from ngrc._types import BoolArray, FloatArray
from ngrc.features.limits import Limits
from ngrc.features.link import IDENTITY, Link
from ngrc.intervals.base import Offsets
from ngrc.metrics import IntervalScores, covered, interval_scores


@dataclass(frozen=True, slots=True)
class Ends:
    """Lower and upper ends in the series' own units, one pair per interval, and their scores."""

    lower: FloatArray
    upper: FloatArray
    scores: IntervalScores


def judged_ends(
    offsets: Offsets,
    forecasts: FloatArray,
    residuals: FloatArray,
    level: float,
    link: Link = IDENTITY,
    limits: Limits | None = None,
    came: BoolArray | None = None,
) -> Ends:
    """The ends that offsets make around forecasts, scored where the outcome is known.

    An interval that lies beside its forecast is widened to hold it.

    Parameters
    ----------
    offsets
        In the units of the link, shape (n,).
    forecasts
        In the series' own units, shape (n,).
    residuals
        Of the first m intervals, in the units of the link.
    level
        Nominal coverage.
    link
        What leads from the one to the other, with the bounds that were given.
    limits
        Bounds that were found, and the outcomes of the first m intervals; None where there is none.
    came
        Which intervals are scored, shape (n,): those whose outcome came; None: the first m.
    """
    offsets = offsets.with_forecast()
    lower, upper = link.ends(forecasts, offsets.lower, offsets.upper)
    if limits is not None:
        lower, upper = limits.cut(lower, upper)
    if came is None:
        return Ends(lower, upper, _scores(offsets, forecasts, residuals, level, link, limits, (lower, upper)))
    judged = _scores(
        Offsets(offsets.lower[came], offsets.upper[came]),
        forecasts[came],
        residuals[came],
        level,
        link,
        None if limits is None else limits.at(came),
        (lower[came], upper[came]),
    )
    return Ends(lower, upper, judged)


def _scores(
    offsets: Offsets,
    forecasts: FloatArray,
    residuals: FloatArray,
    level: float,
    link: Link,
    limits: Limits | None,
    ends: tuple[FloatArray, FloatArray],
) -> IntervalScores:
    """Scores in the series' own units."""
    # On residuals, as the rounding of forecast + offset could turn a hit on the very end into a miss.
    if link.identity and limits is None:
        return interval_scores(residuals, offsets.lower, offsets.upper, level)
    scored = slice(0, residuals.size)
    # The outcomes come back by the same map as the ends, so that what is equal on one side is on the other; on a found
    # bound they are the series' own, which forecast plus residual may miss by its rounding.
    outcomes = link.moved(forecasts[scored], residuals) if limits is None else limits.outcomes
    hits = covered(residuals, offsets.lower[scored], offsets.upper[scored])
    if limits is not None:
        hits &= limits.kept
    # An interval that lies beyond a bound is cut to the bound itself, and holds an outcome there.
    hits |= covered(outcomes, ends[0][scored], ends[1][scored])
    share = float(np.mean(hits)) if hits.size else float("nan")
    # An end near the largest number may carry a score to infinity.
    with np.errstate(over="ignore"):
        return interval_scores(outcomes, *ends, level)._replace(coverage=share)
