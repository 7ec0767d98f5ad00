"""Numbers and tables as text for readers; files for machines keep every digit."""

import re
from collections.abc import Sequence
from math import floor, isfinite, log10
from typing import Any

import polars as pl

from ngrc.study.harness.estimate import ERROR
from ngrc.study.harness.record import KINDS, MARKS, Check, Kind, of_kind, tally

HEADINGS: dict[Kind, tuple[str, ...]] = {
    "printed": ("table", "cell", "ours", "paper", "tolerance", "finds shifts from", "verdict", "reason"),
    "formula": (
        "about",
        "cell",
        "simulated",
        "formula",
        "tolerance",
        "finds shifts from",
        "verdict",
        "reason",
    ),
    "claim": ("about", "statement", "ours", "claim", "tolerance", "finds shifts from", "verdict", "reason"),
}
SECTIONS: dict[Kind, str] = {
    "printed": "Ours against the numbers that {paper} prints",
    "formula": "Our simulation against our closed forms",
    "claim": "Ours against {paper}'s words",
}
"""Headings of the comparisons; the paper is named where it is not the one that this library comes from."""
TALLIES: dict[Kind, str] = {"printed": "printed numbers", "formula": "formulas", "claim": "claims"}


def number(value: Any) -> str:
    """A cell as text: whole numbers as they are, others to four significant digits.

    Examples
    --------
    >>> number(0.123456), number(3), number(21009.0), number(1.3864e-5), number(None), number("a")
    ('0.1235', '3', '21009', '1.386e-05', '', 'a')
    """
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.0f}" if value.is_integer() and abs(value) < 1e9 else f"{value:.4g}"
    return str(value)


def with_error(mean: float | None, error: float | None) -> str:
    """A mean to the second digit of its standard error.

    Examples
    --------
    >>> with_error(2.40352, 0.08484), with_error(0.95, 0.0), with_error(None, None)
    ('2.404 ± 0.085', '0.95 ± 0', '')
    """
    if mean is None or error is None:
        return number(mean)
    if not (isfinite(error) and error > 0):
        return f"{number(mean)} ± {number(error)}"
    # The second digit of the error is at 10^(floor(log10 error) - 1).
    places = max(1 - floor(log10(error)), 0)
    return f"{mean:.{places}f} ± {error:.{places}f}"


def heading(name: str) -> str:
    """A column or file name as a heading; a capital keeps its index.

    Examples
    --------
    >>> heading("split_coverage"), heading("W_C_trace")
    ('split coverage', 'W_C trace')
    """
    return re.sub(r"_(?=[a-z0-9])", " ", name)


def readable(table: pl.DataFrame) -> tuple[list[str], list[list[Any]]]:
    """Headings and rows of a table, each mean joined with its standard error."""
    names = [
        name for name in table.columns if not (name.endswith(ERROR) and name[: -len(ERROR)] in table.columns)
    ]
    body: list[list[Any]] = []
    for row in table.iter_rows(named=True):
        cells = []
        for name in names:
            error = f"{name}{ERROR}"
            cells.append(with_error(row[name], row[error]) if error in row else row[name])
        body.append(cells)
    return [heading(name) for name in names], body


def comparison(checks: Sequence[Check]) -> list[tuple[Any, ...]]:
    """Rows of the comparison under the `HEADINGS` of their kind."""
    return [
        (
            c.table,
            c.cell,
            c.ours,
            c.expected,
            c.tolerance,
            c.detects,
            f"{MARKS[c.verdict]} {c.verdict}",
            c.reason,
        )
        for c in checks
    ]


def summary(checks: Sequence[Check]) -> str:
    """Counts of verdicts in words, each kind by itself.

    Examples
    --------
    >>> summary([])
    'nothing compared'
    """
    parts = []
    for kind in KINDS:
        rows = of_kind(checks, kind)
        counts = ", ".join(f"{amount} {verdict}" for verdict, amount in tally(rows).items() if amount)
        if rows:
            parts.append(f"{TALLIES[kind]} {len(rows)} ({counts})")
    return "; ".join(parts) or "nothing compared"
