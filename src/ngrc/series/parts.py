"""Times whose parts stand in several columns: date and hour, date and clock, year and quarter, or year, month, day."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ngrc._types import AnyArray, IntArray
from ngrc.series.dates import Dates
from ngrc.series.labels import CLOCK_NAMES, HOUR_NAMES, label
from ngrc.series.moments import month_number
from ngrc.series.numbers import from_column
from ngrc.series.regular import is_regular
from ngrc.series.table import Table
from ngrc.series.times import times_from_column, times_from_text
from ngrc.series.wording import Where, array_row, excerpt
from ngrc.series.written import numbers_from_text

if TYPE_CHECKING:
    import polars as pl

# From the coarsest part to the finest: a time is said by the first few without a hole.
_CHAIN = ("year", "month", "day", "hour", "minute", "second")
_RANGES = {
    "year": (1, 9999),
    "quarter": (1, 4),
    "month": (1, 12),
    "week": (1, 53),
    "day": (1, 31),
    "day_of_year": (1, 366),
    # 24 as the end of the day, where hours count from 1; not beside an hour 0.
    "hour": (0, 24),
    "minute": (0, 59),
    "second": (0, 59),
}
_QUARTERS = {f"q{number}": number for number in range(1, 5)}
_SPOKEN = ("month", "quarter")
_ARTICLES = {"hour": "an"}
_CLOCK_INTERVAL = r"^\s*(\d{1,2}:\d{2}(?::\d{2})?)\s*[-\u2013\u2014]\s*\d{1,2}:\d{2}(?::\d{2})?\s*$"
# 13:00, 13:00:15.5, 1:00 PM, and 13h00 as in French.
_CLOCK = r"^(\d{1,2})[:hH](\d{2})(?::(\d{2}))?(?:\.(\d{1,6})\d*)?\s*([AaPp][Mm])?$"
# 0000, 0100 or 1300 without a colon, and the zone that some stations write behind a time of day.
_BARE_CLOCK, _CLOCK_ZONE = r"^(\d{2})([0-5]\d)$", r"\s*(UTC|GMT|Z)$"
_HEADERLESS = re.compile(r"column_\d+").fullmatch


@dataclass(frozen=True)
class Parts:
    """The columns that together say the time.

    `date` is a column of dates, or None where `units` hold year, month and day. `units` maps the parts to their
    columns: those of `_CHAIN`, "quarter", "week" or "day_of_year" in place of month and day, or "clock" for a time of
    day such as 06:30.
    """

    date: Any | None
    units: Mapping[str, Any]

    @property
    def names(self) -> tuple[Any, ...]:
        """The columns in order."""
        return (*(() if self.date is None else (self.date,)), *self.units.values())

    @property
    def listed(self) -> str:
        """The columns for a person."""
        *first, last = (repr(name) for name in self.names)
        return f"{', '.join(first)} and {last}"


def find_parts(table: Table, date: Any | None, names: list[Any]) -> Parts | None:
    """Return the columns that complete the times of `date`, or say the times where there is no such column.

    Where no date repeats, a column of hours is no part of the time: it may say when the day's peak was.
    """
    # Reversed, so that of two columns with one label the first in the table stays.
    labels = {label(name): name for name in reversed(names) if name != date}
    if date is None:
        return _year_and_on(table, labels)
    clocks = [
        labels[word]
        for word in labels
        if word in CLOCK_NAMES | HOUR_NAMES and (word != "h" or _holds_hours(table, labels[word]))
    ]
    clocks = clocks or [name for name in names if name != date and _nameless_clock(table, name)]
    if not clocks or table.kind(date) == "missing":
        return None
    days = read_times(table, date, array_row).times
    # Dates that have a clock time already need no other column.
    if days.dtype.kind != "M" or not np.array_equal(days.astype("M8[D]"), days):
        return None
    # A column of hours before one of clock times: the sort is stable and False comes first.
    clock = next(iter(sorted(clocks, key=lambda name: label(name) not in HOUR_NAMES)))
    hour = table.kind(clock) == "number" and not _bare(table, clock)
    units = {"hour" if hour else "clock": clock}
    if hour:
        units |= {unit: labels[unit] for unit in ("minute", "second") if unit in labels}
    parts = Parts(date, units)
    return parts if np.unique(days).size < days.size or _regular(table, parts) else None


def _regular(table: Table, parts: Parts) -> bool:
    try:
        return is_regular(read_parts(table, parts, array_row).times)
    except ValueError:
        return False


def _nameless_clock(table: Table, name: Any) -> bool:
    """Whether a column of a table without a header holds times of day."""
    if _HEADERLESS(str(name)) is None or not table.text or table.kind(name) != "other":
        return False
    return bool(table.strings(name).str.contains(_CLOCK).fill_null(False).all())


def _bare(table: Table, name: Any) -> bool:
    """Whether numbers are times of day without a colon, such as 0000, 0030, 0100."""
    if not table.text:
        return False
    clocks = table.strings(name).str.strip_chars().str.replace(_CLOCK_ZONE, "")
    return bool(clocks.str.contains(_BARE_CLOCK).fill_null(False).all())


def _holds_hours(table: Table, name: Any) -> bool:
    hours = table.numbers(name) if table.kind(name) == "number" else np.full(1, np.nan)
    return bool(np.all((hours >= 0) & (hours <= 24) & (hours == np.rint(hours))))


def _year_and_on(table: Table, labels: Mapping[str, Any]) -> Parts | None:
    quarterly = "quarter" in labels and not {"month", "week", "day"}.intersection(labels)
    chain = ("year", "quarter") if quarterly else _CHAIN
    for unit in ("week", "day_of_year"):
        if unit in labels and not {"quarter", "month", "day"}.intersection(labels):
            chain = ("year", unit)
    units: dict[str, Any] = {}
    for unit in chain:
        if unit not in labels or not _is_part(table, unit, labels[unit]):
            break
        units[unit] = labels[unit]
    # A part left out (year, month, hour) makes no time.
    later = [unit for unit in chain[len(units) :] if unit in labels and table.kind(labels[unit]) == "number"]
    return None if len(units) < 2 or later else Parts(None, units)


def _is_part(table: Table, unit: str, name: Any) -> bool:
    """Whether a column holds numbers, or names of months or quarters."""
    if table.kind(name) != "other" or unit not in _SPOKEN:
        return table.kind(name) == "number"
    return all(_spoken(token, unit) is not None for token in table.column(name).unique().to_list())


def _spoken(token: Any, unit: str) -> int | None:
    """The number of a month or quarter written as January, Jan or Q1; None for other words."""
    word = str(token).strip().lower()
    return month_number(word) if unit == "month" else _QUARTERS.get(word)


def read_times(table: Table, name: Any, where: Where) -> Dates:
    """Return the times of one column."""
    if table.text:
        return times_from_text(table.strings(name), str(name), where)
    return times_from_column(table.column(name), where)


def read_parts(table: Table, parts: Parts, where: Where) -> Dates:
    """Return the times that the parts say together, and a remark on hours that run from 1 to 24."""
    if parts.date is not None:
        dates = read_times(table, parts.date, where)
        days, notes = dates.times.astype("M8[D]"), dates.notes
    else:
        days, notes = _days(table, parts, where), ()
        if "week" in parts.units:
            notes = ("weeks counted by ISO 8601 and taken by their Mondays",)
    if "clock" in parts.units:
        return Dates(days + _clock(table, parts.units["clock"], where), notes)
    counts = {unit: _counts(table, parts.units, unit, where) for unit in _CHAIN[3:] if unit in parts.units}
    hours = counts.get("hour", np.zeros(1, dtype=np.int64))
    if np.any(hours == 24):
        if np.any(hours == 0):
            row = int(np.argmax(hours == 24))
            raise ValueError(
                f"{where(row)}: column {parts.units['hour']!r} holds hours from 0 to 24; count them from 0 to 23, or "
                "from 1 to 24"
            )
        notes += (f"hours 1 to 24 of column {parts.units['hour']!r} taken as the ends of the hours",)
    times = days
    for unit, count in counts.items():
        times = times + count.astype(f"m8[{unit[0]}]")
    return Dates(times, notes)


def _days(table: Table, parts: Parts, where: Where) -> AnyArray:
    units = [unit for unit in _RANGES if unit in parts.units and unit not in _CHAIN[3:]]
    counts = {unit: _counts(table, parts.units, unit, where) for unit in units}
    if "week" in counts or "day_of_year" in counts:
        return _within_year(counts, parts, where)
    # A quarter is its first month.
    month = 3 * counts["quarter"] - 2 if "quarter" in counts else counts["month"]
    months = (12 * (counts["year"] - 1970) + month - 1).astype("M8[M]")
    day = counts.get("day", np.ones(months.size, dtype=np.int64))
    days: AnyArray = months.astype("M8[D]") + (day - 1).astype("m8[D]")
    # 31 February would silently become a day in March.
    wrong = np.flatnonzero(days.astype("M8[M]") != months)
    if wrong.size:
        row = int(wrong[0])
        raise ValueError(
            f"{where(row)}: month {months[row]} has no day {day[row]}; correct columns {parts.listed}, or name "
            "the time with time= (--time)"
        )
    return days


def _within_year(counts: Mapping[str, IntArray], parts: Parts, where: Where) -> AnyArray:
    """Mondays of weeks by ISO 8601, or days counted from the first of January."""
    first = (counts["year"] - 1970).astype("M8[Y]").astype("M8[D]")
    if "week" in counts:
        # The fourth of January lies in week 1; 1970-01-01 was a Thursday, three days after its Monday.
        fourth = first + np.timedelta64(3, "D")
        monday = fourth - ((fourth.astype(np.int64) + 3) % 7).astype("m8[D]")
        weeks: AnyArray = monday + (7 * (counts["week"] - 1)).astype("m8[D]")
        return weeks
    days: AnyArray = first + (counts["day_of_year"] - 1).astype("m8[D]")
    wrong = np.flatnonzero(days.astype("M8[Y]").astype(np.int64) != counts["year"] - 1970)
    if wrong.size:
        row = int(wrong[0])
        raise ValueError(
            f"{where(row)}: year {counts['year'][row]} has no day 366; correct columns {parts.listed}, or name the "
            "time with time= (--time)"
        )
    return days


def _counts(table: Table, units: Mapping[str, Any], unit: str, where: Where) -> IntArray:
    """One part of every time as whole numbers."""
    name, (low, high) = units[unit], _RANGES[unit]
    column = table.column(name)
    if unit in _SPOKEN and table.kind(name) == "other":
        return np.array([_spoken(token, unit) for token in column.to_list()], dtype=np.int64)
    values = (
        numbers_from_text(table.strings(name), str(name), where)[0]
        if table.text
        else from_column(column, where)
    )
    # Negated as a whole, so that NaN, which fails every comparison, is wrong too.
    wrong = np.flatnonzero(~((values >= low) & (values <= high) & (values == np.rint(values))))
    if wrong.size:
        row = int(wrong[0])
        raise ValueError(
            f"{where(row)}: column {name!r} holds {excerpt(column[row])} where {_ARTICLES.get(unit, 'a')} {unit} "
            f"from {low} to {high} belongs; correct it, or write date and time in one column like 2024-01-31 13:00"
        )
    return values.astype(np.int64)


def _clock(table: Table, name: Any, where: Where) -> AnyArray:
    """Times of day such as 06:30, 6:30 PM or 06:30:15 since midnight; 24:00 is the end of the day."""
    import polars as pl

    native = table.column(name)
    text = pl.Series([None if value is None else str(value) for value in native.to_list()], dtype=pl.String)
    # 00:00 - 01:00 is its start.
    starts = text.str.replace(_CLOCK_INTERVAL, "${1}").str.strip_chars().str.replace(_CLOCK_ZONE, "")
    starts = starts.str.replace(_BARE_CLOCK, "${1}:${2}")
    pieces = starts.str.extract_groups(_CLOCK).struct.unnest().get_columns()
    hours, minutes, seconds = (_whole(piece) for piece in pieces[:3])
    # .5 is 500,000 microseconds: digits are filled up on the right.
    micros = _whole(pieces[3].str.pad_end(6, "0"))
    half = pieces[4].str.to_lowercase()
    afternoon = (half == "pm").fill_null(False).to_numpy()
    twelve = half.is_not_null().to_numpy()
    bad = (
        pieces[0].is_null().to_numpy() | (minutes > 59) | (seconds > 59) | (hours > np.where(twelve, 12, 24))
    )
    bad |= (twelve & (hours == 0)) | ((hours == 24) & (minutes + seconds + micros > 0))
    if bad.any():
        row = int(np.argmax(bad))
        token = "no time" if text[row] is None else excerpt(text[row])
        raise ValueError(
            f"{where(row)}: column {name!r} holds {token} where a time of day like 13:00 belongs; correct it or drop it"
        )
    # 12 AM is midnight and 12 PM is noon.
    hours = np.where(twelve, hours % 12 + 12 * afternoon, hours)
    whole = (3600 * hours + 60 * minutes + seconds).astype("m8[s]")
    # Seconds where they suffice: the unit of the result is the unit of the tables that go out.
    return whole if not micros.any() else whole + micros.astype("m8[us]")


def _whole(piece: "pl.Series") -> IntArray:
    import polars as pl

    return piece.cast(pl.Int64).fill_null(0).to_numpy().astype(np.int64)
