"""One candidate tried on the folds: forecasts of the validation rows, errors and their score."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from ngrc._types import FloatArray
from ngrc.auto.ledger import Ledger
from ngrc.auto.recipe import Recipe
from ngrc.auto.solving import ridge_paths
from ngrc.features.group import Group
from ngrc.features.link import Link
from ngrc.features.scaling import Scale
from ngrc.features.target import LEVEL, Target


@dataclass(frozen=True, slots=True)
class Trial:
    """A recipe with its best penalty at every horizon that it was tried at.

    Parameters
    ----------
    recipe
        What was tried.
    penalties
        By horizon.
    blocks
        Logarithm of the mean squared error over that of the last value, by horizon and block of validation rows.
    errors
        By horizon, errors of the validation rows in the series' own units.
    columns
        Number of columns.
    """

    recipe: Recipe
    penalties: tuple[float, ...]
    blocks: FloatArray = field(repr=False)
    errors: tuple[FloatArray, ...] = field(repr=False)
    columns: int

    @property
    def score(self) -> float:
        """Mean of the blocks: half of it is the logarithm of a root mean squared error over the last value's."""
        return float(self.blocks.mean())

    @property
    def ratio(self) -> float:
        """Root mean squared error over that of the last value, geometric mean over the blocks."""
        return float(np.exp(0.5 * self.score))


@dataclass(frozen=True, slots=True)
class Arena:
    """One horizon's rows, and what leads from a readout's answer to errors in the series' own units."""

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

    @property
    def outcomes(self) -> FloatArray:
        """Values of the validation rows, in the series' own units."""
        ledger = self.ledger
        return self.values[ledger.first + ledger.folds.edges[0] : ledger.stop]

    def reference(self) -> FloatArray:
        """Mean squared error of the last value, by block; never zero."""
        ledger, outcomes = self.ledger, self.outcomes
        begin = ledger.first + ledger.folds.edges[0] - ledger.horizon
        errors = outcomes - self.values[begin : begin + outcomes.size]
        # A block in which nothing moves must not outweigh the others by its logarithm.
        floor = 1e-4 * float(np.mean(np.square(errors))) + 1e-24 * self.scale.std**2
        return self.by_block(errors[:, None])[:, 0] + floor

    def logs(self, errors: FloatArray) -> FloatArray:
        """Logarithm of the mean squared errors over the last value's, shape (blocks, m)."""
        with np.errstate(over="ignore", invalid="ignore"):
            return np.asarray(np.log(self.by_block(errors) / self.reference()[:, None] + 1e-300))

    def by_block(self, errors: FloatArray) -> FloatArray:
        """Mean squared errors, shape (blocks, m) of errors of shape (rows, m)."""
        blocks = self.ledger.folds.blocks
        edges = [len(errors) * block // blocks for block in range(blocks + 1)]
        parts = [np.mean(np.square(errors[a:b]), axis=0) for a, b in pairwise(edges)]
        return np.stack(parts)

    def errors(self, recipe: Recipe, penalties: FloatArray) -> FloatArray:
        """Errors of the validation rows, shape (rows, m); not finite where a fit or a forecast is not."""
        ledger, goal = self.ledger, recipe.goal
        places = ledger.columns_of(recipe.groups())
        means, target_means, covariance, cross = ledger.moments(places, goal)
        weights = ridge_paths(means, covariance, cross, penalties)
        edges = ledger.folds.edges
        said = np.empty((ledger.folds.validated, penalties.size))
        # At an infinite penalty a difference loses its intercept too: the naive forecast, and not the drift.
        kept = np.ones(penalties.size) if goal.kind == "level" else np.isfinite(penalties).astype(float)
        for fold, (begin, end) in enumerate(pairwise(edges)):
            constant = target_means[fold] * kept - means[fold] @ weights[fold]
            here = slice(begin - edges[0], end - edges[0])
            said[here] = ledger.design[begin:end][:, places] @ weights[fold] + constant
        return self._own_units(said, goal)

    def fixed_errors(self, group: Group) -> FloatArray:
        """Errors of columns that are forecasts by themselves, over all rows, shape (rows, K)."""
        ledger = self.ledger
        said = group.columns(ledger.inputs, ledger.horizon, ledger.first, ledger.stop)
        return self._own_units(said, LEVEL)

    def _own_units(self, said: FloatArray, goal: Target) -> FloatArray:
        """Errors of the last rows, as many as forecasts are given."""
        ledger = self.ledger
        begin = ledger.stop - len(said)
        base = goal.base(ledger.series, ledger.horizon, begin, ledger.stop)
        standardised = said if base is None else said + base[:, None]
        with np.errstate(over="ignore", invalid="ignore"):
            forecasts = self.link.inverse(self.scale.restore(standardised))
            return np.asarray(self.values[begin : ledger.stop, None] - forecasts)


def try_recipe(arenas: Sequence[Arena], recipe: Recipe, penalties: FloatArray) -> Trial:
    """The recipe at every horizon, each with its own best penalty."""
    chosen, kept = [], []
    for arena in arenas:
        errors = arena.errors(recipe, penalties)
        logs = arena.logs(errors)
        scores = np.where(np.isfinite(logs).all(axis=0), logs.mean(axis=0), np.inf)
        # The largest of equal penalties: the simplest readout.
        best = int(np.flatnonzero(scores <= scores.min() + 1e-9)[-1])
        chosen.append(float(penalties[best]))
        kept.append(errors[:, best])
    return scored(arenas, recipe, kept, chosen)


def scored(
    arenas: Sequence[Arena],
    recipe: Recipe,
    errors: Sequence[FloatArray],
    penalties: Sequence[float] | None = None,
) -> Trial:
    """A trial from the errors of the validation rows; without penalties nothing was fitted."""
    logs = [arena.logs(own[:, None])[:, 0] for arena, own in zip(arenas, errors, strict=True)]
    columns = 0 if penalties is None else recipe.count(arenas[-1].ledger.horizon)
    weights = (np.inf,) * len(arenas) if penalties is None else tuple(penalties)
    return Trial(recipe, weights, np.concatenate(logs), tuple(errors), columns)
