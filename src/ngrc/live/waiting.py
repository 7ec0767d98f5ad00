"""Forecasts that wait for their outcomes."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ngrc.archive import check_shape, check_that
from ngrc.live.coming import Matured, Time

PACKED = ("origins", "numbers", "offsets", "ends")


class Forecast(NamedTuple):
    """One forecast of one target.

    Parameters
    ----------
    origin
        Time of the observation that it was made at.
    mean, centre
        In the series' own units and in the link's; NaN where none was made, before the first fit of the start.
    offsets
        Per level a pair as the tracker gave it, in the link's units; None where no interval was issued.
    ends
        Per level a pair in the series' own units; None of a forecast from before the start.
    """

    origin: Time
    mean: float
    centre: float
    offsets: list[Any]
    ends: list[tuple[float, float]] | None


class Missing(NamedTuple):
    """A target without an outcome: which observation it would have been, and the forecasts of it by step."""

    place: int
    forecasts: list[Forecast]


def matured(
    forecasts: Sequence[Forecast], levels: tuple[float, ...], target: Time, value: float
) -> tuple[Matured, ...]:
    """The forecasts of a target by step with its outcome; those that were not made are left out."""
    found = []
    for step, (origin, mean, _, _, ends) in enumerate(forecasts, start=1):
        if mean != mean:
            continue
        lower = upper = covered = None
        if ends is not None:
            lower, upper, covered = {}, {}, {}
            for level, (low, high) in zip(levels, ends, strict=True):
                lower[level], upper[level], covered[level] = low, high, low <= value <= high
        found.append(Matured(step, origin, target, mean, value, lower, upper, covered))
    return tuple(found)


def packed(rows: Sequence[Sequence[Forecast]], levels: int) -> dict[str, Any]:
    """Rows of H forecasts each as arrays, NaN for what is not there: thousands of them are kept in a moment."""
    flat = [one for row in rows for one in row]
    none = [(np.nan, np.nan)] * levels
    offsets = [[pair or none[0] for pair in one.offsets] for one in flat]
    ends = [none if one.ends is None else one.ends for one in flat]
    shape = len(flat), levels, 2
    return {
        "origins": np.array([one.origin for one in flat]),
        "numbers": np.array([(one.mean, one.centre) for one in flat]).reshape(len(flat), 2),
        "offsets": np.array(offsets, dtype=np.float64).reshape(shape),
        "ends": np.array(ends, dtype=np.float64).reshape(shape),
    }


def unpacked(kept: Any, rows: int, steps: int, levels: int) -> list[list[Forecast]]:
    """The rows again; `ValueError` where they are not so many, or of other steps or levels."""
    check_that(isinstance(kept, dict) and list(kept) == list(PACKED), "forecasts are kept by their parts")
    count = rows * steps
    shapes = (count,), (count, 2), (count, levels, 2), (count, levels, 2)
    for (name, part), shape in zip(kept.items(), shapes, strict=True):
        check_that(isinstance(part, np.ndarray), f"{name} is an array")
        check_shape(part, shape, name)
        check_that(name == "origins" or part.dtype == np.float64, f"{name} are numbers")
    origins: list[Time] = list(kept["origins"])
    if kept["origins"].dtype.kind != "M":
        origins = kept["origins"].tolist()
    flat = [
        Forecast(origin, mean, centre, [_pair(one) for one in offsets], _ends(ends))
        for origin, (mean, centre), offsets, ends in zip(
            origins, *(kept[name].tolist() for name in PACKED[1:]), strict=True
        )
    ]
    return [flat[start : start + steps] for start in range(0, count, steps)]


def _pair(numbers: list[float]) -> tuple[float, float] | None:
    return None if numbers[0] != numbers[0] else (numbers[0], numbers[1])


def _ends(numbers: list[list[float]]) -> list[tuple[float, float]] | None:
    return None if numbers[0][0] != numbers[0][0] else [(low, high) for low, high in numbers]
