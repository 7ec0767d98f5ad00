"""How often a series has a value, in words."""

from ngrc._types import AnyArray
from ngrc.series.regular import find_grid

_WORDS = {
    "1 second": "every second",
    "1 minute": "every minute",
    "30 minutes": "half-hourly",
    "1 hour": "hourly",
    "1 day": "daily",
    "7 days": "weekly",
    "1 month": "monthly",
    "3 months": "quarterly",
    "1 year": "yearly",
    "1 weekday": "on weekdays",
    "1 working day": "on working days",
}


def frequency(times: AnyArray) -> str | None:
    """The step of regular times of shape (n,) in words; None where fewer than two set no step.

    Examples
    --------
    >>> import numpy as np
    >>> frequency(np.arange("2024-01", "2024-05", dtype="M8[M]").astype("M8[D]"))
    'monthly'
    >>> frequency(np.array([10, 20, 30]))
    'one step of 10 apart'
    """
    if times.size < 2:
        return None
    label = find_grid(times).label
    if times.dtype.kind != "M":
        return f"one step of {label} apart"
    return _WORDS.get(label, f"every {label}")
