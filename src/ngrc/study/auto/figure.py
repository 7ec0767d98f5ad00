"""RMSE relative to the paper's map by horizon, one panel per dataset."""

from typing import Any

import polars as pl

from ngrc.study.auto.tables import RIVALS
from ngrc.study.harness.figure import LOOKS, letter, panels, reference

CURVES = {
    "automatic": "automatic, the paper's rows",
    "automatic_walk": "automatic, walking forward",
    "last_value": "last value",
}
BEST = "best of the paper's four"


def ratio_figure(table: pl.DataFrame) -> Any:
    """Below one is better than the paper's map."""
    titles = table["dataset"].unique(maintain_order=True).to_list()
    figure, grid = panels(1, len(titles), max(2.7 * len(titles), 4.2), 3.6)
    for place, (axes, title) in enumerate(zip(grid[0], titles, strict=True)):
        rows = table.filter(pl.col("dataset") == title)
        _panel(axes, rows)
        letter(axes, "abcd"[place], title)
    grid[0, 0].set_ylabel("RMSE over that of the paper's map")
    handles: dict[str, Any] = {}
    for axes in grid[0]:
        handles |= dict(zip(*reversed(axes.get_legend_handles_labels()), strict=True))
    figure.legend(list(handles.values()), list(handles), loc="outside lower center", ncols=4, fontsize=8)
    return figure


def _panel(axes: Any, rows: pl.DataFrame) -> None:
    # Horizons side by side: the distance between them says nothing here.
    places = range(rows.height)
    for look, (column, label) in zip(LOOKS, CURVES.items(), strict=False):
        ratios = (rows[column] / rows["paper_map"]).to_list()
        axes.plot(places, ratios, color=look.color, marker=look.marker, ls=look.linestyle, ms=5, label=label)
    first = rows.row(0, named=True)
    printed = [first[f"{model}_printed"] for model in RIVALS if first[f"{model}_printed"] is not None]
    if printed:
        look = LOOKS[len(CURVES)]
        axes.plot(
            [0],
            [min(printed) / first["paper_map"]],
            look.marker,
            color=look.color,
            mfc="none",
            ms=8,
            label=BEST,
        )
    reference(axes, 1.0)
    axes.set_xticks(places, [str(horizon) for horizon in rows["horizon"]])
    axes.set_xlabel("horizon, steps")
    axes.margins(x=0.12, y=0.12)
