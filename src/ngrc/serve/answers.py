"""Forecasts as JSON holds them; the answer to an observation is the line that `ngrc stream` would write."""

from math import isfinite
from typing import Any

from ngrc.durable import Issued


def forecasts(coming: Issued) -> list[dict[str, Any]]:
    """One entry per step, with its interval at every level; an infinite end is None."""
    return [
        {
            "step": place + 1,
            "target": target,
            "mean": number(coming.mean[place]),
            "intervals": {
                level_name(level): [number(coming.lower[level][place]), number(coming.upper[level][place])]
                for level in coming.lower
            },
        }
        for place, target in enumerate(coming.targets)
    ]


def number(value: float | None) -> float | None:
    """A number that JSON has, or None."""
    return value if value is not None and isfinite(value) else None


def level_name(level: float) -> str:
    """A level as a key.

    Examples
    --------
    >>> level_name(0.9), level_name(0.975)
    ('0.9', '0.975')
    """
    return repr(float(level))
