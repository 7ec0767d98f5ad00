"""How every method answers a change: bands around it, and trailing coverage."""

from typing import Any

import numpy as np

from ngrc._types import FloatArray
from ngrc.backtesting.results import Run
from ngrc.plot.band import edges
from ngrc.plot.canvas import headroom
from ngrc.plot.coverage import coverage
from ngrc.plot.looks import METHOD_LOOKS
from ngrc.plot.style import new_figure, styled

BAND_METHODS = ("bayes", "split", "adaptive", "auto")
"""Methods whose bands are drawn: two that freeze their width and two that do not; all would hide each other."""

BEFORE, AFTER = 60, 100
"""Test steps drawn around the change: the widths before it, and one trailing window of answers to it."""


def response_figure(values: FloatArray, run: Run, change: int, *, window: int = 100) -> Any:
    """Forecasts with bands around the change (top) and trailing coverage by method (bottom).

    Parameters
    ----------
    values
        The observed series, in the units of the run.
    run
        One run at one level.
    change
        Test step at which the series changes.
    window
        Length of the trailing window of the lower panel, in test steps.
    """
    with styled():
        figure = new_figure(9.0, 6.6)
        top, bottom = figure.subplots(2, 1, height_ratios=(1.15, 1.0))
        _bands(top, values, run, change)
        _coverage(bottom, values, run, change, window)
    return figure


def _bands(axes: Any, values: FloatArray, run: Run, change: int) -> None:
    test, rows = run.blocks.test, run.blocks.test_rows
    near = slice(max(change - BEFORE, 0), min(change + AFTER, rows))
    steps = np.arange(rows)[near]
    axes.plot(steps, values[test][near], ".", color="black", ms=3.5, label="observed")
    axes.plot(steps, run.forecasts[test][near], color="black", lw=0.9, label="forecast")
    # A run of fewer methods is drawn as far as it goes.
    for name in BAND_METHODS:
        if name not in {band.method for band in run.bands}:
            continue
        band = run.band(name)
        edges(axes, steps, (band.lower[near], band.upper[near]), METHOD_LOOKS[name], name)
    _mark_change(axes, change)
    title = f"Forecasts and {100 * run.bands[0].level:g} % bands of four methods around the change"
    axes.set(title=title, xlabel="test step", ylabel="series")
    axes.margins(x=0)
    axes.legend(ncols=6, loc="upper center", fontsize=8, frameon=True, framealpha=1.0, edgecolor="none")
    # Room for the legend above the highest band; 15 % is one line of it at this size.
    headroom(axes, 0.15)


def _coverage(axes: Any, values: FloatArray, run: Run, change: int, window: int) -> None:
    outcomes = values[run.blocks.test]
    bands = {band.method: (band.lower, band.upper) for band in run.bands}
    coverage(outcomes, bands, run.bands[0].level, window=window, ax=axes)
    _mark_change(axes, change)
    axes.set_title("", loc="left")
    axes.set_title(f"Coverage over the last {window} test steps")


def _mark_change(axes: Any, change: int) -> None:
    axes.axvline(change, color="black", lw=0.9, ls="--")
    axes.annotate(
        "noise rises",
        (change, 0.02),
        xycoords=("data", "axes fraction"),
        xytext=(4, 0),
        textcoords="offset points",
        fontsize=8,
    )
