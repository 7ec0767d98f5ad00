"""The two figures of Experiment 5: one row per dimension, one column per measure."""

from typing import Any

import numpy as np

from ngrc._types import FloatArray
from ngrc.study.budget.cells import BUDGET, DIMENSIONS, LEVEL, MEASURES, RATIOS, SHARES
from ngrc.study.harness.estimate import standard_error
from ngrc.study.harness.figure import (
    CONFIDENCE,
    LOOKS,
    letter,
    outside_legend,
    panels,
    plain_ticks,
    points,
    reference,
)

TITLES = ("Coverage", "Width", "Winkler score", "RMSE")
SAME = len(SHARES) + RATIOS.index(1.0)


def equal_figure(samples: FloatArray) -> Any:
    """Measures by fitting share, Bayesian ridge as a level line with its band."""
    figure, grid = panels(len(DIMENSIONS), len(MEASURES), 11.0, 5.0)
    mean, error = samples.mean(axis=0), standard_error(samples)
    for i, k, axes in _each(grid):
        points(axes, SHARES, mean[i, : len(SHARES), k], error[i, : len(SHARES), k], LOOKS[1], "split conformal",
               linestyle=LOOKS[1].linestyle)  # fmt: skip
        level, half = mean[i, SAME, k], CONFIDENCE * error[i, SAME, k]
        axes.axhline(level, color=LOOKS[0].color, lw=1.4, label="Bayesian ridge, all rows")
        axes.axhspan(level - half, level + half, color=LOOKS[0].color, alpha=0.2, lw=0)
        axes.set_xticks(SHARES)
        if i:
            axes.set_xlabel(r"fitting share $\rho$")
    outside_legend(figure, grid[0, 1])
    return figure


def unequal_figure(samples: FloatArray) -> Any:
    """Measures by the Bayesian budget, split conformal as level lines with their bands, one per share."""
    figure, grid = panels(len(DIMENSIONS), len(MEASURES), 11.0, 5.2)
    mean, error = samples.mean(axis=0), standard_error(samples)
    bayes = slice(len(SHARES), None)
    for i, k, axes in _each(grid):
        points(axes, RATIOS, mean[i, bayes, k], error[i, bayes, k], LOOKS[0], "Bayesian ridge", linestyle="-")
        for j, (share, look) in enumerate(zip(SHARES, LOOKS[1:], strict=False)):
            level, half = mean[i, j, k], CONFIDENCE * error[i, j, k]
            axes.axhline(
                level, color=look.color, ls=look.linestyle, lw=1.3, label=rf"split, $\rho$ = {share:g}"
            )
            # Four bands lie over each other with 10 features.
            axes.axhspan(level - half, level + half, color=look.color, alpha=0.1, lw=0)
        reference(axes, 1.0, vertical=True)
        if i:
            reference(axes, DIMENSIONS[1] / BUDGET, vertical=True, style="--")
            axes.set_xlabel("$N_B / N_C$")
            if k:
                axes.set_yscale("log")
                plain_ticks(axes.yaxis)
        axes.set_xticks(RATIOS, [f"{ratio:g}" for ratio in RATIOS])
    outside_legend(figure, grid[0, 1])
    return figure


def _each(grid: Any) -> list[tuple[int, int, Any]]:
    cells = []
    for i, k in np.ndindex(grid.shape):
        axes = grid[i, k]
        letter(axes, "abcdefgh"[len(MEASURES) * i + k], f"{TITLES[k]}, $p$ = {DIMENSIONS[i]}")
        if k == 0:
            reference(axes, LEVEL)
        cells.append((i, k, axes))
    return cells
