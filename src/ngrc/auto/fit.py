"""The automatic fit: a search where one is due, then members solved at one end after the other."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from ngrc.auto.bands import bands
from ngrc.auto.choose import Scene, select
from ngrc.auto.members import Cast, fitted_members
from ngrc.auto.plan import AutoPlan
from ngrc.auto.selection import Selection
from ngrc.features.preparation import Preparation
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
    for searched, group in groupby(ends, key=lambda end: _searched(end, ends)):
        yield from _fits(plan, observed, tuple(group), searched, first=first, scale=scale, window=window)


def _searched(end: int, ends: Sequence[int]) -> int:
    """The end whose search serves this one."""
    last = ends[0]
    for other in ends:
        if other > end:
            break
        if other >= DOUBLED * last:
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
    scene, periods = _scene(plan, observed, searched, begin, scale)
    selections = tuple(
        select(scene, band, periods, plan.exog, plan.known)
        for band in bands(plan.horizon, plan.path, searched)
    )
    casts = [Cast.of(selection.members, selection.horizons) for selection in selections]
    preparation = scene.preparation
    values = observed.values[: ends[-1]]
    x = preparation.standardise(preparation.linked(values))
    inputs = preparation.inputs(x, observed.beside, observed.times)
    walks = []
    for cast in casts:
        earliest = cast.reach() + cast.horizons[-1]
        spans = [
            (max(earliest, first if window is None else max(first, end - window)), end) for end in ends
        ]
        walks.append(fitted_members(cast, preparation, inputs, x, spans, plan.path))
    for fitted in zip(*walks, strict=True):
        yield AutoFit(preparation, tuple(fitted), selections)


def _scene(plan: AutoPlan, observed: Observed, end: int, first: int, scale: object) -> tuple[Scene, tuple]:
    values = observed.values[:end, 0]
    preparation = plan.prepared(observed, end, None, scale)
    x = preparation.standardise(preparation.linked(observed.values[:end]))
    inputs = preparation.inputs(x, observed.beside, observed.times)
    return Scene(values, x[:, 0], inputs, preparation, first), plan.proposed(values, observed.times)
