"""Phase pictures of dependent rows, and predicted against simulated ratios of the widths."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl

from ngrc.study.dependent.lagged import ROWS
from ngrc.study.dependent.trial import DIRECTIONS, LEVEL, RIDGES, STRENGTHS
from ngrc.study.harness.figure import LOOKS, letter, panels, plain_ticks, reference

NAMES = {"random": "random signal", "large": "large eigenvectors", "small": "small eigenvectors"}
LIMITS = (STRENGTHS[0] / 2.5, STRENGTHS[-1] * 2.5)
WIDER, NARROWER, UNCLEAR = "^", "v", "o"


def lagged_figure(cells: pl.DataFrame, errors: float) -> Any:
    """Signs on simulated rows: one row per direction of the signal, one column per penalty, one colour per law."""
    figure, grid = panels(len(DIRECTIONS), len(RIDGES), 9.6, 8.4)
    for i, direction in enumerate(DIRECTIONS):
        for j, ridge in enumerate(RIDGES):
            axes = grid[i, j]
            part = cells.filter(pl.col("direction") == direction, pl.col("lambda") == ridge)
            for k, rows in enumerate(ROWS):
                own = part.filter(pl.col("rows") == rows.title)
                _signs(axes, own, LOOKS[k].color, k - 2, errors)
                _boundary(axes, own, 1.0 / own["alignment"].to_numpy(), LOOKS[k])
            _finish(
                axes, rf"{NAMES[direction]}, $\lambda$ = {ridge:g}", "abcdefghi"[3 * i + j], j == 0, i == 2
            )
    _legend(figure, [(rows.title, LOOKS[k]) for k, rows in enumerate(ROWS)], columns=3)
    return figure


def observed_figure(cells: pl.DataFrame, order: str, errors: float) -> Any:
    """Signs on real rows: one row per direction of the signal, one column per dataset, one colour per penalty."""
    titles = cells["rows"].unique(maintain_order=True).to_list()
    figure, grid = panels(len(DIRECTIONS), len(titles), 2.4 + 2.4 * len(titles), 8.4)
    for i, direction in enumerate(DIRECTIONS):
        for j, title in enumerate(titles):
            axes = grid[i, j]
            part = cells.filter(
                pl.col("direction") == direction, pl.col("rows") == title, pl.col("order") == order
            )
            for k, ridge in enumerate(RIDGES):
                own = part.filter(pl.col("lambda") == ridge)
                _signs(axes, own, LOOKS[k].color, 1.4 * (k - 1), errors)
                _boundary(axes, own, 1.0 / own["alignment"].to_numpy(), LOOKS[k]._replace(linestyle="--"))
                known = own.drop_nulls("boundary_rows")
                _boundary(axes, known, known["boundary_rows"].to_numpy(), LOOKS[k]._replace(linestyle="-"))
            _finish(
                axes, f"{title},\n{NAMES[direction]}", "abcdefghijkl"[len(titles) * i + j], j == 0, i == 2
            )
    looks = [
        (rf"$\lambda$ = {ridge:g}", LOOKS[k]._replace(linestyle="none")) for k, ridge in enumerate(RIDGES)
    ]
    plain = LOOKS[-1]._replace(color="0.35")
    looks += [
        ("boundary by the trace", plain._replace(linestyle="--")),
        ("boundary row by row", plain._replace(linestyle="-")),
    ]
    _legend(figure, looks, columns=4)
    return figure


def _signs(axes: Any, cells: pl.DataFrame, color: str, shift: float, errors: float) -> None:
    """One marker per cell: up where Bayes is wider, down where conformal is, a ring where neither is clear."""
    gap = cells["difference"].to_numpy()
    clear = np.abs(gap) > errors * cells["difference_se"].to_numpy()
    # Laws of rows side by side instead of on top of each other.
    x, y = cells["gamma"].to_numpy() + 0.035 * shift, cells["strength"].to_numpy()
    kinds = (
        (clear & (gap > 0), WIDER, color),
        (clear & (gap < 0), NARROWER, color),
        (~clear, UNCLEAR, "none"),
    )
    for chosen, marker, face in kinds:
        axes.plot(x[chosen], y[chosen], marker, ms=4.0, mec=color, mfc=face, mew=0.8, ls="none")


def _boundary(axes: Any, cells: pl.DataFrame, values: Any, look: Any) -> None:
    """A line over the aspect ratios; strengths share their boundary."""
    gamma = cells["gamma"].to_numpy()
    ratios = np.unique(gamma)
    line = [np.exp(np.mean(np.log(values[gamma == ratio]))) for ratio in ratios]
    axes.plot(ratios, line, color=look.color, ls=look.linestyle, lw=1.1, alpha=0.9)


def _finish(axes: Any, title: str, mark: str, left: bool, bottom: bool) -> None:
    reference(axes, 1.0, style="-")
    axes.set(yscale="log", ylim=LIMITS)
    axes.set_yticks(STRENGTHS, ["1/16", "1/4", "1", "4", "16"])
    axes.minorticks_off()
    axes.grid(False)
    letter(axes, mark, title)
    if left:
        axes.set_ylabel(r"SNR $\lambda\,/\,\gamma$")
    if bottom:
        axes.set_xlabel(r"$\gamma = p/n$")


def _legend(figure: Any, looks: Sequence[tuple[str, Any]], columns: int) -> None:
    from matplotlib.lines import Line2D

    handles = [
        Line2D(
            [],
            [],
            color=look.color,
            ls=look.linestyle,
            marker="s" if look.linestyle == "none" else "",
            label=label,
        )
        for label, look in looks
    ]
    signs = (
        (WIDER, "0.35", "Bayes wider"),
        (NARROWER, "0.35", "conformal wider"),
        (UNCLEAR, "none", "not clear"),
    )
    handles += [
        Line2D([], [], color="0.35", mfc=face, marker=marker, ls="none", label=label)
        for marker, face, label in signs
    ]
    figure.legend(handles=handles, loc="outside upper center", ncols=columns, fontsize=8.5)


def prediction_figure(lagged: pl.DataFrame, observed: pl.DataFrame | None) -> Any:
    """Simulated against predicted: W_B/W_C above, Bayesian coverage below, one column per prediction."""
    groups = [("lagged rows, by trace", lagged, "trace")]
    if observed is not None:
        groups += [("real rows, by trace", observed, "trace"), ("real rows, row by row", observed, "rows")]
    figure, grid = panels(2, len(groups), 3.5 * len(groups), 6.6)
    for i, (title, cells, name) in enumerate(groups):
        measured = np.sqrt(cells["bayes"].to_numpy() / cells["split"].to_numpy())
        _scatter(grid[0, i], cells, _ratio(cells, name), measured)
        coverage = cells[f"coverage_{name}"].to_numpy()
        _scatter(grid[1, i], cells, coverage, cells["bayes_coverage"].to_numpy())
        grid[0, i].set(xscale="log", yscale="log")
        _diagonal(grid[0, i], 1.0)
        _diagonal(grid[1, i], LEVEL)
        for axis in (grid[0, i].xaxis, grid[0, i].yaxis):
            plain_ticks(axis)
        letter(grid[0, i], "abc"[i], f"$W_B/W_C$, {title}")
        letter(grid[1, i], "def"[i], f"Bayesian coverage, {title}")
        grid[1, i].set_xlabel("predicted")
        grid[0, i].legend(fontsize=7, loc="upper left", markerscale=1.6)
    for axes in grid[:, 0]:
        axes.set_ylabel("simulated")
    return figure


def _ratio(cells: pl.DataFrame, name: str) -> Any:
    """Predicted W_B/W_C; row by row W_B is the simulated one, which does not depend on noise or signal."""
    if name == "trace":
        return np.sqrt(cells["bayes_trace"].to_numpy() / cells["split_trace"].to_numpy())
    return np.sqrt(cells["bayes"].to_numpy() / (cells["bayes"] - cells["difference_rows"]).to_numpy())


def _scatter(axes: Any, cells: pl.DataFrame, x: Any, y: Any) -> None:
    series = cells["rows"].to_numpy()
    for look, rows in zip(LOOKS, dict.fromkeys(series), strict=False):
        own = series == rows
        axes.plot(
            x[own], y[own], look.marker, ms=2.8, color=look.color, alpha=0.55, mew=0, ls="none", label=rows
        )


def _diagonal(axes: Any, level: float) -> None:
    """Equality, and where both intervals are alike."""
    ends = [*axes.get_xlim(), *axes.get_ylim()]
    axes.plot([min(ends), max(ends)], [min(ends), max(ends)], color="0.25", ls="--", lw=1.0, zorder=0)
    axes.set(xlim=(min(ends), max(ends)), ylim=(min(ends), max(ends)))
    for vertical in (False, True):
        reference(axes, level, vertical=vertical)
