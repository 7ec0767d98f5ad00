"""Exponentials of whole arrays in plain arithmetic: several numbers per instruction, the same bits on every machine.

Compiled code calls the system's own functions one number at a time, and they differ in the last bit between systems;
a reservoir near the edge of stability may carry such a bit a long way.
"""

import numpy as np

from ngrc._jit import jit
from ngrc._types import AnyArray, FloatArray

CHUNK = 512  # three buffers of 4 kB stay in the first cache
LEAST = -700.0  # below this the result would leave the range of normal numbers
ROUNDING = 6755399441055744.0  # 1.5 * 2^52: adding it leaves the nearest whole number in the low bits
LOG2_E = 1.4426950408889634
LN2_HIGH, LN2_LOW = 0.6931471803691238, 1.9082149292705877e-10


@jit
def exponentials(values: AnyArray, shift: float, factor: float, out: FloatArray) -> None:
    """Fill `out` with exp((x - shift) factor), shape (n,), to within 1e-14 relative.

    exp(y) = 2^k exp(r) with k = round(y / ln 2), by a polynomial of degree 11 in |r| <= 0.35. An exponent below
    -700 counts as -700; one above 700 is out of range.

    Examples
    --------
    >>> out = np.empty(2)
    >>> exponentials(np.array([1.0, 0.5]), 1.0, 2.0, out)
    >>> out.round(6).tolist()
    [1.0, 0.367879]
    """
    shifted = np.empty(CHUNK)
    bits = shifted.view(np.int64)
    powers = np.empty(CHUNK, dtype=np.int64)
    scales = powers.view(np.float64)
    for start in range(0, values.size, CHUNK):
        source, target = values[start : start + CHUNK], out[start : start + CHUNK]
        for i in range(source.size):
            y = (source[i] - shift) * factor
            y = y if y > LEAST else LEAST
            target[i] = y
            shifted[i] = y * LOG2_E + ROUNDING
        for i in range(source.size):
            powers[i] = (bits[i] + 1023) << 52
        for i in range(source.size):
            k = shifted[i] - ROUNDING
            r = (target[i] - k * LN2_HIGH) - k * LN2_LOW
            s = r * r
            q = s * s
            low = (1.0 + r) + s * (1 / 2 + r * (1 / 6))
            middle = (1 / 24 + r * (1 / 120)) + s * (1 / 720 + r * (1 / 5040))
            high = (1 / 40320 + r * (1 / 362880)) + s * (1 / 3628800 + r * (1 / 39916800))
            target[i] = (low + q * (middle + q * high)) * scales[i]


@jit
def hyperbolic_tangents(values: FloatArray, out: FloatArray) -> None:
    """Fill `out` with tanh x = (1 - e) / (1 + e), e = exp(-2 |x|), with the sign of x, to within 1e-15.

    Examples
    --------
    >>> out = np.empty(3)
    >>> hyperbolic_tangents(np.array([-1.0, 0.0, 30.0]), out)
    >>> out.round(6).tolist()
    [-0.761594, 0.0, 1.0]
    """
    sizes = np.empty(values.size)
    for i in range(values.size):
        sizes[i] = abs(values[i])
    exponentials(sizes, 0.0, -2.0, out)
    for i in range(values.size):
        size = (1.0 - out[i]) / (1.0 + out[i])
        out[i] = size if values[i] >= 0.0 else -size
