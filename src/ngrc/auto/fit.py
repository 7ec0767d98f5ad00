"""The automatic fit: a search where one is due, then members solved at one end after the other."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

import numpy as np

from ngrc.auto.bands import SHORT, bands
from ngrc.auto.bank import MOST
from ngrc.auto.choose import MOST_ROWS, Scene, select
from ngrc.auto.limits import change_limits
from ngrc.auto.members import Cast, fitted_members
from ngrc.auto.plan import AutoPlan
from ngrc.auto.selection import Selection
from ngrc.auto.transform import candidates, chosen_scene
from ngrc.features.preparation import Preparation
from ngrc.features.scaling import check_range, in_range
from ngrc.features.transforms import Specification
from ngrc.fitted import Fitted
from ngrc.observed import Observed

DOUBLED = 2
"""A search is made again where the series is so many times as long as at the last one."""


@dataclass(frozen=True, slots=True)
class AutoFit:
    """A fitted automatic model: one `Fitted` and one `Selection` per band of horizons."""

    preparation: Preparation
    bands: tuple[Fitted, ...]
    selections: tuple[Selection, ...]


def fit_ends(
    plan: AutoPlan,
    observed: Observed,
    ends: Sequence[int],
    *,
    first: int = 0,
    scale: object = None,
    window: int | None = None,
) -> Iterator[AutoFit]:
    """A fit per end, each of what was observed before it; parameters as in `forecasters.walking.walk`."""
    for searched, group in groupby(ends, key=lambda end: _searched(end, ends, first, window)):
        for fit in _fits(plan, observed, tuple(group), searched, first=first, scale=scale, window=window):
            transform = fit.selections[0].transform
            yield fit
        # One transform for all fits of a long series: their residuals are compared in its units.
        plan = replace(plan, transform=transform) if searched > SHORT else plan


def _searched(end: int, ends: Sequence[int], first: int, window: int | None) -> int:
    """The end whose search serves this one."""
    # Where rows are few, what half of a series chose may not suit the whole.
    if end == ends[-1] and end <= MOST:
        return end
    last = ends[0]
    for other in ends:
        if other > end:
            break
        seen = last - first if window is None else min(last - first, window)
        # A search that saw as many rows as any does is the last: as many later rows would choose no better columns.
        if other >= DOUBLED * last and seen < MOST_ROWS:
            last = other
    return last


def _fits(
    plan: AutoPlan,
    observed: Observed,
    ends: Sequence[int],
    searched: int,
    *,
    first: int,
    scale: object,
    window: int | None,
) -> Iterator[AutoFit]:
    begin = first if window is None else max(first, searched - window)
    values = observed.values[:searched, 0]
    periods = plan.proposed(values, observed.times)
    transforms = candidates(values) if plan.transform == "auto" else (plan.transform,)
    every = [_scene(plan, observed, searched, begin, scale, transform) for transform in transforms]
    # A transform may bring into range what the series itself does not keep to.
    scenes = [scene for scene in every if in_range(scene.x)]
    if not scenes:
        check_range(every[0].x)
    whole = bands(plan.horizon, plan.path, searched)
    scene, start = chosen_scene(scenes, whole[-1], [period.steps for period in periods])
    selections = tuple(
        select(scene, band, periods, plan.exog, plan.known, start if band is whole[-1] else None)
        for band in whole
    )
    casts = [Cast.of(selection.members, selection.horizons) for selection in selections]
    preparation = scene.preparation
    x = preparation.standardise(preparation.linked(observed.values[: ends[-1]]))
    check_range(x)
    inputs = preparation.inputs(x, observed.beside, observed.times)
    values = observed.values[:, 0]
    limits = change_limits(values, ends, plan.horizon)
    ranges = np.array([[values[:end].min(), values[:end].max()] for end in ends])
    walks = []
    for cast in casts:
        earliest = cast.reach() + cast.horizons[-1]
        spans = [(max(earliest, first if window is None else max(first, end - window)), end) for end in ends]
        walks.append(fitted_members(cast, preparation, inputs, x, spans, plan.path, limits, ranges))
    for fitted in zip(*walks, strict=True):
        yield AutoFit(preparation, tuple(fitted), selections)


def _scene(
    plan: AutoPlan, observed: Observed, end: int, first: int, scale: object, transform: Specification
) -> Scene:
    preparation = plan.prepared(observed, end, transform, scale)
    x = preparation.standardise(preparation.linked(observed.values[:end]))
    inputs = preparation.inputs(x, observed.beside, observed.times)
    return Scene(observed.values[:end, 0], x[:, 0], inputs, preparation, first, transform)
