"""Interval methods that keep what they were given, and a model of paths that costs next to nothing."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

import numpy as np

from ngrc._normal import gaussian_radius
from ngrc._params import Parameters
from ngrc._types import FloatArray, IntArray
from ngrc.features.link import IDENTITY, Link
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
        return self.run_each(stream, [level])[0]

    def run_each(self, stream: Stream, levels: Sequence[float]) -> tuple[Offsets, ...]:
        self.streams.append(stream)
        return tuple(
            Offsets(np.full(stream.steps, -level), np.full(stream.steps, 2 * level)) for level in levels
        )

    def begin(self, history: History, level: float) -> Tracker:
        return FixedTracker(-level, 2 * level)


class Regressive(Parameters):
    """y_t times the h-th power of a coefficient, by least squares; a model of paths that can be fitted to any rows."""

    least_observations = 3

    def __init__(self, *, horizon: int = 1, path: bool = False) -> None:
        self.horizon, self.path = horizon, path

    @property
    def first_target(self) -> int:
        return self.horizon

    def fit(self, y: Any, *, first: int = 0, scale: Any = None) -> Self:
        # A series that wanders is not forecast to explode.
        coefficient = min(float(y[:-1] @ y[1:] / (y[:-1] @ y[:-1])), 1.0)
        self.powers_ = coefficient ** np.arange(1, self.horizon + 1)
        self.fit_scale_, self.ridge_ = np.ones(self.horizon), np.full(self.horizon, np.nan)
        return self

    def predict(self, y: Any) -> FloatArray:
        return self.predict_path(y)[:, -1]

    def predict_path(self, y: Any) -> FloatArray:
        paths = np.full((len(y), self.horizon), np.nan)
        for step, power in enumerate(self.powers_, start=1):
            paths[step:, step - 1] = power * y[:-step]
        return paths

    def forecast(self, y: Any) -> FloatArray:
        return np.asarray(self.powers_ * y[-1])

    def forecast_leverage(self, y: Any) -> FloatArray:
        return np.zeros(self.horizon)

    def noise_scale(self, method: str, horizon: int | None = None, channel: int = 0) -> Any:
        raise ValueError("no noise scale")

    def link(self, channel: int = 0) -> Link:
        return IDENTITY
