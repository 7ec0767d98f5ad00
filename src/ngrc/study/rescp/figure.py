"""Distances from the print, one panel per series and one for the Volterra system."""

from typing import Any

import polars as pl

from ngrc.study.harness.compare import ERRORS
from ngrc.study.harness.figure import LOOKS, letter, panels
from ngrc.study.real.cases import Scores
from ngrc.study.real.looks import shared_legend
from ngrc.study.rescp.distances import RECURRENCES


def distance_figure(table: pl.DataFrame) -> Any:
    """Every printed mean as one line, its distance under both recurrences on it."""
    own = table.filter(pl.col("coverage_distance").is_not_null())
    titles = own["dataset"].unique(maintain_order=True).to_list()
    figure, grid = panels(1, len(titles), max(3.4 * len(titles), 4.6), 3.6)
    for column, (axes, title) in enumerate(zip(grid[0], titles, strict=True)):
        axes.axvspan(-ERRORS, ERRORS, color="0.9", lw=0)
        axes.axvline(0.0, color="0.4", lw=1.0)
        labels: list[str] = []
        for look, (recurrence, words) in zip(LOOKS, RECURRENCES.items(), strict=False):
            rows = own.filter((pl.col("dataset") == title) & (pl.col("recurrence") == recurrence))
            marks = [
                (f"{row['case']}, {measure}", row[f"{measure}_distance"])
                for row in rows.iter_rows(named=True)
                for measure in Scores._fields
                if row[f"{measure}_distance"] is not None
            ]
            labels = [label for label, _ in marks]
            heights = range(len(marks))
            axes.plot(
                [far for _, far in marks],
                heights,
                look.marker,
                color=look.color,
                ms=6,
                mfc="none",
                label=words,
            )
        axes.set_yticks(range(len(labels)), labels)
        axes.invert_yaxis()
        axes.set_xlabel("combined standard errors")
        letter(axes, "abcd"[column], title)
    shared_legend(figure, grid[0, 0], 2, "recurrence")
    return figure
