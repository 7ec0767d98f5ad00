"""The standard normal law: widths and coverages of central intervals, quantiles and probabilities of arrays.

Numbers come from the standard library and quantiles of arrays from a kernel, all to a relative error of 1e-15.
"""

from math import erf, erfc, sqrt
from statistics import NormalDist

import numpy as np

from ngrc._kernels.distributions import normal_quantiles
from ngrc._types import FloatArray
from ngrc.validation import check_level


def gaussian_radius(level: float) -> float:
    """z_{1 - alpha/2}: half-width, in standard deviations, of the central interval of the given level.

    Examples
    --------
    >>> round(gaussian_radius(0.95), 6)
    1.959964
    """
    # The lower tail, negated: at levels near one 1 - alpha/2 rounds to a number whose quantile has lost digits.
    return -NormalDist().inv_cdf(0.5 * (1.0 - check_level(level)))


def gaussian_coverage(radius: float) -> float:
    """Probability that a standard normal variable lies within `radius` of zero, 2 Phi(radius) - 1.

    Examples
    --------
    >>> round(gaussian_coverage(1.959964), 6)
    0.95
    """
    # 2 Phi(r) - 1 = erf(r / sqrt 2), which has no cancellation at small radii.
    return erf(radius / sqrt(2.0))


def gaussian_quantiles(probabilities: FloatArray) -> FloatArray:
    """The z with Phi(z) = p of every probability, of any shape; infinite at 0 and 1, NaN beyond them.

    Examples
    --------
    >>> gaussian_quantiles(np.array([[0.5, 0.975]])).round(6)
    array([[0.      , 1.959964]])
    """
    return normal_quantiles(np.ravel(probabilities)).reshape(np.shape(probabilities))


def gaussian_probabilities(values: FloatArray) -> FloatArray:
    """Phi(z) of every value, shape (n,).

    Examples
    --------
    >>> gaussian_probabilities(np.array([0.0, 1.959964])).round(6)
    array([0.5  , 0.975])
    """
    # erfc(-z / sqrt 2) / 2 has no cancellation in the lower tail.
    return np.array([0.5 * erfc(-value * sqrt(0.5)) for value in values.tolist()], dtype=np.float64)
