"""Delimited text as cells: rows of one width, what stands before and after them, and the file line of every row."""

import csv
import io
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ngrc._types import BoolArray, IntArray
from ngrc.series.wording import excerpt, plural

if TYPE_CHECKING:
    import polars as pl

_QUOTE, _NEWLINE = 34, 10


class Line(NamedTuple):
    """Fields of one row, and the file line on which it starts, from 1."""

    fields: list[str]
    number: int


class Cells(NamedTuple):
    """Rows of one width as text in columns "0", "1" and so on, with their file lines of shape (n,).

    `head` and `foot` are the rows of other widths before the first row and after the last.
    """

    frame: "pl.DataFrame"
    lines: IntArray
    head: tuple[Line, ...] = ()
    foot: tuple[Line, ...] = ()


def split_cells(text: str, separator: str | None, blank: int = 0) -> Cells:
    """Split text that ends without a line break; `blank` lines were cut off above it."""
    if separator is None:
        return _one_column(text, blank)
    data = text.encode()
    borders = _borders(data, separator)
    return _slowly(text, separator, blank) if borders is None else _quickly(data, separator, blank, borders)


def _one_column(text: str, blank: int) -> Cells:
    import polars as pl

    if '"' in text:
        return _slowly(text, None, blank)
    lines = pl.Series("0", text.split("\n"), dtype=pl.String)
    return Cells(lines.to_frame(), np.arange(1, len(lines) + 1) + blank)


class _Borders(NamedTuple):
    """Where rows end (shape (n,)), how many fields each has, and on which line of the text each starts."""

    ends: IntArray
    widths: IntArray
    lines: IntArray


def _borders(data: bytes, separator: str) -> _Borders | None:
    """Rows by their bytes alone, one pass over all of them; None where quotes stand inside a field."""
    array = np.frombuffer(data, np.uint8)
    breaks, marks = array == _NEWLINE, array == ord(separator)
    every = np.flatnonzero(breaks)
    if _QUOTE in data:
        quotes = array == _QUOTE
        # A quoted field begins at an odd quote: from there to the next one separators and line breaks are its text.
        inside = np.bitwise_xor.accumulate(quotes)
        if inside[-1] or not _at_borders(quotes, inside, breaks | marks):
            return None
        breaks, marks = breaks & ~inside, marks & ~inside
    ends = np.append(np.flatnonzero(breaks), array.size)
    starts = np.append(0, ends[:-1] + 1)
    widths = np.diff(np.searchsorted(np.flatnonzero(marks), np.append(0, ends))) + 1
    return _Borders(ends, widths, np.searchsorted(every, starts) + 1)


def _at_borders(quotes: BoolArray, inside: BoolArray, signs: BoolArray) -> bool:
    """Whether every quote opens or closes a field, or is one of two in a row, which stand for one."""
    before = np.append(True, (signs | quotes)[:-1])
    after = np.append((signs | quotes)[1:], True)
    return bool(np.all(before[quotes & inside]) and np.all(after[quotes & ~inside]))


def _quickly(data: bytes, separator: str, blank: int, borders: _Borders) -> Cells:
    import polars as pl

    width = int(np.argmax(np.bincount(borders.widths)[2:])) + 2 if borders.widths.max() > 1 else 1
    regular = borders.widths == width
    starts = np.append(0, borders.ends[:-1] + 1)
    body, kept = data, np.ones(regular.size, dtype=bool)
    odd: list[Line] = []
    if not regular.all():
        first, last = int(np.argmax(regular)), regular.size - 1 - int(np.argmax(regular[::-1]))
        pieces: list[bytes] = []
        kept = regular.copy()
        # Segments of regular rows stay whole; only the others are looked at one by one.
        for row in np.flatnonzero(~regular).tolist():
            fields = _fields(data[starts[row] : borders.ends[row]].decode(), separator)
            kept[row] = _sorted_in(fields, row, (first, last), width, odd, int(borders.lines[row]) + blank)
        for start, stop in _runs(kept):
            pieces.extend(_segment(data, starts, borders, start, stop, width, separator, regular))
        body = b"\n".join(pieces)
    names = {str(place): pl.String for place in range(width)}
    quote = '"' if _QUOTE in data else None
    frame = pl.read_csv(
        body,
        separator=separator,
        quote_char=quote,
        has_header=False,
        schema=names,
        truncate_ragged_lines=True,
    ).fill_null("")
    lines = borders.lines[kept] + blank
    if frame.height != lines.size:
        return _slowly(data.decode(), separator, blank)
    return _checked(frame, lines, odd)


def _segment(
    data: bytes,
    starts: IntArray,
    borders: _Borders,
    start: int,
    stop: int,
    width: int,
    separator: str,
    regular: BoolArray,
) -> Iterator[bytes]:
    """Rows start..stop-1 as bytes; those with empty fields too many are cut to the width."""
    if regular[start:stop].all():
        yield data[starts[start] : borders.ends[stop - 1]]
        return
    for row in range(start, stop):
        line = data[starts[row] : borders.ends[row]]
        yield (
            line
            if regular[row]
            else line.rstrip(b" " + separator.encode())
            + separator.encode() * (width - len(_trimmed(_fields(line.decode(), separator))))
        )


def _runs(kept: BoolArray) -> Iterator[tuple[int, int]]:
    """First and end of every run of rows that are kept."""
    steps = np.flatnonzero(np.diff(np.concatenate([[0], kept.view(np.int8), [0]])))
    return ((int(start), int(stop)) for start, stop in zip(steps[::2], steps[1::2], strict=True))


def _fields(line: str, separator: str) -> list[str]:
    return next(csv.reader([line], delimiter=separator), [])


def _trimmed(fields: list[str]) -> list[str]:
    """Fields without the empty ones at the end."""
    size = len(fields)
    while size and not fields[size - 1].strip():
        size -= 1
    return fields[:size]


def _sorted_in(
    fields: list[str], row: int, span: tuple[int, int], width: int, odd: list[Line], number: int
) -> bool:
    """Whether a row of another width is kept: one with empty fields too many; other rows of text join `odd`."""
    full = _trimmed(fields)
    if not full:
        return False
    if len(full) <= width < len(fields) and span[0] < row:
        return True
    if full[0].lstrip().startswith("#") and row > span[0]:
        return False
    odd.append(Line(fields, number))
    return False


def _checked(frame: "pl.DataFrame", lines: IntArray, odd: list[Line]) -> Cells:
    """Cells with the odd rows before and after them; one in their middle raises."""
    head = tuple(line for line in odd if line.number < lines[0])
    foot = tuple(line for line in odd if line.number > lines[-1])
    middle = [line for line in odd if lines[0] < line.number < lines[-1]]
    if middle:
        raise ragged(middle[0], frame.width, int(lines[0]))
    return Cells(frame, lines, head, foot)


def ragged(line: Line, width: int, example: int) -> ValueError:
    """The error about a row of another width than that of line `example`."""
    fields = plural(len(line.fields), "field")
    comma = (
        "; if its commas are decimal signs, separate the columns by semicolons"
        if len(line.fields) > width and sum(field.strip().isdigit() for field in line.fields) > 1
        else ""
    )
    return ValueError(
        f"line {line.number} has {fields}, but line {example} has {width}; give every row the same number{comma}"
    )


def _slowly(text: str, separator: str | None, blank: int) -> Cells:
    """Rows one by one, for text whose quotes do not stand around whole fields."""
    import polars as pl

    reader = csv.reader(io.StringIO(text), delimiter=separator or ",", strict=True, skipinitialspace=True)
    rows: list[Line] = []
    start = 1
    try:
        for fields in reader:
            if fields or separator is None:
                rows.append(Line(fields or [""], start + blank))
            # A quoted field may span lines: the next row starts after the last line that the reader took.
            start = reader.line_num + 1
    except csv.Error as error:
        raise _misquoted(error, start + blank) from None
    widths = np.array([len(row.fields) for row in rows])
    width = int(np.argmax(np.bincount(widths)))
    regular = np.flatnonzero(widths == width)
    kept: list[Line] = []
    odd: list[Line] = []
    for place, row in enumerate(rows):
        span = int(regular[0]), int(regular[-1])
        if len(row.fields) == width or _sorted_in(row.fields, place, span, width, odd, row.number):
            kept.append(row._replace(fields=row.fields[:width]))
    names = [str(place) for place in range(width)]
    frame = pl.DataFrame([row.fields for row in kept], schema=dict.fromkeys(names, pl.String), orient="row")
    return _checked(frame, np.array([row.number for row in kept]), odd)


def _misquoted(error: csv.Error, line: int) -> ValueError:
    if "limit" in str(error):
        return ValueError(
            f"line {line}: a quoted field is longer than {csv.field_size_limit():,} characters; close its quotes, or "
            "drop the column"
        )
    return ValueError(f"line {line}: the quotes do not match ({error}); close or remove them")


def shown_line(line: Line) -> str:
    """A row for a person."""
    return excerpt(" ".join(field.strip() for field in line.fields if field.strip()))
