"""Tables that hold several series: recognised and refused, so that two of them are never averaged or joined into one.

Rows belong to several series where a column tells apart the rows that share a time. A column that is called an id is
believed at once. Any other must divide the rows into series, each dense in the times between its first and last row:
a quality flag or a whole-numbered measurement differs at a repeated time by chance, and its rows are scattered.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import combinations
from typing import Any

import narwhals as nw
import numpy as np

from ngrc._types import AnyArray, IntArray
from ngrc.series.labels import HOUR_NAMES, PART_NAMES, VALUE_NAMES, label, names_series
from ngrc.series.regular import is_regular
from ngrc.series.stacks import ranks, restarts, same_in_blocks
from ngrc.series.table import Table, worth_a_look
from ngrc.series.wording import excerpt

# Below this share of rows at repeated times, repeats are accidents such as the hour that a clock change repeats.
_REPEATED = 0.02
# The share of repeats that a column without a telling name must explain. Some rows stand twice in any table; a flag
# of two values that is drawn at random explains half, one of three values two thirds.
_EXPLAINED = 0.8
# A series with a row at half of the times is still one; of three, two must be so dense.
_DENSE, _DENSE_SERIES = 0.5, 2 / 3
# Columns whose pairs are tried, as with store and item: 28 pairs at most, a sort of all rows each.
_PAIRED = 8
# Columns that may hold a clock nobody recognised: times stand at the left, and each is tried with each id.
_CLOCKS = 20
# Rows whose decimals tell a measurement.
_HEAD = 50
# Series named in the error, enough to recognise the column by.
_MOST_EXAMPLES = 4


class SeveralSeriesError(ValueError):
    """A table holds several series where one is expected; `columns` tell them apart."""

    def __init__(self, message: str, columns: tuple[Any, ...]) -> None:
        super().__init__(message)
        self.columns = columns


@dataclass(frozen=True)
class _Key:
    """Columns that may tell series apart, and the number of the series of every row, shape (n,)."""

    names: tuple[Any, ...]
    codes: IntArray

    @property
    def count(self) -> int:
        return int(self.codes.max()) + 1

    @property
    def repeats(self) -> bool:
        """Whether there are several series of two rows on average; a number per row is no id."""
        return 2 <= self.count <= self.codes.size // 2

    @property
    def listed(self) -> str:
        """The columns for a person."""
        noun = "column" if len(self.names) == 1 else "columns"
        return f"{noun} {' and '.join(repr(name) for name in self.names)}"

    def joined(self, other: "_Key") -> "_Key":
        return _Key(self.names + other.names, _numbered(self.codes * other.count + other.codes))


def check_one_series(
    table: Table, times: AnyArray | None, taken: Sequence[Any], value: Any, chosen: bool
) -> tuple[str, ...]:
    """Raise `ValueError` where the rows belong to several series; return remarks where they might.

    Parameters
    ----------
    table
        The table, with n rows.
    times
        Times of the rows, shape (n,), or None.
    taken
        Columns that hold the times.
    value
        The column of values; it may itself be the id where nobody has chosen it.
    chosen
        Whether the user named the column of values.
    """
    names = [name for name in worth_a_look(table.frame.columns) if name not in taken]
    numeric = sum(table.kind(name) == "number" for name in names)
    if chosen or numeric < 2 or label(value) in VALUE_NAMES:
        names = [name for name in names if name != value]
    id_keys = [key for name in names if names_series(name) and (key := _key(table, name)) is not None]
    mixed: _Key | None
    if times is None:
        mixed = next((key for key in id_keys if key.repeats), None) or _stacked(table, names)
    else:
        moments = _numbered(times)
        if int(moments.max()) + 1 == moments.size:
            # No time repeats, but series that take turns (A at 1, B at 2, A at 3) would be joined into one.
            mixed = next((key for key in id_keys if key.repeats and _interleaved(key, moments)), None)
            # Times without a gap are those of one series, whatever a column beside it is called.
            if mixed is not None and is_regular(times):
                return (f"all rows taken as one series, as no time repeats, in spite of {mixed.listed}",)
        else:
            others = (_key(table, name) for name in names if not names_series(name))
            mixed = _by_name(id_keys, moments) or _by_content(
                [key for key in others if key is not None], moments
            )
    if mixed is not None:
        raise _refusal(table, mixed)
    return ()


def _stacked(table: Table, names: list[Any]) -> _Key | None:
    """The column whose rows start a clock again that was not recognised as the time."""
    near = names[:_CLOCKS]
    candidates = (_key(table, name) for name in near)
    keys = [
        key
        for key in candidates
        if key is not None and key.repeats and not _counts_years(table, key.names[0])
    ]
    for name in near if keys else []:
        clock = _clock(table, name)
        # Numbers beside a year are its weeks or days; texts may still be the names of countries.
        years = _counts_years(table, name)
        # Text with digits (week 3, 01Jan24) counts something, the names of days do not.
        dated = table.kind(name) != "number" and any(sign.isdigit() for sign in str(table.column(name)[0]))
        if clock is None:
            continue
        for key in keys:
            part = key.names == (name,) or (years and table.kind(key.names[0]) == "number")
            # A month and its days are one time, whose rows stand in order.
            part |= {label(name), label(key.names[0])} <= PART_NAMES
            if not part and (restarts(key.codes, clock) or (dated and same_in_blocks(key.codes, clock))):
                return key
    return None


def _clock(table: Table, name: Any) -> IntArray | None:
    """Ranks of a column that may be a clock: complete numbers, or text."""
    if table.kind(name) == "missing":
        return None
    if table.kind(name) == "number":
        numbers = table.numbers(name)
        return ranks(numbers) if np.all(np.isfinite(numbers)) else None
    key = _key(table, name)
    return (
        None if key is None else ranks(np.array([str(element) for element in table.column(name).to_list()]))
    )


def _counts_years(table: Table, name: Any) -> bool:
    """Whether a column holds year after year, so that a clock beside it (a week, a day) counts within the year."""
    if table.kind(name) != "number":
        return False
    numbers = table.numbers(name)
    steps = np.diff(numbers)
    return bool(np.all((numbers >= 1000) & (numbers < 3000)) and np.all((steps == 0) | (steps == 1)))


def _key(table: Table, name: Any) -> _Key | None:
    """Number the values of a column of text, dates or whole numbers; None for measurements."""
    column = table.column(name)
    if table.kind(name) == "missing":
        return None
    if table.kind(name) == "number" and (table.text or column.dtype.is_float()):
        # Most measurements show a decimal at once; only whole numbers are read to the end.
        if table.text and table.strings(name).head(_HEAD).str.contains(r"[0-9][.,][0-9]*[1-9]").any():
            return None
        numbers = table.numbers(name)
        if np.any(numbers != np.rint(numbers)):
            return None
    try:
        elements = column.cast(nw.String).to_list()
    except Exception:  # a column of nested values cannot be an id
        return None
    return _Key((name,), _numbered(np.array([str(element) for element in elements])))


def _numbered(values: AnyArray) -> IntArray:
    return np.unique(values, return_inverse=True)[1].astype(np.int64)


def _unexplained(key: _Key, moments: IntArray) -> int:
    """How many rows repeat the series and time of an earlier one."""
    return moments.size - int(np.unique(key.codes * (moments.max() + 1) + moments).size)


def _by_name(keys: list[_Key], moments: IntArray) -> _Key | None:
    """The columns called ids that tell rows of one time apart, as few as do it."""
    excess = moments.size - int(moments.max()) - 1
    best: _Key | None = None
    for key in sorted(keys, key=lambda key: _unexplained(key, moments)):
        wider = key if best is None else best.joined(key)
        if key.repeats and _unexplained(wider, moments) < (
            excess if best is None else _unexplained(best, moments)
        ):
            best = wider
    return best


def _by_content(keys: list[_Key], moments: IntArray) -> _Key | None:
    """The column, or pair of columns, that divides the rows into dense series although no name says so."""
    counts = np.bincount(moments)
    if np.mean(counts[moments] > 1) < _REPEATED:
        return None
    single = next((key for key in keys if _divides(key, moments)), None)
    if single is not None:
        return single
    candidates = [key for key in keys if key.repeats][:_PAIRED]
    pairs = (first.joined(second) for first, second in combinations(candidates, 2))
    return next((key for key in pairs if _divides(key, moments)), None) or _jointly(candidates, moments)


def _jointly(keys: list[_Key], moments: IntArray) -> _Key | None:
    """Three columns and more, such as sex, age and cause: all of them, less those that nothing depends on."""
    chosen = list(keys)
    if len(chosen) < 3 or not _divides(reduce(_Key.joined, chosen), moments):
        return None
    for key in reversed(keys):
        fewer = [other for other in chosen if other is not key]
        if len(fewer) > 1 and _divides(reduce(_Key.joined, fewer), moments):
            chosen = fewer
    return reduce(_Key.joined, chosen)


def _divides(key: _Key, moments: IntArray) -> bool:
    excess = moments.size - int(moments.max()) - 1
    if not key.repeats or _unexplained(key, moments) > (1 - _EXPLAINED) * excess:
        return False
    # One number per pair of series and time, sorted: within a series the times ascend and each stands once.
    width = int(moments.max()) + 1
    series, times = np.divmod(np.unique(key.codes * width + moments), width)
    rows = np.bincount(series)
    starts = np.concatenate([[0], np.cumsum(rows)[:-1]])
    span = times[starts + rows - 1] - times[starts] + 1
    dense = (rows >= 2) & (rows >= _DENSE * span)
    return bool(np.mean(dense) >= _DENSE_SERIES)


def _interleaved(key: _Key, moments: IntArray) -> bool:
    """Whether a series comes back after another; a station that was replaced once does not."""
    in_time = key.codes[np.argsort(moments, kind="stable")]
    # Series in a row change count - 1 times; one change more means that one of them came back.
    return int(np.count_nonzero(np.diff(in_time))) >= key.count


def _refusal(table: Table, key: _Key) -> ValueError:
    parts = [name for name in key.names if label(name) in PART_NAMES | HOUR_NAMES]
    if parts:
        return ValueError(
            f"column {parts[0]!r} is a part of the times that is not understood here; write one column of times "
            "like 2024-01-31 or 2024-01-31 13:00"
        )
    firsts = np.sort(np.unique(key.codes, return_index=True)[1])[:_MOST_EXAMPLES].tolist()
    values = [[excerpt(table.column(name)[row]) for name in key.names] for row in firsts]
    examples = ", ".join(" and ".join(row) for row in values) + (
        ", ..." if key.count > _MOST_EXAMPLES else ""
    )
    noun = "column" if len(key.names) == 1 else "columns"
    example = " and ".join(f"{name} = {value}" for name, value in zip(key.names, values[0], strict=True))
    return SeveralSeriesError(
        f"the table holds {key.count} series, told apart by {key.listed} ({examples}), and they are never merged; "
        f"keep the rows of one of them, such as {example}, or drop the {noun} if all rows are of one series",
        key.names,
    )
