"""Numbers and times as a line may write them: strict, so that nothing is guessed while nobody watches."""

import re
from datetime import datetime
from math import isfinite, nan

MISSING = frozenset({"", "na", "nan", "null"})
"""What stands for an outcome that is missing, in small letters."""
# No underscores, hexadecimal digits, foreign digits or words, all of which `float` would take.
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII).fullmatch
_WHOLE = re.compile(r"[+-]?\d{1,18}", re.ASCII).fullmatch
_SHOWN = 40


class LineError(ValueError):
    """A line that cannot be read; the message says what was expected and what came."""


def shown(text: str) -> str:
    """Text for a message: quoted, and cut where it is long.

    Examples
    --------
    >>> shown("ab"), len(shown("a" * 1000))
    ("'ab'", 45)
    """
    return repr(text) if len(text) <= _SHOWN else f"{text[:_SHOWN]!r}..."


def is_number(text: str) -> bool:
    """Whether text is a number in plain decimals."""
    return _NUMBER(text) is not None


def read_value(text: str) -> float:
    """The value of a cell; NaN where it is missing.

    Examples
    --------
    >>> read_value("-1.5e3"), read_value("NA")
    (-1500.0, nan)
    """
    if _NUMBER(text) is None:
        if text.lower() in MISSING:
            return nan
        raise LineError(
            f"a value is a number such as 3.2 or -1e5, or NA where it is missing, got {shown(text)}"
        )
    return finite(float(text), text)


def finite(number: float, text: object) -> float:
    """Refuse what is too large for a float, or written as infinite."""
    if not isfinite(number):
        raise LineError(
            f"a value must be finite, got {shown(str(text))}; write NA or null where it is missing"
        )
    return number


def read_count(text: str) -> int:
    """The `seq` of a line: a whole number from 1."""
    if _WHOLE(text) is None or int(text) < 1:
        raise LineError(f"seq must be a whole number from 1, got {shown(text)}")
    return int(text)


def read_time(text: str) -> str | int:
    """A time: ISO 8601 as it stands, or a whole number.

    Examples
    --------
    >>> read_time("2026-01-09 08:00"), read_time("17")
    ('2026-01-09 08:00', 17)
    """
    if _WHOLE(text) is not None:
        return int(text)
    if not is_moment(text):
        raise LineError(
            f"a time is written as 2026-01-09T08:00:00 (ISO 8601) or as a whole number, got {shown(text)}"
        )
    return text


def is_moment(text: str) -> bool:
    """Whether text is a date, or a date and a time of day, in ISO 8601."""
    # Only what begins with a year: Python would read 20260109 as a date too, which may be a counter.
    # And nothing but T or a space between date and hour, where it takes any sign.
    if len(text) < 10 or text[4] != "-" or text[10:11] not in ("", "T", " "):
        return False
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return False
    return True
