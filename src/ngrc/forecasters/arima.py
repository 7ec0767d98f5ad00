"""ARIMA by statsmodels: parameters from the fit block, the state carried through every later observation."""

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np

from ngrc._optional import load
from ngrc._types import FloatArray
from ngrc.forecasters.standardised import StandardisedForecaster
from ngrc.validation import check_count


class ARIMA(StandardisedForecaster):
    """ARIMA(p, d, q) without deterministic trend, fitted once by maximum likelihood.

    It is fitted on the standardised observations from `first_target` steps before the first fit target (the
    start of the series where `first` is 0) to the last fit target.

    Parameters
    ----------
    order
        Autoregressive terms p, differences d, moving-average terms q.
    lookback
        Observations before the first forecast. The recursion reads the whole past; this only makes the rows
        those of a model with `lookback` lags.
    horizon
        Forecast horizon H; the H-step forecast is the expectation of the state space model at the origin.

    Attributes
    ----------
    params_, names_
        Estimates and their names.
    notes_
        What the optimiser and the model warned about, one line each; empty when nothing.
    scale_
        `Scale` that standardises the series.

    Examples
    --------
    >>> ARIMA((1, 1, 0), lookback=14, horizon=3).first_target
    16
    """

    def __init__(self, order: Sequence[int] = (3, 1, 3), *, lookback: int = 1, horizon: int = 1) -> None:
        self.order = order
        self.lookback = lookback
        self.horizon = horizon

    @property
    def first_target(self) -> int:
        """First time that is forecast, (lookback - 1) + H."""
        return check_count(self.lookback, "lookback") - 1 + check_count(self.horizon, "horizon")

    def _learn(self, z: FloatArray, targets: range) -> None:
        used = z[targets.start - self.first_target :]
        order = self._order()
        # Set by hand: two observations per term of the order and for the noise variance.
        needed = 2 * (sum(order) + 1)
        if used.size < needed:
            raise ValueError(f"ARIMA{order} needs at least {needed} observations to fit, got {used.size}")
        # The optimiser warns on the paper's own series (METHODS.md); what it says is kept in notes_ and not printed.
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            # No covariance of the estimates: nothing here needs it.
            results = self._model(used).fit(cov_type="none")
        self.params_ = np.asarray(results.params, dtype=np.float64)
        self.names_ = tuple(results.param_names)
        self.notes_ = tuple(dict.fromkeys(f"{item.category.__name__}: {item.message}" for item in caught))
        if not np.isfinite(self.params_).all():
            raise ValueError(
                f"the fit of ARIMA{order} diverged: {dict(zip(self.names_, self.params_, strict=True))}"
            )

    def _forecast(self, z: FloatArray, targets: range) -> FloatArray:
        # y[t | t-H] = Z T^(H-1) a[t-H+1 | t-H], with a the predicted state of the Kalman filter.
        filtered = self._model(z).filter(self.params_, cov_type="none").filter_results
        transition = np.linalg.matrix_power(filtered.transition[:, :, 0], self.horizon - 1)
        loading = filtered.design[0, :, 0] @ transition
        # Column j of predicted_state is a[j | j-1]; the first origin is targets.start - H, hence the + 1.
        first = targets.start - self.horizon + 1
        forecasts: FloatArray = loading @ filtered.predicted_state[:, first : first + len(targets)]
        return forecasts

    def _model(self, z: FloatArray) -> Any:
        module = load("statsmodels.tsa.arima.model", "arima", "ARIMA")
        return module.ARIMA(z, order=self._order(), trend="n")

    def _order(self) -> tuple[int, int, int]:
        order = tuple(check_count(term, "each term of order", 0) for term in self.order)
        if len(order) != 3 or not any(order):
            raise ValueError(f"order must be (p, d, q) with at least one above zero, got {self.order!r}")
        return order
