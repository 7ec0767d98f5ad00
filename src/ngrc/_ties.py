"""The smallest of several scores, where scores that differ by rounding alone count as equal."""

from collections.abc import Sequence

import numpy as np

from ngrc._types import BoolArray, FloatArray

# Sums in another order, as with another number of BLAS threads, move a score by about 1e-15 of its size, and by up
# to 1e-10 where the design is near singular (`readout.refine.TOLERANCE`); differences that matter are far larger.
SHARE = 1e-9


def first_smallest(scores: Sequence[float] | FloatArray, floor: float = 0.0) -> int:
    """Index of the first score that rounding cannot tell from the smallest.

    The choice is the same on every machine and with any number of threads, unless a score lies at the edge of
    the band itself. Infinite scores lose to finite ones and tie with each other.

    Parameters
    ----------
    scores
        Zero or above; NaN is refused.
    floor
        What rounding may add to a score that should be zero, in the scores' units.

    Examples
    --------
    >>> first_smallest([2.0, 1.0 + 1e-15, 1.0])
    1
    """
    return int(np.argmax(within_rounding(scores, floor)))


def within_rounding(scores: Sequence[float] | FloatArray, floor: float = 0.0) -> BoolArray:
    """Which scores rounding cannot tell from the smallest, shape (m,); see `first_smallest`."""
    values = np.asarray(scores, dtype=np.float64)
    if np.isnan(values).any():
        raise ValueError("a score is not a number: forecasts or intervals overflow; rescale the series")
    smallest = float(values.min())
    # A relative band alone is empty at zero, where a perfect fit ends up to rounding: hence the floor.
    return np.asarray(values <= smallest + SHARE * smallest + floor)
