"""Texts of times brought into the few forms that are parsed: month names, intervals, zones, noon and midnight."""

import re
from typing import TYPE_CHECKING, NamedTuple

from ngrc.series.outward import ZONES

if TYPE_CHECKING:
    import polars as pl

_NAMED_ZONE = "|".join(ZONES)
OFFSET = rf" ?(?:Z|UTC|GMT|[+-]\d{{2}}(?::?\d{{2}})?|\(?(?:{_NAMED_ZONE})\)?)"
"""What may stand after a time of day and say its zone."""
_ZONE = rf"(:\d{{2}}(?:[.,]\d+)?(?: [AP]M)?)({OFFSET})$"
_DAY = r"\d{1,4}[-./]\d{1,2}[-./]\d{1,4}"
# A comma after the date, the name of a zone behind its offset, decimal commas of seconds, words for the hour.
_OTHER_FORMS = (
    (rf"^({_DAY}),? +", "${1} "),
    (r"\[[A-Za-z_/+-]+\]$", ""),
    (r"(:\d{2}),(\d+)", "${1}.${2}"),
    (r"(\d) ?(?:Uhr|h)$", "${1}"),
)
# Forms of ISO 8601 that no pattern reads, and the same moment in one that does.
_ISO_FORMS = (
    (r"^(\d{4}-\d{1,2}-\d{1,2}|\d{1,2}\.\d{1,2}\.\d{4})[Tt](\d)", "${1} ${2}"),
    (rf"^({_DAY} \d{{1,2}})( [AP]M)?({OFFSET})?$", "${1}:00${2}${3}"),
    (r"^(\d{4})(\d{2})(\d{2})[T ](\d{2})(\d{2})(\d{2})", "${1}-${2}-${3} ${4}:${5}:${6}"),
    (r"^(\d{4})(\d{2})(\d{2})[T ](\d{2}):?(\d{2})", "${1}-${2}-${3} ${4}:${5}"),
    (r"^(\d{4})-?W(\d{2})$", "${1}-W${2}-1"),
    (r"^(\d{4})[- ]?M(\d{2})$", "${1}-${2}"),
    (r"^(\d{2})[./](\d{4})$", "${2}-${1}"),
)
# 00:00 - 01:00 with or without the date again, to, bis, and ISO 8601's slash.
_INTERVAL = (
    r"^(.*?\d(?: ?[AaPp][Mm])?Z?(?: ?\(?[A-Z]{2,4}\)?)?)\s*"
    r"(?:\s[-–—]\s|\sto\s|\sbis\s|\s[àa]\s|/(?:\d{4}-|P))\s*.*\d.*$"
)
_MOMENT = r"\d{1,4}[-./]\d{1,2}[-./]\d{1,4}.*\d:\d\d"
_WEEKDAYS = (
    "mon tue tues wed thu thur thurs fri sat sun monday tuesday wednesday thursday friday saturday sunday "
    "mo di mi do fr sa so montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag "
    "lun mer jeu ven sam dim lundi mardi mercredi jeudi vendredi samedi dimanche "
    "lunes martes miércoles jueves viernes sábado domingo lunedì martedì mercoledì giovedì venerdì sabato domenica"
)
_WEEKDAY = rf"(?i)^(?:{'|'.join(sorted(_WEEKDAYS.split(), key=len, reverse=True))})[.,]{{0,2}} +(\S.*)$"
_HALF_DAY = r"(?i)(\d) ?{}\.? ?m\.?(?:\b|$)"
_SPOKEN_MONTH = r"(?i)[a-zäéû]{3}"
_MIDNIGHT = r"[T ]24:00(?::00(?:\.0+)?)?"

# Months of other languages as English has them; where two agree on a word it means the same month.
_MONTHS = {
    "jan": "januar january janvier janv enero ene gennaio gen januari jänner jän janeiro",
    "feb": "februar february février févr fevrier fevr fév febrero febbraio februari fevereiro fev",
    "mar": "märz maerz mrz mär march mars marzo maart mrt março",
    "apr": "april avril avr abril abr aprile",
    "may": "mai mayo maggio mag mei maio",
    "jun": "juni june juin junio giugno giu junho",
    "jul": "juli july juillet juil julio luglio lug julho",
    "aug": "august août aout agosto ago augustus",
    "sep": "september sept septembre septiembre settembre set setembro",
    "oct": "oktober october okt octobre octubre ottobre ott outubro out",
    "nov": "november novembre noviembre novembro",
    "dec": "dezember december dez décembre déc decembre diciembre dic dicembre dezembro",
}
_ENGLISH = {word: short for short, words in _MONTHS.items() for word in (short, *words.split())}


def month_number(word: str) -> int | None:
    """The number of a month by its name in one of several languages, or by a short form of it; None for other words.

    Examples
    --------
    >>> month_number("März"), month_number("févr."), month_number("Quartal")
    (3, 2, None)
    """
    short = _ENGLISH.get(word.strip().lower().rstrip("."))
    return None if short is None else 1 + list(_MONTHS).index(short)


# Whatever may be a date has a year of four digits, three numbers with signs between them, or the name of a month.
_PLAUSIBLE = re.compile(
    rf"\d{{4}}|\d{{1,2}}[./]\d{{1,2}}[./]\d{{2}}|\b({'|'.join(sorted({word[:3] for word in _ENGLISH}))})",
    re.IGNORECASE,
).search


def plausible(tokens: list[str]) -> bool:
    """Whether more than half of a few tokens may be dates, at first sight and within microseconds."""
    return 2 * sum(_PLAUSIBLE(token) is not None for token in tokens) > len(tokens)


class Moments(NamedTuple):
    """Tokens in a form that a pattern reads, the offset after each (or None), and which were the end of a day."""

    tokens: "pl.Series"
    offsets: "pl.Series"
    midnight: "pl.Series"
    intervals: bool


def normal(tokens: "pl.Series") -> Moments:
    """Bring texts of times into forms that patterns read."""
    starts, intervals = interval_starts(tokens)
    tokens = _spoken(starts)
    for form, same in _OTHER_FORMS:
        tokens = tokens.str.replace(form, same)
    for half in ("AM", "PM"):
        tokens = tokens.str.replace(_HALF_DAY.format(half[0].lower()), f"${{1}} {half}")
    for form, same in _ISO_FORMS:
        tokens = tokens.str.replace(form, same)
    tokens = _quarters(tokens)
    offsets = tokens.str.extract(_ZONE, 2)
    tokens = without_zone(tokens)
    midnight = tokens.str.contains(_MIDNIGHT).fill_null(False)
    if midnight.any():
        tokens = tokens.str.replace("([T ])24:", "${1}00:")
    return Moments(tokens, offsets, midnight, intervals)


def with_zone(tokens: "pl.Series") -> Moments:
    """The quick part of `normal`, for millions of rows: a T before the clock, and an offset after it."""
    import polars as pl

    spaced = tokens.str.replace("T", " ", literal=True)
    nothing = pl.repeat(False, len(tokens), eager=True)
    # UTC throughout, which needs no pattern at all.
    if spaced.str.ends_with("Z").all():
        return Moments(
            spaced.str.strip_suffix("Z"), pl.repeat("Z", len(tokens), eager=True), nothing, intervals=False
        )
    return Moments(without_zone(spaced), spaced.str.extract(_ZONE, 2), nothing, intervals=False)


def interval_starts(tokens: "pl.Series") -> tuple["pl.Series", bool]:
    """The starts of intervals such as 01.01.2024 00:00 - 01.01.2024 01:00, and whether most tokens are such."""
    sample = tokens.drop_nulls().head(20)
    if len(sample) == 0 or 2 * int(
        (sample.str.contains(_INTERVAL) & sample.str.contains(_MOMENT)).sum()
    ) <= len(sample):
        return tokens, False
    return tokens.str.replace(_INTERVAL, "${1}").str.strip_chars(), True


def without_zone(tokens: "pl.Series") -> "pl.Series":
    """Times without the offset or the name of their zone."""
    return tokens.str.replace(_ZONE, "${1}")


def _spoken(tokens: "pl.Series") -> "pl.Series":
    """Tokens with English months of three letters, and without the name of the day before the date."""
    if not tokens.str.contains(_SPOKEN_MONTH).any():
        return tokens
    short = tokens.str.replace(_WEEKDAY, "${1}")
    words = short.str.extract(r"(?i)([a-zäéûç]{3,})", 1)
    distinct = [word for word in words.drop_nulls().unique().to_list() if word.lower() in _ENGLISH]
    if not distinct:
        return tokens
    # Each different word once; the text around it stays.
    english = words.replace_strict(
        distinct, [_ENGLISH[word.lower()].title() for word in distinct], default=None
    )
    before = short.str.extract(r"(?i)^([^a-zäéûç]*)", 1)
    after = short.str.extract(r"(?i)^[^a-zäéûç]*[a-zäéûç]{3,}\.?(.*)$", 1)
    # 31. Jan 2024 as 31 Jan 2024.
    before = before.str.replace(r"^(\d{1,2})\. ?", "${1} ")
    return (before + english + after).fill_null(tokens)


def _quarters(tokens: "pl.Series") -> "pl.Series":
    """A quarter as its first month: 2024-Q3 becomes 2024-07, and so does Q3 2024."""
    if not tokens.str.contains("[Qq]").any():
        return tokens
    for quarter in range(1, 5):
        month = f"${{1}}-{3 * quarter - 2:02d}"
        tokens = tokens.str.replace(rf"^(\d{{4}})[-/ ]?[Qq]{quarter}$", month)
        tokens = tokens.str.replace(rf"^[Qq]{quarter}[-/ ]?(\d{{4}})$", month)
    return tokens
