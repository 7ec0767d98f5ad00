"""What a fitted model can say of its own forecasts without any calibration: an interval, and a score."""

from typing import Any

import numpy as np

from ngrc._normal import gaussian_radius
from ngrc._types import FloatArray
from ngrc.intervals.bayes import half_width
from ngrc.metrics import r_squared
from ngrc.validation import check_level


class OwnJudgement:
    """`predict_interval` and `score` of a model with `predict`, `leverage`, `noise_scale` and `link`."""

    def predict_interval(
        self, y: Any, level: float = 0.95, *, exog: Any = None, times: Any = None, start: int = 0
    ) -> FloatArray:
        """Bayesian intervals by target time, shape (n, 2): lower and upper end, NaN where there is no forecast.

        The model's own, from the leverage of each forecast and the noise of the fit rows (generalised cross-validation,
        which stays right where columns are many): exact under Gaussian errors of constant scale, and calibrated on
        nothing. `backtest`, `look_ahead` and `Online` calibrate on errors out of sample.

        Parameters
        ----------
        y, exog, times, start
            As in `predict`.
        level
            Nominal coverage.

        Examples
        --------
        >>> from ngrc import NGRC
        >>> y = np.random.default_rng(0).normal(size=300)
        >>> ends = NGRC(lags=2, degree=1).fit(y[:200]).predict_interval(y, level=0.9)
        >>> ends.shape, int(np.isnan(ends[:, 0]).sum())
        ((300, 2), 2)
        """
        model: Any = self
        radius = gaussian_radius(check_level(level))
        forecasts = self._scalar(model.predict(y, exog=exog, times=times, start=start))
        half = half_width(
            model.leverage(y, exog=exog, times=times, start=start), model.noise_scale("gcv").scale, radius
        )
        return np.stack(model.link().ends(forecasts, -half, half), axis=1)

    def score(self, y: Any, *, exog: Any = None, times: Any = None, start: int = 0) -> float:
        """Share of the variance that the forecasts explain (R squared), over the targets that have one.

        Parameters are those of `predict`. On the rows that were fitted it flatters; on later ones it does not.

        Examples
        --------
        >>> from ngrc import NGRC
        >>> wave = np.sin(0.3 * np.arange(300))
        >>> round(NGRC(lags=2, degree=1).fit(wave[:200]).score(wave[200:]), 6)
        1.0
        """
        model: Any = self
        forecasts = self._scalar(model.predict(y, exog=exog, times=times, start=start))
        made = ~np.isnan(forecasts)
        if not made.any():
            raise ValueError(
                f"no target has a forecast: {forecasts.size} observations are fewer than a forecast reads; give more"
            )
        return r_squared(np.asarray(y, dtype=np.float64)[made], forecasts[made])

    def _scalar(self, forecasts: FloatArray) -> FloatArray:
        if forecasts.ndim > 1:
            raise ValueError(
                f"this is for one series, and the model has {forecasts.shape[1]} channels; fit one model per channel"
            )
        return forecasts
