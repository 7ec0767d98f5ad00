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
class SideBySide:
    """Groups that do not move, side by side as one."""

    groups: tuple[Group, ...]

    moving = False

    def names(self, horizon: int) -> tuple[str, ...]:
        """Column names, group by group."""
        return tuple(name for group in self.groups for name in group.names(horizon))

    def count(self, horizon: int) -> int:
        """Number of columns."""
        return sum(group.count(horizon) for group in self.groups)

    def reach(self, horizon: int) -> int:
        """How far behind the origin the oldest value lies."""
        return max(group.reach(horizon) for group in self.groups)

    def columns(self, inputs: Inputs, horizon: int, first: int, stop: int) -> FloatArray:
        """Columns of all groups."""
        return hstack([group.columns(inputs, horizon, first, stop) for group in self.groups], stop - first)


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


@runtime_checkable
class Regular(Protocol):
    """A moving group that has a smaller basis over some data alone: a calendar where the times have one step."""

    def basis_over(self, inputs: Inputs, horizons: Sequence[int]) -> tuple[Group, Turn] | None:
        """Columns at the origin that span those of all horizons over these inputs, and their turn; None for none."""


def basis_of(group: Group, horizons: Sequence[int], inputs: Inputs | None = None) -> tuple[Group, Turn]:
    """The basis of a moving group, over inputs where they are given, and the turn that makes its columns from it."""
    if isinstance(group, Turning):
        return group.basis(horizons), lambda horizon: group.turn(horizon, horizons)
    smaller = (
        group.basis_over(inputs, horizons) if inputs is not None and isinstance(group, Regular) else None
    )
    if smaller is not None:
        return smaller
    basis = EveryHorizon(group, tuple(horizons))
    widths = [group.count(steps) for steps in horizons]
    starts = np.cumsum([0, *widths])

    def turn(horizon: int) -> FloatArray:
        place = list(horizons).index(horizon)
        return np.eye(starts[-1], starts[place + 1] - starts[place], -starts[place])

    return basis, turn
