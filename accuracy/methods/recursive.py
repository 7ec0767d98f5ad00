"""skforecast's recursive forecaster: one boosting for the next step, stepped forward along the path."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from accuracy.columns import MOST_LAGS
from accuracy.methods.base import FittedMethod, Forecasts, Known, Method
from accuracy.methods.lagged import boosting
from ngrc._types import IntArray


@dataclass(frozen=True, slots=True)
class FittedRecursion:
    """A fitted forecaster, asked for the whole path at every origin."""

    forecaster: Any
    horizons: Sequence[int]
    lags: int

    def forecast(self, known: Known, origins: IntArray) -> Mapping[int, Forecasts]:
        """Paths from the last window before each origin, of which the horizons are kept."""
        import pandas as pd

        paths = np.empty((origins.size, max(self.horizons)))
        for row, origin in enumerate(origins):
            behind = slice(int(origin) + 1 - self.lags, int(origin) + 1)
            window = pd.Series(known.values[behind], index=pd.RangeIndex(behind.start, behind.stop))
            paths[row] = self.forecaster.predict(steps=paths.shape[1], last_window=window, check_inputs=False)
        return {horizon: Forecasts(paths[:, horizon - 1]) for horizon in self.horizons}


class Skforecast(Method):
    """The first example of its documentation: ForecasterRecursive around LightGBM, here with lags of one season."""

    name = "skforecast"
    paths = True

    def fit(self, past: Known, horizons: Sequence[int]) -> FittedMethod:
        """One fit for all horizons."""
        import pandas as pd
        from skforecast.recursive import ForecasterRecursive

        lags = min(past.season, MOST_LAGS)
        forecaster = ForecasterRecursive(estimator=boosting(), lags=lags)
        forecaster.fit(y=pd.Series(past.values))
        return FittedRecursion(forecaster, horizons, lags)
