"""Softmax of similarities over a temperature, times a linear recency ramp."""

import numpy as np

from ngrc._jit import jit
from ngrc._types import AnyArray, FloatArray
from ngrc.intervals.rescp.exponential import exponentials

# Similarities lie in [-1, 1], so that exponents relative to a similarity of one go down to -2 / T, which is -200 here.
# Far below this temperature a whole window might fall to the floor of `exponentials`, where weights differ no more.
SHARP = 0.01


@jit
def tilt(near: AnyArray, temperature: float, widest: bool, tilted: FloatArray) -> None:
    """Fill `tilted` with exp((s - peak) / T) of a window's similarities, oldest first.

    The peak is one, so that the widest window's numbers serve the others inside it; at sharp temperatures each
    window takes its own largest similarity, but never the oldest's, which the ramp leaves without weight.
    """
    if temperature >= SHARP:
        if widest:
            exponentials(near, 1.0, 1.0 / temperature, tilted)
    elif near.size > 1:
        exponentials(near, largest(near[1:]), 1.0 / temperature, tilted)


@jit
def ramp_moments(tilted: FloatArray) -> tuple[float, float]:
    """Sums of w_i and w_i^2 for w_i = i tilted_i, i = 0 .. n - 1, in eight interleaved strands."""
    # Eight sums that do not wait for each other fill the vector units, and rounding grows with an eighth of the terms.
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
    """The largest similarity, at least -1."""
    peak = -1.0
    for i in range(similarity.size):
        peak = max(peak, float(similarity[i]))
    return peak
