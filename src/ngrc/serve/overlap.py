"""How misses of forecasts that overlap come together, worked out once per level and step."""

from functools import lru_cache

import numpy as np

from ngrc._normal import gaussian_radius
from ngrc._types import AnyArray, FloatArray

NODES, WEIGHTS = np.polynomial.legendre.leggauss(64)
"""Of an integral over a smooth function: the error is below 1e-8 for levels from 0.1 to 0.999."""
LONGEST = 1023
"""Lags that are summed up: more than the outcomes of any window; a bound for what is kept per level and step."""


def clumping(level: float, outcomes: int, step: int) -> float:
    """How many misses count as one: c of the formula in `alarms`.

    Examples
    --------
    >>> clumping(0.9, 100, 1), round(clumping(0.9, 100, 7), 1)
    (1.0, 3.5)
    """
    lags = min(step, outcomes, LONGEST + 1) - 1
    plain, weighted = _lag_sums(level, step)
    return 1.0 + 2.0 * float(plain[lags] - weighted[lags] / outcomes)


# Some 4 kilobytes each at 250 lags: 1,000 steps of two levels of two series fit.
@lru_cache(maxsize=4096)
def _lag_sums(level: float, step: int) -> tuple[FloatArray, FloatArray]:
    """Sums of r_k and of k r_k over the first 0, 1, 2, ... lags k."""
    lags = np.arange(1, min(step, LONGEST + 1))
    shares = miss_correlations(level, 1.0 - lags / step)
    return np.cumsum(np.append(0.0, shares)), np.cumsum(np.append(0.0, lags * shares))


def miss_correlations(level: float, correlations: AnyArray) -> FloatArray:
    """Correlations of two misses of normal errors that have these correlations, from 0 to 1.

    The derivative of a bivariate normal probability by the correlation is its density at the corner (Plackett), so that
    with the correlation sin u, and q the radius,

        P(both miss) = miss^2 + 1/pi int_0^u exp(-q^2 / (1 + sin v)) - exp(-q^2 / (1 - sin v)) dv.

    Examples
    --------
    >>> miss_correlations(0.5, np.array([0.0, 0.9])).round(3).tolist()
    [0.0, 0.545]
    """
    square, miss = gaussian_radius(level) ** 2, 1.0 - level
    half = 0.5 * np.arcsin(np.asarray(correlations, dtype=float))
    sines = np.sin(half[:, None] * (NODES + 1.0))
    rise = np.exp(-square / (1.0 + sines)) - np.exp(-square / (1.0 - sines))
    return np.asarray(half * (rise @ WEIGHTS) / np.pi / (miss * level))
