"""The part of a page that shows coming values: a fan chart, what moves it, and its table."""

from ngrc.report.clock import Clock
from ngrc.report.coming import Coming
from ngrc.report.fan import history_places
from ngrc.report.parts import items, paragraphs
from ngrc.report.tables import coming_table
from ngrc.report.words import percent, steps
from ngrc.web.controls import Choice, figure, moves, ticks

FEW_STEPS = 12
"""Coming steps up to which their table is open at first."""


def fan_part(chart: str, name: str, clock: Clock, count: int, coming: Coming) -> str:
    """Controls, chart, table and words of the coming values of a series of `count` observations."""
    ahead = coming.forecast.size
    _, kept = history_places(count)
    thinned = "" if kept is None else f" {thinned_words('Older observations are', kept.stretch)}"
    label = f"Fan chart: {name} and its next {steps(ahead)}"
    several = len(coming.methods) > 1
    whose = "the ticked methods" if several else f"method {coming.method}"
    caption = (
        f"Observed values, the forecast and, shaded, the intervals of {whose}. Drag to zoom, double-click for "
        f"everything.{thinned}"
    )
    levels = [Choice(f"{level:.10g}", percent(level), True) for level in coming.bands]
    controls = [ticks("Levels", "level", levels, chart=chart), moves(chart, of=label, recent=True)]
    if several:
        methods = [Choice(method, method, method == coming.method) for method in coming.methods]
        controls.insert(0, ticks("Methods", "method", methods, chart=chart))
    table = coming_table(coming, timed=clock.times is not None)
    drawn = figure(
        chart, label, caption, tall=True, table=table, unfolded=ahead <= FEW_STEPS, controls=controls
    )
    notes = [f"{note[0].upper()}{note[1:].removesuffix('.')}." for note in coming.notes]
    return drawn + paragraphs([f"Method {coming.method}: {coming.guarantee}"]) + items(notes)


def thinned_words(what: str, stretch: int) -> str:
    """How a long curve was thinned."""
    return (
        f"{what} thinned for the screen: of every {stretch:,} values the smallest and the largest are drawn, "
        "never an average."
    )
