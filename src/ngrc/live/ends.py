"""Ends of intervals in the series' own units, as `look_ahead` makes them of one origin's offsets."""

from collections.abc import Sequence
from itertools import accumulate
from typing import Any

import numpy as np

from ngrc.ahead.calibrated import ROUNDING
from ngrc.features.bounds import Bounds
from ngrc.features.link import Link

Pair = tuple[float, float]
Sides = tuple[list[list[float]], list[list[float]]]


def settled(offsets: Sequence[Sequence[Any]], levels: Sequence[float], spread: bool) -> Sides:
    """Offsets per level and step out of those per step and level, a higher level's never inside a lower one's.

    All hold the forecast, an offset of zero.

    Examples
    --------
    >>> settled([[(-2.0, 1.0), (1.0, 3.0)]], (0.9, 0.5), spread=False)
    ([[-2.0], [0.0]], [[3.0], [3.0]])
    """
    lower = [[min(pair[0], 0.0) for pair in level] for level in zip(*offsets, strict=True)]
    upper = [[max(pair[1], 0.0) for pair in level] for level in zip(*offsets, strict=True)]
    if spread:
        # A scale of a few residuals is a rough one, and the farther step is no better known than the nearer.
        upper = [list(accumulate(level, max)) for level in upper]
        lower = [[-one for one in level] for level in upper]
    before: int | None = None
    for place in sorted(range(len(levels)), key=levels.__getitem__):
        if before is not None:
            lower[place] = [min(pair) for pair in zip(lower[place], lower[before], strict=True)]
            upper[place] = [max(pair) for pair in zip(upper[place], upper[before], strict=True)]
        before = place
    return lower, upper


def centres(link: Link, mean: Sequence[float]) -> list[float]:
    """Forecasts in the link's units; NaN where there is none."""
    return [float(link.forward(np.array([one]))[0]) for one in mean]


def plain_ends(mean: list[float], centre: list[float], lower: list[float], upper: list[float]) -> list[Pair]:
    """Ends of all steps at one level where there is neither transform nor bound."""
    return [(one + low, one + high) for one, low, high in zip(mean, lower, upper, strict=True)]


def ends_of(link: Link, bounds: Bounds, mean: float, centre: float, low: float, high: float) -> Pair:
    """Ends of one interval, within the link's bounds and those that were found."""
    if link.identity:
        lower, upper = mean + low, mean + high
    else:
        below, above = link.ends(mean, low, high)
        lower, upper = float(below), float(above)
    if not bounds.given:
        return lower, upper
    lower, upper = cut(lower, bounds), cut(upper, bounds)
    # An end on a bound is the bound, whatever forecast plus offset rounds to.
    if bounds.lower is not None and low <= _beyond(link, bounds.lower, centre, 1.0):
        lower = bounds.lower
    if bounds.upper is not None and high >= _beyond(link, bounds.upper, centre, -1.0):
        upper = bounds.upper
    return lower, upper


def cut(end: float, bounds: Bounds) -> float:
    """One number within bounds."""
    end = end if bounds.lower is None else max(end, bounds.lower)
    return end if bounds.upper is None else min(end, bounds.upper)


def _beyond(link: Link, bound: float, centre: float, inwards: float) -> float:
    """Offset of a bound, inwards by its rounding."""
    place = float(link.forward(np.array([bound]))[0])
    return place - centre + inwards * ROUNDING * (abs(place) + abs(centre))
