"""Which column of a table holds the time and which the values."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import narwhals as nw
import numpy as np

from ngrc._types import FloatArray
from ngrc.series.dates import looks_like_dates
from ngrc.series.tokens import parse_numbers, tidy
from ngrc.series.wording import closest, listed

if TYPE_CHECKING:
    import polars as pl

Kind: TypeAlias = Literal["number", "time", "missing", "other"]

TIME_NAMES = frozenset({"date", "time", "datetime", "date_time", "date time", "timestamp", "ds", "period"})
# A part of a date is a time of its own only where it stands alone and never repeats.
PART_NAMES = frozenset({"year", "quarter", "month", "week", "day", "hour", "minute", "second"})
VALUE_NAMES = ("y", "value", "target")
UNNAMED = frozenset({"", "unnamed: 0", "index"})
_SAMPLE = 1000


@dataclass(frozen=True)
class Table:
    """A data frame, and whether its strings are unparsed text (from a CSV file) that may hold numbers."""

    frame: "nw.DataFrame[Any]"
    text: bool

    def column(self, name: Any) -> "nw.Series[Any]":
        """Return a column by name, which pandas allows to be a number."""
        return self.frame.get_column(name)

    def kind(self, name: Any) -> Kind:
        """Tell numbers and times from anything else, by type, or for text by what most tokens are."""
        column = self.column(name)
        if column.dtype.is_numeric():
            return "number"
        if column.null_count() == len(column):
            return "missing"
        if isinstance(column.dtype, nw.Datetime | nw.Date):
            return "time"
        if column.dtype != nw.String:
            return self._kind_of_objects(column)
        text = self.strings(name)
        sample = tidy(text.head(_SAMPLE)).drop_nulls()
        if len(sample) == 0:
            sample = tidy(text).drop_nulls().head(_SAMPLE)
        if len(sample) == 0:
            return "missing"
        if self.text and parse_numbers(sample).mostly_numbers:
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
        return "number" if 2 * numbers > len(sample) else "other"

    def strings(self, name: Any) -> "pl.Series":
        """Return a column of strings as polars text."""
        import polars as pl

        native = self.column(name).to_native()
        if isinstance(native, pl.Series):
            return native
        return pl.Series(str(name), self.column(name).to_list(), dtype=pl.String)

    def numbers(self, name: Any) -> FloatArray:
        """Return a column of numbers as floats for a look, bad tokens as NaN."""
        if self.text:
            return parse_numbers(self.strings(name)).values
        column = self.column(name)
        if not column.dtype.is_numeric():
            return np.full(len(column), np.nan)
        return np.asarray(column.cast(nw.Float64).to_numpy(), dtype=np.float64)


@dataclass(frozen=True)
class Choice:
    """The chosen columns, and remarks on choices that the user did not make."""

    value: Any
    time: Any | None
    notes: tuple[str, ...]


def choose(table: Table, column: str | int | None, time: str | int | None, indexed: bool = False) -> Choice:
    """Take the named columns, and detect those that are not named.

    `indexed` says that the times come from elsewhere, so that no time column is wanted.
    """
    names = table.frame.columns
    value = None if column is None else known(column, names)
    clock = None if time is None else known(time, names)
    if value is not None and value == clock:
        raise ValueError(f"column {value!r} is asked for both as values and as time; name two different ones")
    notes: tuple[str, ...] = ()
    if clock is None and not indexed:
        clock = _time_column(table, [name for name in names if name != value])
        notes += (f"times from column {clock!r}",) if clock is not None else _unread(table, names, value)
    if value is None:
        value, remarks = _value_column(table, [name for name in names if name != clock])
        notes += remarks
    return Choice(value, clock, notes)


def known(name: str | int, names: list[Any]) -> Any:
    """Return the column called `name`; an unknown one raises and suggests the closest."""
    for candidate in names:
        if candidate == name or str(candidate) == str(name):
            return candidate
    raise ValueError(f"no column {name!r}; there are {listed(names)}{closest(str(name), names)}")


def _time_column(table: Table, names: list[Any]) -> Any | None:
    labels = {name: str(name).strip().lower() for name in names}
    parts = [name for name in names if labels[name] in PART_NAMES]
    for name in names:
        kind = table.kind(name)
        if kind == "time" or (kind == "number" and labels[name] in TIME_NAMES):
            return name
        if kind == "number" and parts == [name] and np.all(np.diff(table.numbers(name)) > 0):
            return name
    return None


def _unread(table: Table, names: list[Any], value: Any) -> tuple[str, ...]:
    """A remark where a column is called a time but holds nothing that can be read as one."""
    for name in names:
        label = str(name).strip().lower()
        if name != value and label in TIME_NAMES | PART_NAMES and table.kind(name) == "other":
            return (
                f"column {name!r} was not understood as times and is left out: rows are taken in their order",
            )
    return ()


def _value_column(table: Table, names: list[Any]) -> tuple[Any, tuple[str, ...]]:
    kinds = {name: table.kind(name) for name in names}
    labels = {name: str(name).strip().lower() for name in names}
    numeric = [name for name in names if kinds[name] == "number"]
    likely = [name for name in numeric if labels[name] not in PART_NAMES | TIME_NAMES] or numeric
    likely, notes = _without_counter(table, likely, labels)
    empty = [name for name in names if kinds[name] == "missing"]
    if not likely and (empty or len(names) == 1):
        # Reading it raises the precise error: all missing, or the first text that is no number.
        return (empty or names)[0], ()
    if not likely:
        raise ValueError(f"no column of numbers to use as values among {listed(table.frame.columns)}")
    named = [name for wanted in VALUE_NAMES for name in likely if labels[name] == wanted]
    if len(likely) == 1 or named:
        return (named or likely)[0], notes
    note = (
        f"using column {likely[0]!r}, the first numeric one; choose another with column= (--column): "
        f"{listed(likely[1:])}"
    )
    return likely[0], (*notes, note)


def _without_counter(
    table: Table, likely: list[Any], labels: dict[Any, str]
) -> tuple[list[Any], tuple[str, ...]]:
    """Leave out a first column that only numbers the rows or ticks like a clock."""
    if not likely or labels[likely[0]] in VALUE_NAMES:
        return likely, ()
    first, *rest = likely
    unnamed = labels[first] in UNNAMED
    values = table.numbers(first)
    steps = np.diff(values)
    ticks = values.size > 1 and bool(steps[0] > 0) and bool(np.all(steps == steps[0]))
    if not ticks or (values.size < 3 and not unnamed) or not (rest or unnamed):
        return likely, ()
    return rest, () if unnamed else (f"column {first!r} rises evenly and is not taken as values",)
