"""The page of a record: every section as HTML, its text escaped, its charts left to the script."""

from collections.abc import Callable

from ngrc.report.charts import charts_of, test_thinning
from ngrc.report.fan_part import fan_part, thinned_words
from ngrc.report.parts import items, paragraphs
from ngrc.report.record import Record
from ngrc.report.sections import (
    data_section,
    diagnosis_section,
    errors_section,
    model_section,
    source_section,
)
from ngrc.report.tables import interval_table, point_table
from ngrc.report.words import in_short, percent, steps
from ngrc.web.assets import chart_scripts
from ngrc.web.controls import Choice, figure, moves, ticks
from ngrc.web.document import document
from ngrc.web.escaping import json_block, prose, text

GENERATOR = '<meta name="generator" content="ngrc report">'
"""Says where a page is from, so that a page of ours can be told from a user's."""


def page_of(record: Record) -> str:
    """The whole page."""
    parts = [_head(record), '<main id="main">']
    parts += [
        f'<section id="{name}" aria-labelledby="head-{name}"><h2 id="head-{name}">{title}</h2>{body(record)}</section>'
        for name, title, body in _sections(record)
    ]
    parts.append("</main>")
    # Read by the script, and by whoever wants the numbers of the page.
    parts.append(
        json_block("charts-data", charts_of(record)) + json_block("record", record.plain(curves=False))
    )
    scripts = chart_scripts("fan", "tested", "errors")
    return document(
        f"{record.subject.name}: forecast report", "\n".join(parts), generator=GENERATOR, scripts=scripts
    )


def _head(record: Record) -> str:
    subject = record.subject
    filled = record.quality.filled
    span = f"{subject.observations:,} observations{f', {filled:,} of them missing,' if filled else ''}"
    # Of a series without times the ends are positions, which say no more than their number.
    if record.clock.times is not None:
        span += f" from {subject.first} to {subject.last}"
    apart = "" if subject.spacing is None else f", {subject.spacing} apart"
    links = "".join(f'<li><a href="#{name}">{title}</a></li>' for name, title, _ in _sections(record))
    none = (
        "" if record.coming is not None else f" The coming values are not on this page: {record.coming_why}."
    )
    return (
        f"<header><h1>{text(subject.name)}: forecast report</h1>\n"
        f'<p class="quiet">{text(span)}{text(apart)}; forecasts {steps(subject.horizon)} ahead; intervals at '
        f"{prose(', '.join(map(percent, subject.levels)))}.{text(none)}</p>\n"
        f'<nav aria-label="Contents"><ul class="contents">{links}</ul></nav>\n'
        f'<div class="short"><h2>In short</h2>{items(in_short(record))}</div>\n'
        "<noscript><p>Charts are drawn by a script in this file; without scripts the tables and words remain.</p>"
        "</noscript></header>"
    )


def coming_section(record: Record) -> str:
    """The coming values: a fan, its words and its table."""
    coming = record.coming
    if coming is None:
        return ""
    return fan_part("coming", record.subject.name, record.clock, record.values.size, coming)


def test_section(record: Record) -> str:
    """Forecasts and intervals held against what came."""
    subject, window = record.subject, record.window
    lost = subject.test_rows - subject.scored
    gone = f" {lost:,} of them are missing and are not scored." if lost else ""
    intro = (
        f"{subject.test_rows:,} observations, {subject.test_first} to {subject.test_last}, forecast "
        f"{steps(subject.horizon)} ahead by a model that had not seen them.{gone}"
    )
    methods = [Choice(name, name, name == record.shown) for name in record.methods]
    levels = [Choice(f"{level:.10g}", percent(level), True) for level in subject.levels]
    chosen = ticks("Methods, in all charts of this section", "method", methods, chart="test") + ticks(
        "Levels; charts of one level show the highest of them", "level", levels, chart="test"
    )
    return "".join(
        (
            paragraphs([intro]),
            "<h3>Errors of the forecasts</h3>",
            point_table(record),
            "<h3>Scores of the intervals</h3>",
            interval_table(record),
            "<h3>Forecasts and intervals over time</h3>",
            chosen,
            _tested(record),
            "<h3>Coverage over time</h3>",
            figure(
                "trailing",
                f"Coverage over the last {window:,} outcomes, by method",
                f"The share of the last {window:,} outcomes that lay inside; the dashed line is what was asked for, "
                f"and the shade around it holds 95 % of what chance alone gives{_overlap(record)}. A method that "
                "adapts comes back to it.",
            ),
            "<h3>Coverage against width and score</h3>",
            '<div class="pair">',
            figure(
                "width",
                "Coverage against mean width, by method",
                "Best is near the dashed line, or within the shade of chance, and far to the left: narrow, and still "
                "right.",
            ),
            figure(
                "winkler",
                "Coverage against Winkler score, by method",
                "The Winkler score adds what misses cost to the width: smaller is better.",
            ),
            "</div>",
            "<h3>Calibration over levels</h3>",
            figure(
                "calibration",
                "Observed coverage against the level asked for, by method",
                "On the dashed line a method holds what it says at every level; below it intervals are too narrow, "
                "above it too wide. Chance alone leaves 95 % of the points within the shade.",
            ),
        )
    )


def _overlap(record: Record) -> str:
    together = record.residuals.together
    return f", {together:.1f} overlapping errors counted as one" if together >= 1.05 else ""


def _tested(record: Record) -> str:
    kept = test_thinning(record)
    lost = record.subject.test_rows - record.subject.scored
    gone = f" The line is broken where outcomes are missing, {lost:,} in all." if lost else ""
    thinned = gone + ("" if kept.whole else f" {thinned_words('The block is', kept.stretch)}")
    label = f"Test block: {record.subject.name}, forecasts and intervals"
    caption = f"Observed values, forecasts and intervals of the ticked methods and levels.{thinned}"
    return figure("tested", label, caption, tall=True, controls=(moves("tested", of=label, recent=True),))


SECTIONS: tuple[tuple[str, str, Callable[[Record], str]], ...] = (
    ("coming", "Coming values", coming_section),
    ("test", "Out of sample", test_section),
    ("errors", "Shape of the errors", errors_section),
    ("diagnosis", "Diagnosis", diagnosis_section),
    ("model", "Model", model_section),
    ("data", "State of the data", data_section),
    ("source", "How this page was made", source_section),
)
"""Identity, heading and content of every section, in the order of the page."""


def _sections(record: Record) -> list[tuple[str, str, Callable[[Record], str]]]:
    """The sections that a record has something for."""
    return [one for one in SECTIONS if one[0] != "coming" or record.coming is not None]
