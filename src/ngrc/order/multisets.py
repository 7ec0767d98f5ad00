"""Multisets of a whole block: growing, sliding and exponentially decayed, O(log n) a step.

All work on the ranks of every score of the block, which only names the slots: a slot is empty until its score
becomes known, so no result depends on a score that is still to come. Each kernel returns *positions* of
scores in time, so that a look ahead would show as a position that is too large.
"""

import numpy as np
from numpy.typing import NDArray

from ngrc._jit import jit
from ngrc._types import FloatArray, IntArray
from ngrc.order import bits, fenwick
from ngrc.order.quantiles import weight_target

WEIGHT_CEILING = 2.0**600
WEIGHT_FLOOR = 2.0**-1000


@jit
def ranks_of(order: IntArray) -> NDArray[np.int32]:
    """Rank of every position: the inverse of `order`, shape (n,)."""
    ranks = np.empty(order.size, np.int32)
    for rank in range(order.size):
        ranks[order[rank]] = rank
    return ranks


@jit
def sliding_select(order: IntArray, window: int, rank: int) -> IntArray:
    """Position of the `rank`-th smallest of every `window` consecutive scores.

    Parameters
    ----------
    order
        Positions of the n scores from the smallest to the largest, shape (n,).
    window, rank
        Length M of the window, at most n, and k in 1..M.

    Returns
    -------
    Shape (n - M + 1,); entry i belongs to the window that starts at position i.

    Examples
    --------
    >>> sliding_select(np.argsort([5.0, 1.0, 3.0, 2.0]), 3, 2).tolist()
    [2, 3]
    """
    ranks = ranks_of(order)
    words, tree = bits.filled(order, window)
    chosen = np.empty(order.size - window + 1, np.int64)
    for step in range(chosen.size):
        if step > 0:
            bits.clear(words, tree, ranks[step - 1])
            bits.fill(words, tree, ranks[step + window - 1])
        chosen[step] = order[bits.nth(words, tree, rank)]
    return chosen


@jit
def decayed_start(count: int, decay: float) -> tuple[FloatArray, float]:
    """Weights decay^(m - j), j = 1..m, of the scores known at the start, and their sum.

    What would be a subnormal number is set to zero: it is far below rounding, and slow.
    """
    weights = np.zeros(count)
    total, weight = 0.0, 1.0
    for position in range(count - 1, -1, -1):
        weights[position] = weight
        total += weight
        weight *= decay
        if weight < WEIGHT_FLOOR:
            break
    return weights, total


@jit
def decayed_select(order: IntArray, known: int, decay: float, level: float) -> IntArray:
    """Position of the weighted quantile of a growing history, newest weight 1, older ones decayed.

    Instead of shrinking every old weight by the decay, the newest one grows by 1 / decay. Before that could
    overflow everything is scaled by a power of two, which is exact.

    Parameters
    ----------
    order
        Positions of the n scores from the smallest to the largest, shape (n,).
    known
        How many are known at the first step; one more is known at each later step.
    decay, level
        rho in (0, 1] and the share of the weight to reach.

    Returns
    -------
    Shape (n - known + 1,).

    Examples
    --------
    >>> decayed_select(np.argsort([1.0, 2.0, 4.0, 3.0]), 2, 0.5, 0.6).tolist()
    [1, 2, 3]
    """
    ranks = ranks_of(order)
    weights, total = decayed_start(known, decay)
    tree = _weight_tree(order, weights)
    chosen = np.empty(order.size - known + 1, np.int64)
    newest = 1.0
    for step in range(chosen.size):
        count = known + step
        if step > 0:
            newest /= decay
            if newest > WEIGHT_CEILING:
                tree /= WEIGHT_CEILING
                total /= WEIGHT_CEILING
                newest /= WEIGHT_CEILING
            fenwick.add(tree, ranks[count - 1], newest)
            total += newest
        rank = min(fenwick.descend(tree, weight_target(level, total))[0], order.size - 1)
        # Rounding of partial sums may point past the last filled slot; an empty slot is never the answer.
        while order[rank] >= count:
            rank -= 1
        chosen[step] = order[rank]
    return chosen


@jit
def _weight_tree(order: IntArray, weights: FloatArray) -> FloatArray:
    tree = np.zeros(fenwick.tree_size(order.size))
    for rank in range(order.size):
        if order[rank] < weights.size:
            tree[rank + 1] = weights[order[rank]]
    return fenwick.build(tree)
