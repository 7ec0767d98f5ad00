"""Arrays, lists and data frames as a `Series`."""

from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import narwhals as nw
import numpy as np

from ngrc._types import FloatArray
from ngrc.series.columns import Choice, choose
from ngrc.series.dates import Dates
from ngrc.series.labels import label
from ngrc.series.native import TIME_INDEXES, as_native, time_index
from ngrc.series.numbers import from_array, from_column
from ngrc.series.panels import check_one_series
from ngrc.series.parts import read_parts, read_times
from ngrc.series.table import Table
from ngrc.series.times import times_from_array
from ngrc.series.value import Series, build
from ngrc.series.wording import Where, array_row
from ngrc.series.written import fillers, numbers_from_text


def as_series(
    data: Any,
    *,
    column: str | int | None = None,
    time: Any = None,
    resample: bool = False,
    name: str | None = None,
) -> Series:
    """Turn what a user has into one regular series without gaps.

    Parameters
    ----------
    data
        A numpy array, list or tuple of shape (n,) or (n, 1); a pandas or polars Series or DataFrame; or a
        `Series`. NaN and None are missing: carried forward, and dropped before the first number.
    column
        The data frame's column of values; detected where None.
    time
        The data frame's column of times, or the times themselves, shape (n,); a pandas `DatetimeIndex` or a
        column that holds dates is detected. Times must be sorted, unique and regular.
    resample
        Put irregular observations on the regular grid of their most common step. A grid point takes the last
        observation made since the point before; a few repeated times are averaged, repeats throughout are refused;
        empty points are missing values.
    name
        What reports call the series; by default the column's own name.

    Examples
    --------
    >>> series = as_series([None, 1.0, None, 3.0])
    >>> series.values, series.filled, series.dropped
    (array([1., 1., 3.]), 1, 1)
    """
    if isinstance(data, Series):
        return _again(data, column, time, name)
    if isinstance(data, str | Path):
        raise ValueError(f"a series is expected, got the text {str(data)!r}; read files with read_series")
    native = as_native(data)
    if isinstance(native, nw.DataFrame):
        return series_from_table(Table(native, text=False), column, time, resample, name, array_row)
    if column is not None:
        raise ValueError(f"column={column!r} applies to data frames only, got {type(data).__name__}")
    if isinstance(time, str):
        raise ValueError(
            f"time={time!r} names a column, but a {type(data).__name__} has none; pass the times"
        )
    values = from_column(native, array_row) if isinstance(native, nw.Series) else from_array(data, array_row)
    clock = time_index(native) if time is None else time
    dates = None if clock is None else times_from_array(clock, array_row)
    # An array-like of another library, such as xarray, may have a name too; a plain array or a list has none.
    own_name = getattr(native, "name", None)
    if isinstance(native, nw.Series):
        _check_index(native, dates)
    return built(values, dates, array_row, resample, name or str(own_name or "series"), ())


class RawSeries(NamedTuple):
    """A column of values as the table has it, shape (n,) with NaN where missing; its times, and remarks."""

    values: FloatArray
    dates: Dates | None
    name: str
    notes: tuple[str, ...]


def series_from_table(
    table: Table, column: str | int | None, time: Any, resample: bool, name: str | None, where: Where
) -> Series:
    """Choose the columns of a table, read them, and build the series."""
    raw = raw_from_table(table, column, time, where)
    return built(raw.values, raw.dates, where, resample, name or raw.name, raw.notes)


def raw_from_table(table: Table, column: str | int | None, time: Any, where: Where) -> RawSeries:
    """Choose the columns of values and times of a table and read them; gaps and grid are left as they are."""
    if len(table.frame) == 0:
        raise ValueError("the table has no rows; at least one value is needed")
    index = time_index(table.frame)
    if index is not None and (time is None or time == index.name) and index.name not in table.frame.columns:
        time = index
    # Times that came beside the table, from its index or as an array, leave no time column to be chosen.
    clock = None if time is None or isinstance(time, str | int) else time
    choice = choose(table, column, None if clock is not None else time, indexed=clock is not None)
    dates = times_from_array(clock, where) if clock is not None else times_of_choice(table, choice, where)
    remarks = _check_one_series(_with_index(table), choice, dates, column is not None)
    values, notes = numbers_of(table, choice.value, where)
    return RawSeries(values, dates, str(choice.value), choice.notes + remarks + notes)


def built(
    values: FloatArray, dates: Dates | None, where: Where, resample: bool, name: str, notes: tuple[str, ...]
) -> Series:
    """The series of raw values of shape (n,) and their times: on a regular grid, without gaps."""
    if dates is None:
        return build(values, None, where, regrid=resample, name=name, notes=notes)
    notes += dates.notes
    return build(values, dates.times, where, regrid=resample, name=name, notes=notes, style=dates.style)


def _check_one_series(table: Table, choice: Choice, dates: Dates | None, chosen: bool) -> tuple[str, ...]:
    """Refuse a table of several series, or remark on it; `chosen` says that the user named the column of values."""
    time_columns = [choice.time] if choice.parts is None else list(choice.parts.names)
    times = None if dates is None else dates.times
    # Times of another length are refused with better words where the series is built.
    if times is not None and times.size != len(table.frame):
        return ()
    years = [name for name in table.frame.columns if label(name) == "year" and table.kind(name) == "number"]
    if times is None and years:
        # Years that start again are no times, but rows of one year still belong to several series.
        years = [name for name in years if np.all(np.isfinite(table.numbers(name)))]
        times = table.numbers(years[0]) if years and choice.value != years[0] else None
        check_one_series(table, None, time_columns, choice.value, chosen)
        time_columns += years
    return check_one_series(table, times, time_columns, choice.value, chosen)


def _with_index(table: Table) -> Table:
    """The table with the named index of a pandas frame as a column, where an id may hide."""
    index = nw.maybe_get_index(table.frame)
    if index is None or index.name is None or type(index).__name__ in TIME_INDEXES:
        return table
    if index.name in table.frame.columns:
        return table
    return Table(nw.from_native(table.frame.to_native().reset_index(), eager_only=True), text=False)


def _check_index(column: "nw.Series[Any]", dates: Dates | None) -> None:
    """Refuse a pandas Series whose index tells several series apart."""
    name = "values" if column.name is None else column.name
    table = _with_index(Table(column.alias(name).to_frame(), text=False))
    _check_one_series(table, Choice(name, None, ()), dates, chosen=True)


def numbers_of(table: Table, name: Any, where: Where) -> tuple[FloatArray, tuple[str, ...]]:
    """A column of a table as floats of shape (n,), NaN where missing, and remarks."""
    if table.text:
        return numbers_from_text(table.strings(name), str(name), where, table.decimal)
    values = from_column(table.column(name), where)
    return values, fillers(values, str(name))


def times_of_choice(table: Table, choice: Choice, where: Where) -> Dates | None:
    """The times of the chosen columns; None where there are none."""
    if choice.parts is not None:
        return read_parts(table, choice.parts, where)
    return None if choice.time is None else read_times(table, choice.time, where)


def _again(series: Series, column: str | int | None, time: Any, name: str | None) -> Series:
    if column is not None or time is not None:
        raise ValueError("column and time do not apply to a Series, whose values and times are settled")
    return series if name is None else replace(series, name=name)
