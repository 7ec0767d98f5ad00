"""Weights of the members, one set per end: online aggregation by the pinball loss, each outcome as late as it comes.

Exponential weights on the linearised regret with a learning rate per member from the squares of its own regrets
(second-order, after Wintenberger 2017, doi:10.1007/s10994-016-5592-6), sums that fade so that weights can move, and
a small share for every member so that none is lost for good.
"""

from typing import NamedTuple

import numpy as np

from ngrc._types import FloatArray
from ngrc.archive import check_shape


class Weights(NamedTuple):
    """Regrets, their squares and the weights, each of shape (ends, members); and which members take part, as 0 or 1."""

    regrets: FloatArray
    squares: FloatArray
    weights: FloatArray
    active: FloatArray

    def check_kept(self) -> None:
        """Refuse sums of other ends or members."""
        for part in (self.regrets, self.squares):
            check_shape(part, self.weights.shape, "regrets")
        check_shape(self.active, self.weights.shape[1:], "members that take part")


def start_weights(ends: int, active: FloatArray) -> Weights:
    """Even weights of the active members."""
    shape = ends, active.size
    return Weights(np.zeros(shape), np.zeros(shape), np.tile(active / active.sum(), (ends, 1)), active)
