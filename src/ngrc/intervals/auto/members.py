"""The members: quantiles of the next error by several rules, each at every level, from one pass over the residuals."""

from typing import NamedTuple

import numpy as np

from ngrc._jit import jit
from ngrc._types import FloatArray
from ngrc.archive import check_shape
from ngrc.intervals.local import bins
from ngrc.intervals.local import readout as local
from ngrc.intervals.local.readout import Readout

PLAIN = (0.95, 0.98, 0.99, 0.997, 1.0)
"""Decays of |e|: the last twenty, fifty, hundred and three hundred residuals, and all."""
SHORTEST = 1.0 / 3.0
"""Forgetting per step over alpha, at most: a memory of fewer than three misses knows no quantile of them, and the next
longer one stands in."""
SCALED = (0.995, 1.0)
"""Decays of |e| over its size, and of e over its size."""
NAMES = (
    *(f"|e|, decay {decay:g}" for decay in PLAIN),
    *(f"|e| over its size, decay {decay:g}" for decay in SCALED),
    *(f"e over its size, decay {decay:g}" for decay in SCALED),
    *(f"quantile readout, ridge {penalty:g}" for penalty in local.PENALTIES),
)
COUNT = len(NAMES)
FAMILIES = ("plain", "scaled", "quantile")
"""What reports name: members of one kind together."""
SCALED_FROM, QUANTILE_FROM = len(PLAIN), len(PLAIN) + 2 * len(SCALED)
"""Where the second and the third family begin."""


PRIOR = (0.1, 0.1, 0.1, 0.1, 0.1, 0.15, 0.15, 0.05, 0.05, 0.03, 0.07)
"""Weights before anything is known, in the order of `NAMES`: less for a member that asks more of the data. On series
whose errors are noise alone members hardly differ in loss, and the beginning is what is left."""


def taking_part(families: tuple[str, ...]) -> FloatArray:
    """Weights before anything is known, of the members of the families named; zero for all others."""
    sizes = SCALED_FROM, QUANTILE_FROM - SCALED_FROM, COUNT - QUANTILE_FROM
    active: FloatArray = np.repeat([float(name in families) for name in FAMILIES], sizes) * np.array(PRIOR)
    return active


class Members(NamedTuple):
    """The readout, and histograms: of |e| in units, of |e| over its size and of e over its size."""

    readout: Readout
    plain: FloatArray
    absolute: FloatArray
    signed: FloatArray

    def check_kept(self) -> None:
        """Refuse histograms of another grid."""
        for trees, count in ((self.plain, PLAIN), (self.absolute, SCALED), (self.signed, SCALED)):
            check_shape(trees, bins.empty(len(count)).shape, "histograms")


def start_members(readout: Readout) -> Members:
    """Empty histograms."""
    return Members(readout, bins.empty(len(PLAIN)), bins.empty(len(SCALED)), bins.empty(len(SCALED)))


@jit
def look(members: Members, row: FloatArray, size: float, alphas: FloatArray, ends: FloatArray) -> None:
    """Ends of every member, shape (COUNT, 2 L): the lower ones of all levels, then the upper ones."""
    levels, unit = alphas.size, members.readout.columns.constants[0]
    for level in range(levels):
        alpha = alphas[level]
        member = 0
        for place in range(len(PLAIN)):
            memory = place
            while 1.0 - PLAIN[memory] > SHORTEST * alpha:
                memory += 1
            radius = bins.quantile(members.plain[memory], 1.0 - alpha, PLAIN[memory]) * unit
            ends[member, level], ends[member, levels + level] = -radius, radius
            member += 1
        for place in range(len(SCALED)):
            radius = bins.quantile(members.absolute[place], 1.0 - alpha, SCALED[place]) * size
            ends[member, level], ends[member, levels + level] = -radius, radius
            member += 1
        for place in range(len(SCALED)):
            tree, decay = members.signed[place], SCALED[place]
            ends[member, level] = bins.quantile(tree, 0.5 * alpha, decay) * size
            ends[member, levels + level] = bins.quantile(tree, 1.0 - 0.5 * alpha, decay) * size
            member += 1
    for penalty in range(len(local.PENALTIES)):
        member = COUNT - len(local.PENALTIES) + penalty
        if not local.quantiles(members.readout, penalty, row, size, ends[member]):
            ends[member] = ends[member - 1]


@jit
def learn(members: Members, size: float, residual: float) -> None:
    """A residual has become known; the readout learns of it for itself."""
    error, score = residual / members.readout.columns.constants[0], residual / size
    for place in range(len(PLAIN)):
        bins.add(members.plain[place], abs(error), PLAIN[place])
    for place in range(len(SCALED)):
        bins.add(members.absolute[place], abs(score), SCALED[place])
        bins.add(members.signed[place], score, SCALED[place])


@jit
def families(weights: FloatArray, leaned: FloatArray) -> None:
    """Weights by family: from shape (ends, COUNT) into shape (ends, 3)."""
    leaned[:] = 0.0
    for end in range(weights.shape[0]):
        for member in range(COUNT):
            family = 0 if member < SCALED_FROM else (1 if member < QUANTILE_FROM else 2)
            leaned[end, family] += weights[end, member]
