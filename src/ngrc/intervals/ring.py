"""Targets whose residuals are not known yet, oldest first, as rows of one array for kernels.

Row 0 holds the place of the oldest and how many there are; each further row belongs to one target, and its first number
says whether an interval was issued for it: below zero for none. A ring that is full raises `IndexError`, and `longer`
makes room: outcomes may come later than H steps.
"""

import numpy as np

from ngrc._kernels.intervals import RING_HEAD, RING_LENGTH, RING_NONE, ring_pop
from ngrc._types import FloatArray
from ngrc.archive import check_floats, check_that

HEAD, LENGTH = RING_HEAD, RING_LENGTH
"""Places in row 0."""
NONE = RING_NONE
"""First number of a target without an interval."""


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
        ring_pop(ring)


def check_ring(ring: FloatArray, width: int) -> None:
    """Refuse a ring that would lead a kernel out of its memory."""
    check_floats(ring, (*ring.shape[:1], width), "waiting")
    places, head, length = len(ring) - 1, ring[0, HEAD], ring[0, LENGTH]
    check_that(places >= 1, "there is a place for a target that waits")
    check_that(head in range(places) and length in range(places + 1), "targets that wait have places")
