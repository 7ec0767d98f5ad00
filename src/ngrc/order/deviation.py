"""The standard deviation of numbers of any size, whose squares may be none."""

import numpy as np

from ngrc._types import FloatArray

# Squares of numbers between these, and sums of many of them, neither vanish nor overflow.
SMALLEST, LARGEST = 1e-145, 1e145


def deviation(values: FloatArray) -> float:
    """Population standard deviation, shape (n,) to a number.

    Examples
    --------
    >>> deviation(np.array([1.0, 3.0])), deviation(np.array([1e-200, 3e-200])), deviation(np.array([0.0, 0.0]))
    (1.0, 1e-200, 0.0)
    """
    size = float(np.max(np.abs(values), initial=0.0))
    if size == 0.0 or SMALLEST < size < LARGEST:
        return float(np.std(values))
    # A power of two, so that nothing is rounded on the way there and back.
    _, exponent = np.frexp(size)
    return float(np.ldexp(np.std(np.ldexp(values, -exponent)), exponent))
