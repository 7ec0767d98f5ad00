"""The table of a file of any kind; the content decides which, not the name."""

import io
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import narwhals as nw
import numpy as np

from ngrc.series.archives import is_workbook, only_table
from ngrc.series.cells import Cells
from ngrc.series.commas import settle_commas
from ngrc.series.delimited import read_delimited
from ngrc.series.documents import looks_like_json, read_json
from ngrc.series.encoding import decoded
from ngrc.series.foreign import refuse_foreign
from ngrc.series.layout import DelimitedTable, laid_out
from ngrc.series.numerals import file_decimal
from ngrc.series.origin import content, shown, title, unpacked
from ngrc.series.panics import unpanicked
from ngrc.series.room import check_room
from ngrc.series.table import Table
from ngrc.series.wording import Where, array_row, shortly, within_a_line
from ngrc.series.workbooks import OLD_WORKBOOK, read_workbook

if TYPE_CHECKING:
    import polars as pl

# The first bytes by which these formats are known; an Arrow stream begins with a mark and the size of its schema.
_ZIP, _PARQUET, _ARROW, _STREAM = b"PK\x03\x04", b"PAR1", b"ARROW1", b"\xff\xff\xff\xff"
_EMPTY_ZIP = b"PK\x05\x06"
Result = TypeVar("Result")


class OpenedTable(NamedTuple):
    """The table of a file, how its rows are named for a person, and remarks.

    `name` is the file's own where its columns have none, else None.
    """

    table: Table
    where: Where
    name: str | None = None
    notes: tuple[str, ...] = ()


def open_table(path: str | Path, *, named: bool) -> OpenedTable:
    """The table of a file, or of standard input for "-".

    `named` says that the user names columns, and with them that commas separate columns.
    """
    return _opened(content(path), title(path), named)


def in_file(path: str | Path, error: ValueError) -> ValueError:
    """The error with the name of the file before it; its kind is kept."""
    # Column names may hold line breaks; an error stays one line.
    error.args = (within_a_line(f"{shown(path)}: {error}"),)
    return error


def _opened(data: bytes, name: str, named: bool, nested: bool = False) -> OpenedTable:
    if data.startswith((_PARQUET, _ARROW, _STREAM)):
        return OpenedTable(_typed(data), array_row)
    if data.startswith(OLD_WORKBOOK) or (data.startswith(_ZIP) and is_workbook(data)):
        sheet = read_workbook(data)
        cells = Cells(sheet.cells, np.arange(1, sheet.cells.height + 1))
        return _of_text(laid_out(cells, None), name, sheet.notes, "row")
    if data.startswith((_ZIP, _EMPTY_ZIP)):
        if nested:
            raise ValueError("the zip archive holds another one; unpack it first")
        member = only_table(data)
        inner = _opened(unpacked(member.data), title(member.name), named, nested=True)
        return inner._replace(notes=member.notes + inner.notes)
    refuse_foreign(data)
    text, notes = decoded(data)
    if looks_like_json(text):
        table = Table(nw.from_native(read_json(text), eager_only=True), text=True, decimal=".")
        return OpenedTable(table, lambda row: f"object {row + 1}", None, notes)
    delimited = read_delimited(text)
    return _of_text(delimited if named else settle_commas(delimited), name, notes, "file line")


def _of_text(table: DelimitedTable, name: str, notes: tuple[str, ...], noun: str) -> OpenedTable:
    def where(row: int) -> str:
        return f"data row {row + 1} ({noun} {table.lines[row]})"

    decimal = file_decimal(table.frame, table.separator)
    source = Table(nw.from_native(table.frame, eager_only=True), text=True, decimal=decimal)
    notes += table.notes
    if table.header:
        return OpenedTable(source, where, None, notes)
    # column_1 names nothing: without a header the file's name does.
    names = table.frame.columns
    note = "no header: the first row is data" + (
        f", columns are column_1 to {names[-1]}" if len(names) > 1 else ""
    )
    comma = ("numbers read with decimal commas",) if table.joined else ()
    return OpenedTable(source, where, name, (note, *comma, *notes))


def _typed(data: bytes) -> Table:
    """Table of the bytes of a Parquet, Feather or Arrow file."""
    noun = "Parquet" if data.startswith(_PARQUET) else "Arrow"
    cells = _whole(noun, _claimed, data)
    # Eight bytes for each number, and about as many for most other cells.
    check_room(8 * cells, len(data), f"the {noun} file", "write fewer rows or columns")
    return Table(nw.from_native(_whole(noun, _read, data), eager_only=True), text=False)


def _whole(noun: str, read: Callable[[bytes], Result], data: bytes) -> Result:
    try:
        return unpanicked(read, data)
    except Exception as error:  # polars raises its own errors, OSError, or panics on damaged bytes
        raise ValueError(f"the {noun} file is damaged ({shortly(error)}); write it again") from None


def _claimed(data: bytes) -> int:
    """Cells that a file says it has, before any of them is read; a stream says it nowhere."""
    import polars as pl

    if data.startswith(_STREAM):
        return 0
    scan = pl.scan_parquet if data.startswith(_PARQUET) else pl.scan_ipc
    frame = scan(io.BytesIO(data))
    return int(frame.select(pl.len()).collect().item()) * len(frame.collect_schema())


def _read(data: bytes) -> "pl.DataFrame":
    import polars as pl

    buffer = io.BytesIO(data)
    if data.startswith(_PARQUET):
        return pl.read_parquet(buffer)
    return pl.read_ipc_stream(buffer) if data.startswith(_STREAM) else pl.read_ipc(buffer)
