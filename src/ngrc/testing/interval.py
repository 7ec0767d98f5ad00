"""Interval methods as subjects: offsets of a whole block, and one observation at a time."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ngrc.intervals.base import IntervalMethod, Stream
from ngrc.testing.given import SERIES, Given
from ngrc.testing.output import Output

LEVERAGE, FORECASTS = "leverage", "forecasts"
"""Inputs beside the residuals, known when an interval is issued."""
# A second level, for methods that serve all levels in one pass.
INNER = 0.5


def given_of(stream: Stream) -> Given:
    """Residuals as the series, leverages and forecasts as inputs known ahead."""
    inputs = {SERIES: stream.residuals}
    if stream.leverage is not None:
        inputs[LEVERAGE] = np.asarray(stream.leverage, dtype=np.float64)
    if stream.context is not None:
        inputs[FORECASTS] = stream.context.forecasts
    return Given(inputs, frozenset((LEVERAGE, FORECASTS)))


def stream_of(stream: Stream, given: Given) -> Stream:
    """The stream with other residuals, leverages and forecasts."""
    context = stream.context
    if context is not None:
        context = replace(context, forecasts=given.inputs[FORECASTS])
    return replace(stream, residuals=given.y, leverage=given.inputs.get(LEVERAGE), context=context)


@dataclass(frozen=True, slots=True)
class Block:
    """A method over a block, tuned on what is known at its start."""

    method: IntervalMethod
    name: str
    stream: Stream
    level: float
    shortens: bool = True

    def told(self, given: Given) -> Sequence[Output]:
        """Ends, traces and what was chosen."""
        stream = stream_of(self.stream, given)
        levels = (self.level, INNER) if self.method.joint else (self.level,)
        times, horizon, found = stream.start + np.arange(stream.steps), stream.horizon, []
        for level, offsets in zip(levels, self.method.run_levels(stream, levels), strict=True):
            parts = {"lower": offsets.lower, "upper": offsets.upper, **offsets.trace}
            found += [Output(f"{name} at {level:g}", times, part, horizon) for name, part in parts.items()]
        chosen = self.method.tuned(stream.history, self.level).selected
        numbers = [value for value in chosen.values() if isinstance(value, int | float)]
        if numbers:
            found.append(
                Output("tuned", np.array([stream.start]), np.array([numbers], dtype=np.float64), horizon)
            )
        return found


@dataclass(frozen=True, slots=True)
class OneByOne:
    """The tracker of a method: at every position the residual from H before is observed, then the offsets issued."""

    method: IntervalMethod
    name: str
    stream: Stream
    level: float
    shortens: bool = True

    def told(self, given: Given) -> Sequence[Output]:
        """Ends by position."""
        stream = stream_of(self.stream, given)
        tracker = self.method.begin(stream.history, self.level)
        issued: list[tuple[float, float]] = []
        for position in range(stream.start, stream.residuals.size):
            if issued:
                residual = float(stream.residuals[position - stream.horizon])
                own = position - stream.horizon - stream.start
                missed = None if own < 0 else not issued[own][0] <= residual <= issued[own][1]
                tracker.observe(residual, missed)
            leverage = 0.0 if stream.leverage is None else float(stream.leverage[position])
            forecast = 0.0 if stream.context is None else float(stream.context.forecasts[position])
            issued.append(tracker.issue(leverage, forecast))
        ends = np.array(issued).reshape(-1, 2)
        times = stream.start + np.arange(len(issued))
        return [Output("ends of the tracker", times, ends, stream.horizon)]
