"""Series whose best forecast is known, for the checks of a forecast."""

import numpy as np

from ngrc._types import FloatArray
from ngrc.diagnosis.calibration import Calibration


def autoregression(weights: dict[int, float], length: int, seed: int) -> FloatArray:
    """x[t] = sum of weights times earlier values, by lag, plus Gaussian noise."""
    x = np.random.default_rng(seed).normal(size=length)
    for t in range(length):
        x[t] += sum(weight * x[t - lag] for lag, weight in weights.items() if t >= lag)
    return x


def perfect(
    count: int, horizon: int, weight: float, rng: np.random.Generator, fit_rows: int = 400
) -> Calibration:
    """The calibration block of a true forecast H steps ahead, whose errors are a moving average of order H - 1."""
    x = rng.normal(size=fit_rows + count)
    for t in range(1, x.size):
        x[t] += weight * x[t - 1]
    forecasts = weight**horizon * x[fit_rows - horizon : -horizon]
    return Calibration(x[fit_rows:] - forecasts, forecasts, forecasts, x, horizon, fit_rows, count)
