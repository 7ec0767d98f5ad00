"""Intervals scored step by step, in the series' own units."""

from typing import NamedTuple

import numpy as np

from ngrc._types import BoolArray, FloatArray
from ngrc.features.limits import Limits
from ngrc.features.link import IDENTITY, Link
from ngrc.intervals.base import Offsets
from ngrc.metrics import covered, winkler_scores


class Steps(NamedTuple):
    """Every step by itself: whether its outcome lies inside, its width and its Winkler score."""

    inside: BoolArray
    widths: FloatArray
    winkler: FloatArray


def score_steps(
    residuals: FloatArray,
    offsets: Offsets,
    forecasts: FloatArray,
    level: float,
    link: Link = IDENTITY,
    limits: Limits | None = None,
) -> Steps:
    """The scores whose means `backtest` reports; hits are decided on residuals.

    Parameters
    ----------
    residuals, offsets
        In the units of the link, one per step.
    forecasts
        In the series' own units.
    level
        Nominal coverage.
    link
        What leads from the one to the other.
    limits
        Bounds that the series is found to obey, for methods that keep to them.

    Examples
    --------
    >>> offsets = Offsets(np.full(2, -1.0), np.full(2, 1.0))
    >>> score_steps(np.array([0.5, 2.0]), offsets, np.array([7.0, 8.0]), 0.9).winkler.round(6)
    array([ 2., 22.])
    """
    offsets = offsets.with_forecast()
    inside = covered(residuals, offsets.lower, offsets.upper)
    if link.identity and limits is None:
        outcomes, lower, upper = residuals, offsets.lower, offsets.upper
    else:
        lower, upper = link.ends(forecasts, offsets.lower, offsets.upper)
        if limits is None:
            # By the same map as the ends, so that what is equal on one side is on the other.
            outcomes = link.moved(forecasts, residuals)
        else:
            lower, upper = limits.cut(lower, upper)
            outcomes, inside = limits.outcomes, inside & limits.kept
        # An interval that lies beyond a bound is cut to the bound itself, and holds an outcome there.
        inside = inside | covered(outcomes, lower, upper)
    # An end near the largest number may carry a score to infinity.
    with np.errstate(over="ignore"):
        return Steps(inside, upper - lower, winkler_scores(outcomes, lower, upper, level))
