"""Multisets of a whole block: growing, sliding and exponentially decayed, O(log n) per step.

All work on the ranks of every score of the block, which only names the slots: a slot is empty until its score
becomes known, so no result depends on a score that is still to come. Counts are whole numbers, and weights whose
rounding could depend on the slots are settled in whole numbers too (`exact`). Each kernel returns *positions* of
scores in time, so that a look ahead would show as a position that is too large.
"""

import numpy as np

from ngrc._kernels import order as kernels
from ngrc._types import FloatArray, IntArray
from ngrc.order.exact import settled

# A search adds at most one node per level, and so does the making of a node: 2 * 31 levels at 2^31 scores.
TREE_TERMS = 64


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
    return kernels.sliding_select(order, window, rank)


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
    share = kernels.weight_target(level, 1.0)
    return decayed_reach(order, known, decay, np.full(order.size - known + 1, share))


def decayed_reach(order: IntArray, known: int, decay: float, shares: FloatArray) -> IntArray:
    """The same with a share of the total weight to reach for every step, shape (n - known + 1,).

    Where a share exceeds one no sum reaches it, and the largest known score stands in.

    Examples
    --------
    >>> decayed_reach(np.argsort([1.0, 2.0, 4.0, 3.0]), 2, 0.5, np.array([0.6, 1.1, 0.1])).tolist()
    [1, 2, 1]
    """
    rounding = kernels.exact_rounding_share(decay, order.size, TREE_TERMS)
    positions = kernels.decayed_pass(order, known, decay, shares, rounding)
    for step in np.flatnonzero(positions == kernels.DOUBTFUL).tolist():
        positions[step] = settled(order, known + step, decay, float(shares[step]))
    return positions
