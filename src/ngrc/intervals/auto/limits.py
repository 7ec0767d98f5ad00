"""How far ends may reach: a bound that outcomes pile up on, and not far beyond all that was ever seen."""

import numpy as np

from ngrc._jit import jit
from ngrc._types import FloatArray

SHARE, LEAST = 0.01, 5
"""Outcomes on one and the same least (or largest) value that make it a bound: one in a hundred, and five."""

# Places in the array of limits.
LOWEST, HIGHEST, FLOOR, CEILING, SLACK = 0, 1, 2, 3, 4


def start_limits(outcomes: FloatArray | None) -> FloatArray:
    """Least and largest outcome so far, and the bounds found among the known ones; none without forecasts."""
    limits = np.array([np.inf, -np.inf, -np.inf, np.inf, 0.0])
    if outcomes is None:
        return np.array([-np.inf, np.inf, -np.inf, np.inf, 0.0])
    low, high = float(np.min(outcomes)), float(np.max(outcomes))
    # Outcomes are forecast plus residual, each rounded: equal ones differ in their last bits.
    limits[SLACK] = slack = 1e-9 * (high - low)
    enough = max(LEAST, SHARE * outcomes.size)
    if slack > 0.0:
        if np.count_nonzero(outcomes <= low + slack) >= enough:
            limits[FLOOR] = low
        if np.count_nonzero(outcomes >= high - slack) >= enough:
            limits[CEILING] = high
    return limits


@jit
def learn(limits: FloatArray, outcome: float) -> None:
    """An outcome has become known; a bound that it crosses is dropped."""
    if not np.isfinite(outcome):
        return
    if limits[LOWEST] != -np.inf:
        limits[LOWEST] = min(limits[LOWEST], outcome)
        limits[HIGHEST] = max(limits[HIGHEST], outcome)
    if outcome < limits[FLOOR] - limits[SLACK]:
        limits[FLOOR] = -np.inf
    if outcome > limits[CEILING] + limits[SLACK]:
        limits[CEILING] = np.inf


@jit
def near(limits: FloatArray, forecast: float, radii: FloatArray, mixture: FloatArray) -> None:
    """Cut a mixture to one plain radius beyond all outcomes so far: a size that exploded must not carry an end away."""
    levels = radii.size
    if limits[LOWEST] > limits[HIGHEST] or limits[LOWEST] == -np.inf:
        return
    for level in range(levels):
        room = radii[level]
        mixture[level] = max(mixture[level], min(limits[LOWEST] - forecast, 0.0) - room)
        mixture[levels + level] = min(mixture[levels + level], max(limits[HIGHEST] - forecast, 0.0) + room)


@jit
def within(limits: FloatArray, forecast: float, ends: FloatArray) -> None:
    """Cut ends to the bounds; an outcome on a bound stays inside."""
    levels = ends.size // 2
    slack = limits[SLACK]
    floor, ceiling = limits[FLOOR] - forecast, limits[CEILING] - forecast
    for level in range(levels):
        # Where both ends lie beyond a bound the interval is the bound itself, with room for the rounding on either side.
        ends[level] = min(max(ends[level], floor - slack), ceiling - slack)
        ends[levels + level] = max(min(ends[levels + level], ceiling + slack), floor + slack)
