"""The search: from simple recipes to richer ones, each step kept only where the folds say so."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from ngrc._types import FloatArray
from ngrc.auto.recipe import Recipe
from ngrc.auto.trial import Arena, Trial, try_recipe, try_recipes

COARSE = np.array([1e-7, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1.0])
"""Penalties while structures are compared: a factor of ten is near enough to rank them."""
FINE = np.array([*np.logspace(-9, 3, 25), np.inf])
"""Penalties of the best candidates, near their best coarse one; the last leaves the target's base alone, a naive
forecast."""


@dataclass(slots=True)
class Search:
    """All that was tried, and where the search stands.

    Parameters
    ----------
    arenas
        One per horizon; a recipe must do well at all of them.
    reach
        How far back a recipe may read.
    """

    arenas: tuple[Arena, ...]
    reach: int
    trials: dict[Recipe, Trial] = field(default_factory=dict)
    current: Trial | None = None
    bank: Trial | None = None

    @property
    def horizon(self) -> int:
        """The longest horizon."""
        return self.arenas[-1].ledger.horizon

    @property
    def rows(self) -> int:
        """Fewest rows that a fold is fitted to, at the longest horizon."""
        return min(self.arenas[-1].ledger.folds.trained)

    def fits(self, recipe: Recipe) -> bool:
        """Whether the rows at hand hold what the recipe reads."""
        return all(recipe.reach(arena.ledger.horizon) <= self.reach for arena in self.arenas)

    def begin(self, bank: Trial) -> None:
        """Start from a trial that stands outside the steps."""
        self.bank = bank
        if np.isfinite(bank.score):
            self.current = bank
            self.trials[bank.recipe] = bank

    def attempt(self, recipes: Sequence[Recipe]) -> list[Trial]:
        """The recipes on the folds, each once."""
        new = [recipe for recipe in dict.fromkeys(recipes) if recipe not in self.trials]
        self.trials |= {trial.recipe: trial for trial in try_recipes(self.arenas, new, COARSE)}
        return [self.trials[recipe] for recipe in recipes]

    def step(self, options: Iterable[Recipe]) -> None:
        """Try some recipes and go on from the best of them, if it is better than what there is."""
        fitting = (recipe for recipe in options if self.fits(recipe))
        # Where the bank leads, a step goes on from the best of its own trials so far, and is not known as a whole.
        tried = (
            self.attempt(self._entered(fitting))
            if self.bank is None
            else [trial for recipe in fitting for trial in self.attempt([recipe])]
        )
        sound = [trial for trial in tried if np.isfinite(trial.score)]
        if not sound:
            return
        best = min(sound, key=lambda trial: trial.score)
        if self.current is None or better(best, self.current):
            self.current = best

    def _entered(self, options: Iterable[Recipe]) -> list[Recipe]:
        """The recipes, the new columns of all of them summed in one pass over the rows and not in one each."""
        recipes = list(options)
        groups = dict.fromkeys(group for recipe in recipes for group in recipe.groups())
        for arena in self.arenas:
            # The largest first: most columns of the others are among theirs.
            arena.ledger.columns_of(sorted(groups, key=lambda group: -group.count(arena.ledger.horizon)))
        return recipes

    def finished(self, most: int) -> list[Trial]:
        """The current recipe and the next best ones, at the fine grid of penalties; the best first."""
        ranked = sorted(
            (trial for trial in self.trials.values() if np.isfinite(trial.score)),
            key=lambda trial: trial.score,
        )
        if self.current is not None:
            ranked = [self.current, *(trial for trial in ranked if trial is not self.current)]
        fine = [
            trial
            if trial.recipe.fixed
            else try_recipe(self.arenas, trial.recipe, near_penalties(trial.penalties))
            for trial in self._distinct(ranked)[:most]
        ]
        return [trial for trial in fine if np.isfinite(trial.score)]

    def _distinct(self, trials: Sequence[Trial]) -> list[Trial]:
        """Trials of different columns or targets: a seasonal delay may be one of the lags already."""
        found: dict[object, Trial] = {}
        for trial in trials:
            places = [arena.ledger.columns_of(trial.recipe.groups()).tobytes() for arena in self.arenas]
            key = trial.recipe if trial.recipe.fixed else (trial.recipe.goal, *places)
            found.setdefault(key, trial)
        return list(found.values())


def near_penalties(chosen: Sequence[float]) -> FloatArray:
    """Penalties of the fine grid between the neighbours of those chosen from the coarse grid, and the infinite one.

    Examples
    --------
    >>> near_penalties([1e-3, 1e-3]).round(6)
    array([0.0001  , 0.000316, 0.001   , 0.003162, 0.01    ,      inf])
    >>> float(near_penalties([1e-7]).min()), float(near_penalties([1.0])[-2])
    (1e-09, 1000.0)
    """
    bounds = np.array([0.0, *COARSE, np.inf])
    places = np.searchsorted(COARSE, chosen)
    # Rounding of a power of ten must not decide.
    low, high = 0.999 * bounds[places], 1.001 * bounds[places + 2]
    near = ((FINE[:, None] >= low) & (FINE[:, None] <= high)).any(axis=1)
    return np.asarray(FINE[near | np.isinf(FINE)])


def better(new: Trial, old: Trial, errors: float = 1.0) -> bool:
    """Whether a trial is better than another, where it has more columns by more than so many standard errors.

    The error is that of the mean paired difference over the blocks of validation rows; over all rows together it must
    not be worse either.
    """
    if new.columns <= old.columns:
        return new.score < old.score
    differences = new.blocks - old.blocks
    return -float(differences.mean()) > errors * standard_error(differences) and new.whole <= old.whole


def standard_error(differences: FloatArray) -> float:
    """Standard error of a mean; of a single number it is that number's own size.

    Examples
    --------
    >>> standard_error(np.array([1.0, 3.0])), standard_error(np.array([-2.0]))
    (1.0, 2.0)
    """
    if differences.size < 2:
        return float(np.abs(differences).sum())
    return float(differences.std(ddof=1) / np.sqrt(differences.size))
