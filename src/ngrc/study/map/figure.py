"""RMSE relative to the paper's map, one panel per dataset, and relative to none for the weather."""

from typing import Any

import polars as pl

from ngrc.study.harness.figure import LOOKS, letter, panels, reference
from ngrc.study.map.checks import pairs
from ngrc.study.map.weather import READINGS, STAMPS

CURVES = {"chosen_map": "chosen by hand", "last_value": "last value"}
SHORT = {"observed": "weather through the origin", "known": "weather also at the target"}
HOURS = {"filed": "hours as filed", "delayed": "hours put right"}


def ratio_figure(table: pl.DataFrame, winds: pl.DataFrame | None) -> Any:
    """One panel per dataset, and one for the weather where it was run."""
    titles = table["dataset"].unique(maintain_order=True).to_list()
    count = len(titles) + (winds is not None)
    figure, grid = panels(1, count, max(2.9 * count, 4.2), 3.8)
    for place, (axes, title) in enumerate(zip(grid[0], titles, strict=False)):
        rows = table.filter(pl.col("dataset") == title)
        for look, (column, label) in zip(LOOKS, CURVES.items(), strict=False):
            _curve(axes, rows["horizon"], (rows[column] / rows["paper_map"]).to_list(), look, label)
        _finish(axes, "abcd"[place], title)
    grid[0, 0].set_ylabel("RMSE over that of the paper's map")
    if winds is not None:
        _weather(grid[0, -1], winds, "abcd"[len(titles)])
    # Under the panels: inside one, the curves of another run may lie where the legend is.
    entries = [
        axes.get_legend_handles_labels() for axes in (grid[0, 0], grid[0, -1])[: 1 + (winds is not None)]
    ]
    handles, labels = ([entry for part in parts for entry in part] for parts in zip(*entries, strict=True))
    figure.legend(handles, labels, loc="outside lower center", ncols=3, fontsize=8)
    return figure


def _weather(axes: Any, winds: pl.DataFrame, place: str) -> None:
    looks = iter(LOOKS[2:])
    for kind, words in READINGS.items():
        for hours, text in STAMPS.items():
            ratios = [row["rmse"] / plain["rmse"] for row, plain in pairs(winds, words, text)]
            _curve(
                axes,
                winds["horizon"].unique(maintain_order=True),
                ratios,
                next(looks),
                f"{SHORT[kind]}, {HOURS[hours]}",
            )
    _finish(axes, place, "Beijing with weather")
    axes.set_ylabel("RMSE over that without weather")


def _curve(axes: Any, horizons: Any, ratios: list[float], look: Any, label: str) -> None:
    # Horizons side by side, as the distance from 3 to 24 says nothing here.
    axes.plot(
        range(len(ratios)), ratios, color=look.color, marker=look.marker, ls=look.linestyle, ms=5, label=label
    )
    axes.set_xticks(range(len(ratios)), [str(horizon) for horizon in horizons])


def _finish(axes: Any, place: str, title: str) -> None:
    reference(axes, 1.0)
    axes.set_xlabel("horizon, steps")
    axes.margins(x=0.12, y=0.12)
    letter(axes, place, title)
