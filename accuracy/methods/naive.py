"""The last value, and the last value of the same phase of the season."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from accuracy.methods.base import FittedMethod, Forecasts, Known, Method
from ngrc._types import FloatArray, IntArray


def seasonal_naive(values: FloatArray, origins: IntArray, horizon: int, season: int) -> FloatArray:
    """The last observation a whole number of seasons before each target, shape (m,).

    Examples
    --------
    >>> seasonal_naive(np.arange(10.0), np.array([7, 9]), 1, 4), seasonal_naive(np.arange(10.0), np.array([9]), 5, 4)
    (array([4., 6.]), array([6.]))
    """
    whole_seasons = -(-horizon // season) * season
    return np.asarray(values[origins + horizon - whole_seasons])


@dataclass(frozen=True, slots=True)
class Repeat:
    """Repeats with a period; nothing to fit. A period of 1 is the last value."""

    horizons: Sequence[int]
    period: int

    def forecast(self, known: Known, origins: IntArray) -> Mapping[int, Forecasts]:
        """Observed values, taken again."""
        return {
            horizon: Forecasts(seasonal_naive(known.values, origins, horizon, self.period))
            for horizon in self.horizons
        }


class Naive(Method):
    """The last value."""

    name = "naive"

    def fit(self, past: Known, horizons: Sequence[int]) -> FittedMethod:
        """Nothing to learn."""
        return Repeat(horizons, 1)


class SeasonalNaive(Method):
    """The value one season before."""

    name = "seasonal naive"

    def fit(self, past: Known, horizons: Sequence[int]) -> FittedMethod:
        """Nothing to learn."""
        return Repeat(horizons, past.season)
