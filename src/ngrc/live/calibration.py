"""One tracker per step and level, and the forecasts that wait for their outcomes."""

from collections import deque
from dataclasses import dataclass, replace

import numpy as np

from ngrc.ahead.calibrated import ROUNDING
from ngrc.archive import check_that
from ngrc.features.bounds import Bounds
from ngrc.features.link import Link
from ngrc.intervals.base import Tracker

Pair = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Issued:
    """The forecasts of one origin.

    Parameters
    ----------
    origin, index
        Point of the clock and index of the observation that they were made at.
    mean, centre
        One per step, in the series' own units and in the link's; NaN where none was made.
    offsets
        Per step and level as the trackers gave them, in the link's units; None where no interval was issued.
    lower, upper
        Ends per level and step in the series' own units; None of forecasts from before the start.
    """

    origin: int
    index: int
    mean: list[float]
    centre: list[float]
    offsets: list[list[Pair | None]]
    lower: list[list[float]] | None
    upper: list[list[float]] | None


@dataclass(frozen=True, slots=True)
class Ripe:
    """One forecast of a target: the origin's forecasts, and which step of them."""

    step: int
    issued: Issued


@dataclass(slots=True)
class Calibration:
    """The trackers and what waits for them.

    Parameters
    ----------
    levels
        In the order in which the user gave them.
    trackers
        Per step and level.
    waiting
        The forecasts of the last H origins, oldest first: the newest is what was said last.
    link
        Between the series' own units and those of the residuals, as the start settled it.
    bounds
        What the history was found to obey, for a method that keeps to it, until an outcome crosses it.
    spread
        Whether widths never shrink from one step to the next, as those of `student`.
    """

    levels: tuple[float, ...]
    trackers: list[list[Tracker]]
    waiting: deque[Issued]
    link: Link
    bounds: Bounds
    spread: bool

    @property
    def horizon(self) -> int:
        """How many steps are forecast."""
        return len(self.trackers)

    def ripe(self) -> list[Ripe]:
        """The forecasts of the next target, the nearest step first."""
        count = len(self.waiting)
        return [Ripe(step, self.waiting[count - step]) for step in range(1, self.horizon + 1)]

    def mature(self, outcome: float | None) -> None:
        """The next target's outcome in the link's units goes to the trackers of all steps; None where it is missing."""
        count = len(self.waiting)
        for step, trackers in enumerate(self.trackers, start=1):
            issued = self.waiting[count - step]
            centre = issued.centre[step - 1]
            # A forecast that was not made, before the first fit of the start, has no residual either.
            if outcome is None or centre != centre:
                for tracker in trackers:
                    tracker.skip()
                continue
            residual = outcome - centre
            for tracker, offsets in zip(trackers, issued.offsets[step - 1], strict=True):
                take(tracker, residual, _missed(offsets, residual))

    def mature_late(self, ripe: list[Ripe], outcome: float) -> None:
        """The outcome of a target that was missing goes to the trackers that can take it now."""
        for one in ripe:
            centre = one.issued.centre[one.step - 1]
            if centre != centre:
                continue
            residual = outcome - centre
            offsets = one.issued.offsets[one.step - 1]
            for tracker, pair in zip(self.trackers[one.step - 1], offsets, strict=True):
                tracker.observe_late(residual, _missed(pair, residual))

    def issue(
        self,
        origin: int,
        index: int,
        mean: list[float],
        centre: list[float],
        leverages: list[float] | None,
    ) -> None:
        """Intervals around the forecasts of a new origin; the oldest origin's are forgotten."""
        offsets: list[list[Pair | None]] = [
            [tracker.issue(0.0 if leverages is None else leverages[place], centre[place]) for tracker in one]
            for place, one in enumerate(self.trackers)
        ]
        self.waiting.append(self.said(origin, index, mean, centre, offsets))
        if len(self.waiting) > self.horizon:
            self.waiting.popleft()

    def centre(self, mean: list[float]) -> list[float]:
        """Forecasts in the link's units."""
        if self.link.linear:
            return mean
        return [float(self.link.forward(np.array([one]))[0]) for one in mean]

    def said(
        self,
        origin: int,
        index: int,
        mean: list[float],
        centre: list[float],
        offsets: list[list[Pair | None]],
    ) -> Issued:
        """What is said of a new origin: the offsets of all levels, nested, as ends in the series' own units."""
        lower, upper = self._settled(offsets)
        ends = [
            [self._ends(mean[step], centre[step], low, high) for step, (low, high) in enumerate(pairs)]
            for pairs in (zip(*both, strict=True) for both in zip(lower, upper, strict=True))
        ]
        below = [[low for low, _ in level] for level in ends]
        above = [[high for _, high in level] for level in ends]
        return Issued(origin, index, mean, centre, offsets, below, above)

    def _settled(self, offsets: list[list[Pair | None]]) -> tuple[list[list[float]], list[list[float]]]:
        """Offsets per level and step: those of a higher level never inside those of a lower one."""
        lower = [[pair[0] for pair in level] for level in zip(*offsets, strict=True)]
        upper = [[pair[1] for pair in level] for level in zip(*offsets, strict=True)]
        if self.spread:
            upper = [np.maximum.accumulate(level).tolist() for level in upper]
            lower = [[-one for one in level] for level in upper]
        if len(self.levels) == 1:
            return lower, upper
        before: int | None = None
        for place in sorted(range(len(self.levels)), key=self.levels.__getitem__):
            if before is not None:
                lower[place] = [min(pair) for pair in zip(lower[place], lower[before], strict=True)]
                upper[place] = [max(pair) for pair in zip(upper[place], upper[before], strict=True)]
            before = place
        return lower, upper

    def _ends(self, mean: float, centre: float, low: float, high: float) -> Pair:
        """Ends of one interval, within the link's bounds and those that were found."""
        if self.link.identity:
            lower, upper = mean + low, mean + high
        else:
            below, above = self.link.ends(mean, low, high)
            lower, upper = float(below), float(above)
        if not self.bounds.given:
            return lower, upper
        found = self.bounds.lower, self.bounds.upper
        lower, upper = (_cut(end, *found) for end in (lower, upper))
        # As in `ahead.calibrated`: an end on a bound is the bound, whatever forecast plus offset rounds to.
        if found[0] is not None and low <= self._beyond(found[0], centre, 1.0):
            lower = found[0]
        if found[1] is not None and high >= self._beyond(found[1], centre, -1.0):
            upper = found[1]
        return lower, upper

    def _beyond(self, bound: float, centre: float, inwards: float) -> float:
        """Offset of a bound, inwards by its rounding."""
        place = float(self.link.forward(np.array([bound]))[0])
        return place - centre + inwards * ROUNDING * (abs(place) + abs(centre))

    def cross(self, value: float) -> None:
        """Drop a found bound that an outcome has crossed."""
        lower, upper = self.bounds.lower, self.bounds.upper
        if lower is not None and value < lower:
            self.bounds = replace(self.bounds, lower=None)
        if upper is not None and value > upper:
            self.bounds = replace(self.bounds, upper=None)

    def check_kept(self) -> None:
        """Refuse trackers and forecasts of different steps and levels."""
        steps, levels = self.horizon, len(self.levels)
        check_that(steps >= 1 and levels >= 1, "there are steps and levels")
        check_that(all(len(one) == levels for one in self.trackers), "there is a tracker per step and level")
        check_that(len(self.waiting) == steps, "forecasts of the last H origins wait")
        for issued in self.waiting:
            check_issued(issued, steps, levels)
        check_that(self.waiting[-1].lower is not None, "the newest forecasts have intervals")


def check_issued(issued: Issued, steps: int, levels: int) -> None:
    """Refuse forecasts of other steps and levels."""
    check_that(
        len(issued.mean) == len(issued.centre) == len(issued.offsets) == steps, "steps are those asked for"
    )
    check_that(all(len(one) == levels for one in issued.offsets), "levels are those asked for")
    check_that((issued.lower is None) == (issued.upper is None), "an interval has two ends")
    for ends in (issued.lower, issued.upper):
        check_that(
            ends is None or (len(ends) == levels and all(len(one) == steps for one in ends)),
            "ends are per level and step",
        )


def take(tracker: Tracker, residual: float, missed: bool | None) -> None:
    """Give a residual to a tracker; one that is beyond its arithmetic counts as missing."""
    # Such a residual is 1e300 times the size that the tracker expects. Refusing the observation here would leave the
    # trackers of other steps and levels with it and this one without.
    try:
        tracker.observe(residual, missed)
    except ValueError:
        tracker.skip()


def _missed(offsets: Pair | None, residual: float) -> bool | None:
    """Whether the interval missed, decided on the residual, as a block does; None where there was none."""
    return None if offsets is None else not offsets[0] <= residual <= offsets[1]


def _cut(end: float, lower: float | None, upper: float | None) -> float:
    low = end if lower is None else max(end, lower)
    return low if upper is None else min(low, upper)
