"""One interval method over one stream: tuned, run and scored."""

from time import perf_counter

from ngrc._types import FloatArray
from ngrc.backtesting.rehearsal import rehearse
from ngrc.backtesting.results import Band
from ngrc.intervals.base import IntervalMethod, Stream
from ngrc.metrics import interval_scores


def evaluate(method: IntervalMethod, label: str, stream: Stream, forecasts: FloatArray, level: float) -> Band:
    """Tune and run one method over a stream and score it; `forecasts` are those of the wanted positions."""
    # Compilation, seconds on a new machine, is no part of a method's time.
    rehearse(method)
    begin = perf_counter()
    tuned = method.tuned(stream.history, level)
    offsets = tuned.run(stream, level)
    seconds = perf_counter() - begin
    # Scored on residuals, as the rounding of forecast + offset could turn a hit on the very end into a miss.
    scores = interval_scores(stream.residuals[stream.start :], offsets.lower, offsets.upper, level)
    return Band(
        method=label,
        level=level,
        lower=forecasts + offsets.lower,
        upper=forecasts + offsets.upper,
        coverage=scores.coverage,
        width=scores.width,
        winkler=scores.winkler,
        infinite=scores.infinite,
        seconds=seconds,
        selected=tuned.selected,
        guarantee=tuned.guarantee,
        trace=offsets.trace,
    )
