"""Worst windowed coverage and width of every method on every law, as a table in colours."""

from typing import Any

import numpy as np
import polars as pl

from ngrc.study.harness.figure import letter, panels
from ngrc.study.stress.laws import CASES, LEVEL


def worst_figure(table: pl.DataFrame) -> Any:
    """Mean over replications of the least coverage over 500 steps in a row."""
    from matplotlib.colors import Normalize

    # Dark below two thirds, where hardly a third of the misses was allowed for.
    return _coloured(table, "worst", "RdYlBu", Normalize(LEVEL - 0.25, LEVEL + 0.1), "{:.2f}")


def width_figure(table: pl.DataFrame) -> Any:
    """Mean width over that of the true law; an adversary's row is relative to its reach."""
    from matplotlib.colors import LogNorm

    return _coloured(table, "width", "PuOr_r", LogNorm(1.0 / 3.0, 3.0), "{:.2f}")


def _coloured(table: pl.DataFrame, column: str, colours: str, norm: Any, form: str) -> Any:
    horizons = table["horizon"].unique(maintain_order=True).to_list()
    methods = table["method"].unique(maintain_order=True).to_list()
    figure, grid = panels(1, len(horizons), 5.2 * len(horizons), 0.9 + 0.3 * len(methods))
    image = None
    for place, (axes, horizon) in enumerate(zip(grid[0], horizons, strict=True)):
        rows = table.filter(pl.col("horizon") == horizon)
        values = np.array([rows.filter(pl.col("law") == law)[column].to_list() for law in CASES]).T
        image = axes.imshow(values, cmap=colours, norm=norm, aspect="auto")
        for (row, col), value in np.ndenumerate(values):
            shade = image.cmap(norm(value))
            light = 0.3 * shade[0] + 0.6 * shade[1] + 0.1 * shade[2] < 0.5
            axes.text(
                col,
                row,
                form.format(value),
                ha="center",
                va="center",
                fontsize=7.5,
                color="w" if light else "k",
            )
        axes.set_xticks(range(len(CASES)), CASES, rotation=30, ha="right", fontsize=8)
        axes.set_yticks(range(len(methods)), methods if place == 0 else [""] * len(methods), fontsize=8)
        axes.grid(visible=False)
        letter(axes, "abcd"[place], f"H = {horizon}")
    return figure
