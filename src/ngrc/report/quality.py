"""The state of the data: what was missing, what sticks out, what was done about it."""

from dataclasses import dataclass

import numpy as np

from ngrc.backtesting.results import Backtest
from ngrc.report.clock import Clock

MOST_SPIKES = 20
"""Spikes that are listed one by one, the largest first; all are counted."""
FLAT = 24
"""Equal values in a row from which a stretch counts as flat: a day of hours. Shorter ones are what rounding gives."""
MOST_FLATS = 10
"""Flat stretches that are listed, the longest first."""


@dataclass(frozen=True, slots=True)
class SpikePoint:
    """One isolated spike: when, its value, and by how many robust deviations it sticks out."""

    time: str
    value: float
    deviations: float


@dataclass(frozen=True, slots=True)
class FlatStretch:
    """One value for a long time: a gap that was filled, a sensor that hangs, or a night."""

    first: str
    last: str
    count: int
    value: float


@dataclass(frozen=True, slots=True)
class Quality:
    """What is to be known of the data before any number made from them is believed.

    Parameters
    ----------
    observations
        Values that are used.
    filled, dropped
        Missing values that were carried forward, and those before the first known one, which were dropped.
    least, largest, mean, deviation
        Of the values.
    distinct
        Different values.
    spikes, spike_count
        Isolated spikes, the largest of them one by one.
    flats, flat_count
        Stretches of one value, the longest of them one by one.
    notes
        Remarks of the reader of the file.
    """

    observations: int
    filled: int
    dropped: int
    least: float
    largest: float
    mean: float
    deviation: float
    distinct: int
    spikes: tuple[SpikePoint, ...]
    spike_count: int
    flats: tuple[FlatStretch, ...]
    flat_count: int
    notes: tuple[str, ...]


def quality_of(result: Backtest, clock: Clock) -> Quality:
    """The state of a backtest's series."""
    series, values, spikes = result.series, result.series.values, result.spikes
    order = np.argsort(-np.abs(spikes.sizes), kind="stable")[:MOST_SPIKES]
    places = np.sort(spikes.positions[order])
    size = dict(zip(spikes.positions.tolist(), spikes.sizes.tolist(), strict=True))
    flats, flat_count = _flats(result, clock)
    return Quality(
        observations=values.size,
        filled=series.filled,
        dropped=series.dropped,
        least=float(values.min()),
        largest=float(values.max()),
        mean=float(values.mean()),
        deviation=float(values.std()),
        distinct=int(np.unique(values).size),
        spikes=tuple(
            SpikePoint(time, float(values[place]), float(size[place]))
            for place, time in zip(places.tolist(), clock.words(places), strict=True)
        ),
        spike_count=int(spikes.positions.size),
        flats=flats,
        flat_count=flat_count,
        notes=series.notes,
    )


def _flats(result: Backtest, clock: Clock) -> tuple[tuple[FlatStretch, ...], int]:
    values = result.series.values
    starts = np.concatenate([[0], 1 + np.flatnonzero(np.diff(values) != 0.0)])
    lengths = np.diff(np.concatenate([starts, [values.size]]))
    long = np.flatnonzero(lengths >= FLAT)
    listed = np.sort(long[np.argsort(-lengths[long], kind="stable")][:MOST_FLATS])
    first, last = clock.words(starts[listed]), clock.words(starts[listed] + lengths[listed] - 1)
    stretches = tuple(
        FlatStretch(begin, end, int(lengths[place]), float(values[starts[place]]))
        for place, begin, end in zip(listed.tolist(), first, last, strict=True)
    )
    return stretches, int(long.size)
