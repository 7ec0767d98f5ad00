"""Times from arrays and columns: `datetime64` in days or finer, or numbers."""

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import narwhals as nw
import numpy as np

from ngrc._types import AnyArray
from ngrc.series.dates import (
    Dates,
    compact_dates,
    dates_from_text,
    epoch_dates,
    in_universal_time,
    months_of_years,
)
from ngrc.series.numerals import parse_numbers
from ngrc.series.style import TimeStyle
from ngrc.series.wording import Where, shown_time
from ngrc.series.written import numbers_from_text
from ngrc.series.zones import time_zone, two_clocks

if TYPE_CHECKING:
    import polars as pl

# Tokens that decide between numbers and dates: as many as `table` looks at, so that both come to one answer.
_SAMPLE = 1000
# Units longer than a day, of which no whole number makes one: their times become the first day.
_COARSE = {"Y", "M", "W"}
# Differences of two times must fit into 64 bits.
_LARGEST = 2**62
_FIRST_DAY, _LAST_DAY = np.datetime64("0001-01-01"), np.datetime64("9999-12-31")
# Units of which 64 bits hold a few months at most, and which no data frame has a type for.
_TOO_FINE = {"ps", "fs", "as"}


def times_from_array(times: Any, where: Where) -> Dates:
    """Return times of shape (n,) from an array, list, pandas index or data frame column."""
    if isinstance(times, np.ndarray) and times.dtype.kind in "Mf":
        return Dates(_checked(times, where), ())
    if type(times).__name__ == "PeriodIndex":
        starts = times_from_array(times.to_timestamp(), where)
        return starts._replace(style=TimeStyle(period=times.freqstr))
    native = times.to_series() if hasattr(times, "to_series") else times
    column = nw.from_native(native, series_only=True, pass_through=True)
    if isinstance(column, nw.Series):
        return times_from_column(column, where)
    import polars as pl

    try:
        return times_from_column(nw.from_native(pl.Series("time", list(times)), series_only=True), where)
    except (TypeError, OverflowError, pl.exceptions.PolarsError) as error:
        raise ValueError(
            f"times must be dates or numbers of one kind: {str(error).splitlines()[0][:200]}"
        ) from None


def times_from_column(column: "nw.Series[Any]", where: Where) -> Dates:
    """Return times of shape (n,) from a typed column; zones are converted to UTC."""
    kind = column.dtype
    zone = time_zone(column)
    if zone is not None:
        universal, local = two_clocks(column)
        # Missing times are refused before the two clocks are compared, where they would compare as unequal.
        _checked(universal, where)
        return in_universal_time(universal, local, TimeStyle(zone=zone))
    # 20240131 may be a date. Where a time is missing there is nothing to settle: `_checked` names its row below.
    if kind.is_integer() and column.null_count() == 0:
        text = _as_text(column.cast(nw.String))
        dates = compact_dates(text)
        if dates is not None:
            return dates._replace(style=replace(dates.style, number=True))
        return epoch_dates(column.to_numpy()) or Dates(_checked(column.to_numpy(), where), ())
    if kind.is_numeric() or isinstance(kind, nw.Datetime | nw.Date):
        return Dates(_checked(column.to_numpy(), where), ())
    if kind == nw.String or kind == nw.Categorical:
        return dates_from_text(_as_text(column.cast(nw.String)), str(column.name), where)
    if kind == nw.Object:
        return _times_from_objects(column, where)
    raise ValueError(
        f"column {column.name!r} of type {kind} cannot be the time; dates or numbers are expected"
    )


def _times_from_objects(column: "nw.Series[Any]", where: Where) -> Dates:
    """Python dates in a pandas column; anything else of mixed kind raises."""
    import polars as pl

    try:
        typed = pl.Series(str(column.name), column.to_list())
    except (TypeError, OverflowError, pl.exceptions.PolarsError):
        typed = pl.Series(str(column.name), [], dtype=pl.Null)
    if not typed.dtype.is_temporal() or typed.dtype in (pl.Time, pl.Duration):
        raise ValueError(
            f"column {column.name!r} holds objects that are neither dates nor numbers; convert them"
        )
    return times_from_column(nw.from_native(typed, series_only=True), where)


def times_from_text(text: "pl.Series", name: str, where: Where) -> Dates:
    """Return times of shape (n,) from a text column: dates, or numbers such as a year or a counter."""
    if months_of_years(text.head(_SAMPLE)) or not parse_numbers(text.head(_SAMPLE)).mostly_numbers:
        return dates_from_text(text, name, where)
    dates = compact_dates(text)
    if dates is not None:
        return dates
    values, notes = numbers_from_text(text, name, where)
    dates = epoch_dates(values)
    if dates is not None:
        return dates
    # Beyond 2^53 floats skip whole numbers, so that a counter read as float would repeat itself.
    whole = np.all(values == np.rint(values)) and np.all(np.abs(values) < 2**53)
    return Dates(_checked(values.astype(np.int64) if whole else values, where), notes)


def _as_text(column: "nw.Series[Any]") -> "pl.Series":
    import polars as pl

    return pl.Series(str(column.name), column.to_list(), dtype=pl.String)


def _in_calendar(times: AnyArray, where: Where) -> AnyArray:
    """Refuse times outside the years 1 to 9999: damaged ones, whose differences may not fit into 64 bits."""
    days = times.astype("M8[D]")
    outside = np.flatnonzero((days < _FIRST_DAY) | (days > _LAST_DAY))
    if outside.size:
        row = int(outside[0])
        raise ValueError(
            f"{where(row)}: the time {shown_time(times[row])} is outside the years 1 to 9999; correct it, or pass "
            "times as numbers"
        )
    return times


def _checked(times: AnyArray, where: Where) -> AnyArray:
    if times.ndim != 1:
        raise ValueError(f"times must be one-dimensional, got shape {times.shape}; give one time per value")
    missing = np.flatnonzero(np.isnat(times) if times.dtype.kind == "M" else ~np.isfinite(times))
    if missing.size:
        raise ValueError(f"{where(int(missing[0]))} has no time; give it one or drop the row")
    if times.dtype.kind == "M":
        if np.datetime_data(times.dtype)[0] in _TOO_FINE:
            raise ValueError(
                f"times finer than nanoseconds ({times.dtype}) are not supported; pass them as numbers"
            )
        times = times.astype("M8[D]") if np.datetime_data(times.dtype)[0] in _COARSE else times
        return _in_calendar(times, where)
    if times.dtype.kind not in "iu":
        return times.astype(np.float64)
    if times.size and max(abs(int(times.min())), abs(int(times.max()))) >= _LARGEST:
        raise ValueError(f"times as large as {times.max()} cannot be counted in; subtract the first from all")
    return times.astype(np.int64)
