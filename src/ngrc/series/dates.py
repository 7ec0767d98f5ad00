"""Dates and times written as text."""

from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from ngrc._types import AnyArray
from ngrc.series.outward import offset_minutes
from ngrc.series.regular import is_regular
from ngrc.series.style import PLAIN, TimeStyle, spelling
from ngrc.series.tokens import tidy
from ngrc.series.wording import Where, excerpt

if TYPE_CHECKING:
    import polars as pl

# Year first, then day first before month first; where both read a column `_settle` decides by regularity. Two-digit
# years are left out: 01/02/03 has six readings.
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
    "%G-W%V-%u",
)
_CLOCKS = (" %H:%M", " %H:%M:%S%.f", " %I:%M %p", " %I:%M:%S %p")
_MONTHS = ("%Y-%m", "%Y/%m", "%b %Y", "%B %Y", "%b-%Y", "%Y %b")
_COMPACT = ("%Y%m%d", "%Y%m")
_OFFSET = r" ?(?:Z|UTC|GMT|[+-]\d{2}(?::?\d{2})?)"
_ZONE = rf"(:\d{{2}}(?:\.\d+)?)({_OFFSET})$"
# Forms of ISO 8601 that no pattern above reads, and the same moment in one that does.
_ISO_FORMS = (
    (r"^(\d{4}-\d{1,2}-\d{1,2})[Tt](\d)", "${1} ${2}"),
    (rf"^(\d{{4}}-\d{{2}}-\d{{2}} \d{{2}})({_OFFSET})?$", "${1}:00${2}"),
    (r"^(\d{4})(\d{2})(\d{2})[T ](\d{2})(\d{2})(\d{2})", "${1}-${2}-${3} ${4}:${5}:${6}"),
    (r"^(\d{4})(\d{2})(\d{2})[T ](\d{2}):?(\d{2})", "${1}-${2}-${3} ${4}:${5}"),
    (r"^(\d{4})-?W(\d{2})$", "${1}-W${2}-1"),
)
_NANOSECONDS = r"\.\d{6}\d*[1-9]"
# Enough to see a format through a few odd tokens; every format costs polars a millisecond per sample.
_SAMPLE = 100
# Tokens that must all be written back as they stand; days and months below ten occur among so many.
_SPELLED = 1000
# Four digits: polars reads 24-01-31 as a day of the year 24.
_YEARS = (1000, 9999)
# Whole numbers of six or eight digits are dates only within the years that people record.
_COMPACT_YEARS = (1800, 2200)


WRITE = "write 2024-01-31 or 2024-01-31 13:00"
"""What to write instead of a time that is not understood."""


class Dates(NamedTuple):
    """Times of shape (n,) as `datetime64`, remarks on how they were read, and how the source writes them."""

    times: AnyArray
    notes: tuple[str, ...]
    style: TimeStyle = PLAIN


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
            note = f"times read as dates written {pattern}"
            return Dates(_trimmed(parsed.to_numpy()), (note,), TimeStyle(pattern=pattern))
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
        raise ValueError(f"column {name!r} holds {excerpt(first)}, which cannot be read as a time; {WRITE}")
    readings: list[Dates] = []
    errors: list[ValueError] = []
    for pattern in formats:
        try:
            reading = _read_all(tokens, pattern, name, where)
        except ValueError as error:
            errors.append(error)
        else:
            # %d/%m and %m/%d agree on 05/05/2024: only different times make a column ambiguous.
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
    # Polars takes a millisecond per format: text without a year of four digits, which every format has, and formats
    # of the wrong kind go first.
    if 2 * int(local.str.contains(r"\d{4}").sum()) <= len(sample):
        return []
    timed = [day + clock for day, clock in product(_DAYS, _CLOCKS)]
    patterns = timed if 2 * int(clocked.sum()) > len(sample) else [*_DAYS, *_MONTHS]
    counts = {pattern: len(sample) - _parse(local, pattern, _YEARS).null_count() for pattern in patterns}
    best = max(counts.values())
    return [pattern for pattern, count in counts.items() if count == best] if 2 * best > len(sample) else []


def _normal(tokens: "pl.Series") -> "pl.Series":
    for form, same in _ISO_FORMS:
        tokens = tokens.str.replace(form, same)
    if not tokens.str.contains("[Qq]").any():
        return tokens
    # A quarter is its first month: 2024-Q3 becomes 2024-07.
    for quarter in range(1, 5):
        tokens = tokens.str.replace(rf"^(\d{{4}})[- ]?[Qq]{quarter}$", f"${{1}}-{3 * quarter - 2:02d}")
    return tokens


def _without_zone(tokens: "pl.Series") -> "pl.Series":
    return tokens.str.replace(_ZONE, "${1}")


def _parse(
    tokens: "pl.Series", pattern: str, years: tuple[int, int], unit: Literal["us", "ns"] = "us"
) -> "pl.Series":
    parsed = tokens.str.to_datetime(pattern, strict=False, time_unit=unit)
    return parsed.set(~parsed.dt.year().is_between(*years).fill_null(False), None)


def _read_all(tokens: "pl.Series", pattern: str, name: str, where: Where) -> Dates:
    normal = _normal(tokens)
    offsets = normal.str.extract(_ZONE, 2)
    bare = _without_zone(normal)
    local = _parse(bare, pattern, _YEARS, "ns" if bare.str.contains(_NANOSECONDS).any() else "us")
    zoned = offsets.null_count() < len(offsets)
    # A zone on some rows only leaves open what the others mean: those are bad too.
    bad = np.flatnonzero((local.is_null() | offsets.is_null() if zoned else local.is_null()).to_numpy())
    if bad.size:
        row = int(bad[0])
        token = "no time" if tokens[row] is None else excerpt(tokens[row])
        example = excerpt(tokens.drop_nulls()[0])
        raise ValueError(
            f"{where(row)}: column {name!r} holds {token} where a time like {example} belongs; correct it or drop it"
        )
    notes = (f"dates of column {name!r} read as {pattern}",) if pattern[:2] not in ("%Y", "%G") else ()
    signs = spelling(_without_zone(tokens).head(_SPELLED), local.head(_SPELLED), pattern)
    if zoned:
        return _universal(local.to_numpy(), offsets, notes, signs)
    return Dates(_trimmed(local.to_numpy()), notes, TimeStyle(pattern=signs))


def _trimmed(times: AnyArray) -> AnyArray:
    """Days where every time is midnight."""
    days: AnyArray = times.astype("M8[D]")
    return days if np.array_equal(days, times) else times


def _universal(local: AnyArray, offsets: "pl.Series", notes: tuple[str, ...], signs: str | None) -> Dates:
    """Subtract the offsets; where only the wall clock is regular (days across a clock change), keep that."""
    # Few different offsets stand in many rows: each is read once.
    distinct, position = np.unique(offsets.to_numpy().astype(str), return_inverse=True)
    minutes = np.array([offset_minutes(offset) for offset in distinct.tolist()])[position]
    # The offset of coming times is that of the last row: text does not say when the clocks change.
    style = TimeStyle(offset=offsets[-1], pattern=signs)
    return in_universal_time(local - minutes.astype("m8[m]"), local, style, notes)


def in_universal_time(
    universal: AnyArray, local: AnyArray, style: TimeStyle, notes: tuple[str, ...] = ()
) -> Dates:
    """Choose UTC, or the wall clock where that alone is regular, or will be: days of a zone that moves its clocks."""
    if (not is_regular(universal) or _daily_in_zone(universal, local, style)) and is_regular(local):
        note = "times kept in local time, in which they are regular"
        return Dates(local, (*notes, note), replace(style, wall=True))
    changed = bool(np.any(universal != local))
    return Dates(universal, (*notes, "times counted in UTC") if changed else notes, style)


def _daily_in_zone(universal: AnyArray, local: AnyArray, style: TimeStyle) -> bool:
    """Whether days or longer steps are counted in a named zone, where midnight stays midnight in summer."""
    if style.zone is None or local.size < 2 or np.array_equal(universal, local):
        return False
    # A day in microseconds; the median, as one day has 23 or 25 hours.
    return bool(np.median(np.diff(local).astype("m8[us]").astype(np.int64)) >= 86_400_000_000)


def _settle(readings: list[Dates], example: str) -> Dates:
    """Day first or month first: the one reading that makes the times regular, or at least sorted."""
    for holds in (is_regular, lambda times: bool(np.all(times[1:] > times[:-1]))):
        fitting = [reading for reading in readings if holds(reading.times)]
        if len(fitting) == 1:
            return fitting[0]
    raise ValueError(
        f"dates like {example!r} can be read with the day or the month first; write them as 2024-01-31"
    )
