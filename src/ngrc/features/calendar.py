"""The calendar: hour, day of week, month and public holidays at the target's time."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from ngrc._blocks import block_diagonal
from ngrc._optional import load
from ngrc._types import AnyArray, FloatArray, IntArray
from ngrc.features.group import Group
from ngrc.features.inputs import Inputs
from ngrc.features.map import FeatureMap
from ngrc.features.slots import DAY, EPOCH_WEEKDAY, HOUR, WEEK, Slots, common_step
from ngrc.features.union import SideBySide, Turn, basis_of

VALUES = {
    "hour": tuple(str(hour) for hour in range(24)),
    "weekday": ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"),
    "month": ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"),
}
"""The parts of a date that have columns, and the names of their values."""

_LENGTHS = {"hour": HOUR, "weekday": DAY}
# What the slots of a day and of a week tell.
_IN_SLOTS = {DAY: ("hour",), WEEK: ("hour", "weekday")}


@dataclass(frozen=True, slots=True)
class Calendar:
    """One indicator column per value of each part of the target's date, and one for public holidays.

    Unlike Fourier terms they follow months of different length and give every hour or weekday a level of its own.
    A part that never changes, such as the hour of daily data, makes constant columns: what a column holds is known
    only with the data, and the readout gives constant columns no weight.

    Parameters
    ----------
    parts
        Some of "hour" (24 columns), "weekday" (7) and "month" (12).
    holidays
        Country code such as "DE", or country and subdivision such as ("US", "CA"), for a column of public holidays;
        needs the `holidays` package (`pip install "ngrc[holidays]"`).
    zone
        Time zone such as "Europe/Berlin" on whose clock hours and days are told where the times are in UTC, as those
        of a series with a zone are; by default the times are taken as they stand.

    Examples
    --------
    >>> Calendar(("weekday",)).names(1)[0], Calendar().count(1)
    ("weekday(t')=Mon", 43)
    """

    parts: Sequence[str] = ("hour", "weekday", "month")
    holidays: str | tuple[str, str] | None = None
    zone: str | None = None

    moving = True
    dated = True

    def __post_init__(self) -> None:
        parts = (self.parts,) if isinstance(self.parts, str) else tuple(self.parts)
        for part in parts:
            if part not in VALUES:
                raise ValueError(f"calendar parts are {', '.join(VALUES)}, got {part!r}; leave it out")
        if len(set(parts)) < len(parts):
            raise ValueError(f"each calendar part may stand once, got {', '.join(parts)}")
        if not parts and self.holidays is None:
            raise ValueError(f"a calendar needs parts ({', '.join(VALUES)}) or holidays, got neither")
        object.__setattr__(self, "parts", parts)
        object.__setattr__(self, "holidays", _region(self.holidays))

    def names(self, horizon: int) -> tuple[str, ...]:
        """Column names, part by part."""
        names = tuple(f"{part}(t')={value}" for part in self.parts for value in VALUES[part])
        return names if self.holidays is None else (*names, "holiday(t')")

    def count(self, horizon: int) -> int:
        """Number of columns."""
        return len(self.names(horizon))

    def reach(self, horizon: int) -> int:
        """Zero: nothing of the past is read."""
        return 0

    def columns(self, inputs: Inputs, horizon: int, first: int, stop: int) -> FloatArray:
        """Indicators at the targets first..stop-1."""
        times = _targets(inputs.times, first, stop)
        if self.zone is not None:
            times = _on_the_clock(times, self.zone)
        blocks = [
            (_position(times, part)[:, np.newaxis] == np.arange(len(VALUES[part]))).astype(np.float64)
            for part in self.parts
        ]
        if self.holidays is not None:
            blocks.append(_holiday_column(times, self.holidays))
        return np.hstack(blocks)

    def basis_over(self, inputs: Inputs, horizons: Sequence[int]) -> tuple[Group, Turn] | None:
        """Slots of the day or week at the origin in place of hours and weekdays at every target.

        Where the times have one step, of which an hour or a day is a whole number, the clock at the target follows
        from the origin's slot: 336 columns of half-hours serve all horizons, and not 31 for each. None where no slots
        are fewer, or where a zone moves its clock.
        """
        step = None if self.zone is not None or inputs.times is None else common_step(inputs.times)
        if step is None:
            return None
        plans = [plan for span in _IN_SLOTS if (plan := self._in_slots(span, step, horizons)) is not None]
        best = min(plans, key=lambda plan: plan[0].count(horizons[0]), default=None)
        whole = self.count(horizons[0]) * len(horizons)
        return None if best is None or best[0].count(horizons[0]) >= whole else best

    def _in_slots(self, span: int, step: int, horizons: Sequence[int]) -> tuple[Group, Turn] | None:
        """The basis with slots of one span, and what no slot tells at every horizon; None where slots tell nothing."""
        told = [part for part in self.parts if part in _IN_SLOTS[span]]
        if not told or any(_LENGTHS[part] % step for part in told):
            return None
        slots = Slots(span, step)
        left = tuple(part for part in self.parts if part not in told)
        rest = Calendar(left, self.holidays) if left or self.holidays is not None else None
        other = None if rest is None else basis_of(rest, horizons)
        places = {name: place for place, name in enumerate(self.names(horizons[0]))}

        def turn(horizon: int) -> FloatArray:
            blocks = [slots.later(horizon, _LENGTHS[part], len(VALUES[part])) for part in told]
            names = list(Calendar(told).names(horizon))
            matrix = np.hstack(blocks)
            if other is not None and rest is not None:
                matrix, names = block_diagonal(matrix, other[1](horizon)), [*names, *rest.names(horizon)]
            ordered = np.empty_like(matrix)
            ordered[:, [places[name] for name in names]] = matrix
            return ordered

        return SideBySide((slots,) if other is None else (slots, other[0])), turn


def has_calendar(feature_map: FeatureMap) -> bool:
    """Whether columns of the map are made from times: groups say so by `dated`, also those of the user's own."""
    return any(getattr(group, "dated", False) for group in feature_map.groups)


def _region(holidays: str | tuple[str, str] | None) -> str | tuple[str, str] | None:
    if holidays is None or (isinstance(holidays, str) and holidays):
        return holidays
    pair = tuple(holidays) if isinstance(holidays, list | tuple) else ()
    if len(pair) == 2 and all(isinstance(code, str) and code for code in pair):
        return pair
    raise ValueError(
        f"holidays must be a country code such as 'DE', or country and subdivision such as ('US', 'CA'), got "
        f"{holidays!r}"
    )


def _targets(times: AnyArray | None, first: int, stop: int) -> AnyArray:
    if times is None:
        raise ValueError(
            "calendar columns need the series' times, and there are none; give dates with times= or a pandas "
            "DatetimeIndex, or leave the calendar out"
        )
    if times.dtype.kind != "M":
        raise ValueError(
            f"calendar columns need dates, got times of type {times.dtype}; give datetime64 times"
        )
    if times.size < stop:
        raise ValueError(
            f"calendar columns need the time of every target, got {times.size} times for {stop}; give the coming times"
        )
    return times[first:stop]


def _position(times: AnyArray, part: str) -> IntArray:
    """Which value of the part each time has, counted from 0."""
    if part == "hour":
        return times.astype("M8[h]").astype(np.int64) % 24
    if part == "weekday":
        return (times.astype("M8[D]").astype(np.int64) + EPOCH_WEEKDAY) % 7
    return times.astype("M8[M]").astype(np.int64) % 12


def _on_the_clock(times: AnyArray, zone: str) -> AnyArray:
    import polars as pl

    try:
        # Milliseconds, which every unit of hours and finer has a place in as far as calendars care.
        local = pl.Series(times.astype("M8[ms]")).dt.replace_time_zone("UTC").dt.convert_time_zone(zone)
    except pl.exceptions.ComputeError:
        raise ValueError(f"zone must be a time zone such as 'Europe/Berlin', got {zone!r}") from None
    return local.dt.replace_time_zone(None).to_numpy()


def _holiday_column(times: AnyArray, region: str | tuple[str, str]) -> FloatArray:
    if times.size == 0:
        return np.empty((0, 1))
    days = times.astype("M8[D]")
    years = days.astype("M8[Y]").astype(np.int64) + 1970
    found = np.concatenate([_holidays(region, year) for year in np.unique(years).tolist()])
    return np.isin(days, found).astype(np.float64)[:, np.newaxis]


# Columns are asked for block by block; a year of holidays takes milliseconds to make.
@lru_cache(maxsize=1024)
def _holidays(region: str | tuple[str, str], year: int) -> AnyArray:
    """The public holidays of one year as `datetime64` days."""
    package = load("holidays", "holidays", "a column of holidays")
    country, subdivision = (region, None) if isinstance(region, str) else region
    try:
        days = package.country_holidays(country, subdiv=subdivision, years=year)
    except NotImplementedError as error:
        reason = " ".join(str(error).split())
        raise ValueError(
            f"no holidays are known of {region!r}: {reason}; give a country code such as 'DE'"
        ) from None
    return np.array(sorted(days), dtype="M8[D]")
