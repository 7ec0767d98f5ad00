"""Chronological cuts in which nothing is used before it can be observed: blocks, fixed origins, walking forward."""

from typing import Protocol

from ngrc.splits.blocks import Blocks
from ngrc.splits.fixed import FixedOrigin, FixedSizes, ShiftedWindows
from ngrc.splits.forward import WalkForward
from ngrc.splits.sizes import LEAST_ROWS, Sizes


class Splitter(Protocol):
    """Cuts a series of n observations into blocks, once or several times."""

    def splits(self, n: int, first_target: int, horizon: int) -> tuple[Blocks, ...]:
        """Blocks of a series whose first possible target is `first_target`."""


__all__ = [
    "LEAST_ROWS",
    "Blocks",
    "FixedOrigin",
    "FixedSizes",
    "ShiftedWindows",
    "Sizes",
    "Splitter",
    "WalkForward",
]
