"""Kolmogorov-Smirnov distances and their sampling error."""

import numpy as np
from scipy import special

from ngrc._types import FloatArray


def distance_to_normal(values: FloatArray) -> float:
    """sup_x |F_m(x) - Phi(x)| of a sample, shape (m,).

    Examples
    --------
    >>> distance_to_normal(np.array([0.0]))
    0.5
    """
    expected = special.ndtr(np.sort(values))
    steps = np.arange(values.size + 1) / values.size
    # The empirical law jumps at each value: the largest distance is just after or just before a jump.
    return float(max((steps[1:] - expected).max(), (expected - steps[:-1]).max()))


def distance_between(first: FloatArray, second: FloatArray) -> float:
    """sup_x |F(x) - G(x)| of two samples, shapes (m,) and (n,).

    Examples
    --------
    >>> distance_between(np.array([0.0, 1.0]), np.array([0.5, 1.0]))
    0.5
    """
    everything = np.concatenate([first, second])
    shares = [
        np.searchsorted(np.sort(sample), everything, side="right") / sample.size for sample in (first, second)
    ]
    return float(np.abs(shares[0] - shares[1]).max())


def distance_error(
    first: FloatArray, second: FloatArray, *, rng: np.random.Generator, resamples: int = 400
) -> float:
    """Standard error of `distance_between`, by resampling both samples with replacement.

    The error of a standard deviation over 400 resamples is 3.5 % of itself.
    """
    distances = [
        distance_between(rng.choice(first, first.size), rng.choice(second, second.size))
        for _ in range(resamples)
    ]
    return float(np.std(distances, ddof=1))
