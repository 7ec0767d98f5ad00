"""The shape of a stretch of residuals: tails, skew, memory, and whether their scale stays the same."""

from dataclasses import dataclass

import numpy as np

from ngrc._normal import gaussian_radius
from ngrc._types import FloatArray

BLOCKS = 8
"""Equal stretches of the residuals whose scales are compared.

Set by hand: enough to see a drift that comes and goes, few enough that 800 residuals give each a scale to 7 %.
The constants 2.85 and 0.8 in `advice` are those of the range of eight.
"""


@dataclass(frozen=True, slots=True)
class ResidualShape:
    """Summaries of m residuals; all are free of units.

    Parameters
    ----------
    count, independent
        Residuals, and how many independent ones they are worth.
    excess_kurtosis
        Fourth standardised moment minus 3; zero for a Gaussian.
    skew
        (u + l - 2 median) / (u - l) of the two quantiles that cut off alpha/2 each; in (-1, 1).
    skew_error
        Standard error that the skew of as many independent Gaussian residuals has.
    autocorrelation
        Correlation of residuals one horizon apart: structure that the forecast leaves behind.
    clustering
        Mean correlation of |e| at five lags from the horizon on: calm and stormy stretches.
    drift
        Largest over smallest root mean square among eight consecutive stretches.
    correlation_error
        Standard error of a correlation of independent residuals.
    drift_error
        About the standard error of the logarithm of one stretch's scale, from the observed kurtosis.
    """

    count: int
    independent: float
    excess_kurtosis: float
    skew: float
    skew_error: float
    autocorrelation: float
    clustering: float
    drift: float
    correlation_error: float
    drift_error: float


def residual_shape(residuals: FloatArray, level: float, horizon: int = 1) -> ResidualShape:
    """Shape of residuals in time order, shape (m,).

    Errors of forecasts `horizon` steps ahead overlap and are correlated up to lag horizon - 1 even when nothing is
    wrong: correlations start at lag `horizon`, and m residuals count as m / horizon.

    Examples
    --------
    >>> shape = residual_shape(np.random.default_rng(0).normal(size=4000), 0.95)
    >>> abs(shape.excess_kurtosis) < 0.3, abs(shape.skew) < 0.1, shape.drift < 1.2
    (True, True, True)
    """
    centred = residuals - np.mean(residuals)
    variance = float(np.mean(centred**2))
    # NaN compares as False with every threshold: no rule that reads a shape holds where there is none.
    if variance == 0.0 or residuals.size < 2 * BLOCKS * horizon:
        nan = float("nan")
        return ResidualShape(residuals.size, residuals.size / horizon, nan, nan, nan, nan, nan, nan, nan, nan)
    kurtosis = float(np.mean(centred**4)) / variance**2 - 3.0
    tail = 0.5 * (1.0 - level)
    low, middle, high = np.quantile(residuals, [tail, 0.5, 1.0 - tail])
    absolute = np.abs(residuals)
    stretches = [float(np.sqrt(np.mean(part**2))) for part in np.array_split(residuals, BLOCKS)]
    return ResidualShape(
        count=residuals.size,
        independent=residuals.size / horizon,
        excess_kurtosis=kurtosis,
        skew=float((high + low - 2 * middle) / (high - low)) if high > low else 0.0,
        skew_error=_skew_error(residuals.size / horizon, tail),
        autocorrelation=correlation(residuals, horizon),
        clustering=float(np.mean([correlation(absolute, horizon + lag) for lag in range(5)])),
        # A stretch without any error gives a huge ratio instead of a division by zero.
        drift=max(stretches) / max(min(stretches), np.finfo(float).tiny),
        correlation_error=float(np.sqrt(horizon / residuals.size)),
        # var(log rms) = (excess kurtosis + 2) / (4 m) for m independent values, by the delta method; m is that of one
        # stretch. Tails lighter than Gaussian are not believed, as that would make the test sharper.
        drift_error=float(np.sqrt((max(kurtosis, 0.0) + 2.0) / (4.0 * residuals.size / horizon / BLOCKS))),
    )


def correlation(values: FloatArray, lag: int) -> float:
    """Sample autocorrelation at one lag; zero for a constant stretch."""
    centred = values - np.mean(values)
    total = float(centred @ centred)
    # Over the whole sum of squares, not that of the overlap: the usual estimator, which stays within [-1, 1].
    return float(centred[lag:] @ centred[:-lag]) / total if total > 0 else 0.0


def _skew_error(count: float, tail: float) -> float:
    """Asymptotic error of a tail quantile, sqrt(p (1-p) / m) / phi(z), carried to the skew's ratio."""
    # The numerator u + l - 2 median has the errors of two tail quantiles, sqrt 2 times one; the denominator is 2 z.
    z = gaussian_radius(1.0 - 2.0 * tail)
    density = np.exp(-0.5 * z * z) / np.sqrt(2.0 * np.pi)
    return float(np.sqrt(2.0 * tail * (1.0 - tail) / count) / density / (2.0 * z))
