"""Heat maps of methods by dataset and horizon, one panel per forecaster."""

from typing import Any

import numpy as np
import polars as pl

from ngrc._types import FloatArray
from ngrc.study.beyond.tables import JUDGED, SIX
from ngrc.study.harness.figure import letter, panels

SHORT = {"Exchange returns": "Exchange", "Beijing PM10": "Beijing"}


def winkler_figure(scores: pl.DataFrame, ratios: pl.DataFrame) -> Any:
    """Winkler score over the best of six, mean over the judged levels; below one is better."""
    methods = scores["method"].unique(maintain_order=True).to_list()
    rows = ratios.filter(pl.col("level").is_in(JUDGED) & pl.col("judged"))
    long = rows.unpivot(methods, index=["forecaster", "dataset", "horizon"], variable_name="method")
    return _maps(
        long, pl.col("value").mean(), 1.0, 0.3, "{:.2f}", "Winkler score over the best of the paper's six"
    )


def coverage_figure(scores: pl.DataFrame) -> Any:
    """Coverage less the level in points, at the judged level where it is furthest off."""
    rows = scores.filter(pl.col("level").is_in(JUDGED) & pl.col("judged"))
    long = rows.with_columns(value=100.0 * (pl.col("coverage") - pl.col("level")))
    furthest = pl.col("value").sort_by(pl.col("value").abs()).last()
    return _maps(long, furthest, 0.0, 5.0, "{:+.1f}", "coverage less level, points")


def _maps(long: pl.DataFrame, value: pl.Expr, middle: float, reach: float, form: str, words: str) -> Any:
    methods = long["method"].unique(maintain_order=True).to_list()
    forecasters = long["forecaster"].unique(maintain_order=True).to_list()
    cells = long.select("dataset", "horizon").unique(maintain_order=True).rows()
    height = 1.7 + 0.26 * len(methods)
    figure, grid = panels(1, len(forecasters), 2.2 + len(forecasters) * max(0.44 * len(cells), 1.6), height)
    image = None
    for place, (axes, forecaster) in enumerate(zip(grid[0], forecasters, strict=True)):
        table = (
            long.filter(pl.col("forecaster") == forecaster)
            .group_by("method", "dataset", "horizon")
            .agg(value)
        )
        shown = {row[:3]: row[3] for row in table.iter_rows()}
        numbers = np.array([[shown[method, *cell] for cell in cells] for method in methods])
        image = _panel(axes, numbers, middle, reach, form)
        axes.set_xticks(range(len(cells)), [f"{SHORT.get(title, title)} {steps}" for title, steps in cells])
        axes.tick_params(axis="x", rotation=90)
        axes.set_yticks(range(len(methods)), methods if place == 0 else [""] * len(methods))
        letter(axes, "ab"[place], forecaster)
        # Below the line stands what the paper did not have.
        axes.axhline(sum(method in SIX for method in methods) - 0.5, color="0.2", lw=1.0)
    figure.colorbar(image, ax=list(grid[0]), label=words, extend="both", shrink=0.8)
    return figure


def _panel(axes: Any, numbers: FloatArray, middle: float, reach: float, form: str) -> Any:
    image = axes.imshow(numbers, aspect="auto", cmap="PuOr_r", vmin=middle - reach, vmax=middle + reach)
    axes.grid(False)
    for (row, column), value in np.ndenumerate(numbers):
        # White on the dark ends of the colours.
        dark = abs(value - middle) > 0.7 * reach
        axes.text(
            column,
            row,
            form.format(value),
            ha="center",
            va="center",
            fontsize=6.5,
            color="w" if dark else "0.1",
        )
    return image
