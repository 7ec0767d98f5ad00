"""Means over replications with their standard errors."""

from dataclasses import dataclass

import numpy as np

from ngrc._types import FloatArray


@dataclass(frozen=True, slots=True)
class Estimate:
    """A Monte-Carlo mean.

    Parameters
    ----------
    mean
        Mean over replications.
    error
        Its standard error.
    count
        How many replications it rests on.
    """

    mean: float
    error: float
    count: int

    def error_at(self, count: int) -> float:
        """The standard error that `count` replications of the same experiment would have."""
        return float(self.error * np.sqrt(self.count / count))


def standard_error(samples: FloatArray) -> FloatArray:
    """Standard error of the mean over the first axis, shape (replications, ...) -> (...)."""
    if len(samples) < 2:
        raise ValueError(f"a standard error needs at least 2 replications, got {len(samples)}")
    error: FloatArray = np.std(samples, axis=0, ddof=1) / np.sqrt(len(samples))
    return error


def estimate(samples: FloatArray) -> Estimate:
    """Mean and standard error of one measure, shape (replications,).

    Examples
    --------
    >>> estimate(np.array([1.0, 2.0, 3.0, 4.0]))
    Estimate(mean=2.5, error=0.645..., count=4)
    """
    if samples.ndim != 1:
        raise ValueError(f"samples must be one-dimensional, got shape {samples.shape}")
    return Estimate(float(samples.mean()), float(standard_error(samples)), samples.size)
