"""Forecasts that wait for their outcomes."""

from dataclasses import dataclass
from typing import Any

from ngrc.archive import check_that
from ngrc.live.coming import Matured, Time


# Not frozen: one is made per observation, and a frozen one takes three times as long to make.
@dataclass(slots=True)
class Issued:
    """The forecasts of one origin.

    Parameters
    ----------
    origin
        Time of the observation that they were made at.
    mean, centre
        One per step, in the series' own units and in the link's; NaN where none was made.
    offsets
        Per step and level as the trackers gave them, in the link's units; None where no interval was issued.
    lower, upper
        Ends per level and step in the series' own units; None of forecasts from before the start.
    """

    origin: Any
    mean: list[float]
    centre: list[float]
    offsets: list[Any]
    lower: list[list[float]] | None
    upper: list[list[float]] | None


@dataclass(frozen=True, slots=True)
class Ripe:
    """One forecast of a target: the origin's forecasts, and which step of them."""

    step: int
    issued: Issued


@dataclass(frozen=True, slots=True)
class Missing:
    """A target without an outcome: the index of its observation, and the forecasts of it."""

    index: int
    ripe: list[Ripe]


def matured(ripe: list[Ripe], levels: tuple[float, ...], target: Time, value: float) -> tuple[Matured, ...]:
    """The forecasts of a target with its outcome; those that were not made are left out."""
    found = []
    for one in ripe:
        place, issued = one.step - 1, one.issued
        mean = issued.mean[place]
        # Not a number: before the first fit of the start no forecast was made.
        if mean != mean:
            continue
        lower = upper = covered = None
        if issued.lower is not None and issued.upper is not None:
            lower, upper, covered = {}, {}, {}
            for level, below, above in zip(levels, issued.lower, issued.upper, strict=True):
                low, high = lower[level], upper[level] = below[place], above[place]
                covered[level] = low <= value <= high
        found.append(Matured(one.step, issued.origin, target, mean, value, lower, upper, covered))
    return tuple(found)


def check_issued(issued: Issued, steps: int, levels: int) -> None:
    """Refuse forecasts of other steps and levels."""
    check_that(
        len(issued.mean) == len(issued.centre) == len(issued.offsets) == steps, "steps are those asked for"
    )
    for step in issued.offsets:
        check_that(isinstance(step, list) and len(step) == levels, "levels are those asked for")
        check_that(all(pair is None or _is_pair(pair) for pair in step), "offsets are pairs of numbers")
    check_that((issued.lower is None) == (issued.upper is None), "an interval has two ends")
    for ends in (issued.lower, issued.upper):
        check_that(
            ends is None or (len(ends) == levels and all(len(one) == steps for one in ends)),
            "ends are per level and step",
        )


def _is_pair(pair: Any) -> bool:
    return isinstance(pair, tuple) and len(pair) == 2 and all(isinstance(end, float) for end in pair)
