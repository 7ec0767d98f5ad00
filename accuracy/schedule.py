"""When every method is fitted and from where it forecasts: one schedule per series, the same for all methods."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ngrc._types import IntArray

TRAIN_PERCENT = 80
"""The first so many per cent are fitted first; the test block is the rest."""
FITS = 4
"""Fits per series: before the test block and after each of its first three quarters."""
SPREAD = 300
"""Origins for methods that step a path forward from each origin: evenly spaced, first and last included."""


@dataclass(frozen=True, slots=True)
class Schedule:
    """Ends of the fits (a model of end e has seen observations 0..e-1) and origins (the last observation known).

    An origin belongs to the model of the last end at or before origin + 1.
    """

    ends: tuple[int, ...]
    origins: IntArray

    def blocks(self) -> Iterator[tuple[int, IntArray]]:
        """Each end with the positions in `origins` that its model forecasts from."""
        owner = np.searchsorted(np.asarray(self.ends), self.origins + 1, side="right") - 1
        for place, end in enumerate(self.ends):
            yield end, np.flatnonzero(owner == place)


def schedule(size: int, season: int) -> Schedule:
    """Every origin of the test block from which the target one season ahead is still observed.

    Examples
    --------
    >>> schedule(100, 7).ends, schedule(100, 7).origins[[0, -1]].tolist()
    ((80, 85, 90, 95), [79, 92])
    """
    start = size * TRAIN_PERCENT // 100
    if size - season <= start:
        raise ValueError(
            f"a test block of {size - start} rows holds no season of {season}; give a longer series"
        )
    ends = tuple(start + part * (size - start) // FITS for part in range(FITS))
    return Schedule(ends, np.arange(start - 1, size - season))


def spread(whole: Schedule, count: int = SPREAD) -> IntArray:
    """Positions of `count` evenly spaced origins, all where there are fewer.

    Examples
    --------
    >>> spread(schedule(100, 7), 3)
    array([ 0,  6, 13])
    """
    last = whole.origins.size - 1
    return np.unique(np.linspace(0, last, min(count, last + 1)).astype(np.int64))
