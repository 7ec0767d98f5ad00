"""The steps of the search over long series, from what matters most to what matters least.

Seasonal delays matter most, coefficients that turn with the clock next, products of few lags least, and nothing wins
everywhere: each step proposes some recipes beside the current one.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np

from ngrc._types import FloatArray
from ngrc.auto.recipe import Recipe
from ngrc.auto.search import Search
from ngrc.features.target import Kind

WORTH = 0.1
"""What products must save, as a logarithm of squared errors, before many more of them are tried: five percent."""
Row = TypeVar("Row", bound=tuple[Any, ...])

LADDER = (1, 2, 3, 6, 12, 24, 48)
"""Lags that are tried beside one and two periods: each about twice the one before."""
MOST_LAGS = 300
"""Two days of ten minutes; longer memories are read by seasonal delays."""
ROWS_PER_COLUMN = 8
"""Rows of the first fold per column that any recipe must have."""
HALF_LIVES = (3.0, 12.0, 48.0, 200.0)
"""Memories from a few steps to a few hundred, each about four times the one before."""


@dataclass(frozen=True, slots=True)
class Means:
    """What recipes may be made of.

    Parameters
    ----------
    periods
        Proposed periods, shortest first.
    rows
        Rows of the first fold, which must bear a recipe's columns.
    exog, known
        Columns beside the series.
    stationary
        Whether the level is stationary: products of a level that trends leave the range of the fit block.
    """

    periods: tuple[float, ...]
    rows: int
    exog: tuple[str, ...] = ()
    known: tuple[str, ...] = ()
    stationary: bool = True

    @property
    def ladder(self) -> tuple[int, ...]:
        """Numbers of lags that are tried."""
        own = [round(cycles * period) + 1 for period in self.periods[:1] for cycles in (1, 2)]
        most = min(MOST_LAGS, self.rows // ROWS_PER_COLUMN)
        return tuple(sorted({1, *(lags for lags in (*LADDER, *own) if lags <= most)}))

    def bears(self, recipe: Recipe, horizon: int) -> bool:
        """Whether there are rows enough for the recipe's columns."""
        return recipe.count(horizon) * ROWS_PER_COLUMN <= max(self.rows, 3 * ROWS_PER_COLUMN)


def stationary(x: FloatArray) -> bool:
    """Whether the means of the series' quarters differ by less than the values within a quarter do.

    Examples
    --------
    >>> stationary(np.sin(np.arange(400.0))), stationary(np.sin(np.arange(400.0)) + 0.01 * np.arange(400))
    (True, False)
    """
    quarters = np.array_split(x, 4)
    between = np.var([quarter.mean() for quarter in quarters])
    return bool(between <= np.mean([quarter.var() for quarter in quarters]))


def climb(search: Search, means: Means, first: int = 0, stop: int | None = None) -> None:
    """Every step in turn, or some of them."""
    for step in STEPS[first:stop]:
        options = (recipe for recipe in step(search, means) if means.bears(recipe, search.horizon))
        search.step(options)


def _here(search: Search) -> Recipe:
    """The recipe that a step changes: the current one, or the best fitted one where the bank leads."""
    current = search.current
    if current is not None and not current.recipe.fixed:
        return current.recipe
    fitted = [trial for recipe, trial in search.trials.items() if not recipe.fixed]
    sound = [trial for trial in fitted if trial.score < float("inf")]
    return min(sound, key=lambda trial: trial.score).recipe if sound else Recipe()


def _start(search: Search, means: Means) -> Iterator[Recipe]:
    for target in ("increment", "level"):
        yield from (Recipe(target, lags=lags) for lags in means.ladder)


def _lags(search: Search, means: Means) -> Iterator[Recipe]:
    yield from (replace(_here(search), lags=lags) for lags in means.ladder)


def _targets(search: Search, means: Means) -> Iterator[Recipe]:
    for kind, period in _kinds(means):
        yield replace(_here(search), target=kind, period=period)


def _kinds(means: Means) -> list[tuple[Kind, float | None]]:
    plain: list[tuple[Kind, float | None]] = [("level", None), ("increment", None)]
    return plain + [("seasonal", period) for period in means.periods]


def _seasons(place: int) -> Callable[[Search, Means], Iterator[Recipe]]:
    def step(search: Search, means: Means) -> Iterator[Recipe]:
        here = _here(search)
        for period in means.periods[place : place + 1]:
            for cycles in (1, 3):
                richer = replace(here, seasonal=_with(here.seasonal, (period, cycles)))
                yield richer
                yield replace(richer, target="seasonal", period=period)

    return step


def _fewer_seasons(search: Search, means: Means) -> Iterator[Recipe]:
    here = _here(search)
    for period, _ in here.seasonal:
        yield replace(here, seasonal=tuple(pair for pair in here.seasonal if pair[0] != period))
        yield from (replace(here, seasonal=_with(here.seasonal, (period, cycles))) for cycles in (1, 2, 3))


def _clock(place: int) -> Callable[[Search, Means], Iterator[Recipe]]:
    def step(search: Search, means: Means) -> Iterator[Recipe]:
        here = _here(search)
        for period in means.periods[place : place + 1]:
            for harmonics in _harmonics(period, (2, 4, 8)):
                yield replace(here, clock=_with(here.clock, (period, harmonics)))

    return step


def _turning(place: int) -> Callable[[Search, Means], Iterator[Recipe]]:
    def step(search: Search, means: Means) -> Iterator[Recipe]:
        here = _here(search)
        pairs = ((2, 2), (2, 4), (4, 2), (4, 4), (8, 2), (8, 4)) if place == 0 else ((1, 1), (2, 2))
        for period in means.periods[place : place + 1]:
            for many, wanted in pairs:
                for harmonics in _harmonics(period, (wanted,)):
                    own = max(harmonics, dict(here.clock).get(period, 2))
                    yield replace(
                        here,
                        clock=_with(here.clock, (period, min(own, *_harmonics(period, (own,))))),
                        turning=_with(here.turning, (period, harmonics, many)),
                    )

    return step


def _memory(search: Search, means: Means) -> Iterator[Recipe]:
    lives = tuple(life for life in HALF_LIVES if 3 * life <= means.rows)
    if lives:
        yield replace(_here(search), half_lives=lives)


def _products(search: Search, means: Means) -> Iterator[Recipe]:
    if means.stationary:
        yield from (replace(_here(search), products=many) for many in (1, 3, 6, 12))


def _richer(search: Search, means: Means) -> Iterator[Recipe]:
    """More products and higher degrees, where products have proved their worth: chaos asks for them."""
    here = _here(search)
    without = search.trials.get(replace(here, products=0))
    if here.products and without is not None and without.score - search.trials[here].score > WORTH:
        for many, degree in ((24, 2), (3, 3), (6, 3), (10, 3), (6, 4)):
            yield replace(here, products=many, degree=degree)


def _inputs(search: Search, means: Means) -> Iterator[Recipe]:
    here = _here(search)
    for name in means.exog:
        yield replace(here, exog=(*here.exog, name))
    if means.exog:
        yield replace(here, exog=means.exog)


def _known(search: Search, means: Means) -> Iterator[Recipe]:
    if means.known:
        yield replace(_here(search), known=means.known)


def _harmonics(period: float, wanted: Sequence[int]) -> tuple[int, ...]:
    """Harmonics that a period has: none above half of it, which steps cannot tell from a lower one."""
    most = max(1, int(period // 2) - (period % 2 == 0 and period > 2))
    return tuple(sorted({min(many, most) for many in wanted}))


def _with(table: tuple[Row, ...], row: Row) -> tuple[Row, ...]:
    """The table with one row put in place of that of the same period, by period: equal recipes compare equal."""
    return tuple(sorted((*(other for other in table if other[0] != row[0]), row)))


LINEAR = 4
"""The first steps, lags and seasons: enough to tell transforms apart."""
STEPS: tuple[Callable[[Search, Means], Iterator[Recipe]], ...] = (
    _start,
    _seasons(0),
    _seasons(1),
    _seasons(2),
    _known,
    _inputs,
    _clock(0),
    _clock(1),
    _clock(2),
    _memory,
    _turning(0),
    _turning(1),
    _turning(2),
    _products,
    _richer,
    _lags,
    _targets,
    _fewer_seasons,
)
