"""A recipe: which columns and which target, as a value that the search changes one part at a time."""

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from functools import lru_cache
from typing import Any

import numpy as np

from ngrc._types import FloatArray
from ngrc.features.clock import Clock
from ngrc.features.clock_products import ClockProducts
from ngrc.features.delays import Delays
from ngrc.features.group import Group
from ngrc.features.inputs import SERIES
from ngrc.features.known import Known
from ngrc.features.memory import Memory
from ngrc.features.preparation import clipped
from ngrc.features.products import Products
from ngrc.features.seasonal import Seasonal
from ngrc.features.smoothing import Smoothing
from ngrc.features.target import Kind, Target

NONLINEAR = 10.0
"""Penalty of products and clock products over that of other columns: there are many, and each tells less."""
EXOG_LAGS = 3
"""Delays of every column beside the series, as `NGRC` has them."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """One candidate of the search.

    Parameters
    ----------
    target, period
        What is fitted, and the period of a seasonal base.
    lags
        Consecutive delays; zero for none.
    seasonal
        By period, how many cycles back the values around the target's phase are read.
    clock
        By period, harmonics of the Fourier terms.
    turning
        By period, harmonics of the Fourier terms that multiply the first delays, and how many delays.
    half_lives
        Memories.
    products, degree
        How many delays are multiplied, and the highest degree.
    exog, known
        Columns beside the series that are read.
    smoothing, shares
        Exponential smoothings, and their weights, which are fixed: such a recipe has no other columns.
    """

    target: Kind = "increment"
    period: float | None = None
    lags: int = 1
    seasonal: tuple[tuple[float, int], ...] = ()
    clock: tuple[tuple[float, int], ...] = ()
    turning: tuple[tuple[float, int, int], ...] = ()
    half_lives: tuple[float, ...] = ()
    products: int = 0
    degree: int = 2
    exog: tuple[str, ...] = ()
    known: tuple[str, ...] = ()
    smoothing: Smoothing | None = None
    shares: tuple[float, ...] = ()

    @property
    def fixed(self) -> bool:
        """Whether nothing is fitted: smoothings with fixed weights, or a base alone."""
        columns = (self.lags, self.seasonal, self.clock, self.turning, self.half_lives)
        return self.smoothing is not None or not any((*columns, self.products, self.exog, self.known))

    @property
    def seasons(self) -> frozenset[float]:
        """Periods whose season the forecast reads."""
        tables = (*self.seasonal, *self.clock, *self.turning)
        own = {row[0] for row in tables} | {self.goal.period}
        if self.smoothing is not None and self.smoothing.period > 1:
            own.add(float(self.smoothing.period))
        return frozenset(period for period in own if period is not None)

    @property
    def goal(self) -> Target:
        """What is fitted."""
        return Target(self.target, self.period if self.target in ("seasonal", "both") else None)

    def groups(self) -> tuple[Group, ...]:
        """The columns; those that are products read the clipped double of the series."""
        if self.smoothing is None:
            return _groups(self)
        return (*_groups(replace(self, smoothing=None, shares=())), self.smoothing)

    def reach(self, horizon: int) -> int:
        """How far behind its origin a forecast reads."""
        return max([self.goal.reach(horizon), *(group.reach(horizon) for group in self.groups())])

    def count(self, horizon: int) -> int:
        """Number of columns."""
        return sum(group.count(horizon) for group in self.groups())

    def words(self) -> str:
        """The recipe for people.

        Examples
        --------
        >>> Recipe("increment", lags=24, seasonal=((168.0, 2),), clock=((24.0, 4),)).words()
        'change over the horizon from 24 lags, 2 cycles of 168, clock of 24 (4 harmonics)'
        """
        parts = [_lags(self.lags)] if self.lags else []
        parts += [f"{cycles} cycle{'s' * (cycles > 1)} of {period:g}" for period, cycles in self.seasonal]
        parts += [f"clock of {period:g} ({many} harmonics)" for period, many in self.clock]
        parts += [
            f"first {_lags(many)} times {harmonics} harmonics of {period:g}"
            for period, harmonics, many in self.turning
        ]
        parts += [f"means of half-lives {', '.join(f'{life:g}' for life in self.half_lives)}"] * bool(
            self.half_lives
        )
        parts += [f"products of {_lags(self.products)} to degree {self.degree}"] * bool(self.products)
        parts += [f"inputs {', '.join((*self.exog, *self.known))}"] * bool(self.exog or self.known)
        if self.smoothing is not None:
            cycle = "" if self.smoothing.period == 1 else f" with a season of {self.smoothing.period}"
            parts.append(f"{len(self.shares)} exponential smoothings{cycle}")
        return f"{GOALS[self.target]} from {', '.join(parts)}" if parts else NAIVE[self.target]


# A search asks for the columns of each recipe some twenty times.
@lru_cache(maxsize=1024)
def _groups(recipe: Recipe) -> tuple[Group, ...]:
    """All columns but smoothings."""
    delays = Delays(recipe.lags) if recipe.lags else None
    groups: list[Group] = [] if delays is None else [delays]
    groups += [Seasonal((period,), cycles, besides=delays) for period, cycles in recipe.seasonal]
    groups += [Clock((period,), harmonics) for period, harmonics in recipe.clock]
    if recipe.half_lives:
        groups.append(Memory(recipe.half_lives))
    groups += [
        ClockProducts(Delays(many, channel=clipped(SERIES)), Clock((period,), harmonics))
        for period, harmonics, many in recipe.turning
    ]
    if recipe.products:
        groups.append(Products((Delays(recipe.products, channel=clipped(SERIES)),), recipe.degree))
    groups += [Delays(EXOG_LAGS, channel=name) for name in recipe.exog]
    if recipe.known:
        groups.append(Known(recipe.known))
    return tuple(groups)


def _lags(many: int) -> str:
    return "1 lag" if many == 1 else f"{many} lags"


GOALS = {
    "level": "level",
    "increment": "change over the horizon",
    "seasonal": "change over the season",
    "both": "change beyond that of the last cycle",
}


NAIVE = {
    "level": "mean of the fit block",
    "increment": "last value",
    "seasonal": "value one season ago",
    "both": "last value and the change of the last cycle",
}


def burdens(group: Group, horizon: int) -> FloatArray:
    """What the penalty on each column of a group is multiplied by, shape (count,)."""
    return np.full(group.count(horizon), NONLINEAR if isinstance(group, Products | ClockProducts) else 1.0)


def union(recipes: Sequence[Recipe]) -> Recipe:
    """The smallest recipe that holds the columns of all; its target is that of the first."""
    parts = {field.name: [getattr(recipe, field.name) for recipe in recipes] for field in fields(Recipe)}
    return Recipe(
        target=recipes[0].target,
        period=recipes[0].period,
        lags=max(parts["lags"]),
        seasonal=_widest(parts["seasonal"]),
        clock=_widest(parts["clock"]),
        turning=_widest(parts["turning"]),
        half_lives=tuple(sorted({life for lives in parts["half_lives"] for life in lives})),
        products=max(parts["products"]),
        degree=max(parts["degree"]),
        exog=_each(parts["exog"]),
        known=_each(parts["known"]),
        smoothing=next((smoothing for smoothing in parts["smoothing"] if smoothing is not None), None),
    )


def _each(names: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """Every name once: members may read different inputs, none of them all."""
    return tuple(dict.fromkeys(name for own in names for name in own))


def _widest(tables: Sequence[Sequence[tuple[Any, ...]]]) -> tuple[Any, ...]:
    """By period the largest of every number."""
    found: dict[float, tuple[Any, ...]] = {}
    for period, *numbers in (row for table in tables for row in table):
        old = found.get(period, tuple(numbers))
        found[period] = tuple(max(pair) for pair in zip(old, numbers, strict=True))
    return tuple((period, *numbers) for period, numbers in sorted(found.items()))
