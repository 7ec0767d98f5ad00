"""Columns of numbers as people write them: decimal commas, groups of three digits, units after the number.

All numbers of a column are read in one way, and only where one way alone fits: 1,234 may be a thousand and more or one
and a bit. The other columns of the file settle it, or the user is asked.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ngrc._types import BoolArray, FloatArray
from ngrc.series.tokens import NUMBER, tidy

if TYPE_CHECKING:
    import polars as pl

_EXPONENT = r"([eE][+-]?[0-9]+)?$"
_INFINITE = r"(?i)^[+-]?inf(inity)?$"
# Whatever is meant as a number, in any way of writing.
_NUMERIC = r"^[+-]?[.,]?[0-9][0-9.,' ]*([eE][+-]?[0-9]+)?$"
# 1,234 and 1.234: such tokens alone prove nothing. A group never begins with a zero: 0,123 is a decimal number.
_THOUSANDS = {sign: rf"^[+-]?[1-9][0-9]{{0,2}}[{sign}][0-9]{{3}}$" for sign in ",."}
# What may have thousands separators or a decimal comma; no date.
_GROUPED = r"^[+-]?[0-9]+([.,' ][0-9]{3})*,[0-9]+$|^[+-]?[0-9]{1,3}([.,' ][0-9]{3})+([.,][0-9]+)?$"
# A number, and after it a unit without digits but those of m2 and m3; before it perhaps a currency.
_CURRENCY = r"(?:[$€£¥]\s?|(?:USD|EUR|GBP|CHF|JPY)\s)?"
_UNIT = (
    rf"^{_CURRENCY}([+-]?[0-9][0-9.,' ]*?(?:[eE][+-]?[0-9]+)?)\s*"
    r"([A-Za-zµμ°º%‰€$£¥Ω][^\s0-9:]{0,7}[23]?)?$"
)
_BRACKETS = r"^\((.+)\)$"


class _Way(NamedTuple):
    """A way of writing numbers: the sign between groups, the decimal sign, and the pattern of all such tokens."""

    group: str
    decimal: str

    @property
    def pattern(self) -> str:
        group, decimal = (f"[{sign}]" for sign in (self.group or "x", self.decimal))
        if not self.group:
            return NUMBER if self.decimal == "." else rf"^[+-]?([0-9]+,?[0-9]*|,[0-9]+){_EXPONENT}"
        whole = rf"([0-9]{{1,3}}({group}[0-9]{{3}})+|[0-9]+)({decimal}[0-9]*)?"
        return rf"^[+-]?({whole}|{decimal}[0-9]+){_EXPONENT}"

    @property
    def proof(self) -> str | None:
        """The pattern of tokens that no other way explains; None where fitting is enough."""
        if self.group not in (",", "."):
            return None
        return (
            rf"^[+-]?[0-9]{{1,3}}([{self.group}][0-9]{{3}})+[{self.decimal}]|([{self.group}][0-9]{{3}}){{2}}"
        )


_POINT, _COMMA = _Way("", "."), _Way("", ",")
# Plain ways first: what they explain needs no groups.
_WAYS = (_POINT, _COMMA, _Way(",", "."), _Way(".", ","), _Way(" '", "."), _Way(" '", ","))


@dataclass(frozen=True)
class ParsedTokens:
    """Tokens as floats of shape (n,), NaN where missing or bad.

    A bad token is neither a number nor missing; a grouped one, such as 1,234, may have thousands separators.
    """

    values: FloatArray
    missing: BoolArray
    bad: BoolArray
    grouped: BoolArray
    way: _Way = _POINT
    unit: str = ""

    @property
    def decimal_comma(self) -> bool:
        """Whether the numbers have a decimal comma."""
        return self.way.decimal == ","

    @property
    def groups(self) -> bool:
        """Whether some numbers have thousands separators."""
        return bool(self.way.group)

    @property
    def mostly_numbers(self) -> bool:
        """Whether more than half of the tokens that are not missing are meant as numbers.

        Tokens such as 1,234 are: they must raise where they stand, not hide their column.
        """
        written = self.missing.size - int(self.missing.sum())
        return 2 * (written - int((self.bad & ~self.grouped).sum())) > written


def parse_numbers(text: "pl.Series", decimal: str | None = None) -> ParsedTokens:
    """Read tokens as numbers, all in one way; `decimal` is the decimal sign of the file's other columns, if known.

    Examples
    --------
    >>> import polars as pl
    >>> parse_numbers(pl.Series(["1.5", "NA", "2e3"])).values
    array([1.5e+00,     nan, 2.0e+03])
    >>> parse_numbers(pl.Series(["1.234,5 kW", "-0,5 kW"])).values
    array([ 1.2345e+03, -5.0000e-01])
    """
    plain = _plainly(text)
    if plain is not None and not (decimal == "," and _maybe_groups(text, ".")):
        return plain
    tokens = tidy(text)
    tokens, unit = _without_units(tokens)
    tokens = tokens.str.replace(_BRACKETS, "-${1}") if tokens.str.contains(_BRACKETS).any() else tokens
    numeric = tokens.str.contains(_NUMERIC).fill_null(False)
    way = _way(tokens.filter(numeric), decimal)
    number = (tokens.str.contains(way.pattern) | tokens.str.contains(_INFINITE)).fill_null(False)
    return _parsed(tokens, number, numeric, way, unit)


def _plainly(text: "pl.Series") -> ParsedTokens | None:
    """The fast way: every token a plain number or missing."""
    import polars as pl

    # Millions of other tokens are known by the first of them.
    if len(text) > 2 * _ROWS and _plainly(text.head(_ROWS)) is None:
        return None
    values = text.cast(pl.Float64, strict=False)
    other = values.is_null()
    if other.any():
        rest = text.filter(other)
        if tidy(rest.head(100)).null_count() < min(len(rest), 100) or tidy(rest).null_count() < len(rest):
            return None
    array = np.array(values.to_numpy(), dtype=np.float64)
    nothing = np.zeros(array.size, dtype=bool)
    return ParsedTokens(array, np.isnan(array), nothing, nothing)


def _parsed(
    tokens: "pl.Series", number: "pl.Series", numeric: "pl.Series", way: _Way, unit: str
) -> ParsedTokens:
    import polars as pl

    written = tokens.set(~number, None)
    for sign in way.group:
        written = written.str.replace_all(sign, "", literal=True)
    if way.decimal == ",":
        written = written.str.replace(",", ".", literal=True)
    # The patterns decide what is a number: the cast is strict and must never meet another token.
    values = written.str.strip_prefix("+").cast(pl.Float64)
    missing = tokens.is_null()
    grouped = numeric & tokens.str.contains(_GROUPED).fill_null(False)
    return ParsedTokens(
        np.array(values.to_numpy(), dtype=np.float64),
        np.array(missing.to_numpy(), dtype=bool),
        np.array((~number & ~missing).to_numpy(), dtype=bool),
        np.array(grouped.to_numpy(), dtype=bool),
        way,
        unit,
    )


def _way(tokens: "pl.Series", decimal: str | None) -> _Way:
    """The way that reads every token and is proved by one, or by the file; the decimal point where none is."""
    if len(tokens) == 0 or tokens.str.contains(NUMBER).all():
        # 1.234 throughout, in a file with decimal commas, are thousands.
        thousands = decimal == "," and _maybe_groups(tokens, ".")
        return _Way(".", ",") if thousands else _POINT
    fitting = [way for way in _WAYS if tokens.str.contains(way.pattern).all()]
    proved = [way for way in fitting if way.proof is not None and tokens.str.contains(way.proof).any()]
    if proved:
        return proved[0]
    if _COMMA in fitting and not _maybe_groups(tokens, ","):
        return _COMMA
    # Only tokens such as 1,234 and whole numbers: what the other columns say.
    if _COMMA in fitting and decimal is not None:
        return _COMMA if decimal == "," else _Way(",", ".")
    # Both signs in different tokens, 1.234 and 1,5, fit one way with groups; nothing proves that it was meant.
    spaced = bool(tokens.str.contains("[ ']").any())
    blanks = [way for way in fitting if spaced and way.group == " '"]
    if len(blanks) == 2 and not tokens.str.contains("[.,]").any():
        return blanks[0]
    if len(blanks) == 1:
        return blanks[0]
    return next((way for way in blanks if way.decimal == decimal), _POINT)


def _maybe_groups(tokens: "pl.Series", sign: str) -> bool:
    """Whether all tokens with that sign look like 1,234, and there are such."""
    signed = tokens.filter(tokens.str.contains(sign, literal=True).fill_null(False))
    return len(signed) > 0 and bool(signed.str.strip_chars().str.contains(_THOUSANDS[sign]).all())


def _without_units(tokens: "pl.Series") -> tuple["pl.Series", str]:
    """Tokens without the unit that all numbers share, if most have one, and that unit."""
    sample = tokens.drop_nulls().head(100)
    if 2 * int(sample.str.contains(NUMBER).sum()) > len(sample):
        return tokens, ""
    parts = tokens.str.extract_groups(_UNIT).struct.unnest().get_columns()
    numbers, units = parts[0].str.strip_chars(), parts[1]
    changed = (numbers.is_not_null() & (numbers != tokens)).fill_null(False)
    different = units.drop_nulls().unique().to_list()
    # A word behind one number is a typing error, behind most of them a unit.
    if len(different) > 1 or 2 * int(changed.sum()) <= int(tokens.is_not_null().sum()):
        return tokens, ""
    return tokens.zip_with(~changed, numbers), next(iter(different), "")


def file_decimal(frame: "pl.DataFrame", separator: str | None) -> str | None:
    """The decimal sign that the columns of a text table prove; None where they prove none, or both.

    Where commas separate the columns and nothing is proved, the decimal sign is the point.
    """
    signs = {sign for column in frame.head(_ROWS).get_columns()[:_COLUMNS] for sign in _proved(column)}
    if len(signs) == 1:
        return signs.pop()
    return "." if separator == "," and not signs else None


# Rows and columns that prove the decimal sign of a file.
_ROWS, _COLUMNS = 1000, 60
_PROOF = (
    r"^\s*[+-]?([0-9]*[{sign}]([0-9]{{1,2}}|[0-9]{{4,}})|0*[{sign}][0-9]+"
    r"|[0-9]{{1,3}}([{other}' ][0-9]{{3}})+[{sign}][0-9]+)\s*[^0-9:]{{0,8}}$"
)
_PROOFS = {sign: _PROOF.format(sign=sign, other=other) for sign, other in ((",", "."), (".", ","))}


def _proved(column: "pl.Series") -> list[str]:
    return [sign for sign, pattern in _PROOFS.items() if column.str.contains(pattern).any()]
