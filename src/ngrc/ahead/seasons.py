"""Which forecasts calibrate the last fit of a walk: those of fits alike, or on a short series its own."""

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


def calibrating_end(
    fits: Sequence[AutoNGRC], ends: Sequence[int], last: PathStop, said: FloatArray
) -> tuple[int, FloatArray]:
    """The end from which forecasts calibrate the last fit, and those forecasts.

    Exponential smoothings are causal filters without fitted weights: a forecast of the last fit from an earlier origin
    is what the same smoothings would have forecast then. Where the last fit of a short series consists of them, its own
    forecasts calibrate it, from the first end on and from two cycles of its seasons on: a search on the first third of
    the series finds no season of which that third has less than two cycles, and often no trend, and the residuals of
    such a fit are those of another model. They are not wholly out of sample, as residuals of a smoothing fitted by
    likelihood are not: season, trend, transform and shares were chosen on all outcomes.

    Else the forecasts are those made on the way. Those before the first fit that reads all seasons of the last, under
    its transform, are left out, where at least `LEAST_ROWS` residuals remain, or on a series of more than 300
    observations `LEAST_PATHS` per step.

    Parameters
    ----------
    fits, ends
        Fitted models in the order of their ends, the last on every row.
    last
        The last fit as a stop.
    said
        Forecasts made on the way, by target time, step and channel, shape (n, steps, channels).
    """
    size, steps = said.shape[:2]
    short = size <= SHORT
    chosen = fits[-1].selections_
    if short and all(selection.causal for selection in chosen):
        begin = max(ends[0], 1 + max(selection.reach for selection in chosen))
        if size - begin < LEAST_ROWS:
            return ends[0], said
        own = np.full_like(said, np.nan)
        last.fill(own, range(begin - 1, size - 1))
        return begin, own
    seasons = [seasons_of(fit) for fit in fits]
    transforms = [fit.selections_[0].transform for fit in fits]
    rows = zip(ends, seasons, transforms, strict=True)
    begin = next(end for end, own, other in rows if own >= seasons[-1] and other == transforms[-1])
    return begin if size - begin >= (LEAST_ROWS if short else LEAST_PATHS * steps) else ends[0], said


def seasons_of(fit: AutoNGRC) -> frozenset[float]:
    """Periods that a fitted model reads."""
    return frozenset[float]().union(*(selection.seasons for selection in fit.selections_))
