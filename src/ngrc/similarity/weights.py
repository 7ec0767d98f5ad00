"""Softmax of similarities over a temperature, times a linear recency ramp."""

import numpy as np

from ngrc._jit import jit
from ngrc._types import AnyArray, FloatArray

SHARP = 0.01  # below this temperature exponentials relative to a similarity of one may underflow
CHUNK = 512
ROUNDING = 6755399441055744.0  # 1.5 * 2^52: adding it leaves the nearest whole number in the low bits
LOG2_E = 1.4426950408889634
LN2_HIGH, LN2_LOW = 0.6931471803691238, 1.9082149292705877e-10


@jit
def exponentials(similarity: AnyArray, temperature: float, peak: float, out: FloatArray) -> None:
    """exp((s - peak) / T) for each similarity, shape (n,), to within 1e-14 relative.

    exp(x) = 2^k exp(r), k = round(x / ln 2), by a polynomial of degree 11 in |r| <= 0.35. Written out because
    the library's exponential is called one number at a time and takes three times as long.
    """
    shifted = np.empty(CHUNK)
    bits = shifted.view(np.int64)
    powers = np.empty(CHUNK, dtype=np.int64)
    scales = powers.view(np.float64)
    coldness = 1.0 / temperature
    for start in range(0, similarity.size, CHUNK):
        source, target = similarity[start : start + CHUNK], out[start : start + CHUNK]
        for i in range(source.size):
            x = (source[i] - peak) * coldness
            x = x if x > -700.0 else -700.0
            target[i] = x
            shifted[i] = x * LOG2_E + ROUNDING
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
def ramp_moments(tilted: FloatArray) -> tuple[float, float]:
    """Sums of w_i and w_i^2 for w_i = i tilted_i, i = 0 .. n - 1, in eight interleaved strands."""
    totals, squares = np.zeros(8), np.zeros(8)
    groups = tilted.size // 8
    for group in range(groups):
        strand = tilted[8 * group : 8 * group + 8]
        for i in range(8):
            weight = strand[i] * (8 * group + i)
            totals[i] += weight
            squares[i] += weight * weight
    for i in range(8 * groups, tilted.size):
        weight = tilted[i] * i
        totals[0] += weight
        squares[0] += weight * weight
    return totals.sum(), squares.sum()


@jit
def largest(similarity: AnyArray) -> float:
    """The largest similarity."""
    peak = -1.0
    for i in range(similarity.size):
        peak = max(peak, float(similarity[i]))
    return peak
