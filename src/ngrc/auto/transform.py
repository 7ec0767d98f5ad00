"""Whether the series is better forecast as it is, as its root or as its logarithm."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ngrc._types import FloatArray
from ngrc.auto.bands import SHORT
from ngrc.auto.choose import SMOOTHED, Scene, scored_horizons, searched
from ngrc.auto.moves import LINEAR
from ngrc.auto.search import better
from ngrc.auto.trial import Trial
from ngrc.features.transforms import Specification

DEPENDENCE = 0.2
"""Rank correlation of the size of changes with the level, below which no transform is tried."""


def candidates(values: FloatArray) -> tuple[Specification, ...]:
    """Transforms worth a trial: none alone unless values are no less than zero and change the more the larger they are.

    Examples
    --------
    >>> steady, growing = np.sin(np.arange(200.0)) + 2, np.exp(0.02 * np.arange(200.0) + np.sin(np.arange(200.0)))
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


def chosen_scene(scenes: Sequence[Scene], band: tuple[int, ...], periods: Sequence[float]) -> Scene:
    """The scene whose lags and seasons forecast a band of horizons best, in the series' own units.

    On a long series another than the first must be better by two standard errors, as a transform makes forecasts
    medians and intervals lopsided; on a short one, where that error is large, the one with better smoothings is taken.
    """
    first = scenes[0]
    if first.size <= SHORT:
        errors = [scene.bank(band, periods).error() for scene in scenes] if len(scenes) > 1 else [0.0]
        return scenes[int(np.argmin(errors))]
    horizons = scored_horizons(first.size, band, periods)
    if len(scenes) == 1 or not horizons:
        return first
    found: list[tuple[Trial, Scene]] = []
    for scene in scenes:
        current = searched(scene, horizons, periods, (), (), steps=LINEAR).current
        if current is not None:
            found.append((current, scene))
    if not found:
        return first
    best, chosen = found[0]
    for trial, other in found[1:]:
        if _clearly(trial, best):
            best, chosen = trial, other
    return chosen


def _clearly(new: Trial, old: Trial) -> bool:
    """Better by more than two standard errors, whatever the columns, and over all rows together."""
    return better(replace(new, columns=old.columns + 1), old, errors=2.0)
