"""Every method around every forecast: intervals of all levels, and their scores."""

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np

from ngrc._types import BoolArray
from ngrc.backtesting.steps import Steps, score_steps
from ngrc.intervals.base import IntervalMethod
from ngrc.intervals.defaults import resolve
from ngrc.intervals.levels import passes
from ngrc.metrics import running_mean
from ngrc.study.beyond.around import Around, Place
from ngrc.study.beyond.days import WINDOW
from ngrc.study.real.parallel import remembered

NEAR = 0.04
"""Largest distance of a window's coverage from the level that still counts as near: the claim's own four points."""


class Score(NamedTuple):
    """How intervals of one level fared over the scored days.

    Parameters
    ----------
    coverage
        Share of outcomes inside.
    width, winkler
        Means, in units of the series as the paper standardises it.
    windows, near
        Windows of consecutive scored steps, and how many of them have a coverage within four points of the level.
    infinite
        Intervals without a bound.
    """

    coverage: float
    width: float
    winkler: float
    windows: int
    near: int
    infinite: int


class Bands(NamedTuple):
    """Scores of one method around one forecast by level and choice of days, and the seconds of all levels together."""

    scores: dict[tuple[float, str], Score]
    seconds: float


def scored(
    places: Mapping[Place, Around],
    methods: Iterable[str],
    levels: Sequence[float],
    *,
    seed: int,
    jobs: int,
) -> dict[tuple[Place, str], Bands]:
    """The bands of every method around every forecast."""
    names = tuple(methods)
    wanted = [(place, name) for place in places for name in names]
    # The long ones first, so that the processes end together: ResCP grows with the square of the residuals.
    wanted.sort(key=lambda pair: (pair[1] == "rescp", places[pair[0]].stream.residuals.size), reverse=True)
    calls = {
        ("beyond", place, name, tuple(levels), seed): partial(
            bands, resolve(name, seed=seed), places[place], levels
        )
        for place, name in wanted
    }
    return dict(zip(wanted, remembered(calls, name="interval methods", jobs=jobs), strict=True))


def bands(method: IntervalMethod, surrounding: Around, levels: Sequence[float]) -> Bands:
    """Tune and run one method at all levels, and score it on every choice of days."""
    # Each level as it is asked for alone: together the ends of a level are widened to hold those of a lower one, and
    # five levels that lie close cross often where nights are all but certain.
    runs = [one for level in levels for one in passes(method, surrounding.stream, (level,))]
    limits = surrounding.limits if method.bounded else None
    residuals = surrounding.stream.residuals[surrounding.stream.start :]
    scores = {}
    for one in runs:
        steps = score_steps(
            residuals, one.offsets, surrounding.forecasts, one.level, surrounding.link, limits
        )
        for name, days in surrounding.days.items():
            scores[one.level, name] = score(steps, days, one.level, surrounding.unit)
    return Bands(scores, sum(one.seconds for one in runs))


def score(steps: Steps, days: BoolArray, level: float, unit: float) -> Score:
    """Means over the scored days, and coverage over every window of consecutive ones."""
    inside = steps.inside[days]
    coverages = running_mean(inside, WINDOW)[WINDOW - 1 :]
    # A coverage of 0.84 at 0.8 is four points away, whatever the rounding of the difference.
    near = np.abs(coverages - level) <= NEAR + 1e-9
    return Score(
        coverage=float(np.mean(inside)),
        width=float(np.mean(steps.widths[days])) / unit,
        winkler=float(np.mean(steps.winkler[days])) / unit,
        windows=coverages.size,
        near=int(np.count_nonzero(near)),
        infinite=int(np.count_nonzero(~np.isfinite(steps.widths[days]))),
    )
