"""The figure of Experiment 4: trailing coverage and width before and after the change."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from ngrc._types import FloatArray
from ngrc.plot.coverage import curves as curves_of
from ngrc.plot.looks import METHOD_LOOKS, Look
from ngrc.study.harness.estimate import standard_error
from ngrc.study.harness.figure import CONFIDENCE, letter, panels, reference

LOOKS = {
    **{
        name: METHOD_LOOKS[name] for name in ("bayes", "split", "rolling", "gaussian", "adaptive", "weighted")
    },
    "rescp-all": METHOD_LOOKS["rescp"],
    "rescp-fifo": Look("#000000", "X", (0, (6, 2, 1, 2))),
}


def response(curves: FloatArray, titles: Mapping[str, str], change: int) -> Any:
    """Two panels from curves of shape (replications, rows, 2, steps)."""
    mean, error = curves.mean(axis=0), standard_error(curves)
    figure, grid = panels(1, 2, 10.5, 4.4)
    for k, axes in enumerate(grid[0]):
        lines = {name: mean[i, k] for i, name in enumerate(titles)}
        half = {name: CONFIDENCE * error[i, k] for i, name in enumerate(titles)}
        steps = np.arange(mean.shape[2])
        curves_of(axes, steps, lines, half=half, looks=LOOKS, labels=titles, width=1.4)
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
