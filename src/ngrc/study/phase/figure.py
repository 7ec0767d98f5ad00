"""The two figures of Experiment 2."""

from typing import Any

import numpy as np

from ngrc._types import FloatArray
from ngrc.plot.phase import explain
from ngrc.plot.phase import phase as diagram
from ngrc.study.harness.estimate import standard_error
from ngrc.study.harness.figure import LOOKS, letter, panels, plain_ticks, points, reference
from ngrc.study.phase import cells as experiment
from ngrc.theory import phase

DENSE = np.linspace(0.2, 1.6, 141)


def phase_figure(samples: FloatArray) -> Any:
    """Limits and boundary (top), squared-width differences (middle) and coverage (bottom), one column per penalty."""
    figure, grid = panels(3, len(experiment.RIDGES), 9.0, 8.6)
    image = None
    for column, ridge in enumerate(experiment.RIDGES):
        image = _map(grid[0, column], ridge)
        _differences(grid[1, column], samples[:, :, column])
        _coverage(grid[2, column], samples[:, :, column], ridge)
        for row, title in enumerate(("limit", "difference", "coverage")):
            letter(grid[row, column], "abcdefghi"[3 * row + column], rf"{title}, $\lambda$ = {ridge:g}")
    explain(figure, image, list(grid[0]))
    grid[1, 0].set_ylabel("$W_B^2 - W_C^2$")
    grid[2, 0].set_ylabel("Bayesian coverage")
    grid[1, 0].legend(fontsize=8, loc="upper left")
    return figure


def _map(axes: Any, ridge: float) -> Any:
    """The limit, with the simulated cells marked; the image whose colours the bar explains."""
    marked = np.meshgrid(experiment.RATIOS, experiment.SNRS)
    span = float(DENSE[0]), float(DENSE[-1])
    diagram(
        ridge,
        level=experiment.LEVEL,
        ratios=span,
        points=(marked[0].ravel(), marked[1].ravel()),
        bar=False,
        ax=axes,
    )
    axes.set_yticks(experiment.SNRS, [f"{snr:g}" for snr in experiment.SNRS])
    return axes.collections[0]


def _differences(axes: Any, samples: FloatArray) -> None:
    difference = samples[..., experiment.BAYES] - samples[..., experiment.SPLIT]
    mean, error = difference.mean(axis=0), standard_error(difference)
    trace = (samples[..., experiment.BAYES_TRACE] - samples[..., experiment.SPLIT_TRACE]).mean(axis=0)
    for k, (snr, look) in enumerate(zip(experiment.SNRS, LOOKS, strict=False)):
        axes.plot(experiment.RATIOS, trace[:, k], color=look.color, ls=look.linestyle, lw=1.2)
        points(axes, experiment.RATIOS, mean[:, k], error[:, k], look, f"SNR {snr:g}")
    reference(axes, 0.0)
    axes.set_xlabel(r"$\gamma = p/n$")


def _coverage(axes: Any, samples: FloatArray, ridge: float) -> None:
    covered = samples[..., experiment.BAYES_COVERAGE]
    mean, error = covered.mean(axis=0), standard_error(covered)
    for k, (snr, look) in enumerate(zip(experiment.SNRS, LOOKS, strict=False)):
        limit = [phase(float(x), ridge, snr**0.5, 1.0, experiment.LEVEL).coverage_bayes for x in DENSE]
        axes.plot(DENSE, limit, color=look.color, ls=look.linestyle, lw=1.2)
        points(axes, experiment.RATIOS, mean[:, k], error[:, k], look, f"SNR {snr:g}")
    reference(axes, experiment.LEVEL)
    axes.set_xlabel(r"$\gamma = p/n$")


def verification_figure(samples: FloatArray) -> Any:
    """Squared widths against finite traces: Bayesian (left) and split conformal (right)."""
    figure, grid = panels(1, 2, 8.4, 4.1)
    mean, error = samples.mean(axis=0), standard_error(samples)
    for panel, (axes, title) in enumerate(zip(grid[0], ("Bayesian", "split conformal"), strict=True)):
        # The Bayesian width does not depend on the signal: one marker there, one per signal-to-noise ratio here.
        for k, shape in enumerate(LOOKS[: len(experiment.SNRS) if panel else 1]):
            for i, hue in enumerate(LOOKS[: len(experiment.RATIOS)]):
                # Measures 0 and 1 are the simulated squared widths, 2 and 3 their traces, in the panels' order.
                width, bar, trace = mean[i, :, k, panel], error[i, :, k, panel], mean[i, :, k, panel + 2]
                points(axes, trace, width, bar, hue._replace(marker=shape.marker), "")
        axes.set(xscale="log", yscale="log")
        low, high = axes.get_xlim()
        axes.plot([low, high], [low, high], color="0.25", ls="--", lw=1.0, zorder=0)
        axes.set(xlabel="finite-trace squared width", ylabel="simulated squared width")
        for axis in (axes.xaxis, axes.yaxis):
            plain_ticks(axis)
        letter(axes, "ab"[panel], title)
    for hue, ratio in zip(LOOKS, experiment.RATIOS, strict=False):
        grid[0, 0].plot([], [], "o", ms=4.5, color=hue.color, label=rf"$\gamma$ = {ratio:g}")
    for shape, snr in zip(LOOKS, experiment.SNRS, strict=False):
        grid[0, 1].plot([], [], shape.marker, ms=4.5, color="0.4", label=f"SNR {snr:g}")
    for axes in grid[0]:
        axes.legend(fontsize=8, loc="upper left")
    return figure
