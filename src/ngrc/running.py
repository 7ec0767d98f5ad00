"""A fitted one-step model running on its own forecasts."""

import numpy as np

from ngrc._types import FloatArray
from ngrc.features.link import Link
from ngrc.features.scaling import Scale
from ngrc.fitted import Fitted, Sight
from ngrc.readout.free_run import free_run


def check_running(fitted: Fitted) -> None:
    """An error where a model cannot run on its own forecasts, whatever the data."""
    if fitted.horizons != (1,):
        raise ValueError(
            f"free running needs a model with horizon 1, this one has {fitted.horizon}; fit another"
        )
    if fitted.preparation.beside:
        raise ValueError(
            f"free running cannot continue {', '.join(fitted.preparation.beside)} beside the series; fit a model "
            "without exog, or a vector series"
        )


def run_freely(sight: Sight, steps: int) -> FloatArray:
    """Continue the data by `steps` values, shape (steps, channels), in the series' own units."""
    fitted, size = sight.fitted, sight.observed.size
    needed = fitted.reach(1) + 1
    if size < needed:
        raise ValueError(
            f"free running needs at least {needed} observations, got {size}; give a longer history"
        )
    limits = [(column.low, column.high) for column in fitted.preparation.series.values()]
    bounds = [
        _bounds(link, scale)
        for link, scale in zip(fitted.preparation.links, fitted.preparation.scales, strict=True)
    ]
    values = free_run(
        fitted.feature_map, sight.inputs, sight.x, fitted.readouts, steps, fitted.goal, limits, bounds
    )
    # The kernel stops at the first value that is not finite and leaves NaN from there on.
    diverged = np.flatnonzero(np.isnan(values).any(axis=1))
    if diverged.size:
        raise ValueError(
            f"the free run diverged at step {diverged[0] + 1} of {steps}; "
            "use a larger ridge, fewer lags or a lower degree"
        )
    preparation = fitted.preparation
    parts = zip(values.T, preparation.scales, preparation.links, strict=True)
    return np.stack([link.forecasts(scale.restore(column)) for column, scale, link in parts], axis=1)


def _bounds(link: Link, scale: Scale) -> tuple[float, float]:
    """Bounds of forecasts in units of the scale; infinite where there are none."""

    def end(bound: float | None, without: float) -> float:
        if bound is None:
            return without
        try:
            linked = link.forward(np.array([bound]))
        except ValueError:
            # A bound at the edge of the transform's domain, zero for a logarithm, is never reached.
            return without
        return float(scale.standardise(linked)[0])

    return end(link.bounds.lower, -np.inf), end(link.bounds.upper, np.inf)
