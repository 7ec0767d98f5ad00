"""Memory: exponentially weighted means of the past, one column per half-life."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ngrc._types import FloatArray
from ngrc.features.distinct import check_distinct
from ngrc.features.inputs import SERIES, Inputs


@dataclass(frozen=True, slots=True)
class Memory:
    """Weighted means of one channel's past at the origin.

    Parameters
    ----------
    half_lives
        Observations after which a value's weight has halved.
    channel
        Whose values.

    Examples
    --------
    >>> Memory((12, 144)).names(1)
    ('ema(half-life 12)', 'ema(half-life 144)')
    """

    half_lives: Sequence[float]
    channel: str = SERIES

    moving = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "half_lives", check_distinct(self.half_lives, "half_lives"))

    def names(self, horizon: int) -> tuple[str, ...]:
        """Column names."""
        whose = "" if self.channel == SERIES else f" of {self.channel}"
        return tuple(f"ema{whose}(half-life {half_life:g})" for half_life in self.half_lives)

    def count(self, horizon: int) -> int:
        """Number of columns."""
        return len(self.half_lives)

    def reach(self, horizon: int) -> int:
        """Zero: a mean begins with the first observation, whatever its half-life."""
        return 0

    def columns(self, inputs: Inputs, horizon: int, first: int, stop: int) -> FloatArray:
        """Means at the origins of the targets first..stop-1."""
        columns = np.empty((stop - first, len(self.half_lives)), order="F")
        for position, half_life in enumerate(self.half_lives):
            columns[:, position] = inputs.memory(self.channel, half_life)[first - horizon : stop - horizon]
        return columns
