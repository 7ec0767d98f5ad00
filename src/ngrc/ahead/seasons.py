"""Which forecasts of a short walk calibrate its last fit: those of fits that read its seasons."""

from collections.abc import Sequence

import numpy as np

from ngrc._types import FloatArray
from ngrc.ahead.stops import PathStop
from ngrc.auto.bands import SHORT
from ngrc.automatic import AutoNGRC
from ngrc.splits import LEAST_ROWS

LEAST_PATHS = 10
"""Paths without overlap that must remain on a series of more than 300 observations: fewer calibrate worse than those of
another model."""


def calibrating_end(fits: Sequence[AutoNGRC], ends: Sequence[int], last: PathStop, said: FloatArray) -> int:
    """The end from which forecasts calibrate the last fit: the first one unless the last fit reads a season.

    A search on the first third of a short series finds no season of which that third has less than two cycles, and the
    residuals of such a fit are those of another model. So are those of a fit under another transform.

    Exponential smoothings are causal filters without fitted weights: a forecast of the last fit from an earlier origin
    is what the same smoothings would have forecast then, and only their shares have seen the outcome. Where the last
    fit consists of them, its own forecasts are written into `said` from the first origin with a complete season on. Of
    any other fit the forecasts before the first fit that reads all its seasons, under its transform, are left out.
    Nothing changes where fewer than `LEAST_ROWS` residuals would remain, or on a longer series `LEAST_PATHS` per step.

    Parameters
    ----------
    fits, ends
        Fitted models in the order of their ends, the last on every row.
    last
        The last fit as a stop.
    said
        Forecasts by target time, step and channel, shape (n, steps, channels); changed in place.
    """
    size, steps = said.shape[:2]
    seasons = [_seasons(fit) for fit in fits]
    transforms = [fit.selections_[0].transform for fit in fits]
    causal = bool(seasons[-1]) and all(selection.causal for selection in fits[-1].selections_)
    if causal:
        begin = max(ends[0], 1 + max(selection.reach for selection in fits[-1].selections_))
    else:
        rows = zip(ends, seasons, transforms, strict=True)
        begin = next(end for end, own, other in rows if own >= seasons[-1] and other == transforms[-1])
    if size - begin < (LEAST_ROWS if size <= SHORT else LEAST_PATHS * steps):
        return ends[0]
    for step in range(1, steps + 1):
        said[: begin + step - 1, step - 1] = np.nan
    if causal:
        last.fill(said, range(begin - 1, size - 1))
    return begin


def _seasons(fit: AutoNGRC) -> frozenset[float]:
    return frozenset[float]().union(*(selection.seasons for selection in fit.selections_))
