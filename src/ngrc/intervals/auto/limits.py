"""How far ends may reach: a bound that outcomes pile up on, and not far beyond all that was observed."""

import numpy as np

from ngrc._kernels.auto import (
    LIMITS_CEILING,
    LIMITS_FLOOR,
    LIMITS_HARD_CEILING,
    LIMITS_HARD_FLOOR,
    LIMITS_HIGHEST,
    LIMITS_LOWEST,
    LIMITS_SLACK,
)
from ngrc._types import FloatArray

SHARE, LEAST = 0.01, 5
"""Outcomes on one and the same least (or largest) value that make it a bound: one in a hundred, and five, as in
`features/limits.py`, which no method may see; a test holds the two together."""

MOST = 1.0 / 3.0
"""Share of the outcomes on a bound up to which an interval wholly beyond it becomes the bound itself. Power is zero
half of the time: intervals that are the bound all night would hold every outcome there, and coverage could come down to
its level only by missing every second outcome of the day. There an end is cut where the other one is inside alone."""


def start_limits(outcomes: FloatArray | None) -> FloatArray:
    """Least and largest outcome so far, and the bounds found among the known ones; none without forecasts."""
    limits = np.array([np.inf, -np.inf, -np.inf, np.inf, 0.0, 0.0, 0.0])
    if outcomes is None:
        limits[LIMITS_LOWEST], limits[LIMITS_HIGHEST] = -np.inf, np.inf
        return limits
    low, high = float(np.min(outcomes)), float(np.max(outcomes))
    # Outcomes are forecast plus residual, each rounded: equal ones differ in their last bits.
    limits[LIMITS_SLACK] = slack = 1e-9 * (high - low)
    enough = max(LEAST, SHARE * outcomes.size)
    below, above = np.count_nonzero(outcomes <= low + slack), np.count_nonzero(outcomes >= high - slack)
    if slack > 0.0:
        if below >= enough:
            limits[LIMITS_FLOOR], limits[LIMITS_HARD_FLOOR] = low, below <= MOST * outcomes.size
        if above >= enough:
            limits[LIMITS_CEILING], limits[LIMITS_HARD_CEILING] = high, above <= MOST * outcomes.size
    return limits
