"""From a series to a selection: arenas, search, combination."""

from collections.abc import Sequence
from dataclasses import dataclass
from time import perf_counter

import numpy as np

from ngrc._types import FloatArray
from ngrc.auto.bands import anchors
from ngrc.auto.ledger import Ledger
from ngrc.auto.moves import Means, climb
from ngrc.auto.periods import Period
from ngrc.auto.recipe import Recipe
from ngrc.auto.search import Search
from ngrc.auto.selection import Attempt, Member, Selection
from ngrc.auto.trial import Arena, Trial, try_recipe
from ngrc.auto.weights import combine
from ngrc.features.inputs import Inputs
from ngrc.features.preparation import Preparation
from ngrc.features.transforms import Specification

MOST_ROWS = 24_000
"""Rows of a search, the newest ones: more would cost time and tell structures no better apart."""
MEMBERS = 5
"""Recipes that are combined at most."""


@dataclass(frozen=True, slots=True)
class Scene:
    """A fit block as one transform shows it: what a search sees.

    Parameters
    ----------
    values
        The series in its own units, shape (n,).
    x
        The same, transformed and standardised.
    inputs, preparation
        What columns are made from, and how it was made.
    first
        First target that may be fitted.
    transform
        What was asked for.
    """

    values: FloatArray
    x: FloatArray
    inputs: Inputs
    preparation: Preparation
    first: int
    transform: Specification = None

    def arena(self, horizon: int, reach: int) -> Arena:
        """Rows of one horizon whose columns reach back so far."""
        stop = self.values.size
        first = max(self.first, reach + horizon, stop - MOST_ROWS)
        ledger = Ledger(self.inputs, self.x, horizon, first, stop)
        return Arena(ledger, self.values, self.preparation.scales[0], self.preparation.links[0])


def most_reach(size: int, horizon: int, periods: Sequence[float]) -> int:
    """How far back a recipe may read: three cycles of the longest period of which a third of the series holds them."""
    wanted = [0]
    for period in periods:
        skipped = -(-horizon // max(round(period), 1)) - 1
        wanted += [round((skipped + cycles) * period) + 1 for cycles in (1, 2, 3)]
    room = (size - horizon) // 3
    return max([min(room, 50), *(reach for reach in wanted if reach <= room)])


def searched(
    scene: Scene,
    horizons: Sequence[int],
    periods: Sequence[float],
    exog: Sequence[str],
    known: Sequence[str],
    steps: int | None = None,
) -> Search:
    """A search over recipes that must do well at some horizons, or the first steps of one."""
    reach = most_reach(scene.values.size - scene.first, horizons[-1], periods)
    arenas = tuple(scene.arena(horizon, reach) for horizon in horizons)
    search = Search(arenas, reach)
    rows = min(arenas[-1].ledger.folds.trained)
    climb(search, Means(tuple(periods), rows, tuple(exog), tuple(known)), steps)
    return search


def select(
    scene: Scene,
    band: tuple[int, ...],
    periods: tuple[Period, ...],
    exog: Sequence[str],
    known: Sequence[str],
) -> Selection:
    """Search for the columns of one band of horizons."""
    begin = perf_counter()
    steps = tuple(period.steps for period in periods)
    horizons = anchors(band, scene.values.size)
    search = searched(scene, horizons, steps, exog, known)
    arenas, reach = search.arenas, search.reach
    trials = search.finished(MEMBERS)
    naive = _naive(arenas, steps, reach)
    trials = _distinct([*trials, *naive.values()], horizons)
    weights = combine(trials, arenas)
    chosen = sorted(zip(weights, trials, strict=True), key=lambda pair: -pair[0])
    members = tuple(
        Member(trial.recipe, float(weight), dict(zip(horizons, trial.penalties, strict=True)))
        for weight, trial in chosen
        if weight > 0.0
    )
    ranked = sorted(search.trials.values(), key=lambda trial: trial.score)
    return Selection(
        horizons=band,
        members=members,
        transform=scene.transform,
        periods=periods,
        attempts=tuple(Attempt(trial.recipe.words(), trial.columns, trial.ratio) for trial in ranked),
        references=_references(arenas, trials, weights, naive, search),
        rows=arenas[-1].ledger.folds.validated,
        seconds=perf_counter() - begin,
    )


def _naive(arenas: tuple[Arena, ...], periods: Sequence[float], reach: int) -> dict[str, Trial]:
    """The naive forecasts: targets without any weight."""
    recipes = {"naive": Recipe("increment", lags=1)}
    if periods:
        seasonal = Recipe("seasonal", periods[0], lags=1)
        if all(seasonal.reach(arena.ledger.horizon) <= reach for arena in arenas):
            recipes["seasonal naive"] = seasonal
    return {name: try_recipe(arenas, recipe, np.array([np.inf])) for name, recipe in recipes.items()}


def _distinct(trials: Sequence[Trial], horizons: Sequence[int]) -> list[Trial]:
    """Trials that forecast differently: two of them without weights on one base are the same."""
    found: dict[object, Trial] = {}
    for trial in trials:
        empty = all(np.isinf(penalty) for penalty in trial.penalties)
        key = tuple(trial.recipe.goal.parts(horizon) for horizon in horizons) if empty else trial.recipe
        found.setdefault(key, trial)
    return list(found.values())


def _references(
    arenas: tuple[Arena, ...],
    trials: Sequence[Trial],
    weights: FloatArray,
    naive: dict[str, Trial],
    search: Search,
) -> dict[str, float]:
    logs = []
    for place, arena in enumerate(arenas):
        errors = sum(weight * trial.errors[place] for weight, trial in zip(weights, trials, strict=True))
        logs.append(np.log(arena.by_block(np.asarray(errors)[:, None])[:, 0] / arena.reference() + 1e-300))
    found = {"this model": float(np.exp(0.5 * np.concatenate(logs).mean()))}
    found |= {name: trial.ratio for name, trial in naive.items()}
    linear = [
        trial
        for recipe, trial in search.trials.items()
        if recipe == Recipe("level", lags=recipe.lags) and np.isfinite(trial.score)
    ]
    if linear:
        found["linear on lags"] = min(trial.ratio for trial in linear)
    return found
