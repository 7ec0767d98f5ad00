"""A bank of exponential smoothings: what short series with trend and season are forecast by.

Every member is a causal filter without fitted parameters, so that its errors at every origin are honest; members are
weighted by them, a few dozen at once, which no single choice of gains on a short series can match.
"""

from collections.abc import Sequence
from dataclasses import replace

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
FEWEST_SHARE = 0.01
"""A smoothing with less is left out."""
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


def smoothings(size: int, period: float | None) -> Smoothing:
    """All members for a series of that length: with a season where it holds two cycles and two values more."""
    cycle = 1 if period is None else round(period)
    if cycle < 2 or size < start(cycle) + 2:
        return Smoothing(tuple(Gains(level, *slope) for level in PLAIN_LEVELS for slope in SLOPES))
    gains = [Gains(level, *slope, season) for level in LEVELS for slope in SLOPES for season in SEASONS]
    return Smoothing(tuple(gains), cycle)


def bank_trial(arenas: Sequence[Arena], size: int, period: float | None) -> Trial:
    """The bank on the folds: at every fold weighted by the errors before it, and at last by all of them."""
    bank = smoothings(size, period)
    tables = [arena.fixed_errors(bank) for arena in arenas]
    errors = [_prequential(arena, table) for arena, table in zip(arenas, tables, strict=True)]
    shares = bank_shares([table[arena.half :] for arena, table in zip(arenas, tables, strict=True)])
    kept = shares >= min(FEWEST_SHARE, float(shares.max()))
    chosen = tuple(gain for gain, keep in zip(bank.gains, kept, strict=True) if keep)
    recipe = Recipe(
        "level",
        lags=0,
        smoothing=Smoothing(chosen, bank.period),
        shares=tuple((shares[kept] / shares[kept].sum()).tolist()),
    )
    return scored(arenas, recipe, errors)


def _prequential(arena: Arena, table: FloatArray) -> FloatArray:
    """Errors of the validation rows, each fold's with weights from the rows before it."""
    folds = arena.ledger.folds
    parts = []
    for begin, end, known in zip(folds.edges, folds.edges[1:], folds.trained, strict=False):
        shares = bank_shares([table[max(0, known - arena.rows // 2) : known]])
        parts.append(table[begin:end] @ shares)
    return np.concatenate(parts)


def bank_shares(tables: Sequence[FloatArray]) -> FloatArray:
    """Weights from errors, one table of shape (rows, K) per horizon: mean sizes over their median, to a power."""
    sizes = [np.abs(table).mean(axis=0) for table in tables if len(table)]
    if not sizes:
        return np.full(tables[0].shape[1], 1.0 / tables[0].shape[1])
    stacked = np.nan_to_num(np.stack(sizes), nan=np.inf)
    medians = np.median(stacked, axis=1, keepdims=True)
    scores = np.mean(stacked / np.where(np.isfinite(medians) & (medians > 0.0), medians, 1.0), axis=0)
    # A bank that forecasts perfectly has no error to divide by.
    floor = 1e-12
    weights = (max(float(scores.min()), floor) / np.maximum(scores, floor)) ** POWER
    return np.asarray(weights / weights.sum())


def without_columns(trial: Trial) -> Trial:
    """A trial all of whose penalties are infinite, as the recipe that it is: a base and nothing else."""
    if not trial.recipe.fixed and all(np.isinf(penalty) for penalty in trial.penalties):
        return replace(trial, recipe=Recipe(trial.recipe.target, trial.recipe.period, lags=0), columns=0)
    return trial
