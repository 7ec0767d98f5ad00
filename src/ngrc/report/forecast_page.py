"""A page of coming values alone: one fan chart per series, and nothing that a test would need."""

from collections.abc import Sequence

from ngrc.ahead import Outlook
from ngrc.report.clock import Clock, clock_of
from ngrc.report.colours import looked
from ngrc.report.coming import Coming, coming_of
from ngrc.report.fan import fan_of
from ngrc.report.fan_part import fan_part
from ngrc.report.parts import definitions, paragraphs
from ngrc.report.provenance import provenance_of
from ngrc.report.words import percent, steps
from ngrc.series import Series
from ngrc.web.assets import chart_scripts
from ngrc.web.document import document
from ngrc.web.escaping import json_block, prose, text

GENERATOR = '<meta name="generator" content="ngrc forecast">'


def forecast_page(title: str, targets: Sequence[Series], outlooks: Sequence[Outlook]) -> str:
    """One self-contained page with a fan chart and a table for each series.

    Parameters
    ----------
    title
        What was forecast.
    targets, outlooks
        The series, all of the same clock, and what `look_ahead` returned for each.

    Examples
    --------
    >>> import numpy as np
    >>> from ngrc import NGRC, as_series, look_ahead
    >>> wave = as_series(np.sin(np.arange(200.0)), name="wave")
    >>> page = forecast_page("wave", [wave], [look_ahead(wave, NGRC(lags=2), steps=3, method="split")])
    >>> page[:15], page.count('class="chart')
    ('<!DOCTYPE html>', 1)
    """
    clocks = [clock_of(one, outlook.times) for one, outlook in zip(targets, outlooks, strict=True)]
    coming = [coming_of(outlook, clock, ()) for outlook, clock in zip(outlooks, clocks, strict=True)]
    names = [f"coming-{place}" for place in range(1, len(targets) + 1)]
    parts = [_head(title, coming[0], outlooks[0]), '<main id="main">']
    parts += [
        _section(name, one, clock, each)
        for name, one, clock, each in zip(names, targets, clocks, coming, strict=True)
    ]
    parts += [_source(), "</main>"]
    fans = [
        fan_of(name, one.name, clock, one.values, one.missing, each)
        for name, one, clock, each in zip(names, targets, clocks, coming, strict=True)
    ]
    data = {"axis": clocks[0].kind, "methods": looked(coming[0].methods), "fans": fans}
    parts.append(json_block("charts-data", data))
    return document(f"{title}: forecast", "\n".join(parts), generator=GENERATOR, scripts=chart_scripts("fan"))


def _head(title: str, coming: Coming, outlook: Outlook) -> str:
    whole = " around the whole path" if outlook.band == "path" else ""
    levels = ", ".join(map(percent, sorted(coming.bands)))
    return (
        f"<header><h1>{text(title)}: forecast</h1>\n"
        f'<p class="quiet">The next {steps(coming.forecast.size)}; intervals of method {text(coming.method)} at '
        f"{prose(levels)}{whole}.</p>\n"
        "<noscript><p>Charts are drawn by a script in this file; without scripts the tables and words remain.</p>"
        "</noscript></header>"
    )


def _section(name: str, series: Series, clock: Clock, coming: Coming) -> str:
    drawn = fan_part(name, series.name, clock, len(series), coming)
    return (
        f'<section id="section-{name}" aria-labelledby="head-{name}"><h2 id="head-{name}">{text(series.name)}</h2>'
        f"{drawn}</section>"
    )


def _source() -> str:
    source = provenance_of("", 0.0)
    versions = ", ".join(f"{name} {one}" for name, one in source.versions.items())
    said = paragraphs(["This file holds everything that it shows and asks nothing of any other."])
    return (
        f'<footer class="foot">{definitions((("made", source.made), ("versions", versions)))}{said}</footer>'
    )
