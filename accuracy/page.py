"""The page: one self-contained HTML file, and the CSV of every case."""

import csv
import io
from collections.abc import Sequence
from html import escape

from accuracy.checks import Check
from accuracy.scores import COLUMNS, Row
from accuracy.tables import Words

STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 70rem; padding: 0 1rem; color: #222; }
table { border-collapse: collapse; margin: .6rem 0 1.8rem; } caption { text-align: left; font-weight: 600; }
td, th { padding: .15rem .7rem; border-bottom: 1px solid #ddd; text-align: right; } td:first-child, th:first-child
{ text-align: left; } .MATCH { color: #176b2c; } .MISS { color: #b00020; font-weight: 600; } svg { max-width: 100%; }
"""


def page(intro: Sequence[str], verdicts: Sequence[Check], figure: str, tables: Sequence[Words]) -> str:
    """The whole page as text."""
    parts = [
        "<!doctype html><html lang=en><head><meta charset=utf-8><title>Accuracy</title>",
        f"<style>{STYLE}</style></head><body><h1>Accuracy</h1>",
        *(f"<p>{escape(line)}</p>" for line in intro),
        _verdicts(verdicts),
        *map(_table, tables[:1]),
        figure,
        *map(_table, tables[1:]),
        "</body></html>",
    ]
    return "\n".join(parts) + "\n"


def _verdicts(verdicts: Sequence[Check]) -> str:
    if not verdicts:
        return ""
    lines = (
        f"<tr><td>{escape(one.demand)}</td><td>{escape(one.measured)}</td>"
        f"<td class={one.verdict}>{one.verdict}</td></tr>"
        for one in verdicts
    )
    return f"<table><caption>What it must show</caption>{''.join(lines)}</table>"


def _table(words: Words) -> str:
    head = "".join(f"<th>{escape(name)}</th>" for name in words.head)
    lines = ("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in line) + "</tr>" for line in words.lines)
    return f"<table><caption>{escape(words.title)}</caption><tr>{head}</tr>{''.join(lines)}</table>"


def table_of_cases(rows: Sequence[Row]) -> str:
    """Every case as CSV, in a fixed order; an empty field where a score does not apply."""
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(COLUMNS)
    for row in sorted(rows, key=lambda one: (one.kind, one.series, one.horizon, one.origins, one.method)):
        writer.writerow("" if value != value else value for value in row.plain().values())
    return file.getvalue()
