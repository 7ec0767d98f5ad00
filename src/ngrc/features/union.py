"""One set of columns at the origin that serves all horizons: a moving group is a linear map of its basis."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np

from ngrc._types import FloatArray
from ngrc.features.blocks import hstack
from ngrc.features.group import Group
from ngrc.features.inputs import Inputs

Turn = Callable[[int], FloatArray]
"""From a horizon to the matrix, shape (basis columns, columns), that makes the group's columns from its basis."""


@runtime_checkable
class Turning(Protocol):
    """A moving group whose columns at any horizon are linear in columns that do not move.

    Seasonal delays are a selection of delays; Fourier terms at the target are those at the origin, rotated.
    """

    def basis(self, horizons: Sequence[int]) -> Group:
        """Columns at the origin that span those of all horizons."""

    def turn(self, horizon: int, horizons: Sequence[int]) -> FloatArray:
        """Matrix T with columns(horizon) = basis columns times T."""


@dataclass(frozen=True, slots=True)
class EveryHorizon:
    """The columns of a moving group for every horizon, side by side: the basis of a group that has no smaller one."""

    group: Group
    horizons: tuple[int, ...]

    moving = False

    def names(self, horizon: int) -> tuple[str, ...]:
        """Column names, with the horizon that each belongs to."""
        return tuple(f"{name} at {steps}" for steps in self.horizons for name in self.group.names(steps))

    def count(self, horizon: int) -> int:
        """Number of columns."""
        return sum(self.group.count(steps) for steps in self.horizons)

    def reach(self, horizon: int) -> int:
        """How far behind the origin the oldest value lies."""
        return max(self.group.reach(steps) for steps in self.horizons)

    def columns(self, inputs: Inputs, horizon: int, first: int, stop: int) -> FloatArray:
        """Columns of all horizons at the origins of the targets first..stop-1 of this one."""
        origins = first - horizon, stop - horizon
        parts = [
            self.group.columns(inputs, steps, origins[0] + steps, origins[1] + steps)
            for steps in self.horizons
        ]
        return hstack(parts, stop - first)


def basis_of(group: Group, horizons: Sequence[int]) -> tuple[Group, Turn]:
    """The basis of a moving group, and the turn that makes its columns from it."""
    if isinstance(group, Turning):
        return group.basis(horizons), lambda horizon: group.turn(horizon, horizons)
    basis = EveryHorizon(group, tuple(horizons))
    widths = [group.count(steps) for steps in horizons]
    starts = np.cumsum([0, *widths])

    def turn(horizon: int) -> FloatArray:
        place = list(horizons).index(horizon)
        return np.eye(starts[-1])[:, starts[place] : starts[place + 1]]

    return basis, turn
