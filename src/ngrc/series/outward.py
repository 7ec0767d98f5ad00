"""Times on their way out, as they came in: zone, resolution and spelling of the source."""

import datetime as dt
from typing import TYPE_CHECKING, Any

import numpy as np

from ngrc._types import AnyArray
from ngrc.series.style import TimeStyle

if TYPE_CHECKING:
    import polars as pl

# Units that polars has a type for; the coarser ones are written in the first of them.
_POLARS_UNITS = {"D", "ms", "us", "ns"}
# Tried from the coarsest on, so that times are written with no more digits than they need.
_TEXT_UNITS = ("m", "s", "ms", "us", "ns")
_HOURS_AHEAD = {"CET": 1, "CEST": 2, "MEZ": 1, "MESZ": 2, "WET": 0, "WEST": 1, "EET": 2, "EEST": 3, "BST": 1}
_HOURS_AHEAD |= {
    "EST": -5,
    "EDT": -4,
    "CST": -6,
    "CDT": -5,
    "MST": -7,
    "MDT": -6,
    "PST": -8,
    "PDT": -7,
    "JST": 9,
}
ZONES = tuple(sorted(_HOURS_AHEAD, key=len, reverse=True))
"""Names of zones that stand for an offset, as people of Europe and North America write them; longer ones first."""


def time_column(times: AnyArray, style: TimeStyle, pandas: bool) -> Any:
    """Return times of shape (n,) as a column for a data frame of the user's library.

    Zone, resolution and periods are those of the source. Dates written as text become real dates; with an offset
    such as +01:00 they keep it, but for parts of an hour, which polars has no type for: those are in UTC. Numbers stay
    numbers.

    Examples
    --------
    >>> time_column(np.array(["2024-01-31T23"], "M8[s]"), TimeStyle("Europe/Berlin"), False).dtype
    Datetime(time_unit='ms', time_zone='Europe/Berlin')
    """
    if times.dtype.kind != "M":
        return times
    if style.number:
        return np.array(time_text(times, style), dtype=np.int64)
    return _pandas_column(times, style) if pandas else _polars_column(times, style)


def time_text(times: AnyArray, style: TimeStyle) -> list[Any]:
    """Return times of shape (n,) for a text file: in the spelling of the source, else as ISO 8601; numbers as numbers.

    Examples
    --------
    >>> time_text(np.array(["2024-01-31T23"], "M8[h]"), TimeStyle(offset="+01:00", pattern="%d.%m.%Y %H:%M"))
    ['01.02.2024 00:00+01:00']
    """
    if times.dtype.kind != "M":
        return list(times.tolist())
    suffixes = [""] * times.size
    if style.zone is not None:
        suffixes = _polars_column(times, style).dt.to_string("%:z").to_list()
    elif style.offset is not None and not style.wall:
        suffixes = [style.offset] * times.size
    wall = wall_times(times, style)
    return [text + suffix for text, suffix in zip(_spelled(wall, style.pattern), suffixes, strict=True)]


def wall_times(times: AnyArray, style: TimeStyle) -> AnyArray:
    """Times of shape (n,) as a clock at the source shows them, without a zone, for the axis of a figure.

    Examples
    --------
    >>> wall_times(np.array(["2024-01-31T23"], "M8[h]"), TimeStyle("Europe/Berlin")).astype("M8[h]")
    array(['2024-02-01T00'], dtype='datetime64[h]')
    """
    if times.dtype.kind != "M":
        return times
    if style.zone is not None:
        return _polars_column(times, style).dt.replace_time_zone(None).to_numpy()
    if style.offset is not None and not style.wall:
        return np.asarray(times + np.timedelta64(offset_minutes(style.offset), "m"))
    return times


def offset_minutes(offset: str) -> int:
    """Return the minutes by which an offset such as +01:00 is ahead of UTC; names such as Z are UTC itself."""
    # +01, +0100 and +01:00 are all in use.
    digits = offset.strip(" ()").replace(":", "")
    if digits[0] not in "+-":
        return 60 * _HOURS_AHEAD.get(digits, 0)
    return (-1 if digits[0] == "-" else 1) * (60 * int(digits[1:3]) + int(digits[3:5] or 0))


def _spelled(times: AnyArray, pattern: str | None) -> list[str]:
    import polars as pl

    if pattern is not None:
        # Polars writes a plus before years of five digits, which is no part of the pattern.
        return list(_naive(times).cast(pl.Datetime).dt.to_string(pattern).str.strip_prefix("+").to_list())
    if np.datetime_data(times.dtype)[0] == "D":
        return [str(time) for time in times]
    exact = (unit for unit in _TEXT_UNITS if np.array_equal(times.astype(f"M8[{unit}]"), times))
    return [str(text) for text in np.datetime_as_string(times.astype(f"M8[{next(exact, 'ns')}]"))]


def _naive(times: AnyArray) -> "pl.Series":
    import polars as pl

    known = np.datetime_data(times.dtype) in {(unit, 1) for unit in _POLARS_UNITS}
    return pl.Series("time", times if known else times.astype("M8[ms]"))


def _polars_column(times: AnyArray, style: TimeStyle) -> "pl.Series":
    import polars as pl

    column = _naive(times)
    if (style.zone is None and style.offset is None) or (style.wall and style.zone is None):
        return column
    column = column.cast(pl.Datetime("us")) if column.dtype == pl.Date else column
    zone = _fixed_zone(style.offset) if style.zone is None else style.zone
    try:
        return _on_the_wall(column, zone) if style.wall else _converted(column, zone)
    except pl.exceptions.ComputeError:
        # A zone that only pandas knows, such as UTC+01:00: the moments stay right.
        return column if style.wall else _converted(column, "UTC")


def _fixed_zone(offset: str | None) -> str:
    """The zone of a whole number of hours, which has the other sign in the database of zones; else UTC."""
    minutes = 0 if offset is None else offset_minutes(offset)
    hours = minutes // 60
    return "UTC" if minutes % 60 or not -14 <= -hours <= 12 or hours == 0 else f"Etc/GMT{-hours:+d}"


def _converted(column: "pl.Series", zone: str) -> "pl.Series":
    return column.dt.replace_time_zone("UTC").dt.convert_time_zone(zone)


def _on_the_wall(column: "pl.Series", zone: str) -> "pl.Series":
    """Local times in their zone; one that a clock change leaves out becomes the first moment after it."""
    local = column.dt.replace_time_zone(zone, ambiguous="earliest", non_existent="null")
    if local.null_count() == 0:
        return local
    # Zones move their clocks by an hour (Lord Howe by half of one), which is the length of the hole.
    after = column.dt.offset_by("1h").dt.truncate("1h")
    later = after.dt.replace_time_zone(zone, ambiguous="earliest", non_existent="null")
    return local.zip_with(local.is_not_null(), later)


def _pandas_column(times: AnyArray, style: TimeStyle) -> Any:
    import pandas as pd

    index = pd.DatetimeIndex(times)
    if style.period is not None:
        return index.to_period(style.period)
    zone: Any = style.zone
    if zone is None and style.offset is not None:
        minutes = offset_minutes(style.offset)
        zone = dt.timezone(dt.timedelta(minutes=minutes)) if minutes else "UTC"
    if zone is None or (style.wall and style.zone is None):
        return index
    if style.wall:
        # True says daylight saving: of an hour that the clock shows twice, the earlier one, as polars is told above.
        first = np.ones(times.size, dtype=bool)
        return index.tz_localize(zone, ambiguous=first, nonexistent="shift_forward")
    return index.tz_localize("UTC").tz_convert(zone)
