"""Long tables: one row per series and time, told apart by one or more columns."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import narwhals as nw

from ngrc.series.columns import Choice, choose
from ngrc.series.entry import numbers_of, raw_from_table, times_of_choice
from ngrc.series.opened import OpenedTable, in_file, open_table
from ngrc.series.outward import time_column, time_text
from ngrc.series.panels import SeveralSeriesError
from ngrc.series.style import PLAIN, TimeStyle
from ngrc.series.table import Table
from ngrc.series.wording import Where, array_row, listed

if TYPE_CHECKING:
    import polars as pl

_ROW = "given by one row per series and time"


@dataclass(frozen=True, eq=False, slots=True)
class LongTable:
    """Several series in one table.

    Parameters
    ----------
    frame
        A polars frame of the columns `unique_id`, `ds` and `y`, missing values as null, and then the further columns
        of numbers under their own names; rows in the order of the file.
    ids, time, value
        What the file calls the columns of the first three; several ids are joined by a slash.
    notes
        Plain remarks on how the file was read.
    style
        How the file writes its times.
    """

    frame: "pl.DataFrame"
    ids: tuple[str, ...]
    time: str
    value: str
    notes: tuple[str, ...] = ()
    style: TimeStyle = PLAIN

    def spelled(self, answers: "pl.DataFrame") -> "pl.DataFrame":
        """Answers with the times of their column `ds`, if they have one, written as in the file."""
        import polars as pl

        if "ds" not in answers.columns or not answers["ds"].dtype.is_temporal():
            return answers
        column = answers["ds"]
        if getattr(column.dtype, "time_zone", None) is not None:
            # Times with a zone are in UTC inside, unless only those of the wall clock are regular.
            column = column if self.style.wall else column.dt.convert_time_zone("UTC")
            column = column.dt.replace_time_zone(None)
        return answers.with_columns(ds=pl.Series(time_text(column.to_numpy(), self.style)))


def read_long(
    path: str | Path, *, column: str | int | None = None, time: str | int | None = None
) -> LongTable:
    r"""Read a file of several series, one row per series and time.

    The same files as `read_series` reads; that one refuses several series with `SeveralSeriesError`.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "shops.csv"
    ...     _ = path.write_text("shop,day,sales\na,2024-01-01,5\nb,2024-01-01,6\na,2024-01-02,7\nb,2024-01-02,8\n")
    ...     table = read_long(path)
    >>> table.ids, table.time, table.value, table.frame["unique_id"].to_list()
    (('shop',), 'day', 'sales', ['a', 'b', 'a', 'b'])
    """
    try:
        return long_from_table(open_table(path, named=column is not None or time is not None), column, time)
    except ValueError as error:
        raise in_file(path, error) from None


def long_from_frame(
    frame: Any, *, column: str | int | None = None, time: str | int | None = None
) -> LongTable:
    """The same of a pandas or polars frame."""
    native = nw.from_native(frame, eager_only=True)
    return long_from_table(OpenedTable(Table(native, text=False), array_row), column, time)


def long_from_table(opened: OpenedTable, column: str | int | None, time: str | int | None) -> LongTable:
    """The same of a table that is open already."""
    table = opened.table
    try:
        raw_from_table(table, column, time, opened.where)
    except SeveralSeriesError as several:
        ids = several.columns
    else:
        raise ValueError(
            f"the table holds one series; several are expected, {_ROW}; read it with read_series"
        )
    choice = choose(table, column, time)
    dates = times_of_choice(table, choice, opened.where)
    if dates is None:
        raise ValueError(f"no column of times beside {listed(ids)}; name it with time= (--time)")
    value, notes = numbers_of(table, choice.value, opened.where)
    return LongTable(
        _assembled(
            table, ids, time_column(dates.times, dates.style, pandas=False), value, choice, opened.where
        ),
        tuple(str(name) for name in ids),
        str(choice.time) if choice.parts is None else choice.parts.listed,
        str(choice.value),
        (*opened.notes, *choice.notes, *notes, *dates.notes, _counted(table, ids)),
        dates.style,
    )


def _assembled(
    table: Table, ids: tuple[Any, ...], times: Any, values: Any, choice: Choice, where: Where
) -> "pl.DataFrame":
    import polars as pl

    columns = {
        "unique_id": _joined(table, ids),
        "ds": pl.Series(times),
        "y": pl.Series(values, nan_to_null=True),
    }
    taken = {*ids, choice.value, choice.time, *(() if choice.parts is None else choice.parts.names)}
    for name in table.frame.columns:
        if name not in taken and str(name) not in columns and table.kind(name) == "number":
            columns[str(name)] = pl.Series(numbers_of(table, name, where)[0], nan_to_null=True)
    return pl.DataFrame(columns)


def _joined(table: Table, ids: tuple[Any, ...]) -> "pl.Series":
    """The id of every row: as it came where one column says it, else the texts joined."""
    import polars as pl

    parts = [pl.Series(str(name), table.column(name).to_list()) for name in ids]
    if len(parts) == 1:
        return parts[0].str.strip_chars() if parts[0].dtype == pl.String else parts[0]
    texts = [part.cast(pl.String).str.strip_chars() for part in parts]
    joined = texts[0]
    for text in texts[1:]:
        joined = joined + "/" + text
    return joined


def _counted(table: Table, ids: tuple[Any, ...]) -> str:
    return f"{_joined(table, ids).n_unique()} series, told apart by {listed(ids)}"
