"""The order of non-negative scores, from one fast sort."""

import numpy as np

from ngrc._jit import jit
from ngrc._types import FloatArray, IntArray

MOVES_PER_SCORE = 4


def ordering(scores: FloatArray) -> IntArray:
    """Positions of non-negative scores, shape (n,), from the smallest to the largest.

    The bits of a non-negative double order like an integer, so the position can ride in the lowest bits of
    one: sorting such keys is about twice as fast as `np.argsort`. What the displaced bits would have decided is
    repaired by an insertion sort, and `np.argsort` takes over should that need more than a few moves a score.

    Examples
    --------
    >>> ordering(np.array([3.0, 1.0, 2.0])).tolist()
    [1, 2, 0]
    """
    mask = (1 << (scores.size - 1).bit_length()) - 1 if scores.size else 0
    keys = (np.ascontiguousarray(scores).view(np.int64) & ~mask) | np.arange(scores.size)
    keys.sort()
    keys &= mask
    return keys if _repaired(keys, scores) else np.argsort(scores)


@jit
def _repaired(order: IntArray, scores: FloatArray) -> bool:
    budget = MOVES_PER_SCORE * order.size
    for place in range(1, order.size):
        item = order[place]
        hole = place
        while hole > 0 and scores[order[hole - 1]] > scores[item]:
            order[hole] = order[hole - 1]
            hole -= 1
        order[hole] = item
        budget -= place - hole
        if budget < 0:
            return False
    return True
