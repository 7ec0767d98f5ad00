"""Numbers written as text: which tokens are missing, which are numbers, and which are neither."""

import unicodedata
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from ngrc._types import BoolArray, FloatArray
from ngrc.series.wording import Where, excerpt

if TYPE_CHECKING:
    import polars as pl

# What R, pandas, SQL and spreadsheets write for a missing value, in small letters. Not "-" or "?", which are rare and
# may be typing errors: those raise with their row.
MISSING = ("", "na", "nan", "null", "none", "n/a", "#n/a", "<na>")
NUMBER = r"^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?$"
_INFINITE = r"(?i)^[+-]?inf(inity)?$"
_DECIMAL_COMMA = r"^[+-]?[0-9]+,[0-9]+$"
# 1,234 may be a thousand and more or one and a bit: such tokens alone prove nothing.
_THOUSANDS = r"^[+-]?[0-9]{1,3},[0-9]{3}$"
_WHOLE = r"^[+-]?[0-9]+$"
_GROUPED = r"^[+-]?[0-9]+([.,][0-9]{3})*,[0-9]+$|^[+-]?[0-9]+(,[0-9]{3})+\.[0-9]+$"
# Digits of other scripts that stand for 0 to 9, and the signs that are written with them.
_FOREIGN = r"[^\x00-\x7F]"
_SIGNS = {"\u066b": ".", "\uff0e": ".", "\uff0b": "+", "\uff0d": "-"}


@dataclass(frozen=True)
class ParsedTokens:
    """Tokens as floats of shape (n,), NaN where missing or bad.

    A bad token is neither a number nor missing; a grouped one, such as 1,234.5, has thousands separators.
    """

    values: FloatArray
    missing: BoolArray
    bad: BoolArray
    grouped: BoolArray
    decimal_comma: bool

    @property
    def mostly_numbers(self) -> bool:
        """Whether more than half of the tokens that are not missing are meant as numbers.

        Tokens such as 1,234 are: they must raise where they stand, not hide their column.
        """
        written = self.missing.size - int(self.missing.sum())
        return 2 * (written - int((self.bad & ~self.grouped).sum())) > written


def tidy(text: "pl.Series") -> "pl.Series":
    """Strip blanks, write every decimal digit as 0 to 9, and turn every missing token into null."""
    stripped = _western(text.str.strip_chars())
    return stripped.set(stripped.str.to_lowercase().is_in(list(MISSING)).fill_null(True), None)


def _western(text: "pl.Series") -> "pl.Series":
    """Arabic, Indic, full-width and other decimal digits as the ASCII ones that every parser reads."""
    foreign = text.str.contains(_FOREIGN).fill_null(False)
    if not foreign.any():
        return text
    tokens = text.filter(foreign).to_list()
    # Sign by sign in Python, for the rare rows that need it: polars has no table of all scripts' digits.
    texts = text.to_list()
    for row, token in zip(foreign.arg_true().to_list(), tokens, strict=True):
        texts[row] = "".join(map(_western_sign, token))
    return type(text)(text.name, texts, dtype=text.dtype)


@cache
def _western_sign(sign: str) -> str:
    digit = unicodedata.decimal(sign, None)
    return _SIGNS.get(sign, sign) if digit is None else str(digit)


def parse_numbers(text: "pl.Series") -> ParsedTokens:
    """Read tokens as numbers with a decimal point, or all of them with a decimal comma.

    Examples
    --------
    >>> import polars as pl
    >>> parse_numbers(pl.Series(["1.5", "NA", "2e3"])).values
    array([1.5e+00,     nan, 2.0e+03])
    """
    import polars as pl

    tokens = tidy(text)
    # All tokens or none: 1.234 and 1,234 in one column leave open which of the signs is the decimal one.
    comma = _uses_decimal_comma(tokens)
    if comma:
        tokens = tokens.str.replace(",", ".", literal=True)
    number = (tokens.str.contains(NUMBER) | tokens.str.contains(_INFINITE)).fill_null(False)
    # The patterns decide what is a number: the cast is strict and must never meet another token.
    values = tokens.set(~number, None).str.strip_prefix("+").cast(pl.Float64)
    missing = tokens.is_null()
    return ParsedTokens(
        np.array(values.to_numpy(), dtype=np.float64),
        np.array(missing.to_numpy(), dtype=bool),
        np.array((~number & ~missing).to_numpy(), dtype=bool),
        np.array(tokens.str.contains(_GROUPED).fill_null(False).to_numpy(), dtype=bool),
        comma,
    )


def _uses_decimal_comma(tokens: "pl.Series") -> bool:
    present = tokens.drop_nulls()
    comma = present.str.contains(_DECIMAL_COMMA)
    if not comma.any() or not (comma | present.str.contains(_WHOLE)).all():
        return False
    return not present.filter(comma).str.contains(_THOUSANDS).all()


def numbers_from_text(text: "pl.Series", name: str, where: Where) -> tuple[FloatArray, tuple[str, ...]]:
    """Return a text column as floats of shape (n,) and remarks; a token that is no number raises."""
    parsed = parse_numbers(text)
    wrong = np.flatnonzero(parsed.bad | np.isinf(parsed.values))
    if wrong.size:
        row = int(wrong[0])
        token = str(text[row]).strip()
        if not parsed.bad[row]:
            raise ValueError(
                f"{where(row)}: column {name!r} holds the infinite value {excerpt(token)}; leave it empty"
            )
        remedy = (
            "write numbers like 1234.5, without thousands separators"
            if "," in token
            else "correct it or leave it empty"
        )
        raise ValueError(
            f"{where(row)}: column {name!r} holds {excerpt(token)} where a number belongs; {remedy}"
        )
    note = f"numbers of column {name!r} read with decimal commas"
    return parsed.values, (note,) if parsed.decimal_comma else ()
