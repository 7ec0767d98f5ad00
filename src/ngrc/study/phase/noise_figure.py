"""Coverage with the noise scale known and estimated, one panel per penalty and signal."""

from typing import Any

import numpy as np

from ngrc._types import FloatArray
from ngrc.study.harness.estimate import standard_error
from ngrc.study.harness.figure import LOOKS, letter, outside_legend, panels, points, reference
from ngrc.study.phase.cells import BAYES_COVERAGE, LEVEL, NOISES, RATIOS, RIDGES, SNRS
from ngrc.study.phase.checks import Place
from ngrc.study.phase.noise import COVERED, fit_coverage

DENSE = np.linspace(RATIOS[0], RATIOS[-1], 60)
LABELS = ("sigma known", "training RMS (fit)", "cross-validation (gcv)", "evidence")


def noise_figure(samples: FloatArray) -> Any:
    """Rows by signal-to-noise ratio, columns by penalty, from samples of shape (replications, cells, measures)."""
    figure, grid = panels(len(SNRS), len(RIDGES), 9.6, 7.6)
    measures = [BAYES_COVERAGE, *(COVERED + k for k in range(len(NOISES)))]
    for k, j in np.ndindex(grid.shape):
        axes = grid[k, j]
        for position, (measure, look, label) in enumerate(zip(measures, LOOKS, LABELS, strict=False)):
            covered = samples[:, :, j, k, measure]
            # Side by side, as known and estimated scales nearly agree.
            x = np.array(RATIOS) + 0.025 * (position - 1.5)
            points(axes, x, covered.mean(axis=0), standard_error(covered), look, label)
        limit = [
            fit_coverage(Place(float(ratio), RIDGES[j], SNRS[k], samples[:, 0, j, k])) for ratio in DENSE
        ]
        axes.plot(DENSE, limit, color=LOOKS[1].color, ls="--", lw=1.1)
        reference(axes, LEVEL)
        letter(axes, "abcdefghi"[len(RIDGES) * k + j], rf"$\lambda$ = {RIDGES[j]:g}, SNR {SNRS[k]:g}")
        if k == len(SNRS) - 1:
            axes.set_xlabel(r"$\gamma = p/n$")
        if j == 0:
            axes.set_ylabel("Bayesian coverage")
    outside_legend(figure, grid[0, 0])
    return figure
