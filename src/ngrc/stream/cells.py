"""CSV lines: how they are cut into cells, and which cell is the time, the value or the count."""

import csv
from dataclasses import dataclass

from ngrc.durable.observation import Observation
from ngrc.series.labels import TIME_NAMES, VALUE_NAMES
from ngrc.stream.given import Names
from ngrc.stream.numerals import (
    MISSING,
    LineError,
    is_moment,
    is_number,
    read_count,
    read_time,
    read_value,
    shown,
)

SEPARATORS = ",;\t"
_TIMES = TIME_NAMES | {"t", "index", "step"}
_EXPECTED = "expected value, or time,value"


@dataclass(frozen=True, slots=True)
class Layout:
    """Places of the cells in a line; None where there is no such cell."""

    separator: str
    width: int
    value: int
    time: int | None = None
    seq: int | None = None

    def read(self, text: str) -> Observation:
        """The observation of a line."""
        cells = cut(text, self.separator) if self.width > 1 or '"' in text else [text.strip()]
        if len(cells) != self.width:
            raise LineError(f"expected {self.width} cells as in the first line, got {len(cells)}")
        return Observation(
            read_value(cells[self.value]),
            None if self.time is None else read_time(cells[self.time]),
            None if self.seq is None else read_count(cells[self.seq]),
        )


def cut(text: str, separator: str) -> list[str]:
    """Cells without the spaces around them; quotes as CSV has them.

    Examples
    --------
    >>> cut('"2026-01-09", 3.2', ",")
    ['2026-01-09', '3.2']
    """
    if '"' not in text:
        return [cell.strip() for cell in text.split(separator)]
    try:
        (row,) = csv.reader([text], delimiter=separator, strict=True, skipinitialspace=True)
    except (csv.Error, ValueError):
        raise LineError(f"a quote is opened and not closed within the line: {shown(text)}") from None
    return [cell.strip() for cell in row]


def separator_of(text: str) -> str:
    """The separator of a first line: a comma unless only another one stands there."""
    return next((sign for sign in SEPARATORS if sign in text), ",")


def is_header(cells: list[str]) -> bool:
    """Whether all cells are words: no numbers, no times, nothing that stands for a missing value."""
    return all((cell[:1].isalpha() or cell[:1] == "_") and not _is_data(cell) for cell in cells)


def _is_data(cell: str) -> bool:
    # `inf` is no name of a column: it is refused as a value.
    return cell.lower() in MISSING | {"inf", "infinity"} or is_number(cell) or is_moment(cell)


def by_names(cells: list[str], separator: str, names: Names) -> Layout | None:
    """The layout that a header tells; None where its words say nothing and the first data line must decide."""
    words = [cell.lower() for cell in cells]
    if len(set(words)) != len(words):
        raise LineError(f"the header names a column twice: {', '.join(cells)}")
    seq = words.index("seq") if "seq" in words else None
    time = _place(cells, names.time)
    if time is None:
        time = next((place for place, word in enumerate(words) if word in _TIMES), None)
    value = _place(cells, names.value)
    if value is None:
        rest = [place for place in range(len(cells)) if place not in (seq, time)]
        known = [place for place in rest if words[place] in VALUE_NAMES]
        if time is None and len(rest) == 2 and not known:
            return None
        value = (known or rest)[0] if len(known) == 1 or len(rest) == 1 else None
    if value is None:
        raise LineError(f"{_EXPECTED} in the header, got {', '.join(cells)}; name the column with --column")
    return Layout(separator, len(cells), value, time, seq)


def _place(cells: list[str], name: str | None) -> int | None:
    if name is None:
        return None
    if name not in cells:
        raise LineError(f"there is no column {name!r} in the header, which has {', '.join(cells)}")
    return cells.index(name)


def by_cells(cells: list[str], separator: str) -> Layout:
    """The layout of lines without a header, told by the first of them.

    A moment, or the one whole number beside a fraction, is the time; else the time stands first.
    """
    if len(cells) == 1:
        return Layout(separator, 1, 0)
    if len(cells) > 2:
        raise LineError(f"{_EXPECTED}, got {len(cells)} cells; a header with their names tells more apart")
    moments = [is_moment(cell) for cell in cells]
    counters = [cell.lstrip("+-").isdigit() for cell in cells]
    last = moments == [False, True] or (not any(moments) and counters == [False, True])
    return Layout(separator, 2, 0, 1) if last else Layout(separator, 2, 1, 0)
