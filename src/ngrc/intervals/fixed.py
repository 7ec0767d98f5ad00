"""A tracker whose offsets were settled before the first interval."""

from dataclasses import dataclass

import numpy as np

from ngrc.intervals.base import Offsets, Stream, Tracker


@dataclass(slots=True)
class FixedTracker(Tracker):
    """The same offsets at every step; outcomes change nothing."""

    lower: float
    upper: float

    def issue(self, leverage: float = 0.0, forecast: float = 0.0) -> tuple[float, float]:
        """The settled offsets."""
        return self.lower, self.upper

    def observe(self, residual: float, missed: bool | None) -> None:
        """Nothing is learned."""


def repeated(stream: Stream, lower: float, upper: float) -> Offsets:
    """The same offsets for every wanted position of a stream."""
    return Offsets(np.full(stream.steps, lower), np.full(stream.steps, upper))
