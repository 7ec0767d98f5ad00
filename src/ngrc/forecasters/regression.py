"""Any regressor with `fit(X, y)` and `predict(X)` on standardised lags."""

from copy import deepcopy
from typing import Any

import numpy as np

from ngrc._types import FloatArray
from ngrc.features.delays import delay_columns
from ngrc.forecasters.standardised import StandardisedForecaster
from ngrc.validation import check_count


class LagRegressor(StandardisedForecaster):
    """A scikit-learn style regressor on x[t-H], x[t-H-s], ..., x[t-H-(k-1)s], for target x[t].

    Parameters
    ----------
    regressor
        Anything with `fit(X, y)` and `predict(X)`. A copy is fitted, so that yours stays as it is.
    lags, spacing
        Delay length k and lag spacing s.
    horizon
        Forecast horizon H.

    Attributes
    ----------
    regressor_
        The fitted copy.
    scale_
        `Scale` that standardises the series.

    Examples
    --------
    >>> from sklearn.linear_model import LinearRegression
    >>> wave = np.sin(0.3 * np.arange(50))
    >>> forecasts = LagRegressor(LinearRegression(), lags=2).fit(wave[:30]).predict(wave)
    >>> bool(np.allclose(forecasts[2:], wave[2:]))
    True
    """

    def __init__(self, regressor: Any, lags: int, *, spacing: int = 1, horizon: int = 1) -> None:
        self.regressor = regressor
        self.lags = lags
        self.spacing = spacing
        self.horizon = horizon

    @property
    def first_target(self) -> int:
        """First time that can be forecast, (k-1)s + H."""
        reach = (check_count(self.lags, "lags") - 1) * check_count(self.spacing, "spacing")
        return reach + check_count(self.horizon, "horizon")

    def _learn(self, z: FloatArray, targets: range) -> None:
        for name in ("fit", "predict"):
            if isinstance(self.regressor, type) or not callable(getattr(self.regressor, name, None)):
                raise ValueError(
                    f"regressor must be an object with fit(X, y) and predict(X), got {self.regressor!r}; "
                    "for example sklearn.linear_model.Ridge()"
                )
        # deepcopy, not scikit-learn's clone: any object with fit and predict will do.
        self.regressor_ = deepcopy(self.regressor)
        self.regressor_.fit(self._design(z, targets), z[targets.start :])

    def _forecast(self, z: FloatArray, targets: range) -> FloatArray:
        forecasts = np.asarray(self.regressor_.predict(self._design(z, targets)), dtype=np.float64)
        if forecasts.size != len(targets) or not np.isfinite(forecasts).all():
            raise ValueError(
                f"the regressor must predict {len(targets)} finite values, got shape {forecasts.shape} with "
                f"{np.count_nonzero(~np.isfinite(forecasts))} that are not finite"
            )
        return forecasts.reshape(-1)

    def _design(self, z: FloatArray, targets: range) -> FloatArray:
        # Rows are origins, H before their targets.
        return delay_columns(
            z, targets.start - self.horizon, targets.stop - self.horizon, self.lags, self.spacing
        )
