"""Workbooks of Excel and OpenDocument: every cell of a sheet as text."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from ngrc._optional import load
from ngrc.series.extents import check_extent
from ngrc.series.panics import unpanicked
from ngrc.series.wording import listed, shortly

if TYPE_CHECKING:
    import polars as pl

OLD_WORKBOOK = b"\xd0\xcf\x11\xe0"
"""The first bytes of workbooks from before 2007."""

Result = TypeVar("Result")
# A sheet with fewer rows holds a title or a remark, and no series.
_LEAST_ROWS = 2


class Sheet(NamedTuple):
    """The cells of one sheet as text, columns "0", "1" and so on, and remarks."""

    cells: "pl.DataFrame"
    notes: tuple[str, ...]


def read_workbook(data: bytes) -> Sheet:
    """The first sheet that holds a table: rows and columns of which one has numbers; the others are named."""
    try:
        library = load("fastexcel", "files", "reading Excel workbooks")
    except ImportError as error:
        raise ValueError(str(error)) from None
    check_extent(data)
    reader = _whole(library.read_excel, data)
    names = list(reader.sheet_names)
    for name in names:
        cells = _whole(_cells, reader, name)
        if cells.height >= _LEAST_ROWS and _has_numbers(cells):
            others = [other for other in names if other != name]
            note = f"read sheet {name!r}; the workbook also has {listed(others)}"
            return Sheet(cells, (note,) if others else ())
    raise ValueError(f"no sheet of the workbook holds a table of numbers: {listed(names)}; save it as CSV")


def _whole(read: Callable[..., Result], *arguments: Any) -> Result:
    try:
        return unpanicked(read, *arguments)
    except Exception as error:  # whatever the reader meets first in a damaged file
        raise ValueError(
            f"the Excel workbook is damaged or locked ({shortly(error)}); save it again"
        ) from None


def _cells(reader: Any, name: str) -> "pl.DataFrame":
    import polars as pl

    # As text, so that titles, units and blank rows above a table are told from it as those of a CSV file are.
    sheet: pl.DataFrame = reader.load_sheet(name, header_row=None, dtypes="string").to_polars()
    sheet = sheet.fill_null("")
    sheet.columns = [str(place) for place in range(sheet.width)]
    return sheet


def _has_numbers(cells: "pl.DataFrame") -> bool:
    return any(column.str.contains("^[+-]?[0-9]").sum() >= _LEAST_ROWS for column in cells)
