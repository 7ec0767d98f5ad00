"""Controls and figures in plain HTML: labelled, worked by keyboard, wired up by the script of the charts."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ngrc.web.escaping import prose, text


@dataclass(frozen=True, slots=True)
class Choice:
    """One box to tick: its value, its words, and whether it is ticked at first."""

    value: str
    words: str
    ticked: bool


def ticks(legend: str, name: str, choices: Iterable[Choice], *, chart: str) -> str:
    """A group of boxes that decide what a chart, or all charts of a `chart` group, shows."""
    boxes = "".join(
        f'<label><input type="checkbox" data-chart="{text(chart)}" name="{text(name)}" value="{text(choice.value)}"'
        f"{' checked' if choice.ticked else ''}> <span>{text(choice.words)}</span></label>"
        for choice in choices
    )
    return f'<fieldset class="choices"><legend>{text(legend)}</legend>{boxes}</fieldset>'


MOVES = (
    ("in", "Zoom in"),
    ("out", "Zoom out"),
    ("earlier", "Earlier"),
    ("later", "Later"),
    ("recent", "Recent"),
    ("all", "All"),
)
"""What the buttons of a chart over time do."""


def moves(chart: str, *, of: str, recent: bool) -> str:
    """Buttons that zoom and pan a chart over time, for hands on a keyboard; `of` names it for screen readers."""
    buttons = "".join(
        f'<button type="button" data-move="{move}" data-chart="{text(chart)}" '
        f'aria-label="{words}: {text(of)}">{words}</button>'
        for move, words in MOVES
        if recent or move != "recent"
    )
    return f'<div class="moves">{buttons}</div>'


def figure(
    chart: str,
    label: str,
    caption: str,
    *,
    heading: str = "",
    controls: Sequence[str] = (),
    tall: bool = False,
    table: str = "",
    unfolded: bool = False,
) -> str:
    """A chart and what belongs to it.

    Parameters
    ----------
    chart
        Its name, by which the script finds it.
    label
        What it shows, for those who cannot see it.
    caption
        How to read it.
    heading
        Above it, where the section's own heading is not enough.
    controls
        Between heading and chart, as HTML.
    tall
        Whether it is one of the high ones.
    table
        The table of its data as HTML, for readers without scripts; the script makes it anew with what is ticked.
    unfolded
        Whether the table is open at first.
    """
    size = " tall" if tall else ""
    title = f"<h3>{text(heading)}</h3>" if heading else ""
    data = table or f'<div class="scroll" tabindex="0" role="region" aria-label="Data: {text(label)}"></div>'
    return (
        f"<figure>{title}{''.join(controls)}"
        f'<div class="chart{size}" id="chart-{text(chart)}" role="img" aria-label="{text(label)}" '
        f'aria-describedby="caption-{text(chart)}"></div>'
        f'<figcaption id="caption-{text(chart)}">{prose(caption)}</figcaption>'
        f'<details class="data" data-of="{text(chart)}"{" open" * unfolded}>'
        f"<summary>Data of this chart: {text(label)}</summary>{data}</details></figure>"
    )
