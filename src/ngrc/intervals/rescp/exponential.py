"""Exponentials of whole arrays in plain arithmetic: several numbers per instruction, the same bits on every machine.

Compiled code calls the system's own functions one number at a time, and they differ in the last bit between systems;
a reservoir near the edge of stability may carry such a bit a long way.
"""

import numpy as np

from ngrc._jit import jit
from ngrc._types import AnyArray, FloatArray

# Three buffers of 4 kB stay in the first cache.
CHUNK = 512
# Below this the result would leave the range of normal numbers: exp(-708) is the least.
LEAST = -700.0
# 1.5 * 2^52: in a sum with it the last bit stands for one, so that the addition itself rounds to a whole number and
# leaves it, as an integer, in the low bits. The half keeps the sum in the same binade for negative numbers.
ROUNDING = 6755399441055744.0
LOG2_E = 1.4426950408889634
# ln 2 in two parts, the first with its last bits zero: k times it is exact for every |k| that occurs, and the reduced
# argument keeps its digits.
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
            # The exponent field of a double is k + 1023; the shift pushes all bits of `bits` above k out of the word.
            powers[i] = (bits[i] + 1023) << 52
        # Loops apart: `bits` and `scales` are views of `shifted` and `powers`, and a loop that writes the one and reads
        # the other cannot be vectorised.
        for i in range(source.size):
            k = shifted[i] - ROUNDING
            r = (target[i] - k * LN2_HIGH) - k * LN2_LOW
            # Taylor to degree 11, whose rest is below 1e-14 for |r| <= ln(2) / 2, in three groups of four that do not
            # wait for each other as Horner's steps would.
            s = r * r
            q = s * s
            low = (1.0 + r) + s * (1 / 2 + r * (1 / 6))
            middle = (1 / 24 + r * (1 / 120)) + s * (1 / 720 + r * (1 / 5040))
            high = (1 / 40320 + r * (1 / 362880)) + s * (1 / 3628800 + r * (1 / 39916800))
            target[i] = (low + q * (middle + q * high)) * scales[i]


@jit
def hyperbolic_tangents(values: FloatArray, out: FloatArray) -> None:
    """Fill `out` with tanh x = (1 - e) / (1 + e), e = exp(-2 |x|), with the sign of x, to within 5e-15.

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
    # Of -2 |x|, which cannot overflow; 1 - e loses digits near zero, by no more than 5e-15 in absolute terms.
    exponentials(sizes, 0.0, -2.0, out)
    for i in range(values.size):
        size = (1.0 - out[i]) / (1.0 + out[i])
        out[i] = size if values[i] >= 0.0 else -size
