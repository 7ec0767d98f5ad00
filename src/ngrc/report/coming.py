"""The coming values as the record has them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from ngrc._types import FloatArray
from ngrc.ahead import Outlook
from ngrc.report.clock import Clock


@dataclass(frozen=True, slots=True)
class Coming:
    """Forecasts of the coming steps with both ends per level, in the series' own units.

    `times` are in the spelling of the source; of a series without times they are positions.
    """

    method: str
    guarantee: str
    times: tuple[str, ...]
    forecast: FloatArray = field(repr=False)
    bands: Mapping[float, tuple[FloatArray, FloatArray]] = field(repr=False)
    notes: tuple[str, ...]


def coming_of(outlook: Outlook, clock: Clock, said: Sequence[str]) -> Coming:
    """The values of an outlook that a page needs; of its notes those that were not `said` of the series already."""
    steps = clock.count + np.arange(outlook.forecast.size)
    return Coming(
        outlook.method,
        outlook.guarantee,
        clock.words(steps),
        outlook.forecast,
        dict(sorted(outlook.bands.items())),
        tuple(note for note in outlook.notes if note not in said),
    )
