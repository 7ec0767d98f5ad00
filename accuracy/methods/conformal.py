"""Boosted quantiles, conformalised (Romano, Patterson and Candes 2019, Conformalized Quantile Regression, NeurIPS 32).

With lower and upper quantile q_lo and q_hi at each origin, fitted on the earlier rows, the score of a later row is
E = max(q_lo - y, y - q_hi): how far its outcome lies outside, below zero inside. Both ends move outwards by the
corrected quantile of E over the later rows, or inwards where it is below zero.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from accuracy.columns import MOST_LAGS, design
from accuracy.methods.base import LEVEL, FittedMethod, Forecasts, Known, Method
from ngrc._shares import share
from ngrc._types import FloatArray, IntArray
from ngrc.order.quantiles import conformal_quantile

FIT = 0.75
"""Share of the rows that the quantiles are fitted to; the rest calibrates."""
Regressor = Callable[[float], Any]
"""An unfitted regression of a quantile."""


@dataclass(frozen=True, slots=True)
class Quantiles:
    """Fitted regressions of the two quantiles."""

    low: Any
    high: Any

    def ends(self, columns: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Both quantiles per row, sorted: two regressions may cross."""
        return in_order(np.asarray(self.low.predict(columns)), np.asarray(self.high.predict(columns)))


@dataclass(frozen=True, slots=True)
class FittedQuantiles:
    """Per horizon the quantiles, and how far their ends are moved outwards."""

    lags: int
    pairs: Mapping[int, tuple[Quantiles, float]]

    def forecast(self, known: Known, origins: IntArray) -> Mapping[int, Forecasts]:
        """Ends from the columns at each origin; the point is the middle, for want of a forecast of its own."""
        found = {}
        for horizon, (quantiles, outwards) in self.pairs.items():
            low, high = quantiles.ends(design(known.values, known.times, origins, horizon, self.lags))
            lower, upper = in_order(low - outwards, high + outwards)
            found[horizon] = Forecasts((lower + upper) / 2, lower, upper)
        return found


def in_order(one: FloatArray, other: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The smaller and the larger of each pair."""
    return np.minimum(one, other), np.maximum(one, other)


def fit_quantiles(past: Known, horizon: int, lags: int, make: Regressor) -> tuple[Quantiles, float]:
    """Fit on the earlier rows, then find how far the ends must move on the later ones.

    Between the two lie `horizon` rows of neither: the first calibrating forecast is made when every outcome that was
    fitted is known, as the forecasts to come are.
    """
    origins = np.arange(lags - 1, past.values.size - horizon)
    cut = share(FIT, origins.size)
    columns = design(past.values, past.times, origins, horizon, lags)
    outcomes = past.values[origins + horizon]
    tail = (1.0 - LEVEL) / 2.0
    low, high = (make(level).fit(columns[:cut], outcomes[:cut]) for level in (tail, 1.0 - tail))
    quantiles = Quantiles(low, high)
    later = slice(cut + horizon, None)
    lower, upper = quantiles.ends(columns[later])
    scores = np.maximum(lower - outcomes[later], outcomes[later] - upper)
    return quantiles, conformal_quantile(scores, LEVEL)


def boosted_quantile(level: float) -> Any:
    """LightGBM's quantile regression with its defaults; silent, and on one thread as every method here."""
    from lightgbm import LGBMRegressor

    return LGBMRegressor(objective="quantile", alpha=level, n_jobs=1, verbose=-1)


class ConformalQuantiles(Method):
    """Conformalised quantiles on the columns of `lightgbm`, one pair per horizon."""

    name = "lightgbm-cqr"

    def __init__(self, make: Regressor = boosted_quantile) -> None:
        self.make = make

    def fit(self, past: Known, horizons: Sequence[int]) -> FittedMethod:
        """One pair of quantiles per horizon."""
        lags = min(past.season, MOST_LAGS)
        pairs = {horizon: fit_quantiles(past, horizon, lags, self.make) for horizon in horizons}
        return FittedQuantiles(lags, pairs)
