"""Centring and scaling: of the series, and of the design columns."""

from typing import NamedTuple

import numpy as np

from ngrc._kernels import models
from ngrc._types import FloatArray
from ngrc.validation import check_vector

# A spread below this share of the values' own size is rounding noise, not signal: a few units in the last place of
# values as they were read.
SERIES_TOLERANCE = 16.0 * float(np.finfo(np.float64).eps)
# Squares of values between these neither underflow nor overflow, nor do sums of many of them.
SMALLEST, LARGEST = 1e-150, 1e150
# In units of a scale: sums of squares of products of up to five factors stay below the largest double, 1.8e308.
FARTHEST = 1e25


class Scale(NamedTuple):
    """Mean and population standard deviation that standardise a series.

    It is the plain pair (mean, std) with names, so that a forecaster of the user's own can take it apart.

    Examples
    --------
    >>> scale = Scale.of(np.array([1.0, 3.0]))
    >>> scale, scale.standardise(np.array([5.0]))
    (Scale(mean=2.0, std=1.0), array([3.]))
    """

    mean: float
    std: float

    @classmethod
    def of(cls, values: FloatArray) -> "Scale":
        """Scale of `values`; a constant series keeps the standard deviation 1."""
        low, high = float(values.min()), float(values.max())
        size = max(abs(low), abs(high))
        # By the range and not the deviation, which is rounding noise of the mean where all values are equal.
        if high - low <= SERIES_TOLERANCE * size:
            return cls(low, 1.0)
        if not SMALLEST < size < LARGEST:
            raise too_large(size)
        return cls(float(values.mean()), float(values.std()))

    def standardise(self, values: FloatArray) -> FloatArray:
        """Return (values - mean) / std."""
        return (values - self.mean) / self.std

    def restore(self, values: FloatArray) -> FloatArray:
        """Return mean + std * values."""
        return self.mean + self.std * values


def too_large(size: float) -> ValueError:
    """The error of a series whose squares overflow or vanish."""
    return ValueError(f"the series' largest value {size:g} cannot be squared safely; rescale it")


def in_range(x: FloatArray) -> bool:
    """Whether products of a series in units of a scale can be summed.

    Examples
    --------
    >>> in_range(np.array([-3.0, 1e6])), in_range(np.array([0.0, -1e40]))
    (True, False)
    """
    return not x.size or bool(max(x.max(), -x.min()) <= FARTHEST)


def check_range(x: FloatArray) -> None:
    """Refuse to fit a series that leaves the units of its scale by so much that products overflow."""
    if not in_range(x):
        raise ValueError(
            f"the series reaches {np.abs(x).max():.3g} times the standard deviation of the first rows that are fitted, "
            f"and products of more than {FARTHEST:g} overflow; use transform='log', or leave out the extreme values"
        )


def as_scale(pair: tuple[float, float]) -> Scale:
    """The pair (mean, std) as a `Scale`; both finite, std above zero.

    A zero is refused and not read as "constant": the standard deviation of a constant stretch is as often 1e-17 as it
    is 0, so that such a reading would hold by luck. `Scale.of` knows a constant stretch by its spread.

    Examples
    --------
    >>> as_scale((2.0, 0.5))
    Scale(mean=2.0, std=0.5)
    """
    values = check_vector(pair, "scale")
    if values.size != 2:
        raise ValueError(f"scale must be the pair (mean, std), got {values.size} values")
    if not values[1] > 0.0:
        raise ValueError(
            f"scale must be (mean, std) with std above zero, got std {values[1]:g}; a constant series has std 1"
        )
    return Scale(float(values[0]), float(values[1]))


def column_scales(means: FloatArray, variances: FloatArray) -> FloatArray:
    """Standard deviations to divide by; 1 where a column is constant up to rounding.

    Parameters
    ----------
    means, variances
        Column moments over the fit rows, shape (p,), of a design made from a standardised series.

    Examples
    --------
    >>> column_scales(np.array([1.0, 1.0]), np.array([4.0, 1e-30]))
    array([2., 1.])
    """
    return models.column_scales(means, variances)
