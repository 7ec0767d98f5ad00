"""Phase portraits, true beside free-run; how errors grow, how long runs are valid, and z inferred."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ngrc._types import FloatArray
from ngrc.study.dynamics.inference import Inferred
from ngrc.study.dynamics.parts import Portrait
from ngrc.study.dynamics.settings import INFERENCE, LONGEST, THRESHOLD, Case
from ngrc.study.dynamics.windows import Runs
from ngrc.study.harness.figure import LOOKS, letter, panels, reference

SMALLEST = 1e-5
"""Errors are drawn from here on: below it lie a window's first steps alone."""


def portrait_figure(portraits: Sequence[Portrait]) -> Any:
    """Truth above, free run below, one column per system on the same axes."""
    figure, grid = panels(2, len(portraits), 3.5 * len(portraits), 6.4)
    for column, portrait in enumerate(portraits):
        for row, (path, name) in enumerate(((portrait.truth, "true"), (portrait.run, "free run"))):
            axes = grid[row, column]
            across, up, labels = _plane(path, portrait.case)
            axes.plot(across, up, color=LOOKS[row].color, lw=0.4)
            axes.set(xlabel=labels[0], ylabel=labels[1])
            letter(axes, "abcdef"[len(portraits) * row + column], f"{portrait.case.title}, {name}")
            # The truth's limits for both: a run that leaves the attractor is seen to.
            if row:
                axes.set(xlim=grid[0, column].get_xlim(), ylim=grid[0, column].get_ylim())
    return figure


def _plane(path: FloatArray, case: Case) -> tuple[FloatArray, FloatArray, tuple[str, str]]:
    """First and last channel, or a single one against its own past at the oldest lag."""
    if path.shape[1] > 1:
        return path[:, 0], path[:, -1], (case.coordinates[0], case.coordinates[-1])
    lag = case.reach
    return path[lag:, 0], path[:-lag, 0], ("x(t)", f"x(t - {lag * case.spacing:g})")


def validity_figure(runs: Sequence[Runs], inferred: Inferred) -> Any:
    """Errors by time, starts by valid time, and z true and inferred."""
    figure, grid = panels(1, 3, 11.4, 3.5)
    growth, valid, third = grid[0]
    for each, look in zip(runs, LOOKS, strict=False):
        _growth(growth, each, look.color, look.linestyle)
        ends = np.concatenate(((0.0,), np.sort(each.valid)))
        valid.step(ends, np.linspace(1.0, 0.0, ends.size), where="post", color=look.color, ls=look.linestyle)
    reference(growth, THRESHOLD)
    growth.set(
        yscale="log",
        ylim=(SMALLEST, 5.0),
        xlim=(0.0, LONGEST),
        xlabel="Lyapunov times",
        ylabel="error / size of the attractor",
    )
    growth.legend(fontsize=8, loc="lower right")
    letter(growth, "a", "Free-run error: median and middle eight of ten")
    valid.set(xlabel="Lyapunov times", ylabel="share of starts", ylim=(0.0, 1.02), xlim=(0.0, None))
    letter(valid, "b", "Starts whose run is still valid")
    _inferred(third, inferred)
    return figure


def _growth(axes: Any, runs: Runs, color: str, style: str) -> None:
    times = runs.case.spacing * np.arange(1, runs.errors.shape[1] + 1) / runs.case.lyapunov
    # A diverged run is drawn at the top: infinite numbers have no place on paper.
    low, middle, high = np.quantile(np.minimum(runs.errors, 1e3), (0.1, 0.5, 0.9), axis=0)
    axes.fill_between(times, np.maximum(low, SMALLEST), high, color=color, alpha=0.15, lw=0)
    axes.plot(times, middle, color=color, ls=style, lw=1.2, label=runs.case.title)


def _inferred(axes: Any, inferred: Inferred) -> None:
    times = INFERENCE.spacing * np.arange(inferred.truth.size)
    axes.plot(times, inferred.truth, color="0.35", lw=1.6, label="true")
    axes.plot(times, inferred.estimate, color=LOOKS[1].color, ls="--", lw=1.0, label="inferred")
    axes.set(xlim=(0.0, 20.0), xlabel="time after the fit", ylabel="z")
    axes.legend(fontsize=8, loc="upper right", ncols=2)
    letter(axes, "c", "Lorenz63: z from x and y")
