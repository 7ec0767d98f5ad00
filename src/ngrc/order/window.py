"""One order statistic of the last M scores, in O(log M) per score and constant memory.

The rank k is settled beforehand, so that nothing needs to be in order but what lies around it: a heap holds the k
smallest scores with the largest of them, the answer, on top, and another holds the rest with the smallest on top. The
newest score takes the place of the oldest in its heap and sinks or rises from there; where it belongs to the other
heap, the two tops change places first. Source: Astola and Campbell (1989),
"On computation of the running median", for the rank in the middle.

Scores are not negative, and the bits of such a double order like an integer: one array of integers holds the scores,
the slot in time of each place in the heaps, and the place of each slot, so that a step hands over one array.
"""

import numpy as np

from ngrc._kernels.order import WINDOW_FIRST, WINDOW_OLDEST, WINDOW_RANK
from ngrc._types import FloatArray, IntArray

RANK, OLDEST, FIRST = WINDOW_RANK, WINDOW_OLDEST, WINDOW_FIRST
"""Places in the state: k, the slot of the oldest score, and the first of three times M entries."""


def start_window(scores: FloatArray, rank: int) -> IntArray:
    """The state of M scores, oldest first, for a rank from 1 on; beyond M it asks for infinity.

    Examples
    --------
    >>> from ngrc._kernels.order import window_slide
    >>> state = start_window(np.array([3.0, 1.0, 2.0]), 2)
    >>> chosen(state), window_slide(state, -5.0), scores_of(state).tolist()
    (2.0, 2.0, [1.0, 2.0, 5.0])
    """
    order = np.argsort(scores, kind="stable")
    # A sorted sequence is a heap: the k smallest from the largest down, the others from the smallest up.
    slots = np.concatenate([order[:rank][::-1], order[rank:]])
    places = np.empty_like(slots)
    places[slots] = np.arange(slots.size)
    # Added to zero, a score of -0.0 is 0.0, whose bits are in order.
    values = (scores[slots] + 0.0).view(np.int64)
    return np.concatenate([np.array([rank, 0]), values, slots, places]).astype(np.int64)


def scores_of(state: IntArray) -> FloatArray:
    """The scores, oldest first."""
    values, _, places = state[FIRST:].reshape(3, -1)
    by_slot: FloatArray = values[places].view(np.float64)
    return np.roll(by_slot, -int(state[OLDEST]))


def chosen(state: IntArray) -> float:
    """The k-th smallest score; infinite where k exceeds M."""
    if FIRST + 3 * state[RANK] > state.size:
        return np.inf
    return float(state[FIRST : FIRST + 1].view(np.float64)[0])
