"""Which column of a table holds the time and which the values."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np

from ngrc._types import FloatArray
from ngrc.series.dates import WRITE
from ngrc.series.labels import (
    CALENDAR_NAMES,
    PART_NAMES,
    TIME_NAMES,
    UNNAMED,
    VALUE_NAMES,
    label,
    names_series,
)
from ngrc.series.parts import Parts, find_parts, read_times
from ngrc.series.regular import is_regular
from ngrc.series.table import Table, worth_a_look
from ngrc.series.tokens import tidy
from ngrc.series.wording import array_row, closest, excerpt, listed

_TIMELY = re.compile(r"date|time|year|decimal|datum|zeit|jahr|ann", re.IGNORECASE).search
# Fewer equal numbers are an accident.
_LEAST_ROWS = 3
# How far the steps of decimal years of four places differ.
_ROUNDED = 0.02
_LONG_NUMBER = re.compile(r"^\s*\d{6,19}(\.0)?\s*$").match
# Columns at the left that may be dates written as numbers, and how many must follow one another evenly to be so.
_CALENDARS, _LEAST_DATES = 3, 4
# Text that is meant as a date, whatever the order of its parts.
_DATE_LIKE = r"^\d{4}[-/.]\d{1,2}[-/.]\d{1,2}([ T]|$)|^\d{1,2}[-/.]\d{1,2}[-/.](\d{4}|\d{2})([ T,]|$)"


@dataclass(frozen=True)
class Choice:
    """The chosen columns, and remarks on choices that the user did not make.

    `parts` are the columns that only together say the time; `time` is None then.
    """

    value: Any
    time: Any | None
    notes: tuple[str, ...]
    parts: Parts | None = None


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
    parts = None
    if not indexed:
        # The time first, then the values among the rest: a column of dates is surer than a column of numbers.
        others = [name for name in worth_a_look(names) if name != value]
        clock = _time_column(table, others) if time is None else clock
        parts = find_parts(table, clock, others)
        if parts is not None:
            clock, notes = None, (f"times from columns {parts.listed}",)
        elif clock is None:
            notes = _unread(table, others)
        elif time is None:
            notes = (f"times from column {clock!r}",)
    if value is None:
        time_columns = {clock} if parts is None else set(parts.names)
        value, remarks = _value_column(table, [name for name in names if name not in time_columns])
        notes += remarks
    return Choice(value, clock, notes, parts)


def known(name: str | int, names: Sequence[Any]) -> Any:
    """Return the column called `name`; an unknown one raises and suggests the closest."""
    # Compared as text too: pandas columns may be numbers, which the command line can only write as text.
    for candidate in names:
        if candidate == name or str(candidate) == str(name):
            return candidate
    raise ValueError(f"no column {name!r}; there are {listed(names)}{closest(str(name), names)}")


def _time_column(table: Table, names: list[Any]) -> Any | None:
    parts = [name for name in names if label(name) in PART_NAMES]
    repeating = None
    # One and the same date in every row, such as that of the download, is no time where another column has some.
    moving = [name for name in names if table.kind(name) == "time" and _moves(table, name)]
    calendar = next((name for name in names[:_CALENDARS] if _is_calendar(table, name)), None)
    for name in names:
        kind = table.kind(name)
        if kind == "time" and (not moving or name in moving):
            return name
        if kind == "number" and label(name) in TIME_NAMES:
            # Numbers that repeat may be the hours beside a date that comes later.
            if np.unique(table.numbers(name)).size == len(table.frame):
                return name
            repeating = name if repeating is None else repeating
        if name == calendar:
            return name
        # A lone part such as the year is a time where it never falls or repeats; beside others `find_parts` joins them.
        if kind == "number" and parts == [name] and np.all(np.diff(table.numbers(name)) > 0):
            return name
    return repeating


def _moves(table: Table, name: Any) -> bool:
    """Whether a column of times holds more than one; of a few rows none is asked to."""
    column = table.column(name)
    return len(column) < _LEAST_ROWS or column.head(_LEAST_ROWS).n_unique() > 1 or column.n_unique() > 1


def _is_calendar(table: Table, name: Any) -> bool:
    """Whether a column of whole numbers, whatever its name, counts dates such as 20240131 or Unix seconds evenly."""
    if table.kind(name) != "number" or label(name) in VALUE_NAMES:
        return False
    # A look at one number spares most columns of measurements.
    if table.text and _LONG_NUMBER(str(table.column(name)[0])) is None:
        return False
    numbers = table.numbers(name)
    steps = np.diff(numbers)
    if (
        numbers.size < _LEAST_DATES
        or not np.all(numbers >= 1e5)
        or not (np.all(steps > 0) or np.all(steps < 0))
    ):
        return False
    try:
        times = read_times(table, name, array_row).times
    except ValueError:
        return False
    return times.dtype.kind == "M" and is_regular(times if steps[0] > 0 else times[::-1])


def _unread(table: Table, names: list[Any]) -> tuple[str, ...]:
    """Refuse a column that is called a time, or looks like one, but cannot be read; names of days are remarked on."""
    import polars as pl

    for name in names:
        time_named = label(name) in TIME_NAMES | PART_NAMES
        if table.kind(name) != "other":
            continue
        column = table.column(name)
        sample = tidy(
            pl.Series([str(token) for token in column.drop_nulls().head(100).to_list()], dtype=pl.String)
        )
        sample = sample.drop_nulls()
        # Most tokens decide, as everywhere in this room: a stray word makes no column of dates something else.
        dated = 2 * int(sample.str.contains(_DATE_LIKE).sum()) > len(sample)
        counted = 2 * int(sample.str.contains(r"\d").sum()) > len(sample)
        # "period" is left out, as it also names a state (peak, off-peak).
        if dated or (time_named and counted) or label(name) in TIME_NAMES - {"period"}:
            why = "is called a time" if time_named else "looks like times"
            raise ValueError(
                f"column {name!r} {why}, but {excerpt(sample[0])} in it cannot be read as one; {WRITE}, name another "
                "column with time= (--time), or rename or drop this one"
            )
        if time_named:
            return (
                f"column {name!r} was not understood as times and is left out: rows are taken in their order",
            )
    return ()


def _value_column(table: Table, names: list[Any]) -> tuple[Any, tuple[str, ...]]:
    near = worth_a_look(names)
    numeric = [name for name in near if table.kind(name) == "number"]
    # Only where the first columns hold no number are the others of a wide table looked at, up to the first.
    if not numeric and len(near) < len(names):
        numeric = list(islice((name for name in names if table.plainly_numeric(name)), 1))
    likely = [name for name in numeric if label(name) not in PART_NAMES | TIME_NAMES] or numeric
    # An id is a number too, but never what is to be forecast while there is another.
    likely = [name for name in likely if not names_series(name)] or likely
    likely = [name for name in likely if label(name) not in CALENDAR_NAMES] or likely
    likely, notes = _without_counter(table, likely)
    likely, remarks = _without_constant(table, likely)
    notes += remarks
    empty = [name for name in near if table.kind(name) == "missing"]
    if not likely and (empty or len(names) == 1):
        # Reading it raises the precise error: all missing, or the first text that is no number.
        return (empty or names)[0], ()
    if not likely:
        remedy = (
            f"only {len(near)} columns of so wide a table are looked at closely: name the values with column= "
            "(--column) and the times with time= (--time)"
            if len(near) < len(names)
            else "add one"
        )
        if not names:
            raise ValueError("no column is left for the values beside the others that were named; add one")
        raise ValueError(
            f"no column of numbers to use as values among {listed(table.frame.columns)}; {remedy}"
        )
    # In the order of VALUE_NAMES, not of the table: y wins over target wherever it stands.
    preferred = [name for value_name in VALUE_NAMES for name in likely if label(name) == value_name]
    if len(likely) == 1 or preferred:
        return (preferred or likely)[0], notes
    more = f", and {len(names) - len(near)} columns not looked at" if len(near) < len(names) else ""
    note = (
        f"using column {likely[0]!r}, the first numeric one; choose another with column= (--column): "
        f"{listed(likely[1:])}{more}"
    )
    return likely[0], (*notes, note)


def _without_constant(table: Table, likely: list[Any]) -> tuple[list[Any], tuple[str, ...]]:
    """Leave out first columns of one and the same number, such as a quality flag, while another varies."""
    for place, name in enumerate(likely):
        # A glance at the first rows settles it for most columns of millions.
        if label(name) in VALUE_NAMES or not (
            _is_constant(table.first_numbers(name)) and _is_constant(table.numbers(name))
        ):
            skipped = likely[:place]
            note = f"constant and not taken as values: {listed(skipped)}"
            return likely[place:], (note,) if skipped else ()
    return likely, ()


def _without_counter(table: Table, likely: list[Any]) -> tuple[list[Any], tuple[str, ...]]:
    """Leave out a first column that only numbers the rows or ticks like a clock."""
    if not likely or label(likely[0]) in VALUE_NAMES:
        return likely, ()
    first, *rest = likely
    unnamed = label(first) in UNNAMED
    # Two rows always rise evenly or fall: without a telling name that proves nothing.
    # Decimal years are rounded; only a name that says time makes an uneven clock of a column.
    room = _ROUNDED if _TIMELY(str(first)) else 0.0
    ticks = _ticks(table.first_numbers(first), room) and _ticks(table.numbers(first), room)
    if not ticks or (len(table.frame) < 3 and not unnamed) or not (rest or unnamed):
        return likely, ()
    return rest, () if unnamed else (f"column {first!r} rises evenly and is not taken as values",)


def _is_constant(numbers: FloatArray) -> bool:
    known = numbers[~np.isnan(numbers)]
    return known.size >= _LEAST_ROWS and bool(np.all(known == known[0]))


def _ticks(values: FloatArray, room: float) -> bool:
    """Whether values rise by one step, or by steps that differ from it by no more than that share."""
    # Numbers near the largest that there is have differences beyond it, and no counter reaches them.
    with np.errstate(over="ignore", invalid="ignore"):
        steps = np.diff(values)
        return (
            values.size > 1
            and bool(steps[0] > 0)
            and bool(np.all(np.abs(steps - steps[0]) <= room * steps[0]))
        )
