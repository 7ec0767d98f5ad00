"""The tasks: one target each, the same origins for all, and columns of which only the moving ones differ."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ngrc._types import FloatArray
from ngrc.features.map import FeatureMap, hstack
from ngrc.features.rows import BLOCK, Rows


# Without slots, as `cached_property` keeps its value in the instance's dictionary.
@dataclass(frozen=True)
class Tasks:
    """Rows of several tasks at common origins.

    Parameters
    ----------
    rows
        One per task, none holding its columns: they share map, inputs and origins, and differ by horizon or by the
        series that is forecast. The map has the groups that do not move first.
    fixed
        The groups that do not move, over the same origins; thin columns held.
    """

    rows: tuple[Rows, ...]
    fixed: Rows

    @classmethod
    def of(cls, rows: Sequence[Rows]) -> "Tasks | None":
        """Tasks of rows at the same origins; None where every group moves, and nothing is common."""
        common = rows[0].feature_map.fixed()
        if common is None:
            return None
        parts = tuple(replace(task, feature_map=ordered(task.feature_map), held=None) for task in rows)
        lead = parts[0]
        origins = {(task.first - task.horizon, task.count) for task in parts}
        if len(origins) != 1:
            raise ValueError("tasks need the same origins; cut their rows to those that all of them have")
        fixed = Rows.of(common, lead.inputs, lead.series, lead.horizon, lead.first, lead.stop)
        return cls(parts, fixed)

    @property
    def count(self) -> int:
        """Number of rows n."""
        return self.fixed.count

    @property
    def fixed_count(self) -> int:
        """Number of columns that do not move, p."""
        return self.fixed.feature_map.count(self.fixed.horizon) - 1

    @cached_property
    def horizons(self) -> tuple[int, ...]:
        """The distinct horizons, in the tasks' order."""
        return tuple(dict.fromkeys(task.horizon for task in self.rows))

    @property
    def targets(self) -> FloatArray:
        """What every task is fitted to, shape (n, tasks)."""
        return np.stack([task.target for task in self.rows], axis=1)

    def of_horizon(self, horizon: int) -> list[int]:
        """Which tasks have that horizon."""
        return [place for place, task in enumerate(self.rows) if task.horizon == horizon]

    def moving(self, horizon: int) -> FloatArray:
        """Columns that move with the target, shape (n, q)."""
        task = self.rows[self.of_horizon(horizon)[0]]
        groups = task.feature_map.moving()
        return hstack(
            [group.columns(task.inputs, horizon, task.first, task.stop) for group in groups], self.count
        )

    def part(self, start: int, stop: int) -> "Tasks":
        """Rows start..stop-1 of every task."""
        return Tasks(tuple(task.part(start, stop) for task in self.rows), self.fixed.part(start, stop))

    def blocks(self, size: int = BLOCK) -> Iterator["Tasks"]:
        """These rows in consecutive parts of at most `size`."""
        for start in range(0, self.count, size):
            yield self.part(start, min(start + size, self.count))


def ordered(feature_map: FeatureMap) -> FeatureMap:
    """The same groups, those that move last.

    Examples
    --------
    >>> from ngrc.features import Clock, Delays, Memory
    >>> [type(group).__name__ for group in ordered(FeatureMap((Delays(2), Clock((24,)), Memory((3,))))).groups]
    ['Delays', 'Memory', 'Clock']
    """
    return FeatureMap(tuple(sorted(feature_map.groups, key=lambda group: group.moving)))
