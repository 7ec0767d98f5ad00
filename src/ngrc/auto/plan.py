"""An automatic model's parameters, checked against what it is given."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from ngrc._types import FloatArray
from ngrc.auto.periods import Period, find_periods, spacing_periods
from ngrc.features.bounds import Bounds
from ngrc.features.distinct import check_periods
from ngrc.features.inputs import SERIES
from ngrc.features.link import Link
from ngrc.features.preparation import Column, Preparation, clipped
from ngrc.features.scaling import LARGEST, as_scale, too_large
from ngrc.features.transforms import Specification, fit_transform_of
from ngrc.observed import Observed
from ngrc.series.wording import plural
from ngrc.validation import check_count, check_path, longest_path

YOUNG = 60
"""Observations up to which a season of less than two cycles is proposed: as long as nothing is fitted."""


@dataclass(frozen=True, slots=True)
class AutoPlan:
    """What an unfitted automatic model is going to do.

    Parameters
    ----------
    horizon, path
        As in the model.
    periods
        Those that the user gave, or None.
    transform
        "auto", None or a specification.
    bounds
        What forecasts may not cross.
    exog, known
        Columns beside the series, by name.
    """

    horizon: int
    path: bool
    periods: tuple[float, ...] | None
    transform: Any
    bounds: Bounds
    exog: tuple[str, ...]
    known: tuple[str, ...]

    @classmethod
    def of(cls, given: Mapping[str, Any], observed: Observed) -> "AutoPlan":
        """The plan of a model's parameters by name."""
        _check(observed)
        absent = [name for name in (*given["exog"], *given["known"]) if name not in observed.beside]
        if absent:
            raise ValueError(
                f"{', '.join(absent)} {'is' if len(absent) == 1 else 'are'} declared, and fit got no exog; give exog "
                "with that column, or do not declare it"
            )
        known = tuple(given["known"])
        horizon = check_path(given["horizon"]) if given["path"] else check_count(given["horizon"], "horizon")
        if given["path"] and horizon > (most := longest_path(observed.size)):
            raise ValueError(
                f"a path of {plural(observed.size, 'observation')} has at most {most} steps, got horizon {horizon}; "
                "use a shorter one, or give more observations"
            )
        return cls(
            horizon=horizon,
            path=bool(given["path"]),
            periods=None if given["periods"] is None else check_periods(given["periods"]),
            transform=given["transform"],
            bounds=Bounds(given["lower"], given["upper"]),
            exog=tuple(name for name in observed.beside if name not in known),
            known=known,
        )

    def proposed(self, values: FloatArray, times: Any) -> tuple[Period, ...]:
        """Periods that the user gave, or that times and values suggest."""
        if self.periods is not None:
            return tuple(Period(period, f"{period:g} steps", "given") for period in sorted(self.periods))
        known = None if times is None else times[: values.size]
        found = find_periods(values, known)
        # A season of which a short series holds one cycle and no second: its last shape is all that is known of it.
        young = [period for period in spacing_periods(known) if period.steps < values.size < YOUNG]
        return found or tuple(young[:1])

    def prepared(self, observed: Observed, end: int, transform: Specification, scale: Any) -> Preparation:
        """How the first `end` observations become inputs under one transform."""
        values = observed.values[:end]
        self.bounds.check(values[:, 0], "the series")
        link = Link(fit_transform_of(transform, values[:, 0]), self.bounds)
        preparation = Preparation.of(
            values,
            observed.names,
            {name: column[: max(end, 1)] for name, column in observed.beside.items()},
            self.known,
            links=[link],
            clip=None,
            scales=[None if scale is None else as_scale(scale)],
        )
        name, own = observed.names[0], preparation.series[observed.names[0]]
        # Products and clock products read the series within the range of the fit block: a square of a spike is no news.
        linked = link.forward(values[:, 0])
        double = Column.of(np.asarray(linked), 0.0, own.scale)
        return Preparation(
            preparation.series, preparation.links, preparation.beside, preparation.known, {name: double}
        )


def _check(observed: Observed) -> None:
    """One series of some observations, a time for each where it has times, and inputs by names of their own."""
    if observed.vector:
        raise ValueError(
            f"AutoNGRC forecasts one series, got a table of {plural(len(observed.names), 'channel')}; give it as a "
            "plain column and the others as exog, or use NGRC"
        )
    if not observed.size:
        raise ValueError("AutoNGRC needs at least one observation, got none; give a series that is not empty")
    # Candidates are compared by squared errors in the series' own units, under every transform.
    size = float(np.abs(observed.values).max())
    if size >= LARGEST and observed.values.min() < observed.values.max():
        raise too_large(size)
    if observed.times is not None and observed.times.size < observed.size:
        raise ValueError(
            f"times must have one entry per observation, got {plural(observed.times.size, 'time')} for "
            f"{plural(observed.size, 'observation')}; give as many"
        )
    if clipped(SERIES) in observed.beside:
        raise ValueError(
            f"the exog column {clipped(SERIES)!r} has the name of the series' clipped channel in the map; rename the "
            "column"
        )


def check_ends(ends: Iterable[int], size: int) -> tuple[int, ...]:
    """Rising numbers of observations, at least one and no more than there are.

    Examples
    --------
    >>> check_ends(range(3, 9, 2), 7)
    (3, 5, 7)
    """
    checked = tuple(check_count(end, "each of the ends") for end in ends)
    if any(later <= earlier for earlier, later in pairwise(checked)) or any(end > size for end in checked):
        raise ValueError(
            f"ends must rise and be at most the {plural(size, 'observation')} given, got {checked[:8]}; sort them, "
            "or give a longer series"
        )
    return checked
