"""Multisets of a whole block: growing, sliding and exponentially decayed, O(log n) per step.

All work on the ranks of every score of the block, which only names the slots: a slot is empty until its score
becomes known, so no result depends on a score that is still to come. Counts are whole numbers, and weights whose
rounding could depend on the slots are settled in whole numbers too (`exact`). Each kernel returns *positions* of
scores in time, so that a look ahead would show as a position that is too large.
"""

import numpy as np
from numpy.typing import NDArray

from ngrc._jit import jit
from ngrc._types import FloatArray, IntArray
from ngrc.order import bits, fenwick
from ngrc.order.exact import rounding_share, settled
from ngrc.order.quantiles import weight_target

# A power of two, so that scaling by it is exact. One step may overshoot it by 1 / LEAST_DECAY, below 2^333; that and a
# sum of 2^90 such weights stay below the largest double, 2^1024.
WEIGHT_CEILING = 2.0**600
# Above the least normal number, 2^-1022: what is smaller slows arithmetic and moves no sum.
WEIGHT_FLOOR = 2.0**-1000
# A search adds at most one node per level, and so does the making of a node: 2 * 31 levels at 2^31 scores.
TREE_TERMS = 64
DOUBTFUL = -1  # no position


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
    positions = np.empty(order.size - window + 1, np.int64)
    for step in range(positions.size):
        if step > 0:
            # Both before the search: the window that starts at `step` holds the M positions step .. step + M - 1.
            bits.clear(words, tree, ranks[step - 1])
            bits.fill(words, tree, ranks[step + window - 1])
        positions[step] = order[bits.nth(words, tree, rank)]
    return positions


@jit
def decayed_start(count: int, decay: float) -> tuple[FloatArray, float]:
    """Weights decay^(m - j), j = 1..m, of the scores known at the start, and their sum.

    What would be a subnormal number is set to zero: it is far below rounding, and slow.
    """
    weights = np.zeros(count)
    weight, oldest = 1.0, 0
    for position in range(count - 1, -1, -1):
        weights[position] = weight
        weight *= decay
        if weight < WEIGHT_FLOOR:
            oldest = position
            break
    total = 0.0
    for position in range(oldest, count):  # the smallest first, which loses least
        total += weights[position]
    return weights, total


def decayed_select(order: IntArray, known: int, decay: float, level: float) -> IntArray:
    """Position of the weighted quantile of a growing history, newest weight 1, older ones decayed.

    A search in floating point answers all but the steps at which its rounding could matter; those are settled in
    whole numbers (see `exact`), so that no answer depends on how the tree groups its sums.

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
    share = weight_target(level, 1.0)
    return decayed_reach(order, known, decay, np.full(order.size - known + 1, share))


def decayed_reach(order: IntArray, known: int, decay: float, shares: FloatArray) -> IntArray:
    """The same with a share of the total weight to reach for every step, shape (n - known + 1,).

    Where a share exceeds one no sum reaches it, and the largest known score stands in.

    Examples
    --------
    >>> decayed_reach(np.argsort([1.0, 2.0, 4.0, 3.0]), 2, 0.5, np.array([0.6, 1.1, 0.1])).tolist()
    [1, 2, 1]
    """
    positions = _decayed_pass(order, known, decay, shares, rounding_share(decay, order.size, TREE_TERMS))
    for step in np.flatnonzero(positions == DOUBTFUL).tolist():
        positions[step] = settled(order, known + step, decay, float(shares[step]))
    return positions


@jit
def _decayed_pass(order: IntArray, known: int, decay: float, shares: FloatArray, rounding: float) -> IntArray:
    """The same, with DOUBTFUL where the answer is not clear by `rounding` times the total weight.

    Instead of shrinking every old weight by the decay, the newest one grows by 1 / decay. Before that could
    overflow everything is scaled by a power of two, which is exact.
    """
    ranks = ranks_of(order)
    weights, total = decayed_start(known, decay)
    tree = _weight_tree(order, weights)
    positions = np.empty(order.size - known + 1, np.int64)
    newest = 1.0
    for step in range(positions.size):
        count = known + step
        if step > 0:
            newest /= decay
            if newest > WEIGHT_CEILING:
                tree /= WEIGHT_CEILING
                total /= WEIGHT_CEILING
                newest /= WEIGHT_CEILING
            # The score at position count - 1 became known with this step and is the newest.
            fenwick.add(tree, ranks[count - 1], newest)
            total += newest
        target = shares[step] * total
        rank, clearance = fenwick.reach(tree, target)
        # `reach` takes the sum of everything for infinite, so that the distance to it is looked at here.
        clear = min(clearance, total - target) > rounding * total
        positions[step] = order[rank] if clear else DOUBTFUL
    _largest_known(ranks, known, shares, positions)
    return positions


@jit
def _largest_known(ranks: NDArray[np.int32], known: int, shares: FloatArray, positions: IntArray) -> None:
    """Put the position of the largest score known at a step where its share is beyond every sum."""
    best = 0
    for count in range(1, known + positions.size):
        if ranks[count - 1] > ranks[best]:
            best = count - 1
        if count >= known and shares[count - known] > 1.0:
            positions[count - known] = best


@jit
def _weight_tree(order: IntArray, weights: FloatArray) -> FloatArray:
    tree = np.zeros(fenwick.tree_size(order.size))
    for rank in range(order.size):
        if order[rank] < weights.size:
            tree[rank + 1] = weights[order[rank]]
    return fenwick.build(tree)
