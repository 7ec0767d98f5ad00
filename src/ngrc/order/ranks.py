"""The order of non-negative scores, from one fast sort."""

import numpy as np

from ngrc._kernels.order import ranks_packed, ranks_unpacked
from ngrc._types import FloatArray, IntArray


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
    keys = ranks_packed(scores, mask)
    keys.sort()
    return keys if ranks_unpacked(keys, scores, mask) else np.argsort(scores)
