"""A bank of exponential smoothings: what short series with trend and season are forecast by.

Every member is a causal filter without fitted parameters, so that its errors at every origin are honest; members are
weighted by them, a few dozen at once, which no single choice of gains on a short series can match.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from ngrc._types import FloatArray
from ngrc.auto.recipe import Recipe
from ngrc.auto.trial import Arena, Trial, scored
from ngrc.features.smoothing import Smoothing
from ngrc.features.smoothings import Gains, start

MOST = 2000
"""Observations up to which the bank is tried: longer series are told better by columns that are fitted to them."""
POWER = 6.0
"""Weights fall with this power of the error; over 300 short series of the M-competitions 4 to 8 do alike."""
FEWEST_SHARE = 0.002
"""A smoothing with less is left out: a hundred such make a fifth of the forecast, a single one nothing."""
HUGE = 1e300
"""Stands for the error of a smoothing that left the floating-point numbers."""
SLOPES: tuple[tuple[float | None, float, float], ...] = (
    (None, 1.0, 1.0),
    (0.0, 1.0, 0.5),
    (0.0, 1.0, 1.0),
    (0.05, 0.97, 1.0),
    (0.1, 0.9, 1.0),
    (0.3, 0.8, 1.0),
    (0.2, 0.98, 1.0),
    (0.5, 0.95, 1.0),
)
"""Gain, damping and share of the slope: none, half and whole mean drift, and damped trends from slow to quick."""
SEASONS = (None, 0.0, 0.3, 0.6)
"""Gains of the season: none, the mean per phase, and two that follow its changes."""
LEVELS = (0.05, 0.1, 0.2, 0.5, 1.0)
"""Gains of the level beside a season, ..."""
PLAIN_LEVELS = (0.2, 0.35, 0.5, 0.7, 1.0)
"""... and without: slow levels lag behind the trends of twenty values."""


# A search asks for the same few some ten times.
@lru_cache(maxsize=64)
def smoothings(size: int, period: float | None) -> Smoothing:
    """All members for a series of that length: with a season where it holds two and a half cycles of it."""
    cycle = 1 if period is None else round(period)
    # Fewer cycles leave too few errors to judge a season by.
    if cycle < 2 or size < max(2.5 * cycle, start(cycle) + 4):
        return Smoothing(tuple(Gains(level, *slope) for level in PLAIN_LEVELS for slope in SLOPES))
    gains = [Gains(level, *slope, season) for level in LEVELS for slope in SLOPES for season in SEASONS]
    return Smoothing(tuple(gains), cycle)


def bank_periods(size: int, periods: Sequence[float]) -> tuple[float, ...]:
    """The periods that the bank is tried with: of several only those whose first states leave half of the series.

    Examples
    --------
    >>> bank_periods(450, (24.0, 168.0)), bank_periods(700, (24.0, 168.0)), bank_periods(130, (52.0,))
    ((24.0,), (24.0, 168.0), (52.0,))
    """
    return tuple(
        period for place, period in enumerate(periods) if place == 0 or 2 * start(round(period)) <= size
    )


@dataclass(frozen=True, slots=True)
class Bank:
    """The smoothings of one series, and their errors in its own units.

    Parameters
    ----------
    group
        The smoothings.
    tables
        Errors by horizon that has any, each of shape (origins, K), from a third of the series on.
    """

    group: Smoothing
    tables: tuple[FloatArray, ...]

    def shares(self) -> FloatArray:
        """Weights of the smoothings."""
        return bank_shares(self.tables, len(self.group.gains))

    def recipe(self) -> Recipe:
        """The smoothings that have a share worth their column, as a recipe."""
        shares = self.shares()
        kept = shares >= min(FEWEST_SHARE, float(shares.max()))
        chosen = tuple(gain for gain, keep in zip(self.group.gains, kept, strict=True) if keep)
        weights = shares[kept] / shares[kept].sum()
        return Recipe(
            "level", lags=0, smoothing=Smoothing(chosen, self.group.period), shares=tuple(weights.tolist())
        )

    def error(self, newest: Sequence[int] | None = None) -> float:
        """Mean absolute error of the smoothings under their weights over the horizons and all origins.

        `newest` says how many of the last origins count, of the first horizons.
        """
        shares = self.shares()
        counts = [len(table) for table in self.tables] if newest is None else newest
        parts = [table[len(table) - count :] for table, count in zip(self.tables, counts, strict=False)]
        total = sum(float(weighted(np.abs(part), shares).sum()) for part in parts)
        return total / sum(counts) if sum(counts) else np.inf


def bank_trial(arenas: Sequence[Arena], bank: Bank) -> Trial:
    """The bank on the folds, at every fold weighted by the errors before it."""
    errors = [_prequential(arena, arena.fixed_errors(bank.group)) for arena in arenas]
    return scored(arenas, bank.recipe(), errors)


def _prequential(arena: Arena, table: FloatArray) -> FloatArray:
    """Errors of the validation rows, each fold's with weights from the rows before it."""
    folds, rows, cuts = arena.ledger.folds, arena.ledger.scored, arena.ledger.cuts
    parts = []
    for begin, end, known in zip(cuts, cuts[1:], folds.trained, strict=False):
        shares = bank_shares([table[:known]], table.shape[1])
        parts.append(weighted(table[rows[begin:end]], shares))
    return np.concatenate(parts)


def weighted(table: FloatArray, shares: FloatArray) -> FloatArray:
    """Errors of the smoothings under some weights, shape (rows, K) to (rows,).

    Examples
    --------
    >>> weighted(np.array([[1.0, 3.0, np.inf]]), np.array([0.5, 0.5, 0.0]))
    array([2.])
    """
    # A smoothing that overflowed has no weight, and an infinite error times nothing would be no number.
    kept = shares > 0.0
    return np.asarray(table[:, kept] @ shares[kept])


def bank_shares(tables: Sequence[FloatArray], many: int) -> FloatArray:
    """Weights from errors, one table of shape (origins, K) per horizon.

    A member's score is its mean absolute error over the median member's, averaged over the horizons. The power falls
    where there are few origins, on which the best is best by luck.
    """
    sizes = [np.abs(table).mean(axis=0) for table in tables if len(table)]
    if not sizes:
        return np.full(many, 1.0 / many)
    stacked = np.nan_to_num(np.stack(sizes), nan=HUGE, posinf=HUGE)
    medians = np.median(stacked, axis=1, keepdims=True)
    scores = np.mean(stacked / np.where(medians > 0.0, medians, 1.0), axis=0)
    origins = len(tables[0])
    # A bank that forecasts perfectly has no error to divide by.
    floor = 1e-12
    power = POWER * origins / (origins + 2.0)
    weights = (max(float(scores.min()), floor) / np.maximum(scores, floor)) ** power
    return np.asarray(weights / weights.sum())


def without_columns(trial: Trial) -> Trial:
    """A trial all of whose penalties are infinite, as the recipe that it is: a base and nothing else."""
    if not trial.recipe.fixed and all(np.isinf(penalty) for penalty in trial.penalties):
        return replace(trial, recipe=Recipe(trial.recipe.target, trial.recipe.period, lags=0), columns=0)
    return trial
