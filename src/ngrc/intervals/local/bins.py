"""Quantiles of scores that fade: a histogram on a logarithmic grid, in a Fenwick tree of weights.

A sorted multiset of all scores would be exact and would grow for ever. A grid of 24 cells per octave knows a quantile
to 3 %, by interpolation within the cell to well below 1 %, in constant memory and some twenty additions per step.
"""

import numpy as np

from ngrc._jit import jit
from ngrc._types import FloatArray
from ngrc.order import fenwick

OCTAVE = 24
"""Cells per factor of two: 2.9 % each."""
REACH = 40
"""Octaves on either side of the unit, factors of 10^12: errors may outgrow those of the calibration by far, where it
was all but exact. What lies beyond counts in the last cell."""
CELLS = 2 * REACH * OCTAVE + 2
"""Cells of one sign: one for what is smaller than the grid, the grid, and one for its end and what is larger."""
CEILING = 2.0**500
"""Weight of the newest score at which all weights are scaled down; a power of two, so that nothing is rounded."""
SPARE = 2
"""Places after the tree: the newest weight and the sum of all."""


def empty(count: int) -> FloatArray:
    """`count` histograms of signed scores, one per row."""
    trees = np.zeros((count, fenwick.tree_size(2 * CELLS) + SPARE))
    trees[:, -2] = 1.0
    return trees


@jit
def cell(size: float) -> int:
    """Cell of the absolute value of a score, in units."""
    # Not "smaller": what is no number has a cell too, and never one outside of the tree.
    if not size >= 2.0**-REACH:
        return 0
    return 1 + int((np.log2(min(size, 2.0**REACH)) + REACH) * OCTAVE)


@jit
def edge(place: int) -> float:
    """Lower edge of a cell; that of the first is zero."""
    return 0.0 if place <= 0 else 2.0 ** ((place - 1) / OCTAVE - REACH)


@jit
def add(tree: FloatArray, score: float, decay: float) -> None:
    """The newest score joins; all others fade by `decay`."""
    # The newest weight grows instead of all others fading: the same shares at the cost of one cell.
    weight = tree[-2] / decay
    if weight > CEILING:
        tree /= CEILING
        weight /= CEILING
    place = cell(abs(score))
    fenwick.add(tree[:-SPARE], CELLS - 1 - place if score < 0.0 else CELLS + place, weight)
    tree[-2] = weight
    tree[-1] += weight


@jit
def quantile(tree: FloatArray, probability: float, decay: float) -> float:
    """Quantile of the scores, the outermost cell at most.

    The coming score's own weight is counted outwards, below one half at minus infinity and above at plus infinity: rank
    (m + 1) p, as in split conformal prediction. It fades like the oldest of the m scores: once a memory of twenty is
    full, a twentieth of its mass would widen it for good, and coverage is left to control.
    """
    total = tree[-1]
    coming = tree[-2] * max(1.0 - (1.0 - decay) * total / tree[-2], 0.0)
    if total <= 0.0:
        return 0.0
    target = probability * (total + coming)
    if probability < 0.5:
        target -= coming
    # The smallest cell whose cumulative weight reaches the target.
    target = min(max(target, 1e-12 * total), total * (1.0 - 1e-12))
    place, left = fenwick.descend(tree[:-SPARE], target)
    inside = _weight(tree, place)
    share = min(max(left / inside, 0.0), 1.0) if inside > 0.0 else 0.5
    # The innermost cells stand for zero: a score of exactly zero must not become a small width.
    if place == CELLS or place == CELLS - 1:
        return 0.0
    if place >= CELLS:
        low, high = edge(place - CELLS), edge(place - CELLS + 1)
        return low + share * (high - low)
    low, high = edge(CELLS - 1 - place), edge(CELLS - place)
    return -(high - share * (high - low))


@jit
def _weight(tree: FloatArray, place: int) -> float:
    """Weight of one cell, counted from zero."""
    node = place + 1
    weight = tree[node] if node < tree.size - SPARE else 0.0
    stop, node = node - (node & -node), node - 1
    while node > stop:
        weight -= tree[node]
        node -= node & -node
    return weight
