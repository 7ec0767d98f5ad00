"""Exponentially weighted means of the past."""

from collections.abc import Sequence

import numpy as np

from ngrc._kernels.models import recursions_first_order
from ngrc._types import FloatArray


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
    gains = np.array([memory_gain(half_life) for half_life in half_lives])
    # With m[-1] = x[0] the first mean is x[0] itself.
    return recursions_first_order(x, 1.0 - gains, gains, np.repeat(x[:1], gains.size))
