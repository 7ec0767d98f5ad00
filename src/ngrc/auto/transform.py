"""Whether the series is better forecast as it is, as its root or as its logarithm."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ngrc._types import FloatArray
from ngrc.auto.bands import SHORT
from ngrc.auto.choose import SMOOTHED, Scene, begun, scored_horizons
from ngrc.auto.search import COARSE, Search, better
from ngrc.auto.trial import Trial, try_recipe
from ngrc.features.transforms import Specification

DEPENDENCE = 0.2
"""Rank correlation of the size of changes with the level, below which no transform is tried."""


def candidates(values: FloatArray) -> tuple[Specification, ...]:
    """Transforms worth a trial: none alone unless values are no less than zero and change the more the larger they are.

    Examples
    --------
    >>> time = np.arange(400.0)
    >>> steady, growing = np.sin(time) + 2, np.exp(0.01 * time + np.sin(time))
    >>> candidates(steady), candidates(growing), candidates(growing - 5.0)
    ((None,), (None, 'root', 'asinh'), (None,))
    """
    low = float(values.min())
    if low < 0.0:
        return (None,)
    if values.size <= SHORT:
        # Judged by the bank, which costs little.
        return (None, "asinh") if low > 0.0 and values.size >= SMOOTHED else (None,)
    if dependence(values) < DEPENDENCE:
        return (None,)
    # Where values are positive asinh is the logarithm, and a later value below zero is no error.
    return (None, "root", "asinh") if low > 0.0 else (None, "root")


def dependence(values: FloatArray) -> float:
    """Rank correlation of the size of a change with the level halfway through it; zero where nothing varies."""
    sizes, levels = np.abs(np.diff(values)), values[1:] + values[:-1]
    ranks = [np.argsort(np.argsort(part, kind="stable"), kind="stable") for part in (sizes, levels)]
    if np.ptp(sizes) == 0.0 or np.ptp(levels) == 0.0:
        return 0.0
    return float(np.corrcoef(ranks[0], ranks[1])[0, 1])


def chosen_scene(
    scenes: Sequence[Scene], band: tuple[int, ...], periods: Sequence[float]
) -> tuple[Scene, Search | None]:
    """The scene that forecasts a band of horizons best in the series' own units, and its search as far as it was made.

    On a long series lags and seasons are found without a transform, and another must do better with the same columns by
    two standard errors, as a transform makes forecasts medians and intervals lopsided; on a short one, where that error
    is large, the one with better smoothings is taken.
    """
    first = scenes[0]
    if len(scenes) == 1:
        return first, None
    if first.size <= SHORT:
        errors = [scene.bank(band, periods).error() for scene in scenes]
        return scenes[int(np.argmin(errors))], None
    horizons = scored_horizons(first.size, band, periods)
    if not horizons:
        return first, None
    search = begun(first, horizons, periods)
    fitted = [trial for trial in search.trials.values() if not trial.recipe.fixed]
    if not fitted:
        return first, search
    best, chosen = min(fitted, key=lambda trial: trial.score), first
    recipe = best.recipe
    for scene in scenes[1:]:
        arenas = tuple(scene.arena(horizon, search.reach) for horizon in horizons)
        for target in dict.fromkeys((recipe.target, "level", "increment")):
            trial = try_recipe(arenas, replace(recipe, target=target), COARSE)
            if _clearly(trial, best):
                best, chosen = trial, scene
    return chosen, search if chosen is first else None


def _clearly(new: Trial, old: Trial) -> bool:
    """Better by more than two standard errors, whatever the columns, and over all rows together."""
    return better(replace(new, columns=old.columns + 1), old, errors=2.0)
