"""Regressions on lags and the clock, one per horizon: ridge and gradient boosting on the same columns."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from accuracy.columns import MOST_LAGS, design
from accuracy.methods.base import FittedMethod, Forecasts, Known, Method
from ngrc._types import IntArray


@dataclass(frozen=True, slots=True)
class FittedRegressions:
    """One fitted regression per horizon."""

    lags: int
    models: Mapping[int, Any]

    def forecast(self, known: Known, origins: IntArray) -> Mapping[int, Forecasts]:
        """Direct forecasts from the columns at each origin."""
        return {
            horizon: Forecasts(
                np.asarray(model.predict(design(known.values, known.times, origins, horizon, self.lags)))
            )
            for horizon, model in self.models.items()
        }


def fit_regressions(past: Known, horizons: Sequence[int], make: Any) -> FittedRegressions:
    """Fit `make()` to every row of the past whose lags and target are both in it."""
    lags = min(past.season, MOST_LAGS)
    models = {}
    for horizon in horizons:
        origins = np.arange(lags - 1, past.values.size - horizon)
        columns = design(past.values, past.times, origins, horizon, lags)
        models[horizon] = make().fit(columns, past.values[origins + horizon])
    return FittedRegressions(lags, models)


def ridge() -> Any:
    """Standardised columns and the penalty by cross-validation, as in the first example of RidgeCV."""
    from sklearn.linear_model import RidgeCV
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    return make_pipeline(StandardScaler(), RidgeCV(alphas=[1e-3, 1e-2, 1e-1, 1]))


def boosting() -> Any:
    """Defaults; silent, and on one thread as every method here."""
    from lightgbm import LGBMRegressor

    return LGBMRegressor(n_jobs=1, verbose=-1)


class Ridge(Method):
    """scikit-learn's RidgeCV."""

    name = "ridge"

    def fit(self, past: Known, horizons: Sequence[int]) -> FittedMethod:
        """One ridge per horizon."""
        return fit_regressions(past, horizons, ridge)


class LightGBM(Method):
    """Gradient boosting with its defaults."""

    name = "lightgbm"

    def fit(self, past: Known, horizons: Sequence[int]) -> FittedMethod:
        """One ensemble per horizon."""
        return fit_regressions(past, horizons, boosting)
