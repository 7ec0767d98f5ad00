"""The tasks: one target each, the same origins for all, and one set of columns that serves every horizon."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ngrc._blocks import block_diagonal
from ngrc._types import FloatArray
from ngrc.features.map import FeatureMap
from ngrc.features.rows import BLOCK, Rows
from ngrc.features.union import basis_of

MOST_SHARED = 1500
"""Most columns of a common basis: with more, each task is quicker fitted by itself (40 known inputs at 48 horizons)."""


@dataclass(frozen=True, slots=True)
class Tasks:
    """Rows of several tasks at common origins.

    Parameters
    ----------
    rows
        One per task, none holding its columns: they share map, inputs and origins, and differ by horizon or by the
        series that is forecast. The map has the groups that do not move first.
    union
        The groups that do not move, and the bases of those that do, over the same origins.
    turns
        By horizon the matrix that makes the moving columns from their bases, shape (basis columns, q).
    """

    rows: tuple[Rows, ...]
    union: Rows
    turns: Mapping[int, FloatArray]

    @classmethod
    def of(cls, rows: Sequence[Rows], held: bool = True) -> "Tasks | None":
        """Tasks of rows at the same origins; None where no core or basis is worth sharing.

        `held` says whether the union's thin columns are computed once and kept, or anew for every block.
        """
        feature_map = ordered(rows[0].feature_map)
        horizons = tuple(dict.fromkeys(task.horizon for task in rows))
        # A group may hold nothing at any of these horizons: seasonal delays that the lags hold already.
        moving = [
            group for group in feature_map.moving() if any(group.count(horizon) for horizon in horizons)
        ]
        bases = [basis_of(group, horizons, rows[0].inputs) for group in moving]
        still = feature_map.fixed()
        if still is not None and not bases:
            shared = still
        else:
            shared = FeatureMap((*(() if still is None else still.groups), *(basis for basis, _ in bases)))
        lead = rows[0]
        if shared.count(lead.horizon) - feature_map.count(lead.horizon) > MOST_SHARED:
            return None
        if len({(task.first - task.horizon, task.count) for task in rows}) != 1:
            raise ValueError("tasks need the same origins; cut their rows to those that all of them have")
        none = np.zeros((0, 0))
        turns = {
            horizon: block_diagonal(*(turn(horizon) for _, turn in bases)) if bases else none
            for horizon in horizons
        }
        union = Rows(shared, lead.inputs, lead.series, lead.horizon, lead.first, lead.stop)
        if held:
            union = union.kept()
        parts = tuple(
            task
            if task.feature_map is feature_map and task.held is None and task.explicit is None
            else replace(task, feature_map=feature_map, held=None, explicit=None)
            for task in rows
        )
        return cls(parts, union, turns)

    @property
    def count(self) -> int:
        """Number of rows n."""
        return self.union.count

    @property
    def fixed_count(self) -> int:
        """Number of columns that do not move, p."""
        return self.union_count - int(self.turns[self.rows[0].horizon].shape[0])

    @property
    def union_count(self) -> int:
        """Number of columns of the union."""
        return self.union.feature_map.count(self.union.horizon) - 1

    @property
    def horizons(self) -> tuple[int, ...]:
        """The distinct horizons, in the tasks' order."""
        return tuple(self.turns)

    @property
    def targets(self) -> FloatArray:
        """What every task is fitted to, shape (n, tasks)."""
        return np.stack([task.target for task in self.rows], axis=1)

    def spread(self, horizon: int, weights: FloatArray) -> FloatArray:
        """Weights of one horizon's columns as weights of the union's, shape (p + q, m) to (union columns, m)."""
        fixed = self.fixed_count
        turn = self.turns[horizon]
        return np.vstack((weights[:fixed], turn @ weights[fixed:])) if len(turn) else weights[:fixed]

    def gather(self, horizon: int, products: FloatArray) -> FloatArray:
        """Products with the union's columns as products with one horizon's, shape (union columns, m) to (p + q, m)."""
        fixed = self.fixed_count
        turn = self.turns[horizon]
        return np.vstack((products[:fixed], turn.T @ products[fixed:])) if len(turn) else products[:fixed]

    def only(self, places: Sequence[int]) -> "Tasks":
        """Some of the tasks, over the same union."""
        return replace(self, rows=tuple(self.rows[place] for place in places))

    def part(self, start: int, stop: int) -> "Tasks":
        """Rows start..stop-1 of every task."""
        return Tasks(
            tuple(task.part(start, stop) for task in self.rows), self.union.part(start, stop), self.turns
        )

    @property
    def structured(self) -> bool:
        """Whether moments come from lagged products of the core, rather than from the explicit design.

        Every thin column and every target passes through the Fourier transforms. Explicit products were faster with 25
        to 100 columns in the core and as many others, lagged ones with 200 to 700 and few others.
        """
        core = self.union.feature_map.core
        if core is None or self.union.explicit is not None:
            return False
        return core.count > 2 * (self.union.feature_map.extra_count(self.union.horizon) + len(self.rows))

    def parts(self, size: int = BLOCK) -> Iterator["Tasks"]:
        """The tasks' rows in consecutive parts of at most `size`."""
        for start in range(0, self.count, size):
            yield self.part(start, min(start + size, self.count))

    def blocks(self, size: int = BLOCK) -> Iterator[Rows]:
        """The union's rows in consecutive parts of at most `size`."""
        yield from self.union.blocks(size)


def ordered(feature_map: FeatureMap) -> FeatureMap:
    """The same groups, those that move last.

    Examples
    --------
    >>> from ngrc.features import Clock, Delays, Memory
    >>> [type(group).__name__ for group in ordered(FeatureMap((Delays(2), Clock((24,)), Memory((3,))))).groups]
    ['Delays', 'Memory', 'Clock']
    """
    groups = tuple(sorted(feature_map.groups, key=lambda group: group.moving))
    return feature_map if groups == feature_map.groups else FeatureMap(groups)
