"""How a source writes its times, kept so that they can go out as they came in."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True, slots=True)
class TimeStyle:
    """What the times of a series, which are plain `datetime64`, do not say themselves.

    Parameters
    ----------
    zone
        Time zone of a typed source, such as Europe/Berlin; the times are UTC unless `wall`.
    offset
        What a text source writes after each time, such as Z or +01:00; the times are UTC unless `wall`.
    wall
        Whether the times are those of the wall clock: days across a clock change are regular only there.
    pattern
        The text of a time in `strftime` signs; None for times that did not come as text.
    number
        Whether the dates came as whole numbers such as 20240131.
    period
        The frequency of a pandas `PeriodIndex`.

    Examples
    --------
    >>> TimeStyle(offset="Z").offset
    'Z'
    """

    zone: str | None = None
    offset: str | None = None
    wall: bool = False
    pattern: str | None = None
    number: bool = False
    period: str | None = None


PLAIN = TimeStyle()
"""Times that say everything themselves."""

# Short forms of ISO 8601 that `dates` rewrites before it reads them, so that their pattern is not theirs.
_ISO = (
    "%Y-%m-%dT%H",
    "%Y-%m-%d %H",
    "%Y%m%dT%H%M",
    "%Y%m%dT%H%M%S",
    "%Y%m%d %H%M",
    "%Y-Q%q",
    "%YQ%q",
    "%Y Q%q",
    "%G-W%V",
    "%G-W%V-%u",
)


def spelling(tokens: "pl.Series", times: "pl.Series", pattern: str) -> str | None:
    """Return the `strftime` signs that write `times` exactly as `tokens` are; None where none of ours do.

    Examples
    --------
    >>> import polars as pl
    >>> tokens = pl.Series(["9/1/2024", "10/1/2024"])
    >>> spelling(tokens, tokens.str.to_datetime("%d/%m/%Y"), "%d/%m/%Y")
    '%-d/%-m/%Y'
    """
    return next((signs for signs in _spellings(pattern) if times.dt.to_string(signs).equals(tokens)), None)


def _spellings(pattern: str) -> Iterator[str]:
    """The pattern itself, then with other separators, decimals, and numbers without a leading zero."""
    fractions = ("", "%.3f", "%.6f", "%.9f") if "%.f" in pattern else ("",)
    # The last factor varies fastest and the plain forms come first, so that the usual spelling is met at the start.
    # Bits of `lean`: 1 for days and months, 2 for hours without a leading zero.
    months = "bB" if "%b" in pattern else "b"
    for month, between, fraction, lean, letters in product(months, (" ", "T"), fractions, range(4), "pP"):
        signs = pattern.replace("%.f", fraction).replace("%p", f"%{letters}").replace("%b", f"%{month}")
        if between == "T":
            signs = signs.replace("%d %H", "%dT%H")
        if lean & 1:
            signs = signs.replace("%d", "%-d").replace("%m", "%-m")
        if lean & 2:
            signs = signs.replace("%H", "%-H").replace("%I", "%-I")
        yield signs
    yield from _ISO
