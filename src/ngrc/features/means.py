"""Exponentially weighted means of the past."""

from collections.abc import Sequence
from itertools import accumulate

import numpy as np

from ngrc._types import FloatArray

FEW = 1_000_000
"""Means up to which a Python loop, of a tenth of a second, is faster than loading scipy.signal, of half a second."""


def memory_gain(half_life: float) -> float:
    """Weight a = 1 - 2^(-1/half_life) of the newest observation.

    Examples
    --------
    >>> memory_gain(1.0)
    0.5
    """
    # expm1, as 1 - 2^(-1/h) has lost half its digits at a half-life of 10^8.
    return float(-np.expm1(-np.log(2.0) / half_life))


def memory_columns(x: FloatArray, half_lives: Sequence[float]) -> FloatArray:
    """Means m[t] = (1 - a) m[t-1] + a x[t] with m[0] = x[0].

    Parameters
    ----------
    x
        Series, shape (n,).
    half_lives
        Observations after which a value's weight has halved.

    Returns
    -------
    FloatArray
        Shape (n, len(half_lives)); row t uses x[0..t] only.

    Examples
    --------
    >>> memory_columns(np.array([0.0, 2.0, 2.0]), (1.0,)).ravel()
    array([0. , 1. , 1.5])
    """
    columns = np.empty((x.size, len(half_lives)))
    if not half_lives or x.size == 0:
        return columns
    filtered = _looped if columns.size <= FEW else _filtered
    for position, half_life in enumerate(half_lives):
        columns[:, position] = filtered(x, memory_gain(half_life))
    return columns


def _looped(x: FloatArray, gain: float) -> FloatArray:
    """The same additions and multiplications in the same order as the filter's."""
    kept = 1.0 - gain
    news = (gain * x).tolist()
    # With m[-1] = x[0] the first mean is x[0] itself.
    news[0] += kept * float(x[0])
    return np.fromiter(accumulate(news, lambda mean, new: kept * mean + new), np.float64, x.size)


def _filtered(x: FloatArray, gain: float) -> FloatArray:
    from scipy.signal import lfilter

    # The filter's state before x[0] is (1 - a) m[-1].
    start = np.array([(1.0 - gain) * x[0]])
    return np.asarray(lfilter([gain], [1.0, gain - 1.0], x, zi=start)[0])
