"""CSV and Parquet files as a `Series`."""

import gzip
import io
import zlib
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import narwhals as nw

from ngrc.series.commas import settle_commas
from ngrc.series.delimited import read_delimited
from ngrc.series.entry import series_from_table
from ngrc.series.table import Table
from ngrc.series.value import Series
from ngrc.series.wording import Where, array_row

# The first bytes by which these formats are known.
_GZIP, _ZIP, _PARQUET = b"\x1f\x8b", b"PK\x03\x04", b"PAR1"


def read_series(
    path: str | Path,
    *,
    column: str | int | None = None,
    time: str | int | None = None,
    resample: bool = False,
) -> Series:
    r"""Read one series from a CSV (plain or gzipped; comma, semicolon or tab) or Parquet file.

    Parameters
    ----------
    path
        The file; its content decides how it is read, not its name.
    column, time
        Names of the columns of values and times. Without them the time is the first column of dates or with
        a name such as date or time; the values are the only numeric column, else y, value or target, else
        the first.
    resample
        As in `as_series`.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "sales.csv"
    ...     _ = path.write_text("month,sales\n2024-01,5\n2024-02,NA\n2024-03,7\n")
    ...     series = read_series(path)
    >>> series.name, series.values, series.notes
    ('sales', array([5., 5., 7.]), ("times from column 'month'", '1 missing value carried forward'))
    """
    try:
        opened = open_table(path, named=column is not None or time is not None)
        return opened.series(column, time, resample)
    except ValueError as error:
        raise in_file(path, error) from None


class FileTable(NamedTuple):
    """The table of a file, how its rows are named for a person, and remarks.

    `name` is the file's own where its columns have none, else None.
    """

    table: Table
    where: Where
    name: str | None = None
    notes: tuple[str, ...] = ()

    def series(self, column: str | int | None, time: str | int | None, resample: bool) -> Series:
        """One series of the table, as `read_series` reads it."""
        series = series_from_table(self.table, column, time, resample, self.name, self.where)
        return replace(series, notes=(*self.notes, *series.notes))


def open_table(path: str | Path, *, named: bool) -> FileTable:
    """The table of a CSV (plain or gzipped) or Parquet file; its content decides which.

    `named` says that the user names columns, and with them that commas separate columns.
    """
    path = Path(path)
    data = content(path)
    if data.startswith(_PARQUET):
        return FileTable(parquet_table(data), array_row)
    table = read_delimited(decoded(data))
    if not named:
        table = settle_commas(table)

    def where(row: int) -> str:
        return f"data row {row + 1} (file line {table.lines[row]})"

    source = Table(nw.from_native(table.frame, eager_only=True), text=True)
    if table.header:
        return FileTable(source, where)
    # column_1 names nothing: without a header the file's name does, up to the first dot (sales.csv.gz).
    names = table.frame.columns
    note = "no header: the first row is data" + (
        f", columns are column_1 to {names[-1]}" if len(names) > 1 else ""
    )
    comma = ("numbers read with decimal commas",) if table.joined else ()
    return FileTable(source, where, path.name.split(".")[0], (note, *comma))


def in_file(path: str | Path, error: ValueError) -> ValueError:
    """The error with the name of the file before it."""
    # Column names may hold line breaks; an error stays one line.
    return ValueError(f"{path}: {' '.join(str(error).split())}")


def content(path: Path) -> bytes:
    """Return a file's bytes, unpacked where they are gzipped."""
    if path.is_dir():
        raise ValueError("this is a folder; name a CSV or Parquet file in it")
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise ValueError("there is no such file; correct the path") from None
    except OSError as error:
        raise ValueError(f"the file cannot be read: {error.strerror}") from None
    if data.startswith(_GZIP):
        try:
            data = gzip.decompress(data)
        except (OSError, EOFError, zlib.error) as error:
            raise ValueError(f"the compressed file is damaged ({error}); fetch it again") from None
    if data.startswith(_ZIP):
        raise ValueError("this is a zip archive or an Excel workbook; unpack it, or save the sheet as CSV")
    return data


def decoded(data: bytes) -> str:
    """Text of a file; what is not text raises."""
    # UTF-8 text holds no zero byte; UTF-16, as Excel saves "Unicode text", does in every second place.
    if b"\x00" in data:
        raise ValueError(
            "this is neither text nor Parquet; a CSV file in UTF-8 or a Parquet file is expected"
        )
    try:
        # Excel starts a UTF-8 file with a byte order mark, which would become part of the first name.
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise ValueError(f"line {line} is not UTF-8 text; save the file in UTF-8") from None


def parquet_table(data: bytes) -> Table:
    """Table of a Parquet file's bytes."""
    import polars as pl

    try:
        frame: Any = pl.read_parquet(io.BytesIO(data))
    except (pl.exceptions.PolarsError, OSError) as error:
        raise ValueError(
            f"the Parquet file is damaged ({str(error).splitlines()[0]}); write it again"
        ) from None
    return Table(nw.from_native(frame, eager_only=True), text=False)
