"""The calendar: hour, day of week, month and public holidays at the target's time."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from ngrc._optional import load
from ngrc._types import AnyArray, FloatArray, IntArray
from ngrc.features.inputs import Inputs
from ngrc.features.map import FeatureMap

VALUES = {
    "hour": tuple(str(hour) for hour in range(24)),
    "weekday": ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"),
    "month": ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"),
}
"""The parts of a date that have columns, and the names of their values."""

# 1 January 1970, from which datetime64 counts, was a Thursday.
_EPOCH_WEEKDAY = 3


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


def has_calendar(feature_map: FeatureMap) -> bool:
    """Whether columns of the map are made from times."""
    return any(isinstance(group, Calendar) for group in feature_map.groups)


def _region(holidays: str | tuple[str, str] | None) -> str | tuple[str, str] | None:
    if holidays is None or (isinstance(holidays, str) and holidays):
        return holidays
    pair = tuple(holidays)
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
        return (times.astype("M8[D]").astype(np.int64) + _EPOCH_WEEKDAY) % 7
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
