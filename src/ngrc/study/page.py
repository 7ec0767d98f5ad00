"""The page of a target, in Markdown and in HTML that needs no other file."""

from base64 import b64encode
from collections.abc import Iterable, Mapping, Sequence
from html import escape

import polars as pl

from ngrc.study.layout import STYLE, document
from ngrc.study.record import Check, tally
from ngrc.study.target import Outcome, Target

HEADINGS = ("table", "cell", "ours", "paper", "tolerance", "kind", "verdict", "reason")
MARKS = {"match": "=", "within": "≈", "different": "≠", "not comparable": "·"}
LONG = 20
"""Tables with more rows start folded."""


def number(value: object) -> str:
    """A cell as text: whole numbers as they are, others to four significant digits.

    Examples
    --------
    >>> number(0.123456), number(3), number(1.3864e-5), number(None), number("a")
    ('0.1235', '3', '1.386e-05', '', 'a')
    """
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.4g}" if value else "0"
    return str(value)


def summary(checks: Sequence[Check]) -> str:
    """Counts of verdicts in words.

    Examples
    --------
    >>> summary([])
    '0 numbers compared'
    """
    found = ", ".join(f"{amount} {verdict}" for verdict, amount in tally(checks).items() if amount)
    return f"{len(checks)} numbers compared" + (f": {found}" if found else "")


def markdown_page(target: Target, outcome: Outcome) -> str:
    """The page as Markdown; figures are the PNG files beside it."""
    parts = [f"# {target.title}", target.shows, f"**{summary(outcome.checks)}.**"]
    parts += [f"- {note}" for note in outcome.notes]
    for name in outcome.figures:
        parts.append(f"![{name}]({name}.png)\n\n*{outcome.captions.get(name, name)}*")
    for name, table in outcome.tables.items():
        parts.append(f"## {_title(name)}\n\n{outcome.captions.get(name, '')}".rstrip())
        parts.append(_markdown_table(table.columns, table.iter_rows()))
    parts.append("## Ours against the paper's")
    parts.append(_markdown_table(HEADINGS, _comparison(outcome.checks)))
    return "\n\n".join(parts).replace("\n\n- ", "\n- ").replace("**\n- ", "**\n\n- ") + "\n"


def html_page(target: Target, outcome: Outcome, pictures: Mapping[str, bytes]) -> str:
    """The page as one HTML file; `pictures` are the figures' SVG, embedded."""
    parts = [
        f"<h1>{escape(target.title)}</h1>",
        f'<p class="lead">{escape(target.shows)}</p>',
        _badges(outcome.checks),
    ]
    parts.append("<ul>" + "".join(f"<li>{escape(note)}</li>" for note in outcome.notes) + "</ul>")
    for name, picture in pictures.items():
        caption = escape(outcome.captions.get(name, _title(name)))
        source = f"data:image/svg+xml;base64,{b64encode(picture).decode()}"
        parts.append(
            f'<figure><img src="{source}" alt="{caption}"><figcaption>{caption}</figcaption></figure>'
        )
    for name, table in outcome.tables.items():
        text = outcome.captions.get(name, "") if name not in pictures else ""
        parts.append(f"<h2>Table: {escape(_title(name))}</h2>" + (f"<p>{escape(text)}</p>" if text else ""))
        parts.append(_folded(_html_frame(table), table.height))
    parts.append("<h2>Ours against the paper's</h2>")
    parts.append(_folded(_html_checks(outcome.checks), len(outcome.checks)))
    parts.append(
        f'<p class="foot"><a href="../index.html">All targets</a> · ngrc reproduce {target.name}</p>'
    )
    return document(target.title, "\n".join(parts), STYLE)


def html_index(entries: Iterable[tuple[str, str, Sequence[Check]]]) -> str:
    """A page that links (name, title, checks) of every target."""
    items = [
        f'<li><a href="{name}/index.html"><strong>{escape(name)}</strong> {escape(title)}</a>{_badges(checks)}</li>'
        for name, title, checks in entries
    ]
    body = f"<h1>Reproduced results</h1>\n<ul class='index'>{''.join(items)}</ul>"
    return document("Reproduced results", body, STYLE)


def _title(name: str) -> str:
    return name.replace("_", " ")


def _comparison(checks: Sequence[Check]) -> list[tuple[object, ...]]:
    return [
        (c.table, c.cell, c.ours, c.paper, c.tolerance, c.kind, f"{MARKS[c.verdict]} {c.verdict}", c.reason)
        for c in checks
    ]


def _markdown_table(headings: Sequence[str], body: Iterable[Sequence[object]]) -> str:
    lines = ["| " + " | ".join(headings) + " |", "|" + "---|" * len(headings)]
    lines += ["| " + " | ".join(number(value).replace("|", "\\|") for value in row) + " |" for row in body]
    return "\n".join(lines)


def _html_table(headings: Sequence[str], body: Iterable[tuple[str, Sequence[object]]]) -> str:
    """A table whose rows are (class, cells)."""
    head = "".join(f"<th>{escape(_title(name))}</th>" for name in headings)
    lines = []
    for kind, row in body:
        cells = (
            f"<td{' class=n' if isinstance(value, int | float) else ''}>{escape(number(value))}</td>"
            for value in row
        )
        lines.append(f'<tr class="{kind}">' + "".join(cells) + "</tr>")
    return f'<div class="scroll"><table><thead><tr>{head}</tr></thead><tbody>{"".join(lines)}</tbody></table></div>'


def _html_frame(table: pl.DataFrame) -> str:
    return _html_table(table.columns, (("", row) for row in table.iter_rows()))


def _html_checks(checks: Sequence[Check]) -> str:
    kinds = (check.verdict.replace(" ", "-") for check in checks)
    return _html_table(HEADINGS, zip(kinds, _comparison(checks), strict=True))


def _folded(table: str, height: int) -> str:
    state = "" if height > LONG else " open"
    return f"<details{state}><summary>{height} rows</summary>{table}</details>"


def _badges(checks: Sequence[Check]) -> str:
    shown = (
        f'<span class="badge {verdict.replace(" ", "-")}">{MARKS[verdict]} {amount} {verdict}</span>'
        for verdict, amount in tally(checks).items()
        if amount
    )
    return '<p class="badges">' + " ".join(shown) + "</p>"
