"""One tracker per step and level, and the forecasts that wait for their outcomes."""

from collections import deque
from dataclasses import dataclass, replace
from typing import Any

from ngrc.archive import check_that
from ngrc.features.bounds import Bounds
from ngrc.features.link import Link
from ngrc.intervals.base import Tracker
from ngrc.live.ends import Pair, centres, ends_of, settled
from ngrc.live.waiting import Issued, Ripe, check_issued


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
        return [Ripe(step, self.waiting[-step]) for step in range(1, self.horizon + 1)]

    def advance(
        self,
        outcome: float | None,
        mean: list[float],
        centre: list[float],
        leverages: list[float] | None,
        origin: Any,
    ) -> None:
        """The next target's outcome to the trackers, None where it is missing, and intervals from its time on.

        Parameters
        ----------
        outcome
            In the link's units.
        mean, centre
            Forecasts from there, in the series' own units and in the link's.
        leverages
            Those of the forecasts, where the method reads any.
        origin
            The target's time, which is the origin of what is issued.
        """
        offsets = []
        for place, trackers in enumerate(self.trackers):
            before = self.waiting[-place - 1]
            residual = None if outcome is None else outcome - before.centre[place]
            # Not a number: before the first fit of the start no forecast was made, and there is no residual.
            if residual is not None and residual != residual:
                residual = None
            leverage, forecast = 0.0 if leverages is None else leverages[place], centre[place]
            offsets.append(
                [
                    _stepped(tracker, residual, then, leverage, forecast)
                    for tracker, then in zip(trackers, before.offsets[place], strict=True)
                ]
            )
        self.waiting.append(self.said(origin, mean, centre, offsets))
        self.waiting.popleft()

    def mature_late(self, ripe: list[Ripe], outcome: float) -> None:
        """The outcome of a target that was missing goes to the trackers that can take it now."""
        for one in ripe:
            residual = outcome - one.issued.centre[one.step - 1]
            if residual == residual:
                offsets = one.issued.offsets[one.step - 1]
                for tracker, pair in zip(self.trackers[one.step - 1], offsets, strict=True):
                    tracker.observe_late(residual, _missed(pair, residual))

    def said(self, origin: Any, mean: list[float], centre: list[float], offsets: list[list[Pair]]) -> Issued:
        """What is said from a new origin: the offsets of all levels, nested, as ends in the series' own units."""
        if len(offsets) == len(self.levels) == 1 and self.link.identity and not self.bounds.given:
            # One step and one level of a plain series, as most streams are: nothing to nest, to spread or to cut.
            ((low, high),) = offsets[0]
            return Issued(origin, mean, centre, offsets, [[mean[0] + low]], [[mean[0] + high]])
        lower, upper = settled(offsets, self.levels, self.spread)
        ends = [
            [
                ends_of(self.link, self.bounds, *numbers)
                for numbers in zip(mean, centre, low, high, strict=True)
            ]
            for low, high in zip(lower, upper, strict=True)
        ]
        below = [[pair[0] for pair in level] for level in ends]
        above = [[pair[1] for pair in level] for level in ends]
        return Issued(origin, mean, centre, offsets, below, above)

    def centre(self, mean: list[float]) -> list[float]:
        """Forecasts in the link's units."""
        return mean if self.link.linear else centres(self.link, mean)

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


def _stepped(
    tracker: Tracker, residual: float | None, offsets: Pair | None, leverage: float, forecast: float
) -> Pair:
    """The next offsets of a tracker that is given the newest residual; one beyond its arithmetic counts as missing."""
    if residual is not None:
        missed = None if offsets is None else not offsets[0] <= residual <= offsets[1]
        # Such a residual is 1e300 times the size that the tracker expects. Refusing the observation here would leave
        # the trackers of other steps and levels with it and this one without.
        try:
            return tracker.step(residual, missed, leverage, forecast)
        except ValueError:
            pass
    tracker.skip()
    return tracker.issue(leverage, forecast)


def _missed(offsets: Pair | None, residual: float) -> bool | None:
    """Whether the interval missed, decided on the residual, as a block does; None where there was none."""
    return None if offsets is None else not offsets[0] <= residual <= offsets[1]
