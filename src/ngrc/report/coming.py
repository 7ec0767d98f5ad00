"""The coming values as the record has them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from ngrc._types import FloatArray
from ngrc.ahead import Outlook
from ngrc.intervals.base import IntervalMethod
from ngrc.report.clock import Clock
from ngrc.web.numbers import decimals

Ends = tuple[FloatArray, FloatArray]
LARGEST = {"rescp": 5_000}
"""Residuals of all steps together up to which a slow method is run for the coming values unasked: two seconds of ResCP,
which would take 24 s for 24 steps of a series of 5,000; every other method takes a second at most."""
PART = 0.01
"""Of the narrowest interval: what its ends are told to, and drawn to."""


@dataclass(frozen=True, slots=True)
class Coming:
    """Forecasts of the coming steps with both ends per level, in the series' own units.

    `bands` are those of `method`, which the page leads with, and `others` those of further methods around the same
    forecasts. `times` are in the spelling of the source; of a series without times they are positions.
    """

    method: str
    guarantee: str
    times: tuple[str, ...]
    forecast: FloatArray = field(repr=False)
    bands: Mapping[float, Ends] = field(repr=False)
    notes: tuple[str, ...]
    others: Mapping[str, Mapping[float, Ends]] = field(repr=False, default_factory=dict)

    @property
    def methods(self) -> tuple[str, ...]:
        """The method that leads, and the others."""
        return self.method, *self.others

    @property
    def by_method(self) -> Mapping[str, Mapping[float, Ends]]:
        """Both ends by method and level."""
        return {self.method: self.bands, **self.others}

    @property
    def digits(self) -> int:
        """Decimals that tell the ends of the narrowest level apart from the forecast."""
        widths = [np.median(upper - lower) for lower, upper in self.bands.values()]
        known = [float(width) for width in widths if np.isfinite(width) and width > 0.0]
        return decimals(PART * min(known, default=0.0) or 1e-4 * float(np.max(np.abs(self.forecast))))


def coming_of(outlook: Outlook, clock: Clock, said: Sequence[str], others: Sequence[Outlook] = ()) -> Coming:
    """The values of an outlook that a page needs; of its notes those that were not `said` of the series already.

    `others` are outlooks of the same forecasts by further methods.
    """
    steps = clock.count + np.arange(outlook.forecast.size)
    return Coming(
        outlook.method,
        outlook.guarantee,
        clock.words(steps),
        outlook.forecast,
        dict(sorted(outlook.bands.items())),
        tuple(note for note in outlook.notes if note not in said),
        {one.method: dict(sorted(one.bands.items())) for one in others if one.method != outlook.method},
    )


def other_outlooks(
    outlook: Outlook, methods: Mapping[str, IntervalMethod], residuals: int, *, asked: bool
) -> tuple[Outlook, ...]:
    """The same forecasts by each further method; of those that nobody asked for, the ones that take no time."""
    work = residuals * outlook.forecast.size
    return tuple(
        replace(outlook.with_method(method), method=label)
        for label, method in methods.items()
        if label != outlook.method and (asked or work <= LARGEST.get(label, work))
    )
