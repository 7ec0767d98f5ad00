"""The page of a target, in Markdown and in HTML that needs no other file."""

from base64 import b64encode
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any

from ngrc.study.harness.layout import document
from ngrc.study.harness.record import KINDS, MARKS, Check, Kind, of_kind, tally
from ngrc.study.harness.target import THE_PAPER, Outcome, Target
from ngrc.study.harness.text import (
    HEADINGS,
    SECTIONS,
    TALLIES,
    comparison,
    heading,
    number,
    readable,
    summary,
)
from ngrc.web.tables import Cell, Row
from ngrc.web.tables import table as sortable

LONG = 40
"""Tables with more rows start folded."""
DETECTION = (
    "A row finds a true shift of the size in its column, or a larger one, in nine runs of ten. Rows that are not "
    "comparable are shown and never counted for or against."
)

COUNTED = (
    "Reproduction is counted over the numbers that the paper prints, and over nothing else. Beside them stand our "
    "simulations against our own closed forms, and the paper's words: orderings, nominal levels, directions."
)


def markdown_page(target: Target, outcome: Outcome) -> str:
    """The page as Markdown; figures are the PNG files beside it."""
    parts = [
        f"# {target.title}",
        target.shows,
        *outcome.findings,
        f"**Compared: {summary(outcome.checks)}.**",
    ]
    if outcome.notes:
        parts.append("\n".join(f"- {note}" for note in outcome.notes))
    parts += [
        f"![{name}]({name}.png)\n\n*{outcome.captions.get(name, heading(name))}*" for name in outcome.figures
    ]
    for name, table in outcome.tables.items():
        parts.append(f"## Table: {heading(name)}")
        parts += [text] if (text := _table_caption(name, outcome)) else []
        parts.append(_markdown_table(*readable(table)))
    for kind, rows in _by_kind(outcome.checks):
        heading_text = SECTIONS[kind].format(paper=target.paper)
        parts += [f"## {heading_text}", DETECTION, _markdown_table(HEADINGS[kind], comparison(rows))]
    return "\n\n".join(parts) + "\n"


def html_page(target: Target, outcome: Outcome, pictures: Mapping[str, bytes]) -> str:
    """The page as one HTML file; `pictures` are the figures' SVG, embedded."""
    parts = [f"<h1>{escape(target.title)}</h1>", f'<p class="lead">{escape(target.shows)}</p>']
    parts += [f'<p class="lead">{escape(finding)}</p>' for finding in outcome.findings]
    parts.append(_badges(outcome.checks))
    if outcome.notes:
        parts.append("<ul>" + "".join(f"<li>{escape(note)}</li>" for note in outcome.notes) + "</ul>")
    parts += [_picture(outcome.captions.get(name, heading(name)), image) for name, image in pictures.items()]
    for name, table in outcome.tables.items():
        text = _table_caption(name, outcome)
        parts.append(f"<h2>Table: {escape(heading(name))}</h2>" + (f"<p>{escape(text)}</p>" if text else ""))
        headings, body = readable(table)
        plain = (("", row) for row in body)
        parts.append(_folded(_html_table(headings, plain, heading(name)), table.height))
    for kind, rows in _by_kind(outcome.checks):
        parts.append(_comparison(kind, rows, target.paper))
    link = '<a href="../index.html">All targets</a>'
    parts.append(f'<p class="foot">{link} · ngrc reproduce {escape(target.name)}</p>')
    return document(target.title, "\n".join(parts))


def html_index(entries: Iterable[tuple[Target, Sequence[Check]]]) -> str:
    """A page that links every target with its checks, below the sum over those held against the paper."""
    listed = list(entries)
    items = []
    for target, checks in listed:
        name, title = escape(target.name), escape(target.title)
        link = f'<a href="{name}/index.html"><strong>{name}</strong> {title}</a>'
        items.append(f"<li>{link}{_badges(checks)}</li>")
    everything = [check for target, checks in listed if target.paper == THE_PAPER for check in checks]
    return document(
        "Reproduced results",
        f"<h1>Reproduced results</h1>\n<p>{COUNTED}</p>{_badges(everything)}\n"
        f'<ul class="index">{"".join(items)}</ul>',
    )


def _by_kind(checks: Iterable[Check]) -> list[tuple[Kind, list[Check]]]:
    """The kinds that have rows."""
    listed = list(checks)
    return [(kind, rows) for kind in KINDS if (rows := of_kind(listed, kind))]


def _comparison(kind: Kind, checks: Sequence[Check], paper: str) -> str:
    parts = [f"<h2>{escape(SECTIONS[kind].format(paper=paper))}</h2><p>{DETECTION}</p>"]
    # In a long table the rows that differ would be folded away, so that they stand before it as well.
    different = [check for check in checks if check.verdict == "different"]
    if different and len(checks) > LONG:
        parts.append(_html_checks(kind, different))
    parts.append(_folded(_html_checks(kind, checks), len(checks)))
    return "\n".join(parts)


def _table_caption(name: str, outcome: Outcome) -> str:
    """A name that a figure shares belongs to the figure."""
    return "" if name in outcome.figures else outcome.captions.get(name, "")


def _markdown_table(headings: Sequence[str], body: Iterable[Sequence[Any]]) -> str:
    lines = ["| " + " | ".join(headings) + " |", "|" + "---|" * len(headings)]
    lines += ["| " + " | ".join(number(value).replace("|", "\\|") for value in row) + " |" for row in body]
    return "\n".join(lines)


def _html_table(headings: Sequence[str], body: Iterable[tuple[str, Sequence[Any]]], name: str) -> str:
    """A table whose rows are (class, cells), called by its name."""
    rows = (Row(tuple(map(_html_cell, cells)), kind) for kind, cells in body)
    return sortable(headings, rows, name=name)


def _html_cell(value: Any) -> Cell:
    words = number(value)
    mean, plus_minus, _ = words.partition(" ± ")
    # What is joined with its error sorts by the mean.
    return Cell(words, _number(value if not plus_minus else mean))


def _number(value: Any) -> float | None:
    """What a cell sorts by, None where it is text."""
    try:
        return None if value is None else float(value)
    except ValueError:
        return None


def _html_checks(kind: Kind, checks: Sequence[Check]) -> str:
    classes = (check.verdict.replace(" ", "-") for check in checks)
    return _html_table(HEADINGS[kind], zip(classes, comparison(checks), strict=True), TALLIES[kind])


def _picture(caption: str, picture: bytes) -> str:
    source, text = f"data:image/svg+xml;base64,{b64encode(picture).decode()}", escape(caption)
    image = f'<div class="scroll"><img src="{source}" alt="{text}"></div>'
    return f"<figure>{image}<figcaption>{text}</figcaption></figure>"


def _folded(table: str, height: int) -> str:
    state = "" if height > LONG else " open"
    return f"<details{state}><summary>{height} rows</summary>{table}</details>"


def _badges(checks: Sequence[Check]) -> str:
    """One line of counts per kind that has rows."""
    lines = []
    for kind, rows in _by_kind(checks):
        badges = (
            f'<span class="badge {verdict.replace(" ", "-")}">{MARKS[verdict]} {amount} {verdict}</span>'
            for verdict, amount in tally(rows).items()
            if amount
        )
        label = f'<span class="kind">{TALLIES[kind]} {len(rows)}</span>'
        lines.append(f'<p class="badges">{label} {" ".join(badges)}</p>')
    return "".join(lines)
