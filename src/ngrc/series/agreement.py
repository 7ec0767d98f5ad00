"""Whether two columns of times say the same, row by row."""

from typing import Any

import numpy as np

from ngrc._types import AnyArray, BoolArray
from ngrc.series.grid import FLOAT_TOLERANCE
from ngrc.series.regular import coming_times
from ngrc.series.wording import array_row, shown_time


def check_same_times(first: AnyArray, second: AnyArray, owners: tuple[str, str]) -> None:
    """Raise `ValueError` naming the first row at which two columns of times differ.

    Where one column is longer, its further times must continue the grid of the other.

    Examples
    --------
    >>> check_same_times(np.array([1, 2, 3]), np.array([1, 2, 3, 4]), ("the series", "exog"))
    """
    if (first.dtype.kind == "M") != (second.dtype.kind == "M"):
        kinds = ["dates" if times.dtype.kind == "M" else "numbers" for times in (first, second)]
        raise ValueError(
            f"the times of {owners[0]} are {kinds[0]} and those of {owners[1]} {kinds[1]}; give both alike, or leave "
            "the times of one out"
        )
    size = max(first.size, second.size)
    left, right = extended(first, size), extended(second, size)
    if left is None or right is None:
        size = min(first.size, second.size)
        left, right = first[:size], second[:size]
    wrong = np.flatnonzero(_differ(left, right))
    if wrong.size:
        row = int(wrong[0])
        raise ValueError(
            f"{array_row(row)}: {owners[0]} is at {shown_time(left[row])}, {owners[1]} at {shown_time(right[row])}; "
            "give both at the same times"
        )


def has_zone(data: Any) -> bool | None:
    """Whether the dates of a pandas index have a time zone; None where there is no such index.

    Examples
    --------
    >>> import pandas as pd
    >>> has_zone(pd.Series([1.0], index=pd.to_datetime(["2024-01-01"]))), has_zone([1.0])
    (False, None)
    """
    index: Any = getattr(data, "index", None)
    return index.tz is not None if type(index).__name__ == "DatetimeIndex" else None


def check_zones(series: Any, exog: Any) -> None:
    """Refuse dates with a zone beside dates without one: nobody can say how many hours lie between them."""
    zones = has_zone(series), has_zone(exog)
    if None not in zones and zones[0] != zones[1]:
        words = ["with a time zone" if zone else "without a time zone" for zone in zones]
        raise ValueError(
            f"the series has times {words[0]} and exog times {words[1]}; give both alike (tz_localize the one without)"
        )


def extended(times: AnyArray, size: int) -> AnyArray | None:
    """Times carried on along their grid to `size` entries, or cut there; None where fewer than two set no grid.

    Examples
    --------
    >>> extended(np.array([0, 2, 4]), 5)
    array([0, 2, 4, 6, 8])
    """
    if times.size >= size:
        return times[:size]
    if times.size < 2:
        return None
    return np.concatenate([times, coming_times(times, size - times.size)])


def _differ(first: AnyArray, second: AnyArray) -> BoolArray:
    if first.dtype.kind != "f" and second.dtype.kind != "f":
        return np.asarray(first != second)
    # Floating-point times may miss each other by as much as one column may miss its own grid.
    step = float(np.median(np.diff(first))) if first.size > 1 else 0.0
    return np.asarray(np.abs(first - second) > FLOAT_TOLERANCE * step)
