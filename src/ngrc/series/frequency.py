"""How often a series has a value, in words."""

import numpy as np

from ngrc._types import AnyArray
from ngrc.series.regular import find_grid


def frequency(times: AnyArray | None) -> str | None:
    """The step of regular times of shape (n,) in words; None where fewer than two set no step.

    Examples
    --------
    >>> frequency(np.arange("2024-01", "2024-05", dtype="M8[M]").astype("M8[D]"))
    'every month'
    >>> frequency(np.arange("2024-01-01T00:00", "2024-01-01T02:00", 15, dtype="M8[m]"))
    'every 15 minutes'
    >>> frequency(np.array([10, 20, 30]))
    'one step of 10 apart'
    """
    if times is None or times.size < 2:
        return None
    if times.dtype.kind != "M":
        return f"one step of {find_grid(times).label} apart"
    # Months and years as units have no whole number of days; their first days have.
    days = times.astype("M8[D]") if np.datetime_data(times.dtype)[0] in ("Y", "M", "W") else times
    label = find_grid(days).label
    return "every week" if label == "7 days" else f"every {label.removeprefix('1 ')}"
