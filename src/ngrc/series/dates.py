"""Dates and times written as text."""

from itertools import product
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ngrc._types import AnyArray
from ngrc.series.regular import is_regular
from ngrc.series.tokens import tidy
from ngrc.series.wording import Where

if TYPE_CHECKING:
    import polars as pl

_DAYS = (
    "%Y-%m-%d",
    "%Y/%m/%d",
    "%Y.%m.%d",
    "%d.%m.%Y",
    "%d/%m/%Y",
    "%m/%d/%Y",
    "%d-%m-%Y",
    "%m-%d-%Y",
    "%d-%b-%Y",
    "%d %b %Y",
    "%b %d, %Y",
)
_CLOCKS = (" %H:%M", " %H:%M:%S%.f", " %I:%M %p", " %I:%M:%S %p")
_MONTHS = ("%Y-%m", "%Y/%m", "%b %Y", "%B %Y", "%b-%Y", "%Y %b")
_COMPACT = ("%Y%m%d", "%Y%m")
_ZONE = r"(:\d{2}(?:\.\d+)?) ?(Z|[+-]\d{2}:?\d{2})$"
_SAMPLE = 100
_YEARS = (1000, 9999)
_COMPACT_YEARS = (1800, 2200)


class Dates(NamedTuple):
    """Times of shape (n,) as `datetime64[us]`, and remarks on how they were read."""

    times: AnyArray
    notes: tuple[str, ...]


def looks_like_dates(text: "pl.Series") -> bool:
    """Whether most tokens of a sample are dates in one format."""
    return bool(_formats(tidy(text).drop_nulls().head(_SAMPLE)))


def compact_dates(text: "pl.Series") -> Dates | None:
    """Read 20240131 or 202401 as dates where every token is one; None where they are plain numbers."""
    tokens = tidy(text)
    for pattern, width in zip(_COMPACT, (8, 6), strict=True):
        if not (tokens.str.contains(rf"^\d{{{width}}}$")).fill_null(False).all():
            continue
        # Month tokens need a day before they name one.
        parsed = _parse(tokens + "01" if width == 6 else tokens, _COMPACT[0], _COMPACT_YEARS)
        if parsed.null_count() == 0:
            return Dates(_trimmed(parsed.to_numpy()), (f"times read as dates written {pattern}",))
    return None


def dates_from_text(text: "pl.Series", name: str, where: Where) -> Dates:
    """Return a text column as times; tokens with a zone are converted to UTC.

    Examples
    --------
    >>> import polars as pl
    >>> dates_from_text(pl.Series(["2024-01-31 06:00"]), "date", str).times
    array(['2024-01-31T06:00:00.000000'], dtype='datetime64[us]')
    """
    tokens = tidy(text)
    sample = tokens.drop_nulls().head(_SAMPLE)
    formats = _formats(sample)
    if not formats:
        first = sample[0] if len(sample) else ""
        raise ValueError(
            f"column {name!r} holds {first!r}, which cannot be read as a time; "
            "write 2024-01-31 or 2024-01-31 13:00"
        )
    readings: list[Dates] = []
    errors: list[ValueError] = []
    for pattern in formats:
        try:
            reading = _read_all(tokens, pattern, name, where)
        except ValueError as error:
            errors.append(error)
        else:
            if not any(np.array_equal(reading.times, other.times) for other in readings):
                readings.append(reading)
    if not readings:
        raise errors[0]
    return readings[0] if len(readings) == 1 else _settle(readings, str(sample[0]))


def _formats(sample: "pl.Series") -> list[str]:
    """Formats that read the most tokens of the sample, if that is more than half of them."""
    if len(sample) == 0:
        return []
    local = _without_zone(_normal(sample))
    clocked = local.str.contains(r"\d:\d\d")
    # Polars takes a millisecond a format: text without digits and formats of the wrong kind go first.
    if 2 * int(local.str.contains(r"\d").sum()) <= len(sample):
        return []
    timed = [day + clock for day, clock in product(_DAYS, _CLOCKS)]
    patterns = timed if 2 * int(clocked.sum()) > len(sample) else [*_DAYS, *_MONTHS]
    counts = {pattern: len(sample) - _parse(local, pattern, _YEARS).null_count() for pattern in patterns}
    best = max(counts.values())
    return [pattern for pattern, count in counts.items() if count == best] if 2 * best > len(sample) else []


def _normal(tokens: "pl.Series") -> "pl.Series":
    tokens = tokens.str.replace(r"^(\d{4}-\d{1,2}-\d{1,2})[Tt](\d)", "${1} ${2}")
    if not tokens.str.contains("[Qq]").any():
        return tokens
    for quarter in range(1, 5):
        tokens = tokens.str.replace(rf"^(\d{{4}})[- ]?[Qq]{quarter}$", f"${{1}}-{3 * quarter - 2:02d}")
    return tokens


def _without_zone(tokens: "pl.Series") -> "pl.Series":
    return tokens.str.replace(_ZONE, "${1}")


def _parse(tokens: "pl.Series", pattern: str, years: tuple[int, int]) -> "pl.Series":
    parsed = tokens.str.to_datetime(pattern, strict=False, time_unit="us")
    return parsed.set(~parsed.dt.year().is_between(*years).fill_null(False), None)


def _read_all(tokens: "pl.Series", pattern: str, name: str, where: Where) -> Dates:
    normal = _normal(tokens)
    zone = normal.str.extract(_ZONE, 2)
    local = _parse(_without_zone(normal), pattern, _YEARS)
    zoned = zone.null_count() < len(zone)
    bad = np.flatnonzero((local.is_null() | zone.is_null() if zoned else local.is_null()).to_numpy())
    if bad.size:
        row = int(bad[0])
        came = "no time" if tokens[row] is None else f"{tokens[row]!r}"
        raise ValueError(
            f"{where(row)}: column {name!r} holds {came} where a time like {tokens.drop_nulls()[0]!r} belongs"
        )
    note = f"dates of column {name!r} read as {pattern}" if pattern[:2] != "%Y" else ""
    notes = (note,) if note else ()
    return _universal(local.to_numpy(), zone, notes) if zoned else Dates(_trimmed(local.to_numpy()), notes)


def _trimmed(times: AnyArray) -> AnyArray:
    """Days where every time is midnight."""
    days: AnyArray = times.astype("M8[D]")
    return days if np.array_equal(days, times) else times


def _universal(local: AnyArray, zone: "pl.Series", notes: tuple[str, ...]) -> Dates:
    """Subtract the offsets; where only the wall clock is regular (days across a clock change), keep that."""
    digits = zone.str.replace("Z", "+00:00", literal=True).str.replace(":", "", literal=True)
    sign = np.where(digits.str.starts_with("-").to_numpy(), -1, 1)
    hours, minutes = (digits.str.slice(start, 2).str.to_integer().to_numpy() for start in (1, 3))
    universal = local - (sign * (60 * hours + minutes)).astype("m8[m]")
    return in_universal_time(universal, local, notes)


def in_universal_time(universal: AnyArray, local: AnyArray, notes: tuple[str, ...] = ()) -> Dates:
    """Choose UTC, or the wall clock where that alone is regular."""
    if not is_regular(universal) and is_regular(local):
        return Dates(local, (*notes, "times kept in local time, in which they are regular"))
    changed = bool(np.any(universal != local))
    return Dates(universal, (*notes, "times converted to UTC") if changed else notes)


def _settle(readings: list[Dates], example: str) -> Dates:
    """Day first or month first: the one reading that makes the times regular, or at least sorted."""
    for holds in (is_regular, lambda times: bool(np.all(times[1:] > times[:-1]))):
        fitting = [reading for reading in readings if holds(reading.times)]
        if len(fitting) == 1:
            return fitting[0]
    raise ValueError(
        f"dates like {example!r} can be read with the day or the month first; write them as 2024-01-31"
    )
