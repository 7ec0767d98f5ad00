"""The figure of Experiment 4: trailing coverage and width before and after the change."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from ngrc._types import FloatArray
from ngrc.plot.style import COLOURS, LINES
from ngrc.study.harness.estimate import standard_error
from ngrc.study.harness.figure import CONFIDENCE, letter, panels, reference

LOOKS = {
    **{
        name: (COLOURS[name], LINES[name])
        for name in ("bayes", "split", "rolling", "gaussian", "adaptive", "weighted")
    },
    "rescp-all": (COLOURS["rescp"], (0, (1, 1))),
    "rescp-fifo": ("#000000", (0, (6, 2, 1, 2))),
}


def response(curves: FloatArray, titles: Mapping[str, str], change: int) -> Any:
    """Two panels from curves of shape (replications, rows, 2, steps)."""
    mean, error = curves.mean(axis=0), standard_error(curves)
    figure, grid = panels(1, 2, 10.5, 4.4)
    for k, axes in enumerate(grid[0]):
        for i, (name, title) in enumerate(titles.items()):
            color, line = LOOKS[name]
            steps = np.arange(mean.shape[2])
            axes.plot(steps, mean[i, k], color=color, ls=line, lw=1.4, label=title)
            half = CONFIDENCE * error[i, k]
            axes.fill_between(steps, mean[i, k] - half, mean[i, k] + half, color=color, alpha=0.15, lw=0)
        reference(axes, change, vertical=True, style="--")
        axes.set(xlabel="test step")
        axes.margins(x=0)
    reference(grid[0, 0], 0.95)
    letter(grid[0, 0], "a", "Coverage over the last 100 steps")
    letter(grid[0, 1], "b", "Interval width")
    grid[0, 0].set(ylabel="coverage")
    grid[0, 1].set(ylabel="width")
    handles, labels = grid[0, 0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=4, fontsize=8)
    return figure
