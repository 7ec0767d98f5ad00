"""Weighted quantiles settled in whole numbers, where floating point cannot tell on which side a sum falls.

A sum of floating-point weights depends on the order in which they are added. The tree of a whole block groups them
by the ranks of *all* its scores, the sorted blocks of a stream by what has arrived, so at a level that falls on a
partial sum rounding decided: a score still to come could change an interval already issued, and the two forms could
differ. Hence the quantile is defined by weights that are whole numbers,

    w_age = round(2^62 decay^age),  decay^age by repeated multiplication,

whose sums have no rounding and therefore no order. Both forms search in floating point and keep the answer when it is
clear by more than their rounding can move it (`rounding_share`); the rare rest is settled here, in linear time.
"""

import numpy as np

from ngrc._jit import jit
from ngrc._types import IntArray

# The weight of the newest score: the largest power of two that a signed 64-bit word holds. Rounding to a whole number
# then moves a weight by at most 2^-63 of the newest one, a thousandth of what one multiplication in decay^age does.
UNIT = 2.0**62
# A sum of such weights needs more than 64 bits, so that it is kept as two sums of 32-bit digits, neither of which can
# overflow below 2^31 scores.
LIMB = 32
MASK = (1 << LIMB) - 1
HALF_ULP = 2.0**-53


@jit
def rounding_share(decay: float, count: int, terms: int) -> float:
    """Share of the total weight by which a floating-point comparison with the target may err.

    A weight of age a is a product of a factors, and off by as many half ulps. Under the weights themselves the mean
    age is at most M = min(1 / (1 - decay), count), so that floating and whole weights together are off by 2 M half
    ulps of the total, and sums over growing weights lose at most M more. The prefix errs by that and so does the
    target: 6 M half ulps, of which 8 M leaves a third to spare. `terms` bounds the additions of one search. Equal
    weights are whole numbers, and only the target is rounded.
    """
    if decay == 1.0:
        return 4.0 * HALF_ULP
    return HALF_ULP * (8.0 * min(1.0 / (1.0 - decay), count) + 2.0 * terms)


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
    >>> settled(np.argsort([1.0, 2.0, 4.0, 3.0]), 3, 0.5, 0.4285714285714286)
    2
    """
    weights = whole_weights(decay, count)
    high, low = _total(weights)
    # A double is a fraction of whole numbers, so that the target, rounded up, has no rounding error: the cumulative
    # weights are whole, and one reaches share * total exactly where it reaches the next whole number above it.
    numerator, denominator = share.as_integer_ratio()
    target = -(-numerator * ((int(high) << LIMB) + int(low)) // denominator)
    return int(_reach(order, weights, target >> LIMB, target & MASK))


@jit
def whole_weights(decay: float, count: int) -> IntArray:
    """Weights 2^62 decay^age as whole numbers, newest first, shape (count,)."""
    weights = np.zeros(count, np.int64)
    weight = UNIT
    for age in range(count):
        weights[age] = int(np.rint(weight))
        weight *= decay
        if weight <= 0.5:  # this one and all older ones round to zero
            break
    return weights


@jit
def _total(weights: IntArray) -> tuple[int, int]:
    high, low = 0, 0
    for age in range(weights.size):
        high += weights[age] >> LIMB
        low += weights[age] & MASK
    return high, low


@jit
def _reach(order: IntArray, weights: IntArray, high: int, low: int) -> int:
    """First position, by size, at which the cumulative weight is at least high 2^32 + low."""
    position, reached_high, reached_low = np.int64(-1), 0, 0
    for rank in range(order.size):
        if order[rank] >= weights.size:  # not known yet: a slot of the order, without a weight
            continue
        position = order[rank]
        weight = weights[weights.size - 1 - position]
        # The carry goes up at once, so that the two digits can be compared one after the other.
        reached_low += weight & MASK
        reached_high += (weight >> LIMB) + (reached_low >> LIMB)
        reached_low &= MASK
        if reached_high > high or (reached_high == high and reached_low >= low):
            break
    return int(position)
