"""Long frames recognised: which columns are id, time and value, where they say so plainly."""

from collections.abc import Sequence
from typing import Any

import narwhals as nw

from ngrc.panel.layout import Layout
from ngrc.series.labels import TIME_NAMES, VALUE_NAMES, label, names_series
from ngrc.series.native import as_native
from ngrc.series.table import Table, worth_a_look

# Where so many rows share a time on average, the table holds several rows per time and not a few repeats.
_ROWS_PER_TIME = 1.5
# Rows that may repeat an id and a time: a few stand twice in any table, and a measurement explains nothing.
_REPEATED = 0.02


def recognised(
    frame: Any,
    *,
    id_col: str | None = None,
    time_col: str | None = None,
    target_col: str | None = None,
    text: bool = False,
) -> Layout | None:
    """The layout of a long frame of several series; None where it is one series, or its columns do not tell.

    A frame is long where an id column tells apart the rows that share a time. The columns `unique_id`, `ds` and `y` are
    taken at once. Elsewhere the id is the one column that is called an id or a thing that has one (store, station,
    ticker), or the one column of text; the value is the one that is called so (y, value, target), or the one column of
    numbers that is left.

    Parameters
    ----------
    frame
        A pandas or polars frame.
    id_col, time_col, target_col
        Columns that are settled already.
    text
        Whether strings are unparsed text of a file and may hold numbers.

    Examples
    --------
    >>> import polars as pl
    >>> recognised(pl.DataFrame({"store": ["a", "a", "b", "b"], "date": ["2024-01-01", "2024-01-02"] * 2, "y": 1.0}))
    Layout(id='store', time='date', target='y', exog=(), known=())
    """
    native = as_native(frame, "a frame is expected")
    if not isinstance(native, nw.DataFrame) or len(native) < 2:
        return None
    table = Table(native, text)
    names = [str(name) for name in worth_a_look(native.columns) if isinstance(name, str)]
    time = _time(table, names, time_col)
    if time is None:
        return None
    rest = [name for name in names if name != time]
    identity = _identity(table, rest, time, id_col, target_col)
    if identity is None:
        return None
    target = _target(table, [name for name in rest if name != identity], target_col)
    return None if target is None else Layout(identity, time, target)


def _time(table: Table, names: Sequence[str], wanted: str | None) -> str | None:
    if wanted is not None:
        return wanted if wanted in names else None
    called = [name for name in names if label(name) in TIME_NAMES]
    for name in ("ds", *called):
        if name in names and table.kind(name) in ("time", "number"):
            return name
    dated = [name for name in names if table.kind(name) == "time"]
    return dated[0] if len(dated) == 1 else None


def _identity(
    table: Table, names: Sequence[str], time: str, wanted: str | None, target: str | None
) -> str | None:
    """The column that tells apart the rows of one time."""
    if wanted is not None:
        return wanted if wanted in names and _tells_apart(table, wanted, time) else None
    others = [name for name in names if name != target and label(name) not in VALUE_NAMES]
    called = [name for name in others if names_series(name)]
    texts = [name for name in others if table.kind(name) == "other"]
    for candidates in (["unique_id"] if "unique_id" in others else [], called, texts):
        telling = [name for name in candidates if _tells_apart(table, name, time)]
        if len(telling) == 1:
            return telling[0]
    return None


def _tells_apart(table: Table, name: str, time: str) -> bool:
    frame = table.frame
    times = frame.get_column(time).n_unique()
    pairs = frame.select(name, time).unique().shape[0]
    # A number per row is no id, but a measurement or a count.
    several = 2 <= frame.get_column(name).n_unique() <= len(frame) // 2
    return several and len(frame) >= _ROWS_PER_TIME * times and pairs >= (1 - _REPEATED) * len(frame)


def _target(table: Table, names: Sequence[str], wanted: str | None) -> str | None:
    if wanted is not None:
        return wanted if wanted in names else None
    numbers = [name for name in names if table.kind(name) == "number"]
    for value in VALUE_NAMES:
        called = [name for name in numbers if label(name) == value]
        if called:
            return called[0]
    return numbers[0] if len(numbers) == 1 else None
