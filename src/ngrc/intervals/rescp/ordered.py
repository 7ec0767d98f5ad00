"""A window over time whose members are kept in order of size.

`order[: count]` lists positions by value, older first among equals. `span` is the pair (first, stop) of positions
that it holds. A step moves O(window) small integers, which is little beside the window's similarities.
"""

import numpy as np
from numpy.typing import NDArray

from ngrc._jit import jit
from ngrc._types import FloatArray, IntArray

Positions = NDArray[np.uint32]


def start_order(values: FloatArray, first: int, stop: int, capacity: int) -> Positions:
    """Positions first .. stop - 1 in order of their values, with room for `capacity`."""
    order = np.zeros(capacity, dtype=np.uint32)
    order[: stop - first] = first + np.argsort(values[first:stop], kind="stable")
    return order


@jit
def advance(values: FloatArray, order: Positions, span: IntArray, first: int, stop: int) -> None:
    """Move the window on to positions first .. stop - 1; it never holds more than one member too many."""
    # One in, one out: `order` needs a single place beyond the window's size.
    while span[1] < stop:
        _admit(values, order, span)
        if span[0] < first:
            _release(values, order, span)
    while span[0] < first:
        _release(values, order, span)


@jit
def _admit(values: FloatArray, order: Positions, span: IntArray) -> None:
    count, newest = span[1] - span[0], span[1]
    # After its equals, which are older.
    place = _place(values, order, count, values[newest], True)
    moved = order[place : count + 1]  # a slice of its own: compiled to moves of whole vectors
    for i in range(moved.size - 1, 0, -1):
        moved[i] = moved[i - 1]
    order[place] = newest
    span[1] += 1


@jit
def _release(values: FloatArray, order: Positions, span: IntArray) -> None:
    count = span[1] - span[0]
    # The oldest member is the first among its equals.
    place = _place(values, order, count, values[span[0]], False)
    moved = order[place:count]
    for i in range(moved.size - 1):
        moved[i] = moved[i + 1]
    span[0] += 1


@jit
def _place(values: FloatArray, order: Positions, count: int, value: float, after: bool) -> int:
    """How many members are below `value`, or with `after` not above it."""
    low, high = 0, count
    while low < high:
        middle = (low + high) // 2
        other = values[order[middle]]
        if other < value or (after and other == value):
            low = middle + 1
        else:
            high = middle
    return low
