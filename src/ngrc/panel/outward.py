"""Answers as a frame of the library that the panel came in, ids and times of the same types."""

from typing import Any

import narwhals as nw
import numpy as np

from ngrc._types import AnyArray, IntArray
from ngrc.panel.answers import Answer, Answers
from ngrc.panel.frames import Ids
from ngrc.panel.task import Field, Task
from ngrc.series.outward import time_column
from ngrc.series.style import TimeStyle
from ngrc.series.wording import plural
from ngrc.series.zones import time_zone

ERROR = "error"
"""Column of reasons."""
_TYPES: dict[str, Any] = {"float": np.float64, "int": np.int64, "text": object}


def answer_frames(answers: Answers, ids: Ids, clock: "nw.Series[Any]", task: Task) -> Answer:
    """Answers in one frame, ids and reasons of failures in another."""
    pandas = clock.implementation.is_pandas()
    columns = {task.layout.id: ids.taken(answers.series).to_native()}
    columns |= {field.name: _column(answers, field, clock) for field in task.fields}
    rows, reasons = _failures(answers, ids)
    failures = {task.layout.id: ids.column[rows].to_native(), ERROR: _texts(reasons, pandas)}
    return Answer(_frame(columns, pandas), _frame(failures, pandas))


def partition_frame(answers: Answers, ids: Ids, clock: "nw.Series[Any]", task: Task) -> Any:
    """Answers and failures in one frame: a failure has its id, its reason in `error`, and nothing else."""
    pandas = clock.implementation.is_pandas()
    failed, reasons = _failures(answers, ids)
    rows = ids.firsts[answers.series].tolist()
    columns = {task.layout.id: ids.column[rows + failed].to_native()}
    for field in task.fields:
        columns[field.name] = _longer(_column(answers, field, clock), len(failed), field)
    columns[ERROR] = _texts([None] * len(rows) + reasons, pandas)
    return _frame(columns, pandas)


def time_like(times: AnyArray, clock: "nw.Series[Any]") -> Any:
    """Times, in UTC where the column has a zone, as a column of the same type; dates for a column of text."""
    zone, pandas = time_zone(clock), clock.implementation.is_pandas()
    text = clock.dtype in (nw.String, nw.Object, nw.Categorical)
    if not times.size:
        times = np.empty(0, "M8[us]" if text or zone is not None else clock.head(0).to_numpy().dtype)
    column = time_column(times, TimeStyle(zone=zone), pandas)
    kind = clock.to_native().dtype
    if pandas:
        import pandas as pd

        return pd.Series(column).astype("datetime64[us]" if text else kind)
    import polars as pl

    return pl.Series(column).cast(pl.Datetime("us") if text else kind)


def _failures(answers: Answers, ids: Ids) -> tuple[list[int], list[Any]]:
    """A row of every series that failed, and its reason; rows without an id come last, one of them for all."""
    failed: IntArray = np.array(sorted(answers.errors), dtype=np.int64)
    rows, reasons = ids.firsts[failed].tolist(), [answers.errors[place] for place in failed.tolist()]
    if ids.nameless.size:
        rows.append(int(ids.nameless[0]))
        reasons.append(f"{plural(ids.nameless.size, 'row')} without an id; give them one or drop them")
    return rows, reasons


def _column(answers: Answers, field: Field, clock: "nw.Series[Any]") -> Any:
    """A column of the answer; one of times has the type of the times that came."""
    values = answers.columns.get(field.name)
    if field.kind == "time":
        return time_like(np.empty(0) if values is None else values, clock)
    if values is None:
        values = np.empty(0, _TYPES[field.kind])
    pandas = clock.implementation.is_pandas()
    return _texts(values.tolist(), pandas) if field.kind == "text" else _plain(values, pandas)


def _frame(columns: dict[str, Any], pandas: bool) -> Any:
    if pandas:
        import pandas as pd

        # Rows are numbered anew, so that columns stand beside each other whatever their index was.
        return pd.DataFrame({name: column.reset_index(drop=True) for name, column in columns.items()})
    import polars as pl

    return pl.DataFrame({name: column.alias(name) for name, column in columns.items()})


def _plain(values: AnyArray, pandas: bool) -> Any:
    if pandas:
        import pandas as pd

        return pd.Series(values)
    import polars as pl

    return pl.Series(values)


def _texts(texts: list[Any], pandas: bool) -> Any:
    if pandas:
        import pandas as pd

        return pd.Series(texts, dtype=object)
    import polars as pl

    return pl.Series(texts, dtype=pl.String)


def _longer(column: Any, count: int, field: Field) -> Any:
    """A column with so many missing values below it; whole numbers of pandas in a type that has a missing value."""
    if not hasattr(column, "reindex"):
        return column.extend_constant(None, count)
    if field.kind == "text":
        return _texts([*column.tolist(), *[None] * count], pandas=True)
    typed = column.astype("Int64") if getattr(column.dtype, "kind", "") in "iu" else column
    return typed.reset_index(drop=True).reindex(range(len(column) + count))
