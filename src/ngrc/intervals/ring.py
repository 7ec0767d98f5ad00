"""Targets whose residuals are not known yet, oldest first, as rows of one array for kernels.

Row 0 holds the place of the oldest and how many there are; each further row belongs to one target, and its first number
says whether an interval was issued for it: below zero for none. A ring that is full raises `IndexError`, and `longer`
makes room: outcomes may come later than H steps.
"""

import numpy as np

from ngrc._jit import check_state, jit
from ngrc._types import FloatArray
from ngrc.archive import check_that

HEAD, LENGTH = 0, 1
"""Places in row 0."""
NONE = -1.0
"""First number of a target without an interval."""
OBSERVE, ISSUE = 1, 2
"""What one call of a kernel over a ring does, or both in this order."""


def start_ring(horizon: int, width: int) -> FloatArray:
    """H - 1 targets without an interval, and room for two more; `width` numbers per target, two at least."""
    ring = np.zeros((2 + horizon, width))
    ring[0, LENGTH] = horizon - 1
    ring[1:horizon, 0] = NONE
    return ring


def longer(ring: FloatArray) -> FloatArray:
    """The same targets, the oldest first, in a ring of twice as many places."""
    places, length = len(ring) - 1, int(ring[0, LENGTH])
    wide = np.zeros((1 + 2 * places, ring.shape[1]))
    wide[0, LENGTH] = length
    wide[1 : 1 + length] = waiting(ring)
    return wide


def waiting(ring: FloatArray) -> FloatArray:
    """Rows of the targets that wait, the oldest first."""
    places, head, length = len(ring) - 1, int(ring[0, HEAD]), int(ring[0, LENGTH])
    return ring[1 + (head + np.arange(length)) % places]


def forget(ring: FloatArray) -> None:
    """The oldest target is closed, where there is one."""
    if ring[0, LENGTH]:
        pop(ring)


def check_ring(ring: FloatArray, width: int) -> None:
    """Refuse a ring that would lead a kernel out of its memory."""
    check_state(ring, np.float64, 2, "waiting")
    places, head, length = len(ring) - 1, ring[0, HEAD], ring[0, LENGTH]
    check_that(ring.shape[1] == width and places >= 1, f"each target that waits has {width} numbers")
    check_that(head in range(places) and length in range(places + 1), "targets that wait have places")


@jit
def pop(ring: FloatArray) -> int:
    """Row of the oldest target, which is closed; 0 where none waits."""
    places, head, length = ring.shape[0] - 1, int(ring[0, HEAD]), int(ring[0, LENGTH])
    if length == 0:
        return 0
    ring[0, HEAD] = 0 if head + 1 == places else head + 1
    ring[0, LENGTH] = length - 1
    return 1 + head


@jit
def push(ring: FloatArray) -> int:
    """Row of one more target."""
    places, head, length = ring.shape[0] - 1, int(ring[0, HEAD]), int(ring[0, LENGTH])
    if length == places:
        raise IndexError
    ring[0, LENGTH] = length + 1
    return int(1 + (head + length) % places)
