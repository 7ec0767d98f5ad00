"""A look ahead as tables, as JSON, for people at a terminal, and with remarks."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import polars as pl
from rich.table import Table

from ngrc._text import percent
from ngrc.ahead import Outlook
from ngrc.backtesting.places import place_remarks
from ngrc.backtesting.summary import finite, plain
from ngrc.cli.assumed import title
from ngrc.cli.digits import decimals, shown
from ngrc.cli.sparkline import drawn, fan, marks_of
from ngrc.cli.tables import console, paragraph, plain_table
from ngrc.forecasters.facts import record_of
from ngrc.series import Series
from ngrc.series.outward import time_text
from ngrc.series.spikes import find_spikes

WIDEST = 100
"""Columns of the picture at most: a longer line of marks is harder to read than to draw."""


def quantile_table(outlook: Outlook, probabilities: Sequence[float]) -> pl.DataFrame:
    """One column per probability; none where none is asked for."""
    return pl.DataFrame(outlook.quantiles(probabilities)) if probabilities else pl.DataFrame()


def text_table(
    targets: Sequence[Series],
    outlooks: Sequence[Outlook],
    quantiles: Sequence[pl.DataFrame],
    *,
    spelled: bool = True,
) -> pl.DataFrame:
    """The tables with the times spelled as in the file, or as times; of several targets below each other, by step."""
    tables = []
    for series, outlook, columns in zip(targets, outlooks, quantiles, strict=True):
        table = pl.DataFrame(outlook.table).hstack(columns)
        if spelled and outlook.times is not None:
            table = table.with_columns(pl.Series("time", time_text(outlook.times, series.style)))
        if len(targets) > 1:
            table = table.insert_column(0, pl.Series("series", [series.name] * len(table)))
        tables.append(table)
    # Stable, so that of each step the targets stand in the order in which they were named.
    return tables[0] if len(tables) == 1 else pl.concat(tables).sort("step", maintain_order=True)


def plain_outlooks(
    targets: Sequence[Series],
    outlooks: Sequence[Outlook],
    quantiles: Sequence[pl.DataFrame],
    notes: list[str],
    taken: dict[str, Any],
) -> dict[str, Any]:
    """Everything, ready for JSON; `taken` is what was read, as `reading` has it."""
    first = outlooks[0]
    several = len(targets) > 1
    steps = [
        _steps(series, outlook, columns, several)
        for series, outlook, columns in zip(targets, outlooks, quantiles, strict=True)
    ]
    return {
        "series": [series.name for series in targets] if several else targets[0].name,
        "level": first.level,
        "levels": list(first.levels),
        "band": first.band,
        "method": first.method,
        "steps": [step for together in zip(*steps, strict=True) for step in together],
        "guarantee": first.guarantee,
        "refits": first.refits,
        "selection": record_of(first.model),
        "read": taken,
        "notes": notes,
    }


def _steps(series: Series, outlook: Outlook, quantiles: pl.DataFrame, several: bool) -> list[dict[str, Any]]:
    times = (
        [None] * outlook.forecast.size if outlook.times is None else time_text(outlook.times, series.style)
    )
    rows = zip(times, outlook.forecast, outlook.lower, outlook.upper, outlook.selected, strict=True)
    return [
        {
            **({"series": series.name} if several else {}),
            "step": step,
            "time": time,
            "forecast": float(middle),
            "lower": finite(float(lower)),
            "upper": finite(float(upper)),
            "intervals": {
                f"{level:.10g}": {
                    "lower": finite(float(low[step - 1])),
                    "upper": finite(float(high[step - 1])),
                }
                for level, (low, high) in outlook.bands.items()
            },
            **{name: finite(float(quantiles[name][step - 1])) for name in quantiles.columns},
            "selected": {name: plain(value) for name, value in selected.items()},
        }
        for step, (time, middle, lower, upper, selected) in enumerate(rows, start=1)
    ]


def remarks(targets: Sequence[Series], outlooks: Sequence[Outlook], *, chosen: bool) -> list[str]:
    """What is worth knowing about the file and the intervals; `chosen` where the method was left to the library."""
    # Of several targets each remark with its name, but for those of the first, which are about the file too.
    notes = [
        *targets[0].notes,
        *_places_of(targets[0]),
        *(
            f"{series.name}: {note}"
            for series in targets[1:]
            for note in (*series.notes, *_places_of(series))
        ),
    ]
    if chosen and outlooks[0].method == "student":
        notes.append(
            "few residuals to calibrate on: intervals are those of method student, which allows for their number; "
            "--method takes another"
        )
    borrowing = [step for step, chosen in enumerate(outlooks[0].selected, 1) if "residuals_of_step" in chosen]
    if borrowing:
        nearer = outlooks[0].selected[-1]["residuals_of_step"]
        notes.append(
            f"too few residuals of steps {borrowing[0]} to {borrowing[-1]}: they borrow those of step {nearer}, "
            "wider by the square root of the steps' ratio"
        )
    # An outlook carries the notes of its series, which have been told with its name.
    notes += [
        note
        for series, outlook in zip(targets, outlooks, strict=True)
        for note in outlook.notes
        if note not in notes and note not in series.notes
    ]
    for level in outlooks[0].levels:
        infinite = sum(
            finite(float(lower)) is None or finite(float(upper)) is None
            for outlook in outlooks
            for lower, upper in zip(*outlook.bands[level], strict=True)
        )
        if infinite:
            notes.append(
                f"{infinite} interval(s) have an infinite end: too few calibration residuals for level {level:g}, "
                "or a transform without an end there"
            )
    return notes


def show_outlooks(
    source: str, targets: Sequence[Series], outlooks: Sequence[Outlook], quantiles: Sequence[pl.DataFrame]
) -> None:
    """Print what a person wants to see: how it was made, a picture of three lines, and the numbers, rounded."""
    out = console()
    for series, outlook, columns in zip(targets, outlooks, quantiles, strict=True):
        paragraph(out, f"{title(source, series)}: {made(outlook)}", style="bold")
        places = _places(series, outlook)
        for line in _picture(series, outlook, out.width, places, marks_of(out.encoding)):
            out.print(line, soft_wrap=True)
        for table in _people_tables(series, outlook, columns, out.width, places):
            out.print(table)


def _places_of(series: Series) -> list[str]:
    """Gaps and spikes by their times."""
    return place_remarks(series, find_spikes(series.values))


def made(outlook: Outlook) -> str:
    """How a forecast was made, in words."""
    steps = outlook.forecast.size
    coming = "the next value" if steps == 1 else f"the next {steps} values"
    fits = "one fit" if outlook.refits == 0 else f"{outlook.refits} refits, the last on every row"
    whole = " around the whole path" if outlook.band == "path" else ""
    levels = ", ".join(f"{percent(level)} %" for level in outlook.levels)
    return f"{coming}, {outlook.method} intervals at {levels}{whole}, {fits}"


def _places(series: Series, outlook: Outlook) -> int:
    widths = outlook.upper - outlook.lower
    known = widths[np.isfinite(widths)]
    spread = float(np.median(known)) if known.size else float(np.std(series.values[-1000:]))
    return decimals(outlook.forecast, spread)


def _picture(series: Series, outlook: Outlook, width: int, places: int, marks: str) -> list[str]:
    picture = fan(series.values, outlook.forecast, outlook.lower, outlook.upper, min(width, WIDEST), marks)
    return drawn(picture.lines, shown(picture.low, places), shown(picture.high, places))


def _people_tables(
    series: Series, outlook: Outlook, quantiles: pl.DataFrame, width: int, places: int
) -> list[Table]:
    """One table, or one per level where a line has no room for all of them."""
    middle = _middle(series, outlook, places)
    ends = [_ends(outlook, level, places) for level in outlook.levels]
    rest = {name: [shown(float(value), places) for value in quantiles[name]] for name in quantiles.columns}
    together = {name: cells for part in (middle, *ends, rest) for name, cells in part.items()}
    if _needs(together) <= width:
        return [_table(together)]
    # Where a line is too short, the time says more than the number of the step.
    if "time" in middle:
        together.pop("step")
        middle.pop("step")
    if _needs(together) <= width:
        return [_table(together)]
    parts = [*ends, *([rest] if rest else [])]
    return [_table(middle | part) for part in parts]


def _middle(series: Series, outlook: Outlook, places: int) -> dict[str, list[str]]:
    columns = {"step": [str(step) for step in range(1, outlook.forecast.size + 1)]}
    if outlook.times is not None:
        columns["time"] = [str(time) for time in time_text(outlook.times, series.style)]
    return columns | {"forecast": [shown(float(value), places) for value in outlook.forecast]}


def _ends(outlook: Outlook, level: float, places: int) -> dict[str, list[str]]:
    mark = "" if len(outlook.levels) == 1 else f" {percent(level)}"
    return {
        f"{side}{mark}": [shown(float(value), places) for value in values]
        for side, values in zip(("lower", "upper"), outlook.bands[level], strict=True)
    }


def _needs(columns: Mapping[str, Sequence[str]]) -> int:
    """Characters of a line of a table."""
    # Two spaces between columns, and none around the table.
    return sum(max(len(name), *map(len, cells)) + 2 for name, cells in columns.items()) - 2


def _table(columns: Mapping[str, Sequence[str]]) -> Table:
    table = plain_table("", list(columns))
    for column in table.columns:
        if column.header == "time":
            column.justify = "left"
    for row in zip(*columns.values(), strict=True):
        table.add_row(*row)
    return table
