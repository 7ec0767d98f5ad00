"""One tracker per step and level, and the forecasts that wait for their outcomes."""

from collections import deque
from dataclasses import replace
from math import isfinite
from typing import Any

from ngrc.archive import check_that
from ngrc.features.bounds import Bounds
from ngrc.features.link import Link
from ngrc.intervals.base import Tracker
from ngrc.live.ends import Pair, centres, cut, ends_of, plain_ends, settled
from ngrc.live.waiting import Forecast, packed, unpacked

KEPT = ("levels", "trackers", "waiting", "link", "bounds", "spread")


class Calibration:
    """The trackers and what waits for them.

    Parameters
    ----------
    levels
        In the order in which the user gave them.
    trackers
        Per step and level.
    waiting
        The forecasts of the last H origins by step, oldest first: the newest is what was said last.
    link
        Between the series' own units and those of the residuals, as the start settled it.
    bounds
        What the history was found to obey, for a method that keeps to it, until an outcome crosses it.
    spread
        Whether widths of origins after the start never shrink from one step to the next, as those of `student`.

    Attributes
    ----------
    plain
        Whether the link changes nothing, so that residuals are plain differences.
    """

    __slots__ = ("_alone", "_linear", "bounds", "levels", "link", "plain", "spread", "trackers", "waiting")

    def __init__(
        self,
        levels: tuple[float, ...],
        trackers: list[list[Tracker]],
        waiting: deque[list[Forecast]],
        link: Link,
        bounds: Bounds,
        spread: bool,
    ) -> None:
        self.levels, self.trackers, self.waiting = levels, trackers, waiting
        self.link, self.bounds, self.spread = link, bounds, spread
        # Asked at every observation, where a property costs as much as the sum that it decides on.
        self._linear, self.plain = link.linear, link.identity
        self._alone = len(trackers) == len(levels) == 1 and self.plain and not bounds.given

    @property
    def horizon(self) -> int:
        """How many steps are forecast."""
        return len(self.trackers)

    def ripe(self) -> list[Forecast]:
        """The forecasts of the next target by step: that of h steps was made h - 1 origins before the newest."""
        return [row[place] for place, row in enumerate(reversed(self.waiting))]

    def advance(
        self,
        ripe: list[Forecast],
        outcome: float | None,
        mean: list[float],
        centre: list[float],
        leverages: list[float] | None,
        origin: Any,
    ) -> None:
        """The next target's outcome to the trackers, None where it is missing, and intervals from its time on.

        Parameters
        ----------
        ripe, outcome
            The forecasts of the target, and its outcome in the link's units, for which `check_residuals` has passed.
        mean, centre
            Forecasts from there, in the series' own units and in the link's.
        leverages
            Those of the forecasts, where the method reads any.
        origin
            The target's time, which is the origin of what is issued.
        """
        offsets = []
        for place, (_, _, then, before, _) in enumerate(ripe):
            # Not a number: before the first fit of the start no forecast was made, and there is no residual.
            residual = None if outcome is None or then != then else outcome - then
            leverage, forecast = 0.0 if leverages is None else leverages[place], centre[place]
            pairs = zip(self.trackers[place], before, strict=True)
            offsets.append([_stepped(tracker, residual, pair, leverage, forecast) for tracker, pair in pairs])
        self.waiting.append(self.said(origin, mean, centre, offsets))
        self.waiting.popleft()

    def mature_late(self, ripe: list[Forecast], outcome: float) -> None:
        """The outcome of a target that was missing goes to the trackers that can take it now."""
        for trackers, one in zip(self.trackers, ripe, strict=True):
            if one.centre == one.centre:
                residual = outcome - one.centre
                for tracker, pair in zip(trackers, one.offsets, strict=True):
                    tracker.observe_late(residual, _missed(pair, residual))

    def said(
        self, origin: Any, mean: list[float], centre: list[float], offsets: list[list[Pair]]
    ) -> list[Forecast]:
        """What is said from a new origin: the offsets of all levels, nested, as ends in the series' own units."""
        if self._alone:
            # One step and one level of a plain series, as most streams are: nothing to nest, to spread or to cut.
            ((low, high),) = offsets[0]
            ends = (mean[0] + min(low, 0.0), mean[0] + max(high, 0.0))
            return [Forecast(origin, mean[0], centre[0], offsets[0], [ends])]
        sides = settled(offsets, self.levels, self.spread)
        made = plain_ends if self.plain and not self.bounds.given else self._ends
        levels = [made(mean, centre, lower, upper) for lower, upper in zip(*sides, strict=True)]
        within = [cut(one, self.bounds) for one in mean] if self.bounds.given else mean
        rows = zip(within, centre, offsets, zip(*levels, strict=True), strict=True)
        return [Forecast(origin, one, then, pairs, list(ends)) for one, then, pairs, ends in rows]

    def _ends(
        self, mean: list[float], centre: list[float], lower: list[float], upper: list[float]
    ) -> list[Pair]:
        """Ends of all steps at one level."""
        numbers = zip(mean, centre, lower, upper, strict=True)
        return [ends_of(self.link, self.bounds, *one) for one in numbers]

    def centre(self, mean: list[float]) -> list[float]:
        """Forecasts in the link's units."""
        return mean if self._linear else centres(self.link, mean)

    def cross(self, value: float) -> None:
        """Drop a found bound that an outcome has crossed."""
        lower, upper = self.bounds.lower, self.bounds.upper
        if lower is not None and value < lower:
            self.bounds = replace(self.bounds, lower=None)
        if upper is not None and value > upper:
            self.bounds = replace(self.bounds, upper=None)

    def kept(self) -> dict[str, Any]:
        """All that was given, the forecasts as arrays."""
        state = {name: getattr(self, name) for name in KEPT}
        return {**state, "waiting": packed(self.waiting, len(self.levels))}

    @classmethod
    def rebuilt(cls, kept: dict[str, Any]) -> "Calibration":
        """The same of what was kept."""
        check_that(list(kept) == list(KEPT), f"trackers are kept with {', '.join(KEPT)}")
        levels, trackers, waiting, link, bounds, spread = kept.values()
        check_that(isinstance(levels, tuple) and bool(levels), "there are levels")
        check_that(all(isinstance(one, float) for one in levels), "levels are numbers")
        check_that(isinstance(trackers, list) and bool(trackers), "there are steps")
        for row in trackers:
            check_that(
                isinstance(row, list) and len(row) == len(levels), "there is a tracker per step and level"
            )
            check_that(all(isinstance(one, Tracker) for one in row), "trackers are trackers")
        check_that(isinstance(link, Link) and isinstance(bounds, Bounds), "residuals have units")
        check_that(type(spread) is bool, "widths are spread or not")
        rows = unpacked(waiting, len(trackers), len(trackers), len(levels))
        check_that(all(one.ends is not None for one in rows[-1]), "the newest forecasts have intervals")
        return cls(levels, trackers, deque(rows), link, bounds, spread)


def check_residuals(ripe: list[Forecast], outcome: float) -> None:
    """Refuse an outcome whose residuals are not all finite."""
    for one in ripe:
        if not isfinite(outcome - one.centre) and one.centre == one.centre:
            raise ValueError(
                f"outcome minus forecast overflows: {outcome!r} and {one.centre!r}; check the outcome, or give None "
                "for it to count as missing"
            )


def _stepped(
    tracker: Tracker, residual: float | None, offsets: Pair | None, leverage: float, forecast: float
) -> Pair:
    """The next offsets of a tracker that is given the newest residual; one beyond its arithmetic counts as missing."""
    if residual is not None:
        missed = _missed(offsets, residual)
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
