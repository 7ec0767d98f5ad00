"""One interval method over one stream: tuned, run and scored."""

from time import perf_counter

import numpy as np

from ngrc._types import FloatArray
from ngrc.backtesting.rehearsal import rehearse
from ngrc.backtesting.results import Band
from ngrc.features.link import IDENTITY, Link
from ngrc.intervals.base import IntervalMethod, Offsets, Stream
from ngrc.metrics import IntervalScores, covered, interval_scores


def evaluate(
    method: IntervalMethod,
    label: str,
    stream: Stream,
    forecasts: FloatArray,
    level: float,
    link: Link = IDENTITY,
) -> Band:
    """Tune and run one method over a stream and score it.

    Parameters
    ----------
    method, label
        The method, and the name under which the band is shown.
    stream
        Residuals in the units of the link.
    forecasts
        Those of the wanted positions, in the series' own units.
    level
        Nominal coverage.
    link
        What leads from the one to the other; the identity by default.
    """
    # Compilation, seconds on a new machine, is no part of a method's time.
    rehearse(method)
    begin = perf_counter()
    tuned = method.tuned(stream.history, level)
    offsets = tuned.run(stream, level)
    seconds = perf_counter() - begin
    lower, upper = link.ends(forecasts, offsets.lower, offsets.upper)
    scores = _scores(link, stream.residuals[stream.start :], offsets, forecasts, (lower, upper), level)
    return Band(
        method=label,
        level=level,
        lower=lower,
        upper=upper,
        coverage=scores.coverage,
        width=scores.width,
        winkler=scores.winkler,
        infinite=scores.infinite,
        seconds=seconds,
        selected=tuned.selected,
        guarantee=tuned.guarantee,
        trace=offsets.trace,
    )


def _scores(
    link: Link,
    residuals: FloatArray,
    offsets: Offsets,
    forecasts: FloatArray,
    ends: tuple[FloatArray, FloatArray],
    level: float,
) -> IntervalScores:
    """Scores in the series' own units, coverage decided on residuals."""
    # On residuals, as the rounding of forecast + offset could turn a hit on the very end into a miss.
    if link.identity:
        return interval_scores(residuals, offsets.lower, offsets.upper, level)
    # The outcomes come back by the same map as the ends, so that what is equal on one side is on the other.
    outcomes = link.moved(forecasts, residuals)
    # An interval that lies beyond a bound is cut to the bound itself, and holds an outcome there.
    hits = covered(residuals, offsets.lower, offsets.upper) | covered(outcomes, *ends)
    # An end near the largest number may carry a score to infinity.
    with np.errstate(over="ignore"):
        return interval_scores(outcomes, *ends, level)._replace(coverage=float(np.mean(hits)))
