"""Weighted quantiles settled in whole numbers, where floating point cannot tell on which side a sum falls.

A sum of floating-point weights depends on the order in which they are added. The tree of a whole block groups them
by the ranks of *all* its scores, the sorted blocks of a stream by what has arrived, so at a level that falls on a
partial sum rounding decided: a score still to come could change an interval already issued, and the two forms could
differ. Hence the quantile is defined by weights that are whole numbers,

    w_age = round(2^62 decay^age),  decay^age by repeated multiplication,

whose sums have no rounding and therefore no order. Both forms search in floating point and keep the answer when it is
clear by more than their rounding can move it (`exact_rounding_share`); the rare rest is settled here, in linear time.
"""

from ngrc._kernels.order import EXACT_LIMB, EXACT_MASK, exact_reach, exact_total, exact_whole_weights
from ngrc._types import IntArray


def settled(order: IntArray, count: int, decay: float, share: float) -> int:
    """Position of the smallest known score whose exact cumulative weight reaches `share` of the total.

    Parameters
    ----------
    order
        Positions of all scores from the smallest to the largest, shape (n,).
    count
        How many are known: those at positions below it, the newest at count - 1.
    decay, share
        rho in (0, 1] and the share to reach; the largest known score when nothing does.

    Examples
    --------
    >>> import numpy as np
    >>> settled(np.argsort([1.0, 2.0, 4.0, 3.0]), 3, 0.5, 0.4285714285714286)
    2
    """
    weights = exact_whole_weights(decay, count)
    high, low = exact_total(weights)
    # A double is a fraction of whole numbers, so that the target, rounded up, has no rounding error: the cumulative
    # weights are whole, and one reaches share * total exactly where it reaches the next whole number above it.
    numerator, denominator = share.as_integer_ratio()
    target = -(-numerator * ((high << EXACT_LIMB) + low) // denominator)
    return exact_reach(order, weights, target >> EXACT_LIMB, target & EXACT_MASK)
