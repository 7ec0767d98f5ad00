"""A data frame whose columns are looked at one by one, and only as far as needed."""

import datetime as dt
import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import narwhals as nw
import numpy as np

from ngrc._types import FloatArray
from ngrc.series.dates import looks_like_dates, months_of_years
from ngrc.series.labels import HOUR_NAMES, PART_NAMES, TIME_NAMES, VALUE_NAMES, label, names_series
from ngrc.series.numerals import parse_numbers
from ngrc.series.tokens import NUMBER, tidy
from ngrc.series.zones import time_zone

if TYPE_CHECKING:
    import polars as pl

Kind: TypeAlias = Literal["number", "time", "missing", "other"]

# Rows that tell what a column holds: a preamble of missing values may be long.
_SAMPLE = 1000
# Columns that are looked at where nothing in their name calls for it: a look takes about a millisecond.
_COLUMNS = 200
# Columns further on that are looked at for their name: a table of thousands of ids must not take minutes.
_NAMED = 50
# Rows that tell a column of numbers at first sight.
_GLANCE = 50
_PLAIN = re.compile(NUMBER).match
# Signs, brackets and currencies may stand before the first digit.
_NUMERIC_START = re.compile(r"^\W{0,3}([A-Z]{3}\s)?\W{0,2}(\d|inf)", re.IGNORECASE).match
_TELLING = TIME_NAMES | PART_NAMES | HOUR_NAMES | frozenset(VALUE_NAMES)


@dataclass(frozen=True)
class Table:
    """A data frame, and whether its strings are unparsed text (from a CSV file) that may hold numbers.

    `decimal` is the decimal sign that the columns of a text prove together, if they do.
    """

    frame: "nw.DataFrame[Any]"
    text: bool
    decimal: str | None = None
    _kinds: dict[Any, Kind] = field(default_factory=dict, init=False, repr=False, compare=False)
    _numbers: dict[Any, FloatArray] = field(default_factory=dict, init=False, repr=False, compare=False)

    def column(self, name: Any) -> "nw.Series[Any]":
        """Return a column by name, which pandas allows to be a number."""
        return self.frame.get_column(name)

    def kind(self, name: Any) -> Kind:
        """Tell numbers and times from anything else, by type, or for text by what most tokens are."""
        if name not in self._kinds:
            self._kinds[name] = self._look(name)
        return self._kinds[name]

    def plainly_numeric(self, name: Any) -> bool:
        """Whether the type or the first rows say that a column holds numbers; fast enough for thousands of columns."""
        if not self.text or self.column(name).dtype != nw.String:
            return self.column(name).dtype.is_numeric()
        return _mostly_plain(self.strings(name).head(_GLANCE).to_list())

    def _look(self, name: Any) -> Kind:
        column = self.column(name)
        if column.dtype.is_numeric():
            return "number"
        if column.null_count() == len(column):
            return "missing"
        if isinstance(column.dtype, nw.Datetime | nw.Date) or time_zone(column) is not None:
            return "time"
        if column.dtype != nw.String:
            return self._kind_of_objects(column)
        text = self.strings(name)
        if self.text and months_of_years(text.head(_SAMPLE)):
            return "time"
        # The fast way first: most columns of a wide table hold plain numbers.
        if self.text and _mostly_plain(text.head(_SAMPLE).to_list()):
            return "number"
        sample = tidy(text.head(_SAMPLE)).drop_nulls()
        # A sensor that was switched on late: the whole column is searched before it counts as missing.
        if len(sample) == 0:
            sample = tidy(text).drop_nulls().head(_SAMPLE)
        if len(sample) == 0:
            return "missing"
        if (
            self.text
            and _maybe_numbers(sample.to_list())
            and parse_numbers(sample, self.decimal).mostly_numbers
        ):
            return "number"
        return "time" if looks_like_dates(sample) else "other"

    @staticmethod
    def _kind_of_objects(column: "nw.Series[Any]") -> Kind:
        if column.dtype != nw.Object:
            return "other"
        sample = column.drop_nulls().head(_SAMPLE).to_list()
        numbers = sum(
            isinstance(element, int | float) and not isinstance(element, bool) for element in sample
        )
        if 2 * numbers > len(sample):
            return "number"
        return (
            "time" if 2 * sum(isinstance(element, dt.date) for element in sample) > len(sample) else "other"
        )

    def strings(self, name: Any) -> "pl.Series":
        """Return a column of strings as polars text."""
        import polars as pl

        native = self.column(name).to_native()
        if isinstance(native, pl.Series):
            return native
        return pl.Series(str(name), self.column(name).to_list(), dtype=pl.String)

    def first_numbers(self, name: Any) -> FloatArray:
        """The same of the first rows, which settle most questions about a column of millions."""
        return replace(self, frame=self.frame.head(_SAMPLE)).numbers(name)

    def numbers(self, name: Any) -> FloatArray:
        """Return a column of numbers as floats for a look, bad tokens and infinite numbers as NaN."""
        if name not in self._numbers:
            self._numbers[name] = self._read(name)
        return self._numbers[name]

    def _read(self, name: Any) -> FloatArray:
        column = self.column(name)
        if self.text:
            values = parse_numbers(self.strings(name), self.decimal).values
        elif column.dtype.is_numeric():
            values = np.asarray(column.cast(nw.Float64).to_numpy(), dtype=np.float64)
        else:
            return np.full(len(column), np.nan)
        return np.where(np.isfinite(values), values, np.nan)


def _maybe_numbers(tokens: list[str]) -> bool:
    """Whether more than half of the tokens begin as a number may, which words do not."""
    return 2 * sum(_NUMERIC_START(token) is not None for token in tokens) > len(tokens)


def _mostly_plain(tokens: list[str | None]) -> bool:
    """Whether most tokens, missing ones included, are plain numbers; then `parse_numbers` would find so too, slowly."""
    return 2 * sum(token is not None and _PLAIN(token) is not None for token in tokens) > len(tokens)


def worth_a_look(names: Sequence[Any]) -> list[Any]:
    """Return the first columns of a wide table, and those further on whose name calls for a look."""
    near, far = list(names[:_COLUMNS]), names[_COLUMNS:]
    telling = (name for name in far if label(name) in _TELLING or names_series(name))
    return near + list(islice(telling, _NAMED))
