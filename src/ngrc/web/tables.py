"""Tables: cells that sort by their value, rows that carry a mark, a caption that says what they hold."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import isfinite

from ngrc.web.escaping import text

SHORT = 24
"""Cells up to this many characters stay on one line."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell.

    Parameters
    ----------
    words
        What is shown.
    value
        What it sorts by: a number, infinity included; None sorts by the words, and an empty cell last.
    """

    words: str
    value: float | None = None


@dataclass(frozen=True, slots=True)
class Row:
    """Cells, and the class of the row: its colour, never its only mark."""

    cells: tuple[Cell, ...]
    kind: str = ""


def table(headings: Sequence[str], rows: Iterable[Row], *, caption: str = "", name: str = "") -> str:
    """A table in a box of its own, which alone scrolls where it is too wide; the script makes it sortable.

    Parameters
    ----------
    headings
        One per column.
    rows
        In the order of a reader who does not sort.
    caption
        What the table holds; left out where a heading above it says so.
    name
        What a screen reader calls the box; the caption by default.

    Examples
    --------
    >>> page = table(["a"], [Row((Cell("2.0", 2.0),))])
    >>> page[page.index("<tbody>") :]
    '<tbody><tr><td class="n" data-value="2.0">2.0</td></tr></tbody></table></div>'
    """
    listed = list(rows)
    head = "".join(
        _heading(heading, [row.cells[place] for row in listed]) for place, heading in enumerate(headings)
    )
    body = "".join(_row(row) for row in listed)
    spoken = name or caption
    label = f' role="region" aria-label="{text(spoken)}"' if spoken else ""
    # Outside the box, so that it wraps with the page where the table scrolls.
    title = f'<p class="caption">{text(caption)}</p>' if caption else ""
    return (
        f'{title}<div class="scroll" tabindex="0"{label}><table class="sortable"><thead><tr>{head}</tr></thead>'
        f"<tbody>{body}</tbody></table></div>"
    )


def _heading(words: str, cells: Sequence[Cell]) -> str:
    """Over a column of numbers on their side."""
    numbers = [cell.value is not None for cell in cells if cell.words]
    side = ' class="n"' if numbers and all(numbers) else ""
    return f'<th scope="col"{side}>{text(words)}</th>'


def _row(row: Row) -> str:
    kind = f' class="{text(row.kind)}"' if row.kind else ""
    return f"<tr{kind}>{''.join(map(_cell, row.cells))}</tr>"


def _cell(cell: Cell) -> str:
    if cell.value is not None:
        # A number that does not exist sorts with the empty cells, behind every other.
        known = "" if cell.value != cell.value else f' data-value="{_sign(cell.value)}"'
        return f'<td class="n"{known}>{text(cell.words)}</td>'
    return f'<td class="{"s" if len(cell.words) <= SHORT else "l"}">{text(cell.words)}</td>'


def _sign(value: float) -> str:
    # As JavaScript's Number() reads it.
    return repr(float(value)) if isfinite(value) else ("Infinity" if value > 0 else "-Infinity")
