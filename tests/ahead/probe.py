"""Interval methods that keep what they were given."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from ngrc._normal import gaussian_radius
from ngrc._types import FloatArray, IntArray
from ngrc.intervals.base import History, IntervalMethod, Offsets, Stream, Tracker
from ngrc.intervals.fixed import FixedTracker

PERIOD = 24


def scale_of(index: IntArray) -> FloatArray:
    """Errors by the clock: ten times as large in one half of the day as in the other."""
    return np.where(index % PERIOD < PERIOD // 2, 0.1, 1.0)


@dataclass(frozen=True)
class Clockwork(IntervalMethod):
    """Knows the scale of normal errors at every hour, and reads the hour from the context."""

    name: ClassVar[str] = "clockwork"
    guarantee: ClassVar[str] = "none"
    feedback: ClassVar[bool] = True
    sees: ClassVar[tuple[str, ...]] = ("residuals", "clock")

    def run(self, stream: Stream, level: float) -> Offsets:
        assert stream.context is not None
        wanted = stream.context.phase + np.arange(stream.start, stream.residuals.size)
        width = gaussian_radius(level) * scale_of(wanted)
        return Offsets(-width, width)

    def begin(self, history: History, level: float) -> Tracker:
        raise AssertionError("a method with feedback practises first")


@dataclass(frozen=True)
class Probe(IntervalMethod):
    """Sees everything, serves all levels at once, and writes down every stream; ends are the level and its negative."""

    name: ClassVar[str] = "probe"
    guarantee: ClassVar[str] = "none"
    feedback: ClassVar[bool] = True
    joint: ClassVar[bool] = True
    sees: ClassVar[tuple[str, ...]] = ("residuals", "forecasts", "clock")

    streams: list[Stream] = field(default_factory=list)
    histories: list[History] = field(default_factory=list)

    def tuned(self, history: History, level: float) -> IntervalMethod:
        self.histories.append(history)
        return self

    def run(self, stream: Stream, level: float) -> Offsets:
        return self.run_levels(stream, [level])[0]

    def run_levels(self, stream: Stream, levels: Sequence[float]) -> tuple[Offsets, ...]:
        self.streams.append(stream)
        return tuple(
            Offsets(np.full(stream.steps, -level), np.full(stream.steps, 2 * level)) for level in levels
        )

    def begin(self, history: History, level: float) -> Tracker:
        return FixedTracker(-level, 2 * level)
