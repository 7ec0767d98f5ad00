"""Callables as subjects: of a whole series, or of its beginning."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from ngrc._types import IntArray
from ngrc.testing.given import Given
from ngrc.testing.output import Output
from ngrc.testing.reading import aligned_outputs, backtest_outputs, is_backtest, stacked_outputs


def called(function: Callable[..., Any], given: Given) -> Any:
    """What the callable says of a copy of its own, so that none can be told what another saw."""
    return function(given.y, **given.arguments())


@dataclass(frozen=True, slots=True)
class OfSeries:
    """A callable of a series whose answer has one row per observation, or is that of a backtest."""

    function: Callable[..., Any]
    name: str
    delay: int | IntArray
    shortens: bool = True

    def told(self, given: Given) -> Sequence[Output]:
        """Its answer, aligned with the series."""
        result = called(self.function, given)
        if is_backtest(result):
            return backtest_outputs(result)
        return aligned_outputs(result, given.size, self.delay)


@dataclass(frozen=True, slots=True)
class OfPrefix:
    """A callable of what is known, asked at a few origins; what follows stands behind the view that it is given."""

    function: Callable[..., Any]
    name: str
    origins: tuple[int, ...]
    shortens: bool = False

    def told(self, given: Given) -> Sequence[Output]:
        """Its answers by origin."""
        results = [called(self.function, given.until(origin + 1)) for origin in self.origins]
        return stacked_outputs(results, self.origins)
