"""The contract of a method on a long series: a fit on a prefix, then a forecast per origin."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from ngrc._types import AnyArray, FloatArray, IntArray

LEVEL = 0.9
"""Nominal coverage of every interval of this benchmark."""


@dataclass(frozen=True, slots=True)
class Known:
    """What a method may see: observations so far, their times where there are any, and the steps of one season."""

    values: FloatArray
    times: AnyArray | None
    season: int

    def until(self, end: int) -> "Known":
        """The first `end` observations."""
        return Known(self.values[:end], None if self.times is None else self.times[:end], self.season)


@dataclass(frozen=True, slots=True)
class Forecasts:
    """One forecast per origin, with interval ends where the method has its own; shapes (m,)."""

    point: FloatArray
    lower: FloatArray | None = None
    upper: FloatArray | None = None

    def at(self, positions: IntArray) -> "Forecasts":
        """Those of some of the origins."""
        lower, upper = (None if end is None else end[positions] for end in (self.lower, self.upper))
        return Forecasts(self.point[positions], lower, upper)


class FittedMethod(Protocol):
    """What a fit returns."""

    def forecast(self, known: Known, origins: IntArray) -> Mapping[int, Forecasts]:
        """Forecasts by horizon; that of origin o uses `known.values[: o + 1]` and nothing later."""


class Method:
    """A way to forecast; `paths` says whether it steps a path forward from each origin, which costs much."""

    name: str
    paths: bool = False

    def fit(self, past: Known, horizons: Sequence[int]) -> FittedMethod:
        """Learn from the past alone."""
        raise NotImplementedError(f"{type(self).__name__} must say how it is fitted")

    def fits(self, past: Known, ends: Sequence[int], horizons: Sequence[int]) -> Iterator[FittedMethod]:
        """One fit per end, on the observations before it; anew each time unless the method knows better."""
        return (self.fit(past.until(end), horizons) for end in ends)
