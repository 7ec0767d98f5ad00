"""Means over replications with their standard errors."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from ngrc._types import FloatArray

ERROR = "_se"
"""Ending of a column that holds the standard error of the column named before it."""


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
    # One replication has no spread, and NaN must not become a tolerance.
    if len(samples) < 2:
        raise ValueError(f"a standard error needs at least 2 replications, got {len(samples)}")
    error: FloatArray = np.std(samples, axis=0, ddof=1) / np.sqrt(len(samples))
    return error


def error_columns(names: Iterable[str], mean: FloatArray, error: FloatArray) -> dict[str, float]:
    """Columns of a table: each mean under its name, its standard error under the name and `ERROR`.

    Examples
    --------
    >>> error_columns(["width"], np.array([2.0]), np.array([0.5]))
    {'width': 2.0, 'width_se': 0.5}
    """
    record: dict[str, float] = {}
    for name, value, spread in zip(names, mean.tolist(), error.tolist(), strict=True):
        record |= {name: value, f"{name}{ERROR}": spread}
    return record


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
