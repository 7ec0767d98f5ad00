"""Forecasts that wait for their outcomes."""

from collections.abc import Sequence
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


# Not frozen, for the same reason.
@dataclass(slots=True)
class Ripe:
    """One forecast of one target, apart from the others of its origin.

    Parameters
    ----------
    origin, mean, centre
        As of `Issued`.
    offsets, lower, upper
        One per level; no ends of a forecast from before the start.
    """

    origin: Any
    mean: float
    centre: float
    offsets: list[Any]
    lower: list[float] | None
    upper: list[float] | None


@dataclass(frozen=True, slots=True)
class Missing:
    """A target without an outcome: the index of its observation, and the forecasts of it by step."""

    index: int
    ripe: list[Ripe]


def ripe_of(waiting: Sequence[Issued]) -> list[Ripe]:
    """The forecasts of the next target by step; `waiting` holds those of the origins H .. 1 steps before it."""
    return [
        Ripe(
            issued.origin,
            issued.mean[place],
            issued.centre[place],
            issued.offsets[place],
            None if issued.lower is None else [ends[place] for ends in issued.lower],
            None if issued.upper is None else [ends[place] for ends in issued.upper],
        )
        for place, issued in enumerate(reversed(waiting))
    ]


def matured(
    ripe: Sequence[Ripe], levels: tuple[float, ...], target: Time, value: float
) -> tuple[Matured, ...]:
    """The forecasts of a target with its outcome, the nearest step first; those that were not made are left out."""
    found = []
    for step, one in enumerate(ripe, start=1):
        # Not a number: before the first fit of the start no forecast was made.
        if one.mean != one.mean:
            continue
        lower = upper = covered = None
        if one.lower is not None and one.upper is not None:
            lower, upper, covered = {}, {}, {}
            for level, low, high in zip(levels, one.lower, one.upper, strict=True):
                lower[level], upper[level], covered[level] = low, high, low <= value <= high
        found.append(Matured(step, one.origin, target, one.mean, value, lower, upper, covered))
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


def check_ripe(one: Ripe, levels: int) -> None:
    """Refuse a forecast of other levels."""
    sides = [one.offsets, one.lower, one.upper]
    check_that(all(side is None or len(side) == levels for side in sides), "levels are those asked for")
    check_that((one.lower is None) == (one.upper is None), "an interval has two ends")
    check_that(all(pair is None or _is_pair(pair) for pair in one.offsets), "offsets are pairs of numbers")
