"""The two figures of Experiment 2."""

from typing import Any

import numpy as np

from ngrc._normal import gaussian_radius
from ngrc._types import FloatArray
from ngrc.study.harness.estimate import standard_error
from ngrc.study.harness.figure import LOOKS, letter, panels, plain_ticks, points, reference
from ngrc.study.phase import cells as experiment
from ngrc.theory import phase, resolvent_limits

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
    bar = figure.colorbar(image, ax=list(grid[0]), label="limit of $W_B^2 - W_C^2$", extend="both")
    bar.set_ticks([-100, -10, -1, 0, 1, 10, 100], labels=["-100", "-10", "-1", "0", "1", "10", "100"])
    bar.minorticks_off()
    grid[1, 0].set_ylabel("$W_B^2 - W_C^2$")
    grid[2, 0].set_ylabel("Bayesian coverage")
    grid[1, 0].legend(fontsize=8, loc="upper left")
    return figure


def _map(axes: Any, ridge: float) -> Any:
    from matplotlib.colors import SymLogNorm

    snrs = np.geomspace(0.125, 8.0, 121)
    # 4 z^2 lambda I2 (gamma - SNR lambda) at sigma = 1: equation `hd_phase` of the paper.
    factor = 4.0 * gaussian_radius(experiment.LEVEL) ** 2 * ridge
    scale = np.array([factor * resolvent_limits(float(ratio), ridge).I2 for ratio in DENSE])
    limit = scale * (DENSE - snrs[:, None] * ridge)
    norm = SymLogNorm(linthresh=1.0, vmin=-100.0, vmax=100.0)
    image = axes.pcolormesh(DENSE, snrs, limit, norm=norm, cmap="PuOr", shading="nearest", rasterized=True)
    axes.plot(DENSE, DENSE / ridge, color="black", lw=1.6)
    for snr in experiment.SNRS:
        axes.plot(
            experiment.RATIOS,
            [snr] * len(experiment.RATIOS),
            "o",
            ms=2.5,
            color="black",
            mfc="white",
            mew=0.6,
        )
    axes.set(yscale="log", ylim=(snrs[0], snrs[-1]), xlim=(DENSE[0], DENSE[-1]), xlabel=r"$\gamma = p/n$")
    axes.set_yticks(experiment.SNRS, [f"{snr:g}" for snr in experiment.SNRS])
    axes.minorticks_off()
    axes.grid(False)
    axes.set_ylabel("SNR")
    label = {"fontsize": 8, "bbox": {"fc": "white", "ec": "none", "alpha": 0.85, "pad": 1.5}}
    axes.text(0.96, 0.05, "Bayes wider", transform=axes.transAxes, ha="right", **label)
    if DENSE[-1] / ridge <= snrs[-1]:
        axes.text(0.04, 0.91, "conformal wider", transform=axes.transAxes, **label)
    return image


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
