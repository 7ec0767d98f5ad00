"""The figure of Experiment 1: width difference and both coverages by level."""

from typing import Any

import numpy as np

from ngrc._types import FloatArray
from ngrc.study.fixed_shape.cells import LAWS, LEVELS, limits
from ngrc.study.harness.estimate import standard_error
from ngrc.study.harness.figure import LOOKS, letter, panels, points, reference


def shape_figure(samples: FloatArray) -> Any:
    """Three panels from samples of shape (replications, laws, levels, 3)."""
    mean, error = samples.mean(axis=0), standard_error(samples)
    figure, grid = panels(1, 3, 10.5, 3.4)
    alphas = 1.0 - np.array(LEVELS)
    curves = np.array([[(x.difference, x.coverage_bayes) for x in row] for row in limits()])
    titles = ("Width difference", "Bayesian coverage", "Split-conformal coverage")
    labels = ("$W_B - W_C$", "coverage", "coverage")
    for k, axes in enumerate(grid[0]):
        for i, (law, look) in enumerate(zip(LAWS.values(), LOOKS, strict=False)):
            # Side by side, as the four laws share each level.
            x = np.arange(len(alphas)) + 0.09 * (i - 1.5)
            points(axes, x, mean[i, :, k], error[i, :, k], look, law)
            if k < 2:
                axes.plot(x, curves[i, :, k], color=look.color, ls=look.linestyle, lw=1.1)
        if k:
            for position, alpha in enumerate(alphas):
                axes.hlines(
                    1 - alpha, position - 0.4, position + 0.4, color="0.25", ls="--", lw=0.9, zorder=0
                )
        else:
            reference(axes, 0.0)
        axes.set_xticks(range(len(alphas)), [f"{alpha:g}" for alpha in alphas.round(2)])
        axes.set(xlabel=r"miscoverage level $\alpha$", ylabel=labels[k])
        letter(axes, "abc"[k], titles[k])
    grid[0, 0].legend(
        fontsize=8, loc="lower right", title="points: simulation, lines: limit", title_fontsize=7.5
    )
    return figure
