"""Intervals around forecasts of somebody else, for people at a terminal: scores by level, and the newest rows."""

import numpy as np
import polars as pl

from ngrc._text import rounded
from ngrc.cli.digits import decimals, shown
from ngrc.cli.tables import console, paragraph, plain_table
from ngrc.external import ExternalIntervals

SHOWN = 12
"""Rows before the future that are shown: they say what the table holds, and all of them are for a file."""


def show_bands(name: str, table: pl.DataFrame, bands: ExternalIntervals) -> None:
    """Print how the intervals scored, and the newest of them, rounded; a terminal is no place for thousands of rows."""
    out = console()
    future = int(bands.lower.size) - bands.scored
    paragraph(
        out,
        f"{name}: {bands.method} intervals, horizon {bands.horizon}; {bands.start - bands.first:,} rows calibrated, "
        f"{bands.scored:,} scored, {future:,} in the future",
        style="bold",
    )
    scores = plain_table("", ["level", "coverage", "width", "Winkler"])
    for band in bands.bands:
        known = [f"{band.coverage:.3f}", rounded(band.width), rounded(band.winkler)]
        scores.add_row(f"{100 * band.level:.12g} %", *(known if bands.scored else ["none", known[1], "none"]))
    out.print(scores)
    newest = table.tail(future + SHOWN)
    for part in _parts(newest, bands, out.width):
        out.print(part)
    if newest.height < table.height:
        paragraph(out, f"the newest {newest.height:,} of {table.height:,} rows; --out FILE has all of them")


def _parts(table: pl.DataFrame, bands: ExternalIntervals, width: int) -> list[object]:
    """One table, or one per level where a line has no room for all of them."""
    cells = _cells(table, bands)
    middle = {name: cells[name] for name in cells if not name.startswith(("lower", "upper"))}
    ends = [name for name in cells if name not in middle]
    groups = [ends]
    if _needs(cells) > width:
        groups = [ends[place : place + 2] for place in range(0, len(ends), 2)]
    # Where even one level has no room, the interval says more than the outcome.
    if _needs(middle | {name: cells[name] for name in groups[0]}) > width:
        middle.pop("y")
    return [_drawn(middle | {name: cells[name] for name in group}) for group in groups]


def _needs(cells: dict[str, list[str]]) -> int:
    """Characters of a line, with two spaces between columns."""
    return sum(max(len(name), *map(len, column)) + 2 for name, column in cells.items()) - 2


def _cells(table: pl.DataFrame, bands: ExternalIntervals) -> dict[str, list[str]]:
    """Every column as text, numbers to the digits that tell the ends of an interval apart."""
    widths = bands.upper - bands.lower
    widths = widths[np.isfinite(widths)]
    places = decimals(
        bands.forecasts[-table.height :], float(np.median(widths)) if widths.size else float("nan")
    )
    cells = {}
    for name in table.columns:
        column = table[name]
        if name == "time":
            cells[name] = [str(time) for time in column]
        else:
            # An outcome that has not come is an empty cell, an end that does not exist is none.
            cells[name] = ["" if value is None else shown(value, places) for value in column]
    return cells


def _drawn(cells: dict[str, list[str]]) -> object:
    drawn = plain_table("", list(cells))
    if "time" not in cells:
        drawn.columns[0].justify = "right"
    for row in zip(*cells.values(), strict=True):
        drawn.add_row(*row)
    return drawn
