"""The columns that a search has asked for so far, and their moments over the rows of every fold."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

import numpy as np

from ngrc._kernels.models import CANDIDATE_ROWS as TILE
from ngrc._kernels.models import candidate_forecasts, candidate_moments
from ngrc._types import FloatArray, IntArray
from ngrc.auto.folds import Folds
from ngrc.auto.recipe import burdens
from ngrc.auto.solving import FoldMoments
from ngrc.features.delays import delay_name
from ngrc.features.group import Group
from ngrc.features.inputs import Inputs
from ngrc.features.seasonal import Seasonal
from ngrc.features.target import Goal

MOST_SCORED = 5003
"""Validation rows that are scored at most, a prime so that they fall on every phase of a season: more would rank
candidates no better."""

ROOM = 512
"""Columns that a ledger has room for at first: more than most searches ask for. Room that is not written to takes no
memory, while a copy to a larger one takes as long as the products."""


# Every search, and every fit of a walk, asks for the same groups at the same horizons.
@lru_cache(maxsize=4096)
def column_keys(group: Group, horizon: int) -> tuple[str, ...]:
    """Names by which equal columns of different groups are recognised: x[t'-24] is x[t-23] one step ahead.

    Examples
    --------
    >>> column_keys(Seasonal((24,), 1, width=0), 1)
    ('x[t-23]',)
    """
    if isinstance(group, Seasonal):
        return tuple(delay_name(group.channel, step - horizon) for step in group.steps(horizon))
    return group.names(horizon)


class Ledger:
    """One matrix of moments that grows by the columns a candidate adds, and serves every candidate made of them.

    Parameters
    ----------
    inputs, series
        What columns are made from, and the standardised series that is forecast.
    horizon, first, stop
        Steps from origin to target, and the range of target times.

    Attributes
    ----------
    scored, tiles
        Validation rows that are scored, and all columns so far in these rows, shape (tiles, room for columns, rows of a
        tile); the last tile is filled up with the last row.
    """

    def __init__(self, inputs: Inputs, series: FloatArray, horizon: int, first: int, stop: int) -> None:
        self.inputs, self.series, self.horizon = inputs, series, horizon
        self.first, self.stop = first, stop
        self.folds = Folds.of(stop - first, horizon)
        self.places: dict[str, int] = {}
        self._blocks: dict[Group, IntArray] = {}
        self._targets: dict[Goal, tuple[FloatArray, FloatArray, FloatArray]] = {}
        self.scored = _scored_rows(self.folds)
        # By fold the first of its scored rows, and the end of the last.
        self.cuts = np.searchsorted(self.scored, self.folds.edges)
        self._store = np.empty((stop - first, ROOM), order="F")
        # Read by every trial: cut from the store they would take as long as the products with their weights.
        self._tiled = np.minimum(np.arange(-(-self.scored.size // TILE) * TILE), self.scored.size - 1)
        self._tiled = self.scored[self._tiled].reshape(-1, TILE)
        self.tiles = np.empty((len(self._tiled), ROOM, TILE))
        self._burdens = np.empty(0)
        # By fold, the number of fitted rows.
        self.counts = np.array(self.folds.trained, dtype=np.float64)
        folds = self.counts.size
        self._sums, self._products = np.empty((folds, 0)), np.empty((folds, 0, 0))

    @property
    def design(self) -> FloatArray:
        """All columns so far, near their means, shape (rows, columns)."""
        return self._store[:, : self._sums.shape[1]]

    @property
    def rows(self) -> int:
        """Number of rows."""
        return self.stop - self.first

    def columns_of(self, groups: Sequence[Group]) -> IntArray:
        """Places of the groups' columns, computed and summed where they are new; equal columns come once."""
        missing = [group for group in groups if group not in self._blocks]
        if missing:
            self._enter(missing)
        # Not by `np.unique`, which imports the masked arrays of NumPy.
        chosen = np.zeros(len(self.places), dtype=np.bool_)
        for group in groups:
            chosen[self._blocks[group]] = True
        return np.flatnonzero(chosen)

    def _enter(self, groups: Sequence[Group]) -> None:
        fresh: list[FloatArray] = []
        for group in groups:
            keys = column_keys(group, self.horizon)
            new = [place for place, key in enumerate(keys) if key not in self.places]
            if new:
                columns = group.columns(self.inputs, self.horizon, self.first, self.stop)
                fresh.append(columns[:, new] if len(new) < len(keys) else columns)
                self._burdens = np.append(self._burdens, burdens(group, self.horizon)[new])
                self.places |= {keys[place]: len(self.places) + number for number, place in enumerate(new)}
            self._blocks[group] = np.array([self.places[key] for key in keys], dtype=np.int64)
        if fresh:
            self._sum(*self._placed(fresh))

    def _placed(self, blocks: Sequence[FloatArray]) -> tuple[int, int]:
        """Write new columns into the store; the range of their places."""
        old = self._sums.shape[1]
        both = old + sum(block.shape[1] for block in blocks)
        if both > self._store.shape[1]:
            # Twice the room, so that no column is copied more than a few times.
            roomy = np.empty((self.rows, 2 * both), order="F")
            roomy[:, :old] = self.design
            self._store = roomy
            self.tiles = np.empty((len(self._tiled), 2 * both, TILE))
            self._tile(0, old)
        place = old
        for block in blocks:
            own = self._store[:, place : place + block.shape[1]]
            # Near their means, so that the moments lose no digits to them.
            np.subtract(block, block[: self.folds.edges[0]].mean(axis=0), out=own)
            place += block.shape[1]
        self._tile(old, both)
        return old, both

    def _tile(self, first: int, stop: int) -> None:
        """Copy some columns of the scored rows from the store into the tiles."""
        for place in range(first, stop):
            self.tiles[:, place] = self._store[:, place][self._tiled]

    def _sum(self, old: int, both: int) -> None:
        """Moments of the columns from `old` to `both` with themselves and all older ones, cumulated over the folds."""
        folds = self.counts.size
        sums, products = np.zeros((folds, both)), np.zeros((folds, both, both))
        sums[:, :old], products[:, :old, :old] = self._sums, self._products
        for fold, (begin, end) in enumerate(self._segments()):
            part = self._store[begin:end, old:both]
            sums[fold, old:] = part.sum(axis=0)
            products[fold, old:] = part.T @ self._store[begin:end, :both]
        sums[:, old:] = np.cumsum(sums[:, old:], axis=0)
        products[:, old:] = np.cumsum(products[:, old:], axis=0)
        products[:, :old, old:] = products[:, old:, :old].transpose(0, 2, 1)
        self._sums, self._products = sums, products
        for goal, (target, means, cross) in self._targets.items():
            self._targets[goal] = target, means, np.hstack((cross, self._crossed(target, old)))

    def _segments(self) -> list[tuple[int, int]]:
        ends = self.folds.trained
        return list(zip((0, *ends), ends, strict=False))

    def target(self, goal: Goal) -> FloatArray:
        """What the readout is fitted to, by row."""
        return self._of(goal)[0]

    def _of(self, goal: Goal) -> tuple[FloatArray, FloatArray, FloatArray]:
        if goal not in self._targets:
            self._targets[goal] = self._entered(goal)
        return self._targets[goal]

    def _entered(self, goal: Goal) -> tuple[FloatArray, FloatArray, FloatArray]:
        base = goal.base(self.series, self.horizon, self.first, self.stop)
        level = self.series[self.first : self.stop]
        target = level if base is None else level - base
        means = np.cumsum([target[begin:end].sum() for begin, end in self._segments()]) / self.counts
        return target, means, self._crossed(target, 0)

    def _crossed(self, target: FloatArray, old: int) -> FloatArray:
        """Products of a target with the columns from `old` on, cumulated over the folds."""
        design = self.design
        parts = [target[begin:end] @ design[begin:end, old:] for begin, end in self._segments()]
        return np.cumsum(parts, axis=0)

    def moments(self, places: IntArray) -> FoldMoments:
        """Moments of some columns by fold."""
        weights = self._burdens[places]
        return FoldMoments(*candidate_moments(self.counts, self._sums, self._products, places, weights))

    def cross(self, moments: FoldMoments, places: IntArray, goal: Goal) -> FloatArray:
        """Cross covariances of a target with the scaled columns of `moments`, shape (folds, p)."""
        _, target_means, cross = self._of(goal)
        covariances = cross[:, places] / self.counts[:, None] - moments.means * target_means[:, None]
        return np.asarray(covariances / moments.scales)

    def target_means(self, goal: Goal) -> FloatArray:
        """Mean of a target by fold."""
        return self._of(goal)[1]

    def forecasts(self, places: IntArray, weights: FloatArray, constants: FloatArray) -> FloatArray:
        """Forecasts of the scored rows, each by the readouts of its fold, shape (rows, m).

        Parameters
        ----------
        places
            Of the readouts' columns, shape (p,).
        weights, constants
            By fold, shapes (folds, p, m) and (folds, m).
        """
        found = np.empty((weights.shape[2], self.scored.size))
        for fold, (begin, end) in enumerate(pairwise(self.cuts.tolist())):
            candidate_forecasts(self.tiles, places, weights[fold], constants[fold], begin, end, found)
        return found.T


def _scored_rows(folds: Folds) -> IntArray:
    """Validation rows that are scored: all, or some thousands spread over all phases of a season."""
    count = folds.validated
    if count <= MOST_SCORED:
        return np.arange(folds.edges[0], folds.edges[-1])
    # No whole number of rows apart, or a season would be seen at some of its phases only.
    return folds.edges[0] + np.arange(MOST_SCORED) * count // MOST_SCORED
