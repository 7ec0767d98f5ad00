"""What the rows of a table are: titles, header, units, data, totals, footers."""

import re
from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from ngrc._types import IntArray
from ngrc.series.cells import Cells, Line, ragged, shown_line
from ngrc.series.dates import looks_like_dates
from ngrc.series.numerals import parse_numbers
from ngrc.series.tokens import MISSING, NUMBER
from ngrc.series.units import is_unit
from ngrc.series.wording import listed, plural

if TYPE_CHECKING:
    import polars as pl

Test: TypeAlias = Callable[[str], bool]

# Rows that tell what columns hold, and columns that are looked at.
_ROWS, _COLUMNS = 120, 60
_PLAIN_NUMBER = re.compile(NUMBER)
# The beginnings of the names of months in English, German, French, Spanish and Italian.
_MONTH = (
    r"(jan|feb|f[ée]v|mar|mär|mrz|apr|avr|abr|may|mai|jun|jui|jul|aug|ago|ao[uû]|sep|oct|okt|ott|nov|dec|dez|d[ée]c|dic"
    r"|ene|gen|mag|giu|lug|set)"
)
_DATED = re.compile(
    r"^([a-zé]{2,10}\.?,? )?(\d{1,4}[-./]\d{1,2}[-./]\d{1,4}|\d{4}[-/]\d{1,2}\b|\d{4}[- ]?[QWM]\d|\d{1,2}[./]\d{4}$"
    rf"|\d{{1,2}}[-. ]+{_MONTH}|{_MONTH}[a-zéûä]*\.?[-/ ,]+\d|[QW]\d{{1,2}}[-/ ]\d{{4}}|(19|20)\d{{6}})",
    re.IGNORECASE,
)
_YEAR = re.compile(r"^(19|20)\d{2}$")
_DIGIT_FIRST = re.compile(r"^[-+−(]?\s?[$€£¥]?\s?\.?\d")
# The first cell of a row that sums up the rows above it.
_TOTALS = re.compile(
    r"^(grand )?(total|totals|sum|summe|gesamt|somme|suma|totale|insgesamt|mean|average|avg|mittel|mittelwert"
    r"|moyenne|media|min|max|minimum|maximum|count|anzahl|std)\b\W*$",
    re.IGNORECASE,
)
# Rows at the end that may sum up: sum, mean, minimum, maximum, count.
_MOST_TOTALS = 5


class DelimitedTable(NamedTuple):
    """A table of text, the file line of each of its rows, whether a row named the columns, and its separator.

    `joined` says that two columns were one number with a decimal comma.
    """

    frame: "pl.DataFrame"
    lines: IntArray
    header: bool
    separator: str | None
    joined: bool = False
    notes: tuple[str, ...] = ()


def laid_out(cells: Cells, separator: str | None) -> DelimitedTable:
    """Tell the rows of data from the header and all that stands around them."""
    cells = _without_blanks(cells)
    rows = _rows(cells)
    first = _first_data_row(rows)
    header, notes = _header(cells, rows, first)
    if header is None:
        names, first = [f"column_{place + 1}" for place in range(cells.frame.width)], 0
    else:
        names, first = _named(header), max(first, 1 if header == rows[0] else 0)
    frame, lines = cells.frame[first:], cells.lines[first:]
    if lines.size == 0:
        raise ValueError(f"the file has a header and no rows: {', '.join(names)[:60]}; add at least one")
    frame.columns = names
    table = DelimitedTable(frame, lines, header is not None, separator, notes=notes)
    return _without_ends(_without_repeats(table), cells.foot, int(cells.lines[0]))


def _without_blanks(cells: Cells) -> Cells:
    """Cells without empty rows (in one column only those at the end), and without empty columns at the right."""
    import polars as pl

    frame, lines = cells.frame, cells.lines
    empty = frame.select(pl.all_horizontal(pl.all().str.strip_chars() == "")).to_series().to_numpy()
    if frame.width == 1:
        # In a file of one column an empty line is a missing value, not the absence of a row.
        empty = empty & (np.cumsum(~empty[::-1])[::-1] == 0)
    if empty.all():
        raise ValueError("the file is empty; at least one value is needed")
    if empty.any():
        frame, lines = frame.filter(pl.Series(~empty)), lines[~empty]
    named = max((len([f for f in line.fields if f.strip()]) for line in cells.head), default=0)
    while (
        frame.width > max(named, 1) and not (frame.to_series(frame.width - 1).str.strip_chars() != "").any()
    ):
        frame = frame.drop(frame.columns[-1])
    return Cells(frame, lines, cells.head, cells.foot)


def _rows(cells: Cells) -> list[list[str]]:
    near = cells.frame[:_ROWS]
    return [[str(field).strip() for field in row] for row in near.rows()]


def _first_data_row(rows: list[list[str]]) -> int:
    """The first row that holds what the rows after it hold: a date where they do, else numbers where they do."""
    # The later half: a preamble is shorter than its table, or than the rows that are looked at.
    body = rows[len(rows) // 2 :]
    width = min(len(rows[0]), _COLUMNS)
    dated = [place for place in range(width) if _most(body, place, _is_date)]
    counted = [place for place in range(width) if _most(body, place, _is_digits)]
    for number, row in enumerate(rows):
        if dated and _is_date(row[dated[0]]):
            return number
        if not dated and counted and 2 * sum(_is_digits(row[place]) for place in counted) >= len(counted):
            return number
    return 1


def _is_date(field: str) -> bool:
    return _DATED.match(field) is not None


def _is_digits(field: str) -> bool:
    return _DIGIT_FIRST.match(field) is not None or _is_date(field)


def _most(rows: list[list[str]], place: int, holds: Test) -> bool:
    written = [row[place] for row in rows if row[place].lower() not in MISSING]
    return 2 * sum(map(holds, written)) > len(written)


def _header(cells: Cells, rows: list[list[str]], first: int) -> tuple[list[str] | None, tuple[str, ...]]:
    """The row that names the columns, None where there is none, and remarks on the rows around it."""
    width = cells.frame.width
    if first == 0 and (not cells.head or _names_times(rows)):
        named = _counts_columns(rows) or _names_times(rows) or not _is_data(rows[0], dated=_is_date)
        left = plural(len(cells.head), "line")
        return (rows[0] if named else None), (f"{left} above the header left out",) if cells.head else ()
    # Rows that may name the columns, the last one first.
    above = [Line([field.strip() for field in line.fields], line.number) for line in cells.head]
    above += [Line(row, int(cells.lines[number])) for number, row in enumerate(rows[:first])]
    fitting = [row for line in reversed(above) if (row := _fitted(line.fields, width)) is not None]
    # A line right above the data that has other fields names nothing; behind an empty line it is a title.
    adjacent = bool(cells.head) and not rows[:first] and above[-1].number == int(cells.lines[0]) - 1
    if adjacent and len(above[-1].fields) > 1 and _fitted(above[-1].fields, width) is None:
        raise ragged(Line(rows[0], int(cells.lines[0])), len(above[-1].fields), above[-1].number)
    units = len(fitting) > 1 and _are_units(fitting[0], rows, first)
    candidates = fitting[1:] if units else fitting
    full = [row for row in candidates if 2 * sum(map(bool, row)) >= width and not _repeated(row)]
    header = next(iter(full or candidates), None)
    used = (header is not None) + units
    notes: tuple[str, ...] = ()
    if units:
        notes += (f"row of units left out: {listed([unit for unit in fitting[0] if unit])}",)
    if len(above) > used:
        left = plural(len(above) - used, "line")
        notes += (f"{left} above the {'table' if header is None else 'header'} left out",)
    return header, notes


def _fitted(fields: list[str], width: int) -> list[str] | None:
    """Fields of a row that may name `width` columns, without a comment sign and empty ones too many; else None."""
    fields = list(fields)
    if fields:
        fields[0] = fields[0].lstrip("#").strip()
    while len(fields) > width and not fields[-1]:
        fields.pop()
    return fields if len(fields) == width and any(fields) else None


def _are_units(row: list[str], rows: list[list[str]], first: int) -> bool:
    """Whether a row above the data holds units where the data are numbers."""
    body = rows[first:]
    places = [
        k
        for k in range(min(len(row), _COLUMNS))
        if _most(body, k, _is_digits) and not _most(body, k, _is_date)
    ]
    return any(row[k] for k in places) and all(not row[k] or is_unit(row[k]) for k in places)


def _repeated(names: list[str]) -> list[str]:
    return [name for name, count in Counter(names).items() if count > 1 and name]


def _is_data(fields: list[str], dated: Test) -> bool:
    """Whether a first row names nothing: numbers, dates and missing tokens, or a date before anything else."""
    import polars as pl

    tokens = [field for field in fields if field]
    if len(tokens) > 1 and dated(tokens[0]) and any(_is_digits(token) for token in tokens[1:]):
        return True
    return bool(tokens) and all(
        field.lower() in MISSING
        or _PLAIN_NUMBER.match(field) is not None
        # Slower, and only for what is left: decimal commas and digits of other scripts.
        or not parse_numbers(pl.Series([field])).bad[0]
        or looks_like_dates(pl.Series([field]))
        for field in tokens
    )


def _counts_columns(rows: list[list[str]]) -> bool:
    """Whether a first row holds the names 0, 1, 2, ... that pandas writes for columns without a name."""
    fields = rows[0]
    if fields[0] == "" and len(fields) > 1:
        return fields[1:] == [str(place) for place in range(len(fields) - 1)]
    counted = len(fields) > 1 and fields == [str(place) for place in range(len(fields))]
    # A first column that goes on counting down the rows is data.
    return counted and [row[0] for row in rows[1:2]] != ["1"]


def _names_times(rows: list[list[str]]) -> bool:
    """Whether a first row holds times, one per column, above rows of numbers."""
    named = [place for place, field in enumerate(rows[0][:_COLUMNS]) if _is_date(field) or _YEAR.match(field)]
    words = any(field and not _is_digits(field) for field in rows[0])
    return (
        len(named) > 2
        and len(rows) > 1
        and not any(_is_date(rows[1][place]) for place in named)
        and (words or all(_is_date(rows[0][place]) for place in named))
    )


def _named(names: list[str]) -> list[str]:
    repeated = _repeated(names)
    if repeated:
        raise ValueError(f"the header names {repeated[0]!r} more than once; rename one")
    # One column without a name is the index that pandas writes, and is known by that; several need names.
    blank = names.count("") > 1
    return [f"column_{place + 1}" if blank and not name else name for place, name in enumerate(names)]


def _without_repeats(table: DelimitedTable) -> DelimitedTable:
    """The table without rows that repeat its header, as files put together have them."""
    import polars as pl

    names = table.frame.columns
    if not table.header or not names[0] or not (table.frame[names[0]] == names[0]).any():
        return table
    again = table.frame.select(
        pl.all_horizontal(pl.col(name).str.strip_chars() == name for name in names)
    ).to_series()
    if not again.any() or again.all():
        return table
    note = f"header repeated in {plural(int(again.sum()), 'row')}, which are left out"
    keep = ~again
    return table._replace(
        frame=table.frame.filter(keep), lines=table.lines[keep.to_numpy()], notes=(*table.notes, note)
    )


def _without_ends(table: DelimitedTable, foot: tuple[Line, ...], top: int) -> DelimitedTable:
    """The table without totals in its last rows, and without the text below them."""
    data = [line for line in foot if _is_digits(line.fields[0].strip())]
    if data:
        raise ragged(data[0], table.frame.width, top)
    notes = table.notes
    if foot:
        more = f" and {plural(len(foot) - 1, 'more line')}" if len(foot) > 1 else ""
        notes += (f"text below the table left out: {shown_line(foot[0])}{more}",)
    size = table.frame.height
    for row in range(size - 1, max(size - 1 - _MOST_TOTALS, 1), -1):
        word = str(table.frame.row(row)[0]).strip()
        if _TOTALS.match(word) is None:
            size = row + 1
            break
        size = row
    if size == table.frame.height:
        return table._replace(notes=notes)
    left = plural(table.frame.height - size, "last row")
    note = f"{left} left out: {str(table.frame.row(size)[0]).strip()!r}"
    return table._replace(frame=table.frame[:size], lines=table.lines[:size], notes=(*notes, note))
