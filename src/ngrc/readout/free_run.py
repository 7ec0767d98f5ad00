"""Running a one-step readout on its own forecasts."""

import numpy as np

from ngrc._jit import jit
from ngrc._types import FloatArray, IntArray
from ngrc.features.fourier import fourier_columns
from ngrc.features.map import FeatureMap
from ngrc.features.memory import memory_gain
from ngrc.features.monomials import monomial_indices


def free_run(
    feature_map: FeatureMap,
    x: FloatArray,
    intercept: float,
    coefficients: FloatArray,
    steps: int,
    offset: int = 0,
) -> FloatArray:
    """Iterate x[t+1] = w'r(x[t], x[t-s], ...) for `steps` values after the last of `x`.

    Parameters
    ----------
    feature_map
        The columns of the one-step readout.
    x
        Standardised history, shape (n,), at least reach + 1 values.
    intercept, coefficients
        Weights of the raw columns, shape (p - 1,) without the intercept.
    steps
        How many values to produce.
    offset
        Time index of x[0].

    Returns
    -------
    FloatArray
        Shape (steps,); NaN from the first value on that is not finite.

    Examples
    --------
    >>> halving = FeatureMap(lags=1, degree=1)
    >>> free_run(halving, np.array([8.0]), 0.0, np.array([0.5]), 3)
    array([4., 2., 1.])
    """
    indices = monomial_indices(feature_map.lags, feature_map.degree)
    # Short products are filled up with a coordinate that is always one.
    factors = np.full((len(indices), feature_map.degree), feature_map.lags, dtype=np.int64)
    for row, index in enumerate(indices):
        factors[row, : len(index)] = index
    seasonal = fourier_columns(
        x.size + offset, x.size + offset + steps, feature_map.periods, feature_map.harmonics
    )
    remembered = coefficients.size - len(feature_map.half_lives)
    # All that does not depend on the forecasts themselves, one value per step.
    drive = intercept + seasonal @ coefficients[len(indices) : remembered]
    values = np.concatenate((x[x.size - feature_map.reach - 1 :], np.full(steps, np.nan)))
    gains = np.array([memory_gain(half_life) for half_life in feature_map.half_lives])
    # The memories at the last origin; the kernel moves them on with each forecast.
    memory = feature_map.memory(x)[-1].copy()
    weights, memory_weights = coefficients[: len(indices)], coefficients[remembered:]
    _iterate(values, drive, factors, weights, feature_map.spacing, gains, memory, memory_weights)
    return values[feature_map.reach + 1 :]


@jit
def _iterate(
    values: FloatArray,
    drive: FloatArray,
    factors: IntArray,
    weights: FloatArray,
    spacing: int,
    gains: FloatArray,
    memory: FloatArray,
    memory_weights: FloatArray,
) -> None:
    """Fill `values` after its history, stopping at the first value that is not finite."""
    # The history holds reach + 1 = (k - 1)s + 1 values, from which k follows.
    begin = values.size - drive.size
    lags = (begin - 1) // spacing + 1
    delays = np.ones(lags + 1)
    for step in range(drive.size):
        for lag in range(lags):
            delays[lag] = values[begin + step - 1 - lag * spacing]
        total = drive[step]
        for column in range(weights.size):
            product = weights[column]
            for power in range(factors.shape[1]):
                product *= delays[factors[column, power]]
            total += product
        for position in range(gains.size):
            total += memory_weights[position] * memory[position]
        # A quadratic map off its attractor squares its error at every step; the rest stays NaN and is never a number.
        if not np.isfinite(total):
            return
        values[begin + step] = total
        for position in range(gains.size):
            memory[position] += gains[position] * (total - memory[position])
