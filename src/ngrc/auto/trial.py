"""One candidate tried on the folds: forecasts of the validation rows, errors and their score."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np

from ngrc._types import FloatArray, IntArray
from ngrc.auto.ledger import Ledger
from ngrc.auto.recipe import Recipe
from ngrc.auto.solving import nested_chains, ridge_paths
from ngrc.features.group import Group
from ngrc.features.link import Link
from ngrc.features.scaling import Scale
from ngrc.features.target import LEVEL, Target


@dataclass(frozen=True)
class Trial:
    """A recipe with its best penalty at every horizon that it was tried at.

    Parameters
    ----------
    recipe
        What was tried.
    penalties
        By horizon.
    blocks
        Logarithm of the mean squared error over that of the last value, by block of validation rows, mean over the
        horizons.
    errors
        By horizon, errors of the validation rows in the series' own units.
    columns
        Number of columns.
    whole
        Logarithm of the mean squared error of all validation rows over that of the last value, mean over the horizons.
    """

    recipe: Recipe
    penalties: tuple[float, ...]
    blocks: FloatArray = field(repr=False)
    errors: tuple[FloatArray, ...] = field(repr=False)
    columns: int
    whole: float

    @cached_property
    def score(self) -> float:
        """Mean of two views: every block alike, and every squared error alike, which large ones rule."""
        return 0.5 * (float(self.blocks.mean()) + self.whole)

    @property
    def ratio(self) -> float:
        """Root mean squared error over that of the last value, all rows."""
        return float(np.exp(0.5 * self.whole))


@dataclass(frozen=True)
class Arena:
    """One horizon's rows, and what leads from a readout's answer to errors in the series' own units.

    Without slots: what every trial is compared with is computed once.
    """

    ledger: Ledger
    values: FloatArray
    scale: Scale
    link: Link

    @property
    def rows(self) -> int:
        """Number of rows."""
        return self.ledger.rows

    @property
    def half(self) -> int:
        """First row that is forecast."""
        return self.ledger.folds.edges[0]

    @cached_property
    def times(self) -> IntArray:
        """Target times of the validation rows that are scored."""
        return self.ledger.first + self.ledger.scored

    @cached_property
    def outcomes(self) -> FloatArray:
        """Values of the validation rows, in the series' own units."""
        return self.values[self.times]

    @cached_property
    def reference(self) -> FloatArray:
        """Mean squared error of the last value, by block; never zero."""
        # A block in which nothing moves must not outweigh the others by its logarithm.
        return self.by_block(self._last[:, None])[:, 0] + 1e-4 * self.size

    @cached_property
    def size(self) -> float:
        """Mean squared error of the last value, all rows alike; never zero."""
        return float(np.mean(np.square(self._last))) + 1e-20 * self.scale.std**2

    @cached_property
    def _last(self) -> FloatArray:
        """Errors of the last value."""
        return self.outcomes - self.values[self.times - self.ledger.horizon]

    def logs(self, errors: FloatArray) -> FloatArray:
        """Logarithm of the mean squared errors over the last value's, shape (blocks, m)."""
        with np.errstate(over="ignore", invalid="ignore"):
            return np.asarray(np.log(self.by_block(errors) / self.reference[:, None] + 1e-300))

    def whole(self, errors: FloatArray) -> FloatArray:
        """Logarithm of the mean squared error over the last value's, shape (m,)."""
        with np.errstate(over="ignore", invalid="ignore"):
            mean = np.mean(np.square(errors), axis=0)
            return np.asarray(np.log(mean / self.size + 1e-300))

    def by_block(self, errors: FloatArray) -> FloatArray:
        """Mean squared errors, shape (blocks, m) of errors of shape (rows, m)."""
        blocks = self.ledger.folds.blocks
        edges = np.array([len(errors) * block // blocks for block in range(blocks + 1)])
        sums = np.add.reduceat(np.square(errors), edges[:-1], axis=0)
        return np.asarray(sums / np.diff(edges)[:, None])

    def errors(self, recipes: Sequence[Recipe], penalties: FloatArray) -> list[FloatArray]:
        """By recipe the errors of the validation rows, shape (rows, m); not finite where a fit or a forecast is not."""
        ledger = self.ledger
        # All columns first: moments are those of every column so far.
        columns = [ledger.columns_of(recipe.groups()) for recipe in recipes]
        found: dict[int, FloatArray] = {}
        for chain in nested_chains(columns):
            moments = ledger.moments(chain.places)
            goals = [recipes[number].goal for number in chain.members]
            cross = np.stack([ledger.cross(moments, chain.places, goal) for goal in goals], axis=1)
            weights = ridge_paths(moments, chain.sizes, cross, penalties)
            for place, (number, goal) in enumerate(zip(chain.members, goals, strict=True)):
                size = chain.sizes[place]
                own = np.ascontiguousarray(weights[:, place, :size])
                # At an infinite penalty a difference loses its intercept too: the naive forecast, and not the drift.
                level = 1.0 if goal.kind == "level" else np.isfinite(penalties)
                constants = ledger.target_means(goal)[:, None] * level
                constants = constants - np.einsum("fp,fpm->fm", moments.means[:, :size], own)
                forecasts = ledger.forecasts(chain.places[:size], own, constants)
                found[number] = self.own_units(forecasts, goal, self.times)
        return [found[number] for number in range(len(recipes))]

    def fixed_errors(self, group: Group) -> FloatArray:
        """Errors of columns that are forecasts by themselves, over all rows, shape (rows, K)."""
        ledger = self.ledger
        said = group.columns(ledger.inputs, ledger.horizon, ledger.first, ledger.stop)
        return self.own_units(said, LEVEL, np.arange(ledger.first, ledger.stop))

    def own_units(self, said: FloatArray, goal: Target, times: IntArray) -> FloatArray:
        """Errors of what a readout says of some target times."""
        ledger = self.ledger
        whole = goal.base(ledger.series, ledger.horizon, ledger.first, ledger.stop)
        standardised = said if whole is None else said + whole[times - ledger.first, None]
        with np.errstate(over="ignore", invalid="ignore"):
            forecasts = self.link.inverse(self.scale.restore(standardised))
            return np.asarray(self.values[times, None] - forecasts)


def try_recipe(arenas: Sequence[Arena], recipe: Recipe, penalties: FloatArray) -> Trial:
    """The recipe at every horizon, each with its own best penalty."""
    return try_recipes(arenas, [recipe], penalties)[0]


def try_recipes(arenas: Sequence[Arena], recipes: Sequence[Recipe], penalties: FloatArray) -> list[Trial]:
    """Every recipe at every horizon, each with its own best penalty."""
    scores = [_scores(arena, recipes, penalties) for arena in arenas]
    trials = []
    for recipe, *own in zip(recipes, *scores, strict=True):
        columns = recipe.count(arenas[-1].ledger.horizon)
        whole = sum(score.whole for score in own) / len(own)
        blocks = _together([score.blocks for score in own])
        chosen, errors = tuple(score.penalty for score in own), tuple(score.errors for score in own)
        trials.append(Trial(recipe, chosen, blocks, errors, columns, whole))
    return trials


class _Score(NamedTuple):
    """A recipe at one horizon with its best penalty."""

    penalty: float
    blocks: FloatArray
    errors: FloatArray
    whole: float


def _scores(arena: Arena, recipes: Sequence[Recipe], penalties: FloatArray) -> list[_Score]:
    found = []
    for errors in arena.errors(recipes, penalties):
        logs, whole = arena.logs(errors), arena.whole(errors)
        scores = 0.5 * (logs.mean(axis=0) + whole)
        scores = np.where(np.isfinite(scores), scores, np.inf)
        # The largest of equal penalties: the simplest readout.
        best = int(np.flatnonzero(scores <= scores.min() + 1e-9)[-1])
        found.append(
            _Score(float(penalties[best]), logs[:, best], errors[:, best].copy(), float(whole[best]))
        )
    return found


def scored(arenas: Sequence[Arena], recipe: Recipe, errors: Sequence[FloatArray]) -> Trial:
    """A trial of a recipe in which nothing is fitted, from the errors of the validation rows."""
    logs = [arena.logs(own[:, None])[:, 0] for arena, own in zip(arenas, errors, strict=True)]
    whole = [arena.whole(own[:, None])[0] for arena, own in zip(arenas, errors, strict=True)]
    return Trial(recipe, (np.inf,) * len(arenas), _together(logs), tuple(errors), 0, float(np.mean(whole)))


def _together(logs: Sequence[FloatArray]) -> FloatArray:
    """Blocks of several horizons as blocks of time: errors of one time at several horizons are no independent news."""
    fewest = min(len(own) for own in logs)
    if all(len(own) == fewest for own in logs):
        return np.asarray(np.mean(logs, axis=0))
    parts = [[part.mean() for part in np.array_split(own, fewest)] for own in logs]
    return np.asarray(np.mean(parts, axis=0))
