"""The forecast that every other must beat: the last known value of the same season."""

from typing import Any, Self

import numpy as np

from ngrc._params import Parameters
from ngrc._types import FloatArray
from ngrc.validation import check_count, check_vector


class SeasonalNaive(Parameters):
    """The newest value of the target's own season that is known when the forecast is made.

    The forecast for time t is y[t - m P] with m = ceil(H / P), the fewest whole periods that reach back to t - H.

    Parameters
    ----------
    period
        Observations per season, P; 1 repeats the last known value.
    horizon
        Forecast horizon H.

    Examples
    --------
    >>> SeasonalNaive(period=2, horizon=1).fit([1.0, 2.0, 3.0]).predict([1.0, 2.0, 3.0, 4.0])
    array([nan, nan, 1., 2.])
    """

    def __init__(self, period: int = 1, *, horizon: int = 1) -> None:
        self.period = period
        self.horizon = horizon

    @property
    def first_target(self) -> int:
        """Smallest time with a known value of the same season, m P."""
        period = check_count(self.period, "period")
        # -(-H // P) is the ceiling of H / P.
        return period * -(-check_count(self.horizon, "horizon") // period)

    def fit(self, y: Any, *, first: int = 0, scale: tuple[float, float] | None = None) -> Self:
        """Check the series; there is nothing to learn, and `scale` cancels."""
        check_vector(y, "y")
        check_count(first, "first", 0)
        self.first_target  # noqa: B018 (its checks are wanted here)
        return self

    def predict(self, y: Any) -> FloatArray:
        """Forecasts by target time, shape (n,), NaN before `first_target`."""
        values = check_vector(y, "y")
        shift = self.first_target
        result = np.full(values.size, np.nan)
        result[shift:] = values[: max(values.size - shift, 0)]
        return result
