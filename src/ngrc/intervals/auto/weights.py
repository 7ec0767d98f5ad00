"""Weights of the members, one set per end: online aggregation by the pinball loss, each outcome as late as it comes.

Exponential weights on the linearised regret with a learning rate per member from the squares of its own regrets
(second-order, after Wintenberger 2017, doi:10.1007/s10994-016-5592-6), sums that fade so that weights can move, and
a small share for every member so that none is lost for good.
"""

from typing import NamedTuple

import numpy as np

from ngrc._jit import jit
from ngrc._types import FloatArray
from ngrc.archive import check_shape

FADE = 0.9995
"""Decay of regrets: the last two thousand outcomes count."""
SHARE = 0.01
"""Share that is dealt out evenly."""
RATE = 2.0
"""Learning rate in units of one over the root of the summed squares."""
LARGEST = 1000.0
"""Distance of a member from the mixture in usual recent errors at which it is cut: one exploded end must not choose
the members for the next thousand steps. The distance is cut and not the gain, so that a miss still outweighs a hit by
(1 - p) / p: with gains cut, errors that are rare, large and on one side are missed too often for good."""


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


@jit
def mix(weights: Weights, members: FloatArray, mixture: FloatArray) -> None:
    """Weighted means of the members' ends, shape (members, ends), into `mixture`."""
    for end in range(mixture.size):
        total = 0.0
        for member in range(members.shape[0]):
            total += weights.weights[end, member] * members[member, end]
        mixture[end] = total


@jit
def learn(
    weights: Weights,
    members: FloatArray,
    mixture: FloatArray,
    probabilities: FloatArray,
    residual: float,
    unit: float,
) -> None:
    """The outcome of a mixture that was issued has become known."""
    ends, count = weights.weights.shape
    for end in range(ends):
        # Slope of the pinball loss at the mixture: a member on the outcome's side of it gains.
        slope = (1.0 if residual < mixture[end] else 0.0) - probabilities[end]
        for member in range(count):
            distance = (mixture[end] - members[member, end]) / unit
            gain = slope * min(max(distance, -LARGEST), LARGEST)
            weights.regrets[end, member] = FADE * weights.regrets[end, member] + gain
            weights.squares[end, member] = FADE * weights.squares[end, member] + gain * gain
        _settle(weights.regrets[end], weights.squares[end], weights.weights[end], weights.active)


@jit
def _settle(regrets: FloatArray, squares: FloatArray, weights: FloatArray, active: FloatArray) -> None:
    largest = -np.inf
    for member in range(regrets.size):
        if active[member] > 0.0:
            weights[member] = RATE * regrets[member] / np.sqrt(squares[member] + 1e-12)
            largest = max(largest, weights[member])
    total, count = 0.0, 0.0
    for member in range(regrets.size):
        if active[member] > 0.0:
            weights[member] = active[member] * np.exp(weights[member] - largest)
            total += weights[member]
            count += 1.0
    for member in range(regrets.size):
        if active[member] > 0.0:
            weights[member] = (1.0 - SHARE) * weights[member] / total + SHARE / count
