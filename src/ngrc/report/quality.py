"""The state of the data: what was missing, what sticks out, what was done about it."""

from dataclasses import dataclass

import numpy as np

from ngrc._types import BoolArray, FloatArray, IntArray
from ngrc.backtesting.results import Backtest
from ngrc.report.clock import Clock

MOST_SPIKES = 20
"""Spikes that are listed one by one, the largest first; all are counted."""
FLAT = 24
"""Equal values in a row from which a stretch counts as flat: a day of hours. Shorter ones are what rounding gives."""
MOST_STRETCHES = 20
"""Flat stretches and gaps that are listed, the longest of them; all are counted."""


@dataclass(frozen=True, slots=True)
class SpikePoint:
    """One isolated spike: when, its value, and by how many robust deviations it sticks out."""

    time: str
    value: float
    deviations: float


@dataclass(frozen=True, slots=True)
class Stretch:
    """Observations in a row that hold one value: a gap that was filled, a sensor that hangs, or a night."""

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
        Values that are used, filled ones among them.
    filled, dropped
        Missing values that were carried forward, and those before the first known one, which were dropped.
    least, largest, mean, deviation, distinct
        Of the values that were observed, and how many different ones there are.
    spikes, spike_count
        Isolated spikes, the largest of them one by one.
    gaps, gap_count
        Stretches of missing values, each filled with the value before it, the longest of them one by one.
    flats, flat_count
        Stretches of one observed value, likewise.
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
    gaps: tuple[Stretch, ...]
    gap_count: int
    flats: tuple[Stretch, ...]
    flat_count: int
    notes: tuple[str, ...]


def quality_of(result: Backtest, clock: Clock) -> Quality:
    """The state of a backtest's series."""
    series, values = result.series, result.series.values
    missing = np.zeros(values.size, dtype=bool) if series.missing is None else series.missing
    # A spike before a gap is carried forward over it: it is one observation still.
    own = ~missing[result.spikes.positions]
    positions, sizes = result.spikes.positions[own], result.spikes.sizes[own]
    places = np.sort(positions[np.argsort(-np.abs(sizes), kind="stable")[:MOST_SPIKES]])
    size = dict(zip(positions.tolist(), sizes.tolist(), strict=True))
    seen = values[~missing]
    gaps, gap_count = _listed(*_runs(missing), values, clock)
    # A gap repeats the value before it: that is no sensor that hangs.
    repeated = np.concatenate([[False], (np.diff(values) == 0.0) & ~missing[1:]])
    starts, lengths = _runs(repeated)
    long = lengths + 1 >= FLAT
    flats, flat_count = _listed(starts[long] - 1, lengths[long] + 1, values, clock)
    return Quality(
        observations=values.size,
        filled=series.filled,
        dropped=series.dropped,
        least=float(seen.min()),
        largest=float(seen.max()),
        mean=float(seen.mean()),
        deviation=float(seen.std()),
        distinct=int(np.unique(seen).size),
        spikes=tuple(
            SpikePoint(time, float(values[place]), float(size[place]))
            for place, time in zip(places.tolist(), clock.words(places), strict=True)
        ),
        spike_count=int(positions.size),
        gaps=gaps,
        gap_count=gap_count,
        flats=flats,
        flat_count=flat_count,
        notes=series.notes,
    )


def _runs(marks: BoolArray) -> tuple[IntArray, IntArray]:
    """First positions and lengths of the stretches that are marked."""
    edges = np.diff(np.concatenate([[0], marks.astype(np.int64), [0]]))
    starts = np.flatnonzero(edges == 1)
    return starts, np.flatnonzero(edges == -1) - starts


def _listed(
    starts: IntArray, lengths: IntArray, values: FloatArray, clock: Clock
) -> tuple[tuple[Stretch, ...], int]:
    """The longest stretches in the order of time, and how many there are."""
    kept = np.sort(np.argsort(-lengths, kind="stable")[:MOST_STRETCHES])
    first, last = clock.words(starts[kept]), clock.words(starts[kept] + lengths[kept] - 1)
    stretches = tuple(
        Stretch(begin, end, int(lengths[place]), float(values[starts[place]]))
        for place, begin, end in zip(kept.tolist(), first, last, strict=True)
    )
    return stretches, int(starts.size)
