"""A long frame as arrays: rows gathered by series, times and values as the columns have them."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import narwhals as nw
import numpy as np

from ngrc._types import AnyArray, FloatArray, IntArray
from ngrc.panel.layout import Layout, long_frame
from ngrc.panel.rows import Block, Clock, Panel
from ngrc.series.style import TimeStyle
from ngrc.series.wording import excerpt
from ngrc.series.zones import time_zone, two_clocks

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True, slots=True, eq=False)
class Ids:
    """Who the series are, in the order of their first rows.

    Parameters
    ----------
    column
        The id column of the frame that they came in, whose type is kept.
    firsts
        A row of each series, shape (series,).
    nameless
        Rows without an id, shape (rows,).
    """

    column: "nw.Series[Any]"
    firsts: IntArray
    nameless: IntArray

    def taken(self, series: IntArray) -> "nw.Series[Any]":
        """Ids of the series of those numbers, in the type of the column."""
        taken: nw.Series[Any] = self.column[self.firsts[series].tolist()]
        return taken


def read_panel(data: Any, layout: Layout, future: Any = None) -> tuple[Ids, Panel, "nw.DataFrame[Any]"]:
    """Gather the rows of a long frame by series; the frame itself comes back with the columns that were read."""
    frame = long_frame(data, layout.names)
    column = frame.get_column(layout.id)
    codes, firsts = numbered(column)
    observed = _block(frame, layout, codes, firsts.size, target=True)
    ids = Ids(column, firsts, np.flatnonzero(codes < 0))
    if future is None:
        return ids, Panel(observed), frame
    ahead = long_frame(future, (layout.id, layout.time, *layout.known), "X_df")
    places = {name: place for place, name in enumerate(ids.taken(np.arange(firsts.size)).to_list())}
    # Rows of series that df does not hold are nobody's.
    owners = [places.get(name, -1) for name in ahead.get_column(layout.id).to_list()]
    others = _block(ahead, layout, np.array(owners, np.int64), firsts.size, target=False)
    return ids, Panel(observed, others), frame


def numbered(column: "nw.Series[Any]") -> tuple[IntArray, IntArray]:
    """Number the ids of rows by first appearance.

    Returns
    -------
    codes, firsts
        The number of each row, -1 of a row without an id; and the first row of each id.

    Examples
    --------
    >>> import polars as pl
    >>> numbered(nw.from_native(pl.Series("id", ["b", "b", "a", None, "b"]), series_only=True))
    (array([ 0,  0,  1, -1,  0]), array([0, 2]))
    """
    native = column.to_native()
    if column.implementation.is_pandas():
        import pandas as pd

        codes = np.asarray(pd.factorize(native)[0], dtype=np.int64)
    else:
        codes = _polars_codes(native)
    rows = np.flatnonzero(codes >= 0)
    firsts = np.empty(codes.max(initial=-1) + 1, np.int64)
    # Backwards, so that the first row of each series is written last and stays.
    firsts[codes[rows[::-1]]] = rows[::-1]
    return codes, firsts


def _polars_codes(column: "pl.Series") -> IntArray:
    import polars as pl

    # The first row of each row's series, which names the series; hashing keeps the order of rows, a sort would not.
    frame = column.alias("id").to_frame().with_row_index("row")
    heads = frame.select(pl.col("row").first().over("id")).to_series().to_numpy().astype(np.int64)
    missing = (column.is_null() | column.is_nan() if column.dtype.is_float() else column.is_null()).to_numpy()
    names = np.unique(heads[~missing])
    places = np.empty(heads.size, np.int64)
    places[names] = np.arange(names.size)
    return np.where(missing, -1, places[heads])


def _block(frame: "nw.DataFrame[Any]", layout: Layout, codes: IntArray, count: int, *, target: bool) -> Block:
    """Rows gathered by series; those of no series are left out."""
    clock = _clock(frame.get_column(layout.time))
    beside = [_numbers(frame.get_column(name)) for name in (layout.beside if target else layout.known)]
    values = _target(frame.get_column(layout.target)) if target else np.zeros(codes.size)
    columns = np.stack(beside, axis=1) if beside else np.empty((codes.size, 0))
    if np.any(codes < 0) or np.any(codes[1:] < codes[:-1]):
        order = np.argsort(codes, kind="stable")[int(np.count_nonzero(codes < 0)) :]
        codes, clock, values, columns = codes[order], clock[order], values[order], columns[order]
    starts = np.searchsorted(codes, np.arange(count + 1))
    return Block(starts, clock, values, columns)


def _clock(column: "nw.Series[Any]") -> Clock:
    zone = time_zone(column)
    if zone is not None:
        return Clock(*two_clocks(column), TimeStyle(zone=zone))
    if column.dtype.is_integer() and column.null_count():
        column = column.cast(nw.Float64)
    if column.dtype == nw.Categorical:
        column = column.cast(nw.String)
    times = column.to_numpy()
    if times.dtype.kind not in "MiufOUT":
        raise ValueError(
            f"column {column.name!r} of type {column.dtype} cannot be the time; dates or numbers are expected"
        )
    return Clock(times)


def _target(column: "nw.Series[Any]") -> AnyArray:
    """Numbers as floats; a column of objects as it is, to be read series by series."""
    if column.dtype == nw.Boolean:
        raise ValueError(
            f"column {column.name!r} must hold numbers, got true and false; convert it to 0 and 1"
        )
    return column.to_numpy() if column.dtype == nw.Object else _numbers(column)


def _numbers(column: "nw.Series[Any]") -> FloatArray:
    kind = column.dtype
    if not (kind.is_numeric() or kind == nw.Boolean):
        example = next((token for token in column.head(1).to_list()), None)
        raise ValueError(
            f"column {column.name!r} must hold numbers, got {kind} such as {excerpt(example)}; convert it first"
        )
    return np.array(column.cast(nw.Float64).to_numpy(), dtype=np.float64)
