"""Numbers out of text, with what is worth a remark; a token that is no number raises."""

from typing import TYPE_CHECKING

import numpy as np

from ngrc._types import FloatArray
from ngrc.series.numerals import ParsedTokens, parse_numbers
from ngrc.series.tokens import UNUSUAL
from ngrc.series.wording import Where, excerpt, plural

if TYPE_CHECKING:
    import polars as pl

# Numbers that instruments write where they measured nothing, without their sign and decimals.
_FILLERS = (99, 999, 9999, 99999, 999999)
# Unusual tokens that a remark names.
_MOST_NAMED = 3


def numbers_from_text(
    text: "pl.Series", name: str, where: Where, decimal: str | None = None
) -> tuple[FloatArray, tuple[str, ...]]:
    """Return a text column as floats of shape (n,), NaN where missing, and remarks."""
    parsed = parse_numbers(text, decimal)
    wrong = np.flatnonzero(parsed.bad | np.isinf(parsed.values))
    if wrong.size:
        raise _wrong(text, parsed, int(wrong[0]), name, where)
    return parsed.values, (
        *_signs(parsed, name),
        *_unusual(text, parsed, name),
        *fillers(parsed.values, name),
    )


def _wrong(text: "pl.Series", parsed: ParsedTokens, row: int, name: str, where: Where) -> ValueError:
    token = str(text[row]).strip()
    if not parsed.bad[row]:
        return ValueError(
            f"{where(row)}: column {name!r} holds the infinite value {excerpt(token)}; leave it empty"
        )
    remedy = (
        "write numbers like 1234.5, without thousands separators"
        if "," in token or parsed.grouped[row]
        else "correct it or leave it empty"
    )
    return ValueError(
        f"{where(row)}: column {name!r} holds {excerpt(token)} where a number belongs; {remedy}"
    )


def _signs(parsed: ParsedTokens, name: str) -> tuple[str, ...]:
    """How the numbers are written, where that is not 1234.5."""
    ways = [
        word
        for word, holds in (("decimal commas", parsed.decimal_comma), ("thousands separators", parsed.groups))
        if holds
    ]
    notes = (f"numbers of column {name!r} read with {' and '.join(ways)}",) if ways else ()
    return (*notes, f"unit {parsed.unit!r} of column {name!r} left out") if parsed.unit else notes


def _unusual(text: "pl.Series", parsed: ParsedTokens, name: str) -> tuple[str, ...]:
    """Which unusual tokens were taken as missing."""
    import polars as pl

    if not parsed.missing.any():
        return ()
    words = text.filter(pl.Series(parsed.missing)).str.strip_chars().drop_nulls().unique(maintain_order=True)
    odd = words.filter(words.str.to_lowercase().is_in(list(UNUSUAL))).to_list()
    named = ", ".join(repr(word) for word in odd[:_MOST_NAMED])
    return (f"{named} in column {name!r} taken as missing",) if odd else ()


def fillers(values: FloatArray, name: str) -> tuple[str, ...]:
    """A remark on values such as -999 that may mean missing; they are kept.

    Examples
    --------
    >>> fillers(np.array([3.5, -999.0, 4.0, 3.0]), "y")
    ("-999 in 1 row of column 'y' may mean missing; leave it empty there if so",)
    """
    known = values[~np.isnan(values)]
    for extreme in (np.min, np.max):
        if known.size < 3:
            break
        value = float(extreme(known))
        if int(abs(value)) not in _FILLERS or round(abs(value) % 1, 6) not in (0.0, 0.9, 0.99):
            continue
        rest = known[known != value]
        if rest.size < 2:
            continue
        # Far from all others, by more than they differ among themselves; below zero where nothing else is.
        apart = float(np.min(np.abs(rest - value))) > float(np.ptp(rest))
        if apart or (value < 0 <= float(rest.min())):
            count = plural(int(np.sum(known == value)), "row")
            return (f"{value:g} in {count} of column {name!r} may mean missing; leave it empty there if so",)
    return ()
