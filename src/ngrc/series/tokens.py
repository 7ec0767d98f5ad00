"""Fields of a text: which of them are missing, and signs of other scripts in the form that parsers read."""

import unicodedata
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import polars as pl

# What R, pandas, SQL and spreadsheets write for a missing value, in small letters.
USUAL = ("", "na", "nan", "null", "none", "n/a", "#n/a", "<na>", "nat")
# What statistical offices, grid operators, stations and broken formulas write: remarked on where they stand.
UNUSUAL: tuple[str, ...] = (
    "-",
    "--",
    "---",
    "\u2013",
    "\u2014",
    ".",
    "..",
    "...",
    "?",
    "n/e",
    "n.a.",
    "n.a",
    "n.d.",
    "n/d",
    "nd",
)
UNUSUAL += (
    "missing",
    "(null)",
    "#na",
    "#n/v",
    "#value!",
    "#div/0!",
    "#ref!",
    "#num!",
    "k.a.",
    "k. a.",
    "s/d",
    "void",
)
MISSING = frozenset(USUAL + UNUSUAL)
NUMBER = r"^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?$"
# Digits of other scripts that stand for 0 to 9, and the signs that are written with them.
_FOREIGN = r"[^\x00-\x7F]"
_SIGNS = {"\u066b": ".", "\uff0e": ".", "\uff0b": "+", "\uff0d": "-", "\u2212": "-", "\u2019": "'"}
# Blanks of fixed or narrow width, which stand between groups of three digits.
_SIGNS |= dict.fromkeys("\u00a0\u2007\u2009\u202f", " ")


def tidy(text: "pl.Series") -> "pl.Series":
    """Strip blanks, write every decimal digit as 0 to 9, and turn every missing token into null."""
    stripped = _western(text.str.strip_chars())
    return stripped.set(is_missing(stripped), None)


def is_missing(stripped: "pl.Series") -> "pl.Series":
    """Whether tokens without blanks around them stand for a missing value."""
    return stripped.str.to_lowercase().is_in(list(MISSING)).fill_null(True)


def _western(text: "pl.Series") -> "pl.Series":
    """Arabic, Indic, full-width and other decimal digits as the ASCII ones that every parser reads."""
    foreign = text.str.contains(_FOREIGN).fill_null(False)
    if not foreign.any():
        return text
    # Each different token once, sign by sign in Python: polars has no table of all scripts' digits.
    distinct = text.filter(foreign).unique()
    same = ["".join(map(_western_sign, token)) for token in distinct.to_list()]
    return text.replace(distinct, type(text)(same, dtype=text.dtype))


@cache
def _western_sign(sign: str) -> str:
    digit = unicodedata.decimal(sign, None)
    return _SIGNS.get(sign, sign) if digit is None else str(digit)
