"""How far ends may reach: a bound that outcomes pile up on, and not far beyond all that was observed."""

import numpy as np

from ngrc._jit import jit
from ngrc._types import FloatArray

SHARE, LEAST = 0.01, 5
"""Outcomes on one and the same least (or largest) value that make it a bound: one in a hundred, and five, as in
`features/limits.py`, which no method may see; a test holds the two together."""

MOST = 1.0 / 3.0
"""Share of the outcomes on a bound up to which an interval wholly beyond it becomes the bound itself. Power is zero
half of the time: intervals that are the bound all night would hold every outcome there, and coverage could come down to
its level only by missing every second outcome of the day. There an end is cut where the other one is inside alone."""

# Places in the array of limits; the last two say whether an interval wholly beyond the bound becomes the bound.
LOWEST, HIGHEST, FLOOR, CEILING, SLACK, HARD_FLOOR, HARD_CEILING = 0, 1, 2, 3, 4, 5, 6


def start_limits(outcomes: FloatArray | None) -> FloatArray:
    """Least and largest outcome so far, and the bounds found among the known ones; none without forecasts."""
    limits = np.array([np.inf, -np.inf, -np.inf, np.inf, 0.0, 0.0, 0.0])
    if outcomes is None:
        limits[LOWEST], limits[HIGHEST] = -np.inf, np.inf
        return limits
    low, high = float(np.min(outcomes)), float(np.max(outcomes))
    # Outcomes are forecast plus residual, each rounded: equal ones differ in their last bits.
    limits[SLACK] = slack = 1e-9 * (high - low)
    enough = max(LEAST, SHARE * outcomes.size)
    below, above = np.count_nonzero(outcomes <= low + slack), np.count_nonzero(outcomes >= high - slack)
    if slack > 0.0:
        if below >= enough:
            limits[FLOOR], limits[HARD_FLOOR] = low, below <= MOST * outcomes.size
        if above >= enough:
            limits[CEILING], limits[HARD_CEILING] = high, above <= MOST * outcomes.size
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
def cut(members: FloatArray, largest: float, plain: int) -> None:
    """Cut the ends of every member, shape (members, 2 L), to the largest error so far plus one plain radius.

    No member has a weight of zero: after errors have grown by a factor of 10^11, a size times scores from before the
    size was fitted again is 10^11 times too large, and the least weight of it would still set the mixture's width.
    """
    levels = members.shape[1] // 2
    for level in range(levels):
        most = largest + members[plain, levels + level]
        for member in range(members.shape[0]):
            for end in (level, levels + level):
                members[member, end] = min(max(members[member, end], -most), most)


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
    """Cut ends to the bounds, with room for rounding: an outcome on a bound stays inside."""
    levels, slack = ends.size // 2, limits[SLACK]
    floor, ceiling = limits[FLOOR] - forecast, limits[CEILING] - forecast
    for level in range(levels):
        if limits[HARD_FLOOR] > 0.0:
            ends[levels + level] = max(ends[levels + level], floor + slack)
        if limits[HARD_CEILING] > 0.0:
            ends[level] = min(ends[level], ceiling - slack)
        if ends[levels + level] >= floor:
            ends[level] = max(ends[level], floor - slack)
        if ends[level] <= ceiling:
            ends[levels + level] = min(ends[levels + level], ceiling + slack)
