"""Dates and times written as text."""

import re
from dataclasses import replace
from functools import cache
from itertools import product
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from ngrc._types import AnyArray
from ngrc.series.moments import Moments, interval_starts, normal, plausible, with_zone, without_zone
from ngrc.series.outward import offset_minutes
from ngrc.series.regular import is_regular
from ngrc.series.style import PLAIN, TimeStyle, spelling
from ngrc.series.tokens import tidy
from ngrc.series.wording import Where, excerpt

if TYPE_CHECKING:
    import polars as pl

# Year first, then day first before month first; where both read a column `_settle` decides by regularity.
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
    "%b %d %Y",
    "%G-W%V-%u",
)
# Years of two digits only behind the day, as 01/02/03 has six readings, and not between dashes.
_SHORT_DAYS = ("%d.%m.%y", "%d/%m/%y", "%m/%d/%y", "%d-%b-%y", "%d %b %y")
_CLOCKS = (" %H:%M", " %H:%M:%S%.f", " %I:%M %p", " %I:%M:%S %p")
_MONTHS = ("%Y-%m", "%Y/%m", "%b %Y", "%B %Y", "%b-%Y", "%Y %b", "%Y-%b", "%b/%Y")
_SHORT_MONTHS = ("%b-%y", "%b %y", "%y-%b")
# Without minutes polars reads no hour: two zeros are put behind tokens of ten digits.
_COMPACT = {8: "%Y%m%d", 6: "%Y%m", 10: "%Y%m%d%H", 12: "%Y%m%d%H%M", 14: "%Y%m%d%H%M%S"}
_SHORT = r"^\d{1,2}[./]\d{1,2}[./]\d{2}\b|^(\d{1,2}[- ])?[A-Z][a-z]{2}[- ]\d{2}\b|^\d{2}-[A-Z][a-z]{2}$"
# Most texts of times; none of them is a missing token or has a blank at an end.
_PLAIN = r"^\d[\d.:/T-]*[\d]( \d[\d:.]*\d)?(Z|[+-]\d\d:?\d\d)?$"
_NANOSECONDS = r"\.\d{6}\d*[1-9]"
# Enough to see a format through a few odd tokens; every format costs polars a millisecond per sample.
_SAMPLE = 100
# Tokens that must all be written back as they stand; days and months below ten occur among so many.
_SPELLED = 1000
# Four digits: polars reads 24-01-31 as a day of the year 24.
_YEARS = (1000, 9999)
# Whole numbers of six or eight digits are dates only within the years that people record.
_COMPACT_YEARS = (1800, 2200)
# Seconds since 1970 are times from 1990 to 2100 on; a counter that large begins elsewhere.
_EPOCH = (631_152_000, 4_102_444_800)
# What may stand for each sign of a pattern; wider than what is read, never narrower.
_SHAPES = {
    "%Y": r"[+-]?\d+",
    "%G": r"\d+",
    "%b": "[A-Za-z]+",
    "%B": "[A-Za-z]+",
    "%.f": r"(\.\d+)?",
    "%p": "[APap][Mm]",
}
_SHAPES |= dict.fromkeys(("%m", "%d", "%y", "%H", "%I", "%M", "%S", "%V", "%u"), r"\s*\d{1,2}")
_EPOCH_UNITS: dict[str, tuple[int, str]] = {
    "seconds": (1, "%s"),
    "milliseconds": (1_000, "%s%3f"),
    "microseconds": (1_000_000, "%s%6f"),
    "nanoseconds": (1_000_000_000, "%s%9f"),
}


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


def months_of_years(text: "pl.Series") -> bool:
    """Whether every token is a month before its year, 01.2024, which a decimal number would hardly be."""
    return len(text) > 1 and bool(text.str.contains(r"^\s*(0[1-9]|1[0-2])\.(19|20)\d{2}\s*$").all())


def compact_dates(text: "pl.Series") -> Dates | None:
    """Read 20240131, 202401 or 202401311300 as dates where every token is one; None where they are plain numbers."""
    tokens = tidy(text)
    width = 0 if len(tokens) == 0 or tokens[0] is None else len(tokens[0])
    if width not in _COMPACT or not tokens.str.contains(rf"^\d{{{width}}}$").fill_null(False).all():
        return None
    # Month tokens need a day before they name one, and hours their minutes.
    filled = tokens + {6: "01", 10: "00"}.get(width, "")
    parsed = _parse(filled, _COMPACT[len(filled[0])], _COMPACT_YEARS)
    if parsed.null_count():
        return None
    note = f"times read as dates written {_COMPACT[width]}"
    return Dates(_trimmed(parsed.to_numpy()), (note,), TimeStyle(pattern=_COMPACT[width]))


def epoch_dates(numbers: AnyArray) -> Dates | None:
    """Read whole numbers of shape (n,) as seconds, or thousandths and so on, since 1970; None for other numbers."""
    if numbers.size == 0 or not np.all(np.isfinite(numbers)) or np.any(numbers != np.rint(numbers)):
        return None
    first, last = int(numbers.min()), int(numbers.max())
    for unit, (per_second, pattern) in _EPOCH_UNITS.items():
        if _EPOCH[0] * per_second <= first and last < _EPOCH[1] * per_second:
            code = {1: "s", 1_000: "ms", 1_000_000: "us", 1_000_000_000: "ns"}[per_second]
            times = _trimmed(numbers.astype(np.int64).astype(f"M8[{code}]"))
            # A counter of Unix seconds is in UTC, but says nothing of a zone: it goes out as it came.
            return Dates(times, (f"times read as Unix {unit}",), TimeStyle(pattern=pattern, number=True))
    return None


def dates_from_text(text: "pl.Series", name: str, where: Where) -> Dates:
    """Return a text column as times; tokens with a zone are converted to UTC.

    Examples
    --------
    >>> import polars as pl
    >>> dates_from_text(pl.Series(["2024-01-31 06:00"]), "date", str).times
    array(['2024-01-31T06:00:00.000000'], dtype='datetime64[us]')
    """
    tokens, sample = _tokens(text)
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


def _tokens(text: "pl.Series") -> tuple["pl.Series", "pl.Series"]:
    """All tokens and the first that are written; plain ones as they stand, as tidying millions takes a second."""
    sample = tidy(text.head(10 * _SAMPLE)).drop_nulls().head(_SAMPLE)
    if len(sample) and sample.equals(text.head(len(sample))) and bool(text.str.contains(_PLAIN).all()):
        return text, sample
    tokens = tidy(text)
    return tokens, tokens.drop_nulls().head(_SAMPLE)


def _formats(sample: "pl.Series") -> list[str]:
    """Formats that read the most tokens of the sample, if that is more than half of them."""
    # A first look in Python: a table may have hundreds of columns of words.
    if len(sample) == 0 or not plausible(sample.to_list()):
        return []
    local = normal(sample).tokens
    clocked = 2 * int(local.str.contains(r"\d:\d\d").sum()) > len(sample)
    # Polars takes a millisecond per format: text without a year and formats of the wrong kind go first.
    days: tuple[str, ...] = ()
    months: tuple[str, ...] = ()
    if 2 * int(local.str.contains(r"\d{4}").sum()) > len(sample):
        days, months = _DAYS, _MONTHS
    elif 2 * int(local.str.contains(_SHORT).sum()) > len(sample):
        days, months = _SHORT_DAYS, _SHORT_MONTHS
    else:
        return []
    patterns = [day + clock for day, clock in product(days, _CLOCKS)] if clocked else [*days, *months]
    shaped = _shaped(local.to_list(), patterns)
    counts = {pattern: len(sample) - _parse(local, pattern, _YEARS).null_count() for pattern in shaped}
    best = max(counts.values(), default=0)
    return [pattern for pattern, count in counts.items() if count == best] if 2 * best > len(sample) else []


def _shaped(tokens: list[str], patterns: list[str]) -> list[str]:
    """Patterns whose shape more than half of the tokens have: polars takes a millisecond per pattern it tries."""
    return [
        pattern
        for pattern in patterns
        if 2 * sum(_shape(pattern).match(token) is not None for token in tokens) > len(tokens)
    ]


@cache
def _shape(pattern: str) -> re.Pattern[str]:
    shape = re.escape(pattern)
    for sign, digits in _SHAPES.items():
        shape = shape.replace(re.escape(sign), digits)
    return re.compile(f"^{shape}$")


def _parse(
    tokens: "pl.Series", pattern: str, years: tuple[int, int], unit: Literal["us", "ns"] = "us"
) -> "pl.Series":
    parsed = tokens.str.to_datetime(pattern, strict=False, time_unit=unit)
    return parsed.set(~parsed.dt.year().is_between(*years).fill_null(False), None)


def _read_all(tokens: "pl.Series", pattern: str, name: str, where: Where) -> Dates:
    # The fast way first: tokens that the pattern reads as they stand have no zone and need no rewriting.
    fine: Literal["us", "ns"] = "ns" if "%.f" in pattern and tokens.str.contains(_NANOSECONDS).any() else "us"
    moments: Moments | None = None
    plain = _parse(tokens.head(_SAMPLE), pattern, _YEARS, fine).null_count() == 0
    local = _parse(tokens if plain else tokens.head(0), pattern, _YEARS, fine)
    if not plain or local.null_count():
        # Then the usual forms of ISO 8601, and only where they do not do everything else.
        moments = with_zone(tokens)
        local = _parse(moments.tokens, pattern, _YEARS, fine)
    if moments is not None and local.null_count():
        moments = normal(tokens)
        again = _parse(moments.tokens, pattern, _YEARS, fine)
        local = again.zip_with(~moments.midnight, again.dt.offset_by("1d"))
    _check_all(tokens, local, moments, name, where)
    notes: tuple[str, ...] = ()
    if pattern[:2] not in ("%Y", "%G"):
        notes += (f"dates of column {name!r} read as {pattern}",)
    if moments is not None and moments.intervals:
        notes += (f"intervals of column {name!r} taken by their starts",)
    signs = _signs(tokens, local, moments, pattern)
    if moments is not None and moments.offsets.null_count() < len(tokens):
        return _universal(local.to_numpy(), moments.offsets, notes, signs)
    return Dates(_trimmed(local.to_numpy()), notes, TimeStyle(pattern=signs))


def _signs(tokens: "pl.Series", local: "pl.Series", moments: Moments | None, pattern: str) -> str | None:
    """The `strftime` signs of the source, looked for where midnight is not written 24:00."""
    if moments is not None and moments.midnight.any():
        tokens, local = tokens.filter(~moments.midnight), local.filter(~moments.midnight)
    head = without_zone(interval_starts(tokens.head(_SPELLED))[0])
    return spelling(head, local.head(_SPELLED), pattern)


def _check_all(
    tokens: "pl.Series", local: "pl.Series", moments: Moments | None, name: str, where: Where
) -> None:
    wrong = local.is_null()
    # A zone on some rows only leaves open what the others mean: those are bad too.
    if moments is not None and moments.offsets.null_count() < len(tokens):
        wrong = wrong | moments.offsets.is_null()
    bad = np.flatnonzero(wrong.to_numpy())
    if bad.size:
        row = int(bad[0])
        token = "no time" if tokens[row] is None else excerpt(tokens[row])
        example = excerpt(tokens.drop_nulls()[0])
        raise ValueError(
            f"{where(row)}: column {name!r} holds {token} where a time like {example} belongs; correct it or drop it"
        )


def _trimmed(times: AnyArray) -> AnyArray:
    """Days where every time is midnight."""
    days: AnyArray = times.astype("M8[D]")
    return days if np.array_equal(days, times) else times


def _universal(local: AnyArray, offsets: "pl.Series", notes: tuple[str, ...], signs: str | None) -> Dates:
    """Subtract the offsets; where only the wall clock is regular (days across a clock change), keep that."""
    # Few different offsets stand in many rows: each is read once.
    distinct = offsets.unique().to_list()
    minutes = offsets.replace_strict(distinct, [offset_minutes(offset) for offset in distinct]).to_numpy()
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
    for holds in (is_regular, _ordered, _regular_together):
        # Newest first is as good: a wrong reading is in neither order.
        fitting = [reading for reading in readings if holds(reading.times) or holds(reading.times[::-1])]
        if len(fitting) == 1:
            return fitting[0]
    raise ValueError(
        f"dates like {example!r} can be read with the day or the month first; write them as 2024-01-31"
    )


def _regular_together(times: AnyArray) -> bool:
    """Whether the different times are regular, as those of several series in one table are."""
    return is_regular(np.unique(times))


def _ordered(times: AnyArray) -> bool:
    return bool(np.all(times[1:] > times[:-1]))
