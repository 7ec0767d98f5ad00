"""The order of non-negative scores, from one fast sort."""

import numpy as np

from ngrc._jit import jit
from ngrc._types import FloatArray, IntArray

# Giving up then costs a fifth of the sort that follows (0.13 of 0.7 ms at 30,000 scores).
MOVES_PER_SCORE = 4


def ordering(scores: FloatArray) -> IntArray:
    """Positions of non-negative scores, shape (n,), from the smallest to the largest.

    The bits of a non-negative double order like an integer, so the position can ride in the lowest bits of
    one: sorting such keys is about twice as fast as `np.argsort`. What the displaced bits would have decided
    is repaired by an insertion sort; `np.argsort` takes over should that need more than a few moves per score.

    Examples
    --------
    >>> ordering(np.array([3.0, 1.0, 2.0])).tolist()
    [1, 2, 0]
    """
    # Room for every position; at 30,000 scores the keys keep 37 of the 52 bits of a fraction.
    mask = (1 << scores.size.bit_length()) - 1
    keys = _packed(np.ascontiguousarray(scores).view(np.int64), mask)
    keys.sort()
    return keys if _unpacked(keys, scores, mask) else np.argsort(scores)


@jit
def _packed(bits: IntArray, mask: int) -> IntArray:
    keys = np.empty_like(bits)
    for position in range(bits.size):
        keys[position] = (bits[position] & ~mask) | position
    return keys


@jit
def _unpacked(keys: IntArray, scores: FloatArray, mask: int) -> bool:
    """Turn sorted keys into positions in place; False when the repair would cost more than a sort."""
    # Places before `place` hold positions already, those from it on still keys.
    budget = MOVES_PER_SCORE * keys.size
    previous = np.int64(-1)
    for place in range(keys.size):
        prefix = keys[place] & ~mask
        item = keys[place] & mask
        hole = place
        # Scores with another prefix are in order; the insertion cannot pass them, as they are smaller.
        if prefix == previous:
            while hole > 0 and scores[keys[hole - 1]] > scores[item]:
                keys[hole] = keys[hole - 1]
                hole -= 1
            budget -= place - hole
            if budget < 0:
                return False
        keys[hole] = item
        previous = prefix
    return True
