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

from ngrc._jit import direct, jit
from ngrc._types import FloatArray, IntArray

RANK, OLDEST, FIRST = 0, 1, 2
"""Places in the state: k, the slot of the oldest score, and the first of three times M entries."""
LARGEST = 1.7976931348623157e308


def start_window(scores: FloatArray, rank: int) -> IntArray:
    """The state of M scores, oldest first, for a rank from 1 on; beyond M it asks for infinity.

    Examples
    --------
    >>> state = start_window(np.array([3.0, 1.0, 2.0]), 2)
    >>> chosen(state), slide.call(state, -5.0), scores_of(state).tolist()
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


@direct("(int64[::1], float64)")
def slide(state: IntArray, residual: float) -> float:
    """|residual| replaces the oldest score; the k-th smallest of the window as it is then."""
    score = abs(residual)
    if not score <= LARGEST:
        raise ValueError("a residual must be a finite number; skip the target")
    size = (state.size - FIRST) // 3
    bits = int(np.float64(score).view(np.int64))
    rank, slot = min(state[RANK], size), state[OLDEST]
    state[OLDEST] = 0 if slot + 1 == size else slot + 1
    place = state[FIRST + 2 * size + slot]
    low, high = FIRST, FIRST + rank
    if place < rank and rank < size and bits > state[high]:
        _settle(state, 0, rank, place, state[high], state[high + size], 1)
        _settle(state, rank, size, rank, bits, slot, -1)
    elif place >= rank and bits < state[low]:
        _settle(state, rank, size, place, state[low], state[low + size], -1)
        _settle(state, 0, rank, 0, bits, slot, 1)
    elif place < rank:
        _settle(state, 0, rank, place, bits, slot, 1)
    else:
        _settle(state, rank, size, place, bits, slot, -1)
    return np.inf if state[RANK] > size else float(np.int64(state[FIRST]).view(np.float64))


@jit
def _settle(state: IntArray, first: int, last: int, place: int, bits: int, slot: int, sign: int) -> None:
    """Put a score where it belongs in the heap of the places `first` to `last`, of which `place` is free.

    The largest score is on top where `sign` is 1, the smallest where it is -1.
    """
    size = (state.size - FIRST) // 3
    values, slots, places = FIRST + first, FIRST + size + first, FIRST + 2 * size
    here, count = place - first, last - first
    while here > 0:
        parent = (here - 1) >> 1
        if sign * (bits - state[values + parent]) <= 0:
            break
        state[values + here] = state[values + parent]
        state[slots + here] = state[slots + parent]
        state[places + state[slots + here]] = first + here
        here = parent
    child = 2 * here + 1
    while child < count:
        if child + 1 < count and sign * (state[values + child + 1] - state[values + child]) > 0:
            child += 1
        if sign * (state[values + child] - bits) <= 0:
            break
        state[values + here] = state[values + child]
        state[slots + here] = state[slots + child]
        state[places + state[slots + here]] = first + here
        here = child
        child = 2 * here + 1
    state[values + here] = bits
    state[slots + here] = slot
    state[places + slot] = first + here
