"""Results as plain text that fits a narrow terminal."""

from collections.abc import Sequence
from itertools import zip_longest
from math import floor, isfinite, log10
from typing import Any

import numpy as np

MOST_ROWS = 24
"""Rows of a table that are printed: a screen of the usual height; the frame beside it has them all."""


def text_table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Columns aligned with two spaces between them, text to the left and numbers to the right.

    Examples
    --------
    >>> print(text_table(["method", "width"], [["split", "1.5"], ["adaptive", "12.25"]]))
    method    width
    split       1.5
    adaptive  12.25
    """
    columns = list(zip_longest(headings, *rows, fillvalue=""))
    widths = [max(map(len, column)) for column in columns]
    left = [not _numeric(column[1:]) for column in columns]
    lines = [
        "  ".join(
            cell.ljust(width) if text else cell.rjust(width)
            for cell, width, text in zip(line, widths, left, strict=True)
        )
        for line in (headings, *rows)
    ]
    return "\n".join(line.rstrip() for line in lines)


def shortened(rows: Sequence[Sequence[str]], where: str, most: int = MOST_ROWS) -> tuple[list[Any], str]:
    """The first and last rows of a long table with a row of dots between, and a line that says where all are."""
    if len(rows) <= most:
        return list(rows), ""
    head = most - most // 4 - 1
    dots = ["..."] + [""] * (len(rows[0]) - 1)
    return [*rows[:head], dots, *rows[-(most // 4) :]], f"{len(rows):,} rows in all: {where}"


def rounded(value: float, digits: int = 4) -> str:
    """A number for people: so many significant digits, whole from there on, no exponent within fifteen places.

    Examples
    --------
    >>> [rounded(value) for value in (0.123456, 12.3, 123456.7, -0.00001234, float("inf"), 0.0)]
    ['0.1235', '12.30', '123457', '-0.00001234', 'inf', '0']
    """
    if not isfinite(value) or value == 0.0:
        return f"{value:g}"
    # The place of the leading digit after rounding: 9.9996 has five places before four digits are taken.
    place = floor(log10(abs(float(f"{value:.{digits - 1}e}"))))
    if abs(place) >= 15:
        return f"{value:.{digits - 1}e}"
    return f"{value:.{max(digits - 1 - place, 0)}f}"


def aligned(values: Any, digits: int = 4) -> list[str]:
    """Numbers of one column with the same number of decimals: what the widest of them needs.

    Examples
    --------
    >>> aligned([0.5, 123.456])
    ['0.5', '123.5']
    """
    numbers = np.asarray(values, dtype=np.float64)
    sizes = np.abs(numbers[np.isfinite(numbers)])
    largest = float(sizes.max()) if sizes.size else 0.0
    if largest == 0.0 or not 1e-15 < largest < 1e15:
        return [rounded(float(value), digits) for value in numbers]
    decimals = max(digits - 1 - floor(log10(largest)), 0)
    return [f"{value:.{decimals}f}" for value in numbers]


def percent(share: float) -> str:
    """A probability in per cent, as column names have it, to twelve digits: 0.9999999 is no hundred.

    Examples
    --------
    >>> percent(0.8), percent(0.975), percent(0.55)
    ('80', '97.5', '55')
    """
    return f"{100.0 * share:.12g}"


def _numeric(cells: Sequence[str]) -> bool:
    return all(cell in ("", "...", "inf", "-inf", "nan") or cell[0] in "+-0123456789" for cell in cells)
