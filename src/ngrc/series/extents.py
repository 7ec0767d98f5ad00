"""How far a sheet of a workbook reaches, before a reader makes room for every cell of its rectangle."""

import re

from ngrc.series.archives import check_parts, parts_of
from ngrc.series.room import check_room

# Cells from the column AA or the row 100,000 on: a sheet without them is small whatever it holds.
_FAR = re.compile(rb"""\br=["'](?:[A-Za-z]{2,}[0-9]|[A-Za-z][0-9]{6})""")
_CELL = re.compile(rb"""\br=["']([A-Za-z]{1,4})([0-9]{1,8})["']""")
# Of one cell in the reader's memory.
_BYTES = 32
_REMEDY = "delete what stands far from the table, or save the table as CSV"


def check_extent(data: bytes) -> None:
    """Refuse a workbook whose parts, or whose rectangle of cells, are far larger than the file."""
    if not data.startswith(b"PK"):
        return
    check_parts(data)
    for name, part in parts_of(data, ".xml"):
        if _FAR.search(part):
            check_room(_BYTES * _rectangle(part), len(data), f"the sheet in {name!r}", _REMEDY)


def _rectangle(sheet: bytes) -> int:
    """Cells from the first row and column to the last one that is named."""
    rows, columns = 1, 1
    for column, row in _CELL.findall(sheet):
        rows = max(rows, int(row))
        columns = max(columns, _number(column))
    return rows * columns


def _number(letters: bytes) -> int:
    """1 for A, 27 for AA.

    Examples
    --------
    >>> _number(b"A"), _number(b"AA"), _number(b"XFD")
    (1, 27, 16384)
    """
    number = 0
    for letter in letters.upper():
        number = 26 * number + letter - ord("A") + 1
    return number
