"""The members: quantiles of the next error by several rules, each at every level, from one pass over the residuals."""

from typing import NamedTuple

import numpy as np

from ngrc._kernels.auto import (
    MEMBERS_COUNT,
    MEMBERS_PLAIN,
    MEMBERS_QUANTILE_FROM,
    MEMBERS_SCALED,
    MEMBERS_SCALED_FROM,
)
from ngrc._kernels.local import BINS_CELLS, BINS_SPARE, READOUT_PENALTIES
from ngrc._kernels.order import fenwick_tree_size
from ngrc._types import FloatArray
from ngrc.archive import check_shape
from ngrc.intervals.local.readout import Readout

NAMES = (
    *(f"|e|, decay {decay:g}" for decay in MEMBERS_PLAIN),
    *(f"|e| over its size, decay {decay:g}" for decay in MEMBERS_SCALED),
    *(f"e over its size, decay {decay:g}" for decay in MEMBERS_SCALED),
    *(f"quantile readout, ridge {penalty:g}" for penalty in READOUT_PENALTIES),
)
FAMILIES: tuple[str, ...] = ("plain", "scaled", "quantile")
"""What reports name: members of one kind together."""
PRIOR = (0.1, 0.1, 0.1, 0.1, 0.1, 0.15, 0.15, 0.05, 0.05, 0.03, 0.07)
"""Weights before anything is known, in the order of `NAMES`: less for a member that asks more of the data. On series
whose errors are noise alone members hardly differ in loss, and the beginning is what is left."""


def taking_part(families: tuple[str, ...]) -> FloatArray:
    """Weights before anything is known, of the members of the families named; zero for all others."""
    sizes = np.diff([0, MEMBERS_SCALED_FROM, MEMBERS_QUANTILE_FROM, MEMBERS_COUNT])
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
        empty = start_members(self.readout)
        for trees, wanted in zip(self[1:], empty[1:], strict=True):
            check_shape(trees, wanted.shape, "histograms")


def start_members(readout: Readout) -> Members:
    """Empty histograms."""
    plain, scaled = len(MEMBERS_PLAIN), len(MEMBERS_SCALED)
    return Members(readout, start_histograms(plain), start_histograms(scaled), start_histograms(scaled))


def start_histograms(count: int) -> FloatArray:
    """`count` empty histograms of signed scores, one per row: a Fenwick tree, the newest weight and the sum of all."""
    trees = np.zeros((count, fenwick_tree_size(2 * BINS_CELLS) + BINS_SPARE))
    trees[:, -2] = 1.0
    return trees
