"""Figures of the one-step analysis."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl

from ngrc.backtesting.results import Run
from ngrc.plot.band import edges
from ngrc.plot.efficiency import efficiency
from ngrc.series import Series
from ngrc.study.harness.figure import letter, panels
from ngrc.study.real.cases import LEVEL, METHOD_TITLES
from ngrc.study.real.looks import METHOD_LOOKS, shared_legend
from ngrc.study.real.origin import Origin

STYLES: dict[str, dict[str, Any]] = {
    "bayes": {"ms": 10},
    "split": {"ms": 5.5},
    "asymmetric": {"ms": 11, "mfc": "none", "mec": METHOD_LOOKS["asymmetric"].color, "mew": 1.4},
    "adaptive": {"ms": 7},
    "weighted": {"ms": 8},
    "rescp": {"ms": 9},
}
"""Marker sizes that let methods with equal scores be seen through each other."""
AROUND = 12
"""Days before and after the spikes that the figure shows."""


def efficiency_figure(origin: Origin) -> Any:
    """Coverage error against width (top) and Winkler score (bottom), one column per dataset."""
    count = len(origin.sources)
    figure, grid = panels(2, count, max(2.7 * count, 4.5), 5.4)
    for column, source in enumerate(origin.sources):
        for row, measure in enumerate(("width", "winkler")):
            axes = grid[row, column]
            scored = {method: origin.scores(source.key, 1, method) for method in METHOD_TITLES}
            efficiency(
                {method: 100.0 * (one.coverage - LEVEL) for method, one in scored.items()},
                {method: getattr(one, measure) for method, one in scored.items()},
                cost="",
                looks=METHOD_LOOKS,
                labels=METHOD_TITLES,
                styles=STYLES,
                legend=False,
                ax=axes,
            )
            axes.set_xlabel("coverage error, points" if row else "")
        letter(grid[0, column], "abcd"[column], source.title)
    grid[0, 0].set_ylabel("mean width")
    grid[1, 0].set_ylabel("Winkler score")
    shared_legend(figure, grid[0, 0], 6 if count > 2 else 2)
    return figure


def spike_figure(series: Series, run: Run, table: pl.DataFrame, days: Sequence[int]) -> Any:
    """The spikes between two methods' intervals, and all scores with and without them."""
    figure, grid = panels(1, 2, 10.5, 3.6)
    left, right = grid[0]
    numbers = np.arange(min(days) - AROUND, max(days) + AROUND + 1)
    places = numbers - run.blocks.test.start
    for method in ("weighted", "adaptive"):
        band = run.band(method, LEVEL)
        ends = band.lower[places], band.upper[places]
        edges(left, numbers, ends, METHOD_LOOKS[method], METHOD_TITLES[method], steps=True, lw=1.3)
    left.plot(numbers, series.values[numbers], "o", color="0.2", ms=3.5, label="return")
    left.plot(list(days), series.values[list(days)], "o", color="0.2", mfc="none", ms=9, mew=1.2)
    left.set(xlabel="return number", ylabel="per cent")
    left.legend(fontsize=8, loc="upper left")
    letter(left, "a", "Two spikes, and the intervals around them")
    _dumbbells(right, table)
    letter(right, "b", "Winkler score with and without the two days")
    return figure


def _dumbbells(axes: Any, table: pl.DataFrame) -> None:
    looks = {METHOD_TITLES[method]: look for method, look in METHOD_LOOKS.items()}
    for place, row in enumerate(table.iter_rows(named=True)):
        look, ends = looks[row["method"]], (row["winkler"], row["winkler_without_spikes"])
        axes.plot(ends, (place, place), color=look.color, lw=1.2)
        axes.plot(ends[0], place, marker=look.marker, color=look.color, ms=7)
        axes.plot(ends[1], place, marker=look.marker, color=look.color, mfc="white", ms=7, mew=1.4)
    axes.set_yticks(range(table.height), table["method"].to_list())
    axes.invert_yaxis()
    axes.set_xlabel("Winkler score")
