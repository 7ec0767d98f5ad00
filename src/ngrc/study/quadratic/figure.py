"""The figure of Experiment 3: diffuseness on top, designs and temporal transfer below."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ngrc._types import FloatArray
from ngrc.study.harness.estimate import Estimate, standard_error
from ngrc.study.harness.figure import LOOKS, letter, panels, points, reference
from ngrc.study.quadratic.cells import DESIGNS, DIFFUSENESS, DIMENSIONS, SIGNALS
from ngrc.study.simulated.separation import transfer_distances
from ngrc.study.simulated.trial import LEVEL, MEASURES

WIDTH, TRACE, COVERAGE, DISTANCE = (
    MEASURES.index(x) for x in ("W_C", "W_C_trace", "split_coverage", "residual_ks")
)


def quadratic_figure(
    independent: FloatArray, designs: FloatArray, transfer: FloatArray, distances: Sequence[Estimate]
) -> Any:
    """Six panels from the samples of the independent, the three and the transfer designs."""
    figure, grid = panels(2, 3, 10.2, 6.2)
    error = np.abs(independent[..., WIDTH] / independent[..., TRACE] - 1.0)
    tops = (
        (independent[..., DIFFUSENESS], r"$\|D_n\|_{op}$", "Ridge-transformed diffuseness"),
        (independent[..., DISTANCE], "KS distance", "Residual against normal"),
        (100.0 * error, r"$|W_C / W_C^{tr} - 1|$, %", "Finite-trace width error"),
    )
    for axes, text, (samples, label, title) in zip(grid[0], "abc", tops, strict=True):
        _by_dimension(axes, samples)
        axes.set(xlabel="base dimension $d$", ylabel=label)
        axes.set_ylim(bottom=0.0)
        letter(axes, text, title)
    for axes, text, k, title in zip(
        grid[1],
        "de",
        (DISTANCE, COVERAGE),
        ("Residual against normal", "Split-conformal coverage"),
        strict=False,
    ):
        _by_design(axes, designs[..., k])
        axes.set_ylabel("KS distance" if k == DISTANCE else "coverage")
        letter(axes, text, f"{title}, $d$ = {DIMENSIONS[-1]}")
    grid[1, 0].set_ylim(bottom=0.0)
    reference(grid[1, 1], LEVEL, style="--")
    transfer_distances(grid[1, 2], transfer, distances)
    letter(grid[1, 2], "f", "Approach to independent windows")
    grid[0, 0].legend(fontsize=8)
    return figure


def _by_dimension(axes: Any, samples: FloatArray) -> None:
    mean, error = samples.mean(axis=0), standard_error(samples)
    for j, (signal, look) in enumerate(zip(SIGNALS, LOOKS, strict=False)):
        points(axes, DIMENSIONS, mean[:, j], error[:, j], look, signal, linestyle=look.linestyle)
    axes.set_xticks(DIMENSIONS)


def _by_design(axes: Any, samples: FloatArray) -> None:
    mean, error = samples.mean(axis=0), standard_error(samples)
    for j, (signal, look) in enumerate(zip(SIGNALS, LOOKS, strict=False)):
        points(axes, np.arange(len(DESIGNS)) + 0.16 * (j - 0.5), mean[:, j], error[:, j], look, signal)
    axes.set_xticks(range(len(DESIGNS)), [design.replace(" ", "\n") for design in DESIGNS])
    axes.set_xlim(-0.5, len(DESIGNS) - 0.5)
