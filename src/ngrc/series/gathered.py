"""Columns that stand beside a series, as a user has them: a frame, a column, a mapping or an array."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import narwhals as nw
import numpy as np

from ngrc._types import AnyArray, FloatArray
from ngrc.series.agreement import check_same_times
from ngrc.series.columns import known as named
from ngrc.series.labels import TIME_NAMES, label
from ngrc.series.native import as_native, time_index
from ngrc.series.numbers import from_array, from_column
from ngrc.series.parts import read_times
from ngrc.series.table import Table
from ngrc.series.times import times_from_array
from ngrc.series.wording import array_row

_EXPECTED = "exog must be a frame, a column, a mapping of columns or an array"


@dataclass(frozen=True, eq=False, slots=True)
class Gathered:
    """Columns by name, each of shape (m,) with NaN where missing, and their times of shape (m,) or None."""

    columns: Mapping[str, FloatArray]
    times: AnyArray | None = None


def gather(exog: Any, wanted: Sequence[str] = ()) -> Gathered:
    """Read the columns of `exog` that are `wanted`, all of them where none is.

    Only the wanted ones must hold numbers. The first column of dates, or called a time, that is not wanted holds the
    times, unless a pandas index does.

    Examples
    --------
    >>> gathered = gather({"open": [True, None, False]})
    >>> gathered.columns["open"]
    array([ 1., nan,  0.])
    """
    if isinstance(exog, str | Path):
        raise ValueError(f"{_EXPECTED}, got the text {str(exog)!r}; read files with read_channels")
    if isinstance(exog, Mapping):
        return _from_mapping(exog, wanted)
    native = as_native(exog, _EXPECTED)
    if isinstance(native, nw.DataFrame):
        return _from_frame(native, wanted)
    index = time_index(native)
    times = None if index is None else times_from_array(index, array_row).times
    if isinstance(native, nw.Series):
        return Gathered(_read({str(native.name or "exog0"): native}, wanted), times)
    array = np.asarray(exog)
    if array.ndim not in (1, 2):
        raise ValueError(f"{_EXPECTED} of shape (m,) or (m, columns), got shape {array.shape}")
    table = array[:, np.newaxis] if array.ndim == 1 else array
    return Gathered(_read({f"exog{place}": table[:, place] for place in range(table.shape[1])}, wanted))


def _from_mapping(columns: Mapping[Any, Any], wanted: Sequence[str]) -> Gathered:
    natives = {
        str(name): as_native(column, f"exog column {str(name)!r} must be one column")
        for name, column in columns.items()
    }
    chosen = _chosen(natives, wanted)
    sizes = {name: len(column) for name, column in chosen.items()}
    first = next(iter(sizes), "")
    for name, size in sizes.items():
        if size != sizes[first]:
            raise ValueError(
                f"exog columns must have one length, got {sizes[first]} rows of {first!r} and {size} of {name!r}; "
                "give one value per time"
            )
    indexes = {name: time_index(column) for name, column in chosen.items()}
    clocks = {
        name: times_from_array(index, array_row).times for name, index in indexes.items() if index is not None
    }
    times = next(iter(clocks.values()), None)
    for name, clock in clocks.items():
        if times is not None:
            check_same_times(times, clock, (f"exog column {next(iter(clocks))!r}", f"column {name!r}"))
    return Gathered(_read(chosen, ()), times)


def _from_frame(frame: "nw.DataFrame[Any]", wanted: Sequence[str]) -> Gathered:
    table = Table(frame, text=False)
    index = time_index(frame)
    others = [name for name in frame.columns if str(name) not in wanted]
    clock = None if index is not None else _time_column(table, others)
    columns = {str(name): table.column(name) for name in frame.columns if name != clock}
    if index is not None:
        return Gathered(_read(columns, wanted), times_from_array(index, array_row).times)
    times = None if clock is None else read_times(table, clock, array_row).times
    return Gathered(_read(columns, wanted), times)


def _time_column(table: Table, names: Iterable[Any]) -> Any | None:
    # No part of a date, as for a series: an hour or a month beside it is as often meant as an input.
    return next((name for name in names if table.kind(name) == "time" or label(name) in TIME_NAMES), None)


def _chosen(columns: Mapping[str, Any], wanted: Sequence[str]) -> dict[str, Any]:
    if not columns:
        raise ValueError(f"{_EXPECTED} with at least one column of numbers, got none")
    names = list(columns)
    try:
        return {name: columns[named(name, names)] for name in (wanted or names)}
    except ValueError as error:
        raise ValueError(f"exog has {error}") from None


def _read(columns: Mapping[str, Any], wanted: Sequence[str]) -> dict[str, FloatArray]:
    return {name: column_numbers(name, column) for name, column in _chosen(columns, wanted).items()}


def column_numbers(name: str, column: Any) -> FloatArray:
    """A column as floats of shape (m,); booleans, whatever library they come from, are 0 and 1."""
    try:
        if isinstance(column, nw.Series):
            if column.dtype == nw.Boolean:
                column = column.cast(nw.Float64)
            if column.dtype.is_numeric():
                return from_column(column, array_row)
            column = column.to_numpy()
        return from_array(_unboolean(column), array_row)
    except ValueError as error:
        raise ValueError(f"exog column {name!r}: {error}") from None


def _unboolean(column: Any) -> Any:
    if isinstance(column, np.ma.MaskedArray):
        return column
    array = np.asarray(column)
    if array.dtype.kind == "b":
        return array.astype(np.float64)
    if array.dtype != object or array.ndim != 1:
        return column
    # Booleans beside missing values are objects in numpy and pandas.
    return [float(value) if isinstance(value, bool | np.bool_) else value for value in array]
