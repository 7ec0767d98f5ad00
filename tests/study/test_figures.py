"""Figures in the paper's panel layout, with the error bars that the captions promise."""

from typing import Any

import numpy as np
import pytest

from ngrc._types import FloatArray
from ngrc.study.budget import cells as budget_cells
from ngrc.study.budget.figure import equal_figure, unequal_figure
from ngrc.study.fixed_shape.cells import LAWS, LEVELS
from ngrc.study.fixed_shape.figure import shape_figure
from ngrc.study.harness.estimate import Estimate
from ngrc.study.harness.figure import CONFIDENCE, LOOKS, draw, encode, panels, plain_ticks, points
from ngrc.study.phase import cells as phase_cells
from ngrc.study.phase.figure import phase_figure, verification_figure
from ngrc.study.phase.noise_figure import noise_figure
from ngrc.study.quadratic.figure import quadratic_figure
from ngrc.study.simulated import transfer
from ngrc.study.temporal.cells import penalty_table
from ngrc.study.temporal.figure import penalty_figure, transfer_figure

DISTANCES = [Estimate(0.3, 0.05, 9), Estimate(0.2, 0.05, 9), Estimate(0.1, 0.03, 9), Estimate(0.1, 0.03, 9)]


def samples(*shape: int) -> FloatArray:
    return np.random.default_rng(0).uniform(0.5, 1.0, (9, *shape))


def phase_samples() -> FloatArray:
    return samples(len(phase_cells.RATIOS), len(phase_cells.RIDGES), len(phase_cells.SNRS), phase_cells.WIDTH)


def budget_samples() -> FloatArray:
    return samples(2, len(budget_cells.SHARES) + len(budget_cells.RATIOS), 4)


def transfer_samples() -> FloatArray:
    return samples(len(transfer.CASES), 7)


FIGURES = {
    "fixed shape": (lambda: shape_figure(samples(len(LAWS), len(LEVELS), 4)), 3, [4, 4, 4]),
    "phase": (lambda: phase_figure(phase_samples()), 9, [0, 0, 0, 3, 3, 3, 3, 3, 3]),
    "noise scale": (lambda: noise_figure(phase_samples()), 9, [4] * 9),
    "verification": (lambda: verification_figure(phase_samples()), 2, [6, 18]),
    "quadratic": (
        lambda: quadratic_figure(samples(5, 2, 10), samples(3, 2, 7), transfer_samples(), DISTANCES),
        6,
        [2, 2, 2, 2, 2, 2],
    ),
    "transfer": (lambda: transfer_figure(transfer_samples(), DISTANCES), 3, [2, 2, 1]),
    "penalties": (lambda: penalty_figure(penalty_table()), 2, [0, 0]),
    "equal budget": (lambda: equal_figure(budget_samples()), 8, [1] * 8),
    "unequal budget": (lambda: unequal_figure(budget_samples()), 8, [1] * 8),
}


@pytest.mark.parametrize("name", FIGURES)
def test_every_panel_is_lettered_labelled_and_has_its_error_bars(name: str) -> None:
    function, count, bars = FIGURES[name]
    figure = draw(function)()
    shown = [axes for axes in figure.axes if axes.get_label() != "<colorbar>"]
    assert [axes.get_title(loc="left")[:3] for axes in shown] == [
        f"({letter})" for letter in "abcdefghi"[:count]
    ]
    assert [len(axes.containers) for axes in shown] == bars
    assert all(
        axes.get_ylabel()
        for axes in shown
        if name not in ("phase", "noise scale", "equal budget", "unequal budget")
    )
    if name == "quadratic":
        assert encode(figure, "png").startswith(b"\x89PNG")


def test_error_bars_are_means_plus_minus_two_standard_errors() -> None:
    @draw
    def one() -> Any:
        figure, grid = panels(1, 1, 3.0, 2.0)
        points(grid[0, 0], [1.0, 2.0], np.array([5.0, 6.0]), np.array([0.5, 0.25]), LOOKS[0], "x")
        return figure

    (bars,) = one().axes[0].containers
    ends = [segment[:, 1] for segment in bars.lines[2][0].get_segments()]
    np.testing.assert_allclose(ends, [[5 - 0.98, 5 + 0.98], [6 - 0.49, 6 + 0.49]])
    assert CONFIDENCE == 1.96


def test_looks_differ_in_colour_marker_and_line() -> None:
    assert len({look.color for look in LOOKS}) == len({look.marker for look in LOOKS}) == len(LOOKS)
    assert len({look.linestyle for look in LOOKS[:4]}) == 4


def test_logarithmic_ticks_are_plain_numbers() -> None:
    @draw
    def one() -> Any:
        figure, grid = panels(1, 1, 3.0, 2.0)
        grid[0, 0].plot([0.2, 40.0], [0.2, 40.0])
        grid[0, 0].set_yscale("log")
        plain_ticks(grid[0, 0].yaxis)
        figure.draw_without_rendering()
        return figure

    labels = [text.get_text() for text in one().axes[0].get_yticklabels()]
    assert {"0.5", "1", "20", "30"} <= set(labels)


def test_drawing_changes_no_setting_of_the_user() -> None:
    matplotlib = pytest.importorskip("matplotlib")
    before = dict(matplotlib.rcParams)
    figure = draw(lambda: penalty_figure(penalty_table()))()
    encode(figure, "svg")
    assert dict(matplotlib.rcParams) == before


def test_every_split_line_of_unequal_budgets_has_its_band() -> None:
    drawn = budget_samples()
    figure = draw(lambda: unequal_figure(drawn))()
    mean, error = drawn.mean(axis=0), drawn.std(axis=0, ddof=1) / 3.0
    for i, k in np.ndindex(2, 4):
        axes = figure.axes[4 * i + k]
        bands = [patch.get_extents().transformed(axes.transData.inverted()) for patch in axes.patches]
        assert len(bands) == len(budget_cells.SHARES)
        for j, band in enumerate(bands):
            np.testing.assert_allclose(
                sorted([band.y0, band.y1]),
                [mean[i, j, k] - 1.96 * error[i, j, k], mean[i, j, k] + 1.96 * error[i, j, k]],
                rtol=1e-6,
            )
