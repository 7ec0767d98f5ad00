"""The feature map: which columns a row holds, their names and their values."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from ngrc._types import FloatArray
from ngrc.features.blocks import hstack
from ngrc.features.core import Core, find_core
from ngrc.features.group import Group
from ngrc.features.inputs import Inputs


# Without slots, as `cached_property` keeps its value in the instance's dictionary.
@dataclass(frozen=True)
class FeatureMap:
    """An intercept and an ordered tuple of groups of columns.

    Parameters
    ----------
    groups
        `Delays`, `Products`, `Seasonal`, `Clock`, `Calendar`, `Memory`, `ClockProducts`, `Known`, or a class of your
        own that keeps the contract of `Group`. Consecutive delays first and their products next are summed quickest.

    Examples
    --------
    >>> from ngrc.features import Delays, Products
    >>> FeatureMap((Delays(2, spacing=3), Products((Delays(2, spacing=3),)))).names(1)
    ('1', 'x[t]', 'x[t-3]', 'x[t]^2', 'x[t]*x[t-3]', 'x[t-3]^2')
    """

    groups: Sequence[Group]

    def __post_init__(self) -> None:
        groups = tuple(self.groups) if isinstance(self.groups, Sequence) else (self.groups,)
        for group in groups:
            if isinstance(group, type) or not all(hasattr(group, name) for name in CONTRACT):
                raise ValueError(f"a map is made of groups such as Delays(24) or Clock((24,)), got {group!r}")
        if not groups:
            raise ValueError("a map needs at least one group of columns, got none; begin with Delays(12)")
        object.__setattr__(self, "groups", groups)

    # Asked for at every block of rows: by horizon, once they are known.
    @cached_property
    def _reaches(self) -> dict[int, int]:
        return {}

    @cached_property
    def _counts(self) -> dict[int, int]:
        return {}

    @cached_property
    def core(self) -> Core | None:
        """The structured part that the map begins with, if it does."""
        return find_core(self.groups)[0]

    @cached_property
    def thin(self) -> tuple[Group, ...]:
        """The groups after the core, whose columns are explicit."""
        return tuple(self.groups[find_core(self.groups)[1] :])

    def reach(self, horizon: int) -> int:
        """How far behind the origin the oldest value lies."""
        if horizon not in self._reaches:
            self._reaches[horizon] = max(group.reach(horizon) for group in self.groups)
        return self._reaches[horizon]

    def first_target(self, horizon: int) -> int:
        """First time that can be forecast."""
        return self.reach(horizon) + horizon

    def names(self, horizon: int) -> tuple[str, ...]:
        """Column names with the intercept "1" first; t is the origin, t' the target time."""
        return ("1", *(name for group in self.groups for name in group.names(horizon)))

    def count(self, horizon: int) -> int:
        """Number of columns p, the intercept included."""
        if horizon not in self._counts:
            self._counts[horizon] = 1 + sum(group.count(horizon) for group in self.groups)
        return self._counts[horizon]

    def extra_count(self, horizon: int) -> int:
        """Number of thin columns."""
        return sum(group.count(horizon) for group in self.thin)

    def extras(self, inputs: Inputs, horizon: int, first: int, stop: int) -> FloatArray:
        """Thin columns of the targets first..stop-1, shape (stop - first, extra_count)."""
        return hstack([group.columns(inputs, horizon, first, stop) for group in self.thin], stop - first)

    def fixed(self) -> "FeatureMap | None":
        """The groups that do not move with the target; None where all do."""
        groups = tuple(group for group in self.groups if not group.moving)
        # The very map where nothing moves: what it has found out about itself stays with it.
        if len(groups) == len(self.groups):
            return self
        return FeatureMap(groups) if groups else None

    def moving(self) -> tuple[Group, ...]:
        """The groups whose columns at one origin differ by horizon."""
        return tuple(group for group in self.groups if group.moving)


# Looked for by name, as a class of the user's own needs no base class.
CONTRACT = ("moving", "names", "count", "reach", "columns")
