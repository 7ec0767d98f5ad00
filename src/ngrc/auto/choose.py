"""From a series to a selection: arenas, search, combination."""

from collections.abc import Sequence
from dataclasses import dataclass
from time import perf_counter

import numpy as np

from ngrc._types import FloatArray
from ngrc.auto.bands import anchors
from ngrc.auto.bank import MOST, Bank, bank_periods, bank_trial, smoothings, without_columns
from ngrc.auto.ledger import Ledger
from ngrc.auto.moves import LINEAR, Means, climb, stationary
from ngrc.auto.periods import Period
from ngrc.auto.recipe import Recipe
from ngrc.auto.search import Search
from ngrc.auto.selection import Attempt, Member, Selection
from ngrc.auto.trial import Arena, Trial, try_recipe
from ngrc.auto.weights import combine
from ngrc.features.inputs import Inputs
from ngrc.features.preparation import Preparation
from ngrc.features.smoothing import Smoothing
from ngrc.features.smoothings import start
from ngrc.features.transforms import Specification

MOST_ROWS = 24_000
"""Rows of a search, the newest ones: more would cost time and tell structures no better apart. With 12,000 the errors
one season ahead are 1.4 % larger on every sixth of the 125 long series of `make accuracy`."""
MEMBERS = 5
"""Recipes that are combined at most, naive forecasts and the bank aside."""
LEAST_ROWS = 12
"""Rows of the first fold from which recipes are fitted at all."""
LEAST_SCORED = 6
"""Rows of a horizon from which candidates are compared: three that are forecast, from three before them."""
FITTED = 60
"""Observations from which anything is fitted: on shorter series smoothings with fixed gains are ahead of every fit."""
INFORMED = 24
"""The same where columns stand beside the series, which no smoothing reads."""
SMOOTHED = 5
"""Observations from which smoothings are used."""


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

    @property
    def size(self) -> int:
        """Observations from the first that may be fitted on."""
        return self.values.size - self.first

    def bank(self, band: Sequence[int], periods: Sequence[float]) -> Bank:
        """The smoothings of the series with the season that serves them best, and their errors at some horizons."""
        seasons = (*bank_periods(self.values.size, periods), None)
        groups = dict.fromkeys(smoothings(self.values.size, period) for period in seasons)
        # The season-less group counts where no period is long enough; others hold its members too.
        seasonal = [group for group in groups if group.period > 1]
        banks = [self._bank(band, group) for group in seasonal or groups]
        banks = [bank for bank in banks if bank.tables] or banks
        # On the origins and horizons that all of them have: longer seasons begin later.
        common = zip(*(bank.tables for bank in banks), strict=False)
        newest = [min(len(table) for table in tables) for tables in common]
        return min(banks, key=lambda bank: bank.error(newest))

    def _bank(self, band: Sequence[int], group: Smoothing) -> Bank:
        """Errors from a third of the series on."""
        begin = max(start(group.period) - 1, self.first + self.size // 3)
        tables = []
        for horizon in band:
            if begin + horizon < self.values.size:
                ledger = Ledger(self.inputs, self.x, horizon, begin + horizon, self.values.size)
                tables.append(self._arena(ledger).fixed_errors(group))
        return Bank(group, tuple(tables))

    def _arena(self, ledger: Ledger) -> Arena:
        return Arena(ledger, self.values, self.preparation.scales[0], self.preparation.links[0])

    def arena(self, horizon: int, reach: int) -> Arena:
        """Rows of one horizon whose columns reach back so far."""
        stop = self.values.size
        first = max(self.first, reach + horizon, stop - MOST_ROWS)
        return self._arena(Ledger(self.inputs, self.x, horizon, first, stop))


def most_reach(size: int, horizon: int, periods: Sequence[float]) -> int:
    """How far behind its origin a recipe may read: three cycles of the longest period that a third of the rows holds.

    One cycle may take two thirds of the rows: without it a forecast of a plain season is a flat line.
    """
    rows = max(size - horizon, 0)
    most = {1: 2 * rows // 3, 2: rows // 3, 3: rows // 3}
    # A column at the target's phase j cycles back lies at most j cycles, and a neighbour, behind any origin.
    wanted = [(round(cycles * period) + 1, most[cycles]) for period in periods for cycles in most]
    reach = max([min(rows // 3, 50), *(steps for steps, limit in wanted if steps <= limit)])
    # The bank's season needs two cycles to begin with, on a short series too.
    if size > MOST:
        return reach
    begun = [smoothings(size, period).reach(horizon) for period in (*bank_periods(size, periods), None)]
    return max(reach, *begun)


def scored_horizons(size: int, band: tuple[int, ...], periods: Sequence[float]) -> tuple[int, ...]:
    """The horizons of a band at which candidates are compared: those with rows enough."""
    room = size - most_reach(size, band[-1], periods)
    return tuple(horizon for horizon in anchors(band, size, periods) if room - horizon >= LEAST_SCORED)


def begun(scene: Scene, horizons: Sequence[int], periods: Sequence[float]) -> Search:
    """The first steps of a search over recipes that must do well at some horizons: the bank, lags and seasons."""
    reach = most_reach(scene.size, horizons[-1], periods)
    arenas = tuple(scene.arena(horizon, reach) for horizon in horizons)
    search = Search(arenas, reach)
    if scene.size <= MOST:
        # Nothing is fitted in it, so that it is the simplest candidate: others must be better by a standard error.
        search.begin(bank_trial(arenas, scene.bank(horizons, periods)))
    if search.rows >= LEAST_ROWS:
        climb(search, Means(tuple(periods), search.rows), stop=LINEAR)
    return search


def select(
    scene: Scene,
    band: tuple[int, ...],
    periods: tuple[Period, ...],
    exog: Sequence[str],
    known: Sequence[str],
    first: Search | None = None,
) -> Selection:
    """Search for the columns of one band of horizons; `first` is its beginning, where that was made already."""
    begin = perf_counter()
    steps = tuple(period.steps for period in periods)
    horizons = scored_horizons(scene.size, band, steps)
    if scene.size < (INFORMED if exog or known else FITTED) or not horizons:
        return _smoothed(scene, band, periods, begin)
    search = begun(scene, horizons, steps) if first is None else first
    if search.rows >= LEAST_ROWS:
        means = Means(steps, search.rows, tuple(exog), tuple(known), stationary(scene.x))
        climb(search, means, LINEAR)
    arenas, reach = search.arenas, search.reach
    naive = _naive(arenas, steps, reach)
    trials = _pool(search, naive, horizons)
    weights = combine(trials, arenas)
    chosen = sorted(zip(weights, trials, strict=True), key=lambda pair: -pair[0])
    members = tuple(
        Member(trial.recipe, float(weight), _penalties(trial, horizons, steps))
        for weight, trial in chosen
        if weight > 0.0
    )
    if not _rows_of(members, band, scene.size):
        return _smoothed(scene, band, periods, begin)
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


def _rows_of(members: Sequence[Member], band: tuple[int, ...], size: int) -> bool:
    """Whether weights have rows to be solved on: all horizons of a band have those from which the last is observed."""
    if all(member.recipe.fixed for member in members):
        return True
    return max(member.recipe.reach(horizon) for member in members for horizon in band) + band[-1] < size


def _penalties(trial: Trial, horizons: Sequence[int], periods: Sequence[float]) -> dict[int, float]:
    """Penalties by horizon, of those between whole seasons where there are any.

    At a whole number of seasons the last value forecasts the season, so that an infinite penalty may be best there; the
    horizons around it would become a flat line.
    """
    found = dict(zip(horizons, trial.penalties, strict=True))
    between = {
        horizon: penalty
        for horizon, penalty in found.items()
        if not any(
            horizon >= period - 0.5 and abs(horizon - round(horizon / period) * period) <= 0.5
            for period in periods
        )
    }
    return between or found


def _pool(search: Search, naive: dict[str, Trial], horizons: Sequence[int]) -> list[Trial]:
    """What is combined: the best few, naive forecasts and the bank; the bank alone where none is shown to be better."""
    bank = search.bank
    if bank is not None and search.current is bank:
        return [bank]
    trials = [without_columns(trial) for trial in [*search.finished(MEMBERS), *naive.values()]]
    return _distinct(trials if bank is None else [*trials, bank], horizons)


def _smoothed(scene: Scene, band: tuple[int, ...], periods: tuple[Period, ...], begin: float) -> Selection:
    """A short series: smoothings weighted by their errors so far, or the last value where those cannot begin."""
    size = scene.values.size
    recipes = [Recipe("increment", lags=0)]
    attempts: tuple[Attempt, ...] = ()
    if size >= SMOOTHED:
        bank = scene.bank(band, [period.steps for period in periods])
        recipes = [bank.recipe()]
        attempts = tuple(Attempt(name, 1, float("nan")) for name in bank.group.names(1))
        # A season that is too young to be judged: half of the last cycle's shape.
        young = [Recipe("both", period.steps, lags=0) for period in periods if bank.group.period == 1]
        recipes += [recipe for recipe in young[:1] if all(recipe.reach(h) < size for h in band)]
    members = tuple(Member(recipe, 1.0 / len(recipes), dict.fromkeys(band, np.inf)) for recipe in recipes)
    return Selection(band, members, scene.transform, periods, attempts, {}, 0, perf_counter() - begin)


def _naive(arenas: tuple[Arena, ...], periods: Sequence[float], reach: int) -> dict[str, Trial]:
    """The naive forecasts: the last value, and the last cycle of the season that forecasts best."""
    recipes = [Recipe("seasonal", period, lags=0) for period in periods]
    tried = [
        try_recipe(arenas, recipe, np.array([np.inf]))
        for recipe in [Recipe("increment", lags=0), *recipes]
        if all(recipe.reach(arena.ledger.horizon) <= reach for arena in arenas)
    ]
    naive, *seasonal = tried
    if not seasonal:
        return {"naive": naive}
    return {"naive": naive, "seasonal naive": min(seasonal, key=lambda trial: trial.score)}


def _distinct(trials: Sequence[Trial], horizons: Sequence[int]) -> list[Trial]:
    """Trials that forecast differently: two of them without weights on one base are the same."""
    found: dict[object, Trial] = {}
    for trial in trials:
        bare = not trial.recipe.groups()
        key = tuple(trial.recipe.goal.parts(horizon) for horizon in horizons) if bare else trial.recipe
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
        logs.append(arena.whole(np.asarray(errors)[:, None])[0])
    found = {"this model": float(np.exp(0.5 * np.mean(logs)))}
    found |= {name: trial.ratio for name, trial in naive.items()}
    linear = [
        trial
        for recipe, trial in search.trials.items()
        if recipe == Recipe("level", lags=recipe.lags) and np.isfinite(trial.score)
    ]
    if linear:
        found["linear on lags"] = min(trial.ratio for trial in linear)
    return found
