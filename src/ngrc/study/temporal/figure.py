"""The two figures of the temporal-transfer appendix."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl

from ngrc._types import FloatArray
from ngrc.study.harness.estimate import Estimate, standard_error
from ngrc.study.harness.figure import LOOKS, letter, outside_legend, panels, points, reference
from ngrc.study.simulated.separation import separation_axis, transfer_distances
from ngrc.study.simulated.transfer import CASES, DIMENSION, SEPARATIONS
from ngrc.study.simulated.trial import LEVEL, MEASURES


def transfer_figure(samples: FloatArray, distances: Sequence[Estimate]) -> Any:
    """Widths, distances and coverage by separation."""
    figure, grid = panels(1, 3, 10.5, 3.4)
    mean, error = samples.mean(axis=0), standard_error(samples)
    widths, middle, coverage = grid[0]
    position = np.arange(len(CASES))
    for shift, look, name, label in (
        (-0.06, LOOKS[0], "W_C", "simulated"),
        (0.06, LOOKS[1], "W_C_trace", "finite trace"),
    ):
        k = MEASURES.index(name)
        points(widths, position + shift, mean[:, k], error[:, k], look, label, linestyle=look.linestyle)
    separation_axis(widths)
    widths.set_ylabel("split-conformal width")
    widths.legend(fontsize=8)
    letter(widths, "a", "Width and finite trace")
    transfer_distances(middle, samples, distances)
    letter(middle, "b", "Distances")
    k = MEASURES.index("split_coverage")
    points(coverage, position, mean[:, k], error[:, k], LOOKS[0], "", linestyle="-")
    reference(coverage, LEVEL, style="--")
    separation_axis(coverage)
    coverage.set_ylabel("coverage")
    letter(coverage, "c", "Split-conformal coverage")
    return figure


def penalty_figure(table: pl.DataFrame) -> Any:
    """Untruncated corrections (left) and truncated bounds (right) against the separation."""
    figure, grid = panels(1, 2, 9.4, 3.8)
    left, right = grid[0]
    x = table["separation"].to_numpy()
    for look, correction, bound, name in (
        (LOOKS[0], "width_correction", "width_bound", "width distribution"),
        (LOOKS[1], "coverage_correction", "miscoverage_bound", "split-conformal miscoverage"),
    ):
        left.plot(x, table[correction].to_numpy(), color=look.color, ls=look.linestyle, lw=1.6, label=name)
        right.plot(x, table[bound].to_numpy(), color=look.color, ls=look.linestyle, lw=1.6, label=name)
    left.set(yscale="log", ylabel=r"$(N - 1)\,\beta(h)$")
    reference(left, 1.0)
    right.set_ylabel("upper bound")
    reference(right, 1.0 - LEVEL)
    for axes, text, title in ((left, "a", "Corrections"), (right, "b", "Truncated bounds")):
        axes.axvspan(0, DIMENSION, color="0.9", zorder=0, lw=0)
        axes.text(DIMENSION / 2, 0.5, "windows overlap", rotation=90, transform=axes.get_xaxis_transform(),
                  ha="center", va="center", fontsize=8, color="0.3")  # fmt: skip
        for separation in SEPARATIONS:
            reference(axes, separation, vertical=True)
        axes.set(xlabel=r"forecast-origin separation $\Delta$", xlim=(0, x[-1]))
        letter(axes, text, title)
    outside_legend(figure, right)
    return figure
