"""A forecaster that was started: what it knows, and what an observation changes."""

from copy import deepcopy
from dataclasses import dataclass, field
from math import isfinite
from typing import Any

import numpy as np

from ngrc._types import AnyArray
from ngrc.archive import check_that
from ngrc.live.calibration import Calibration
from ngrc.live.clock import Clock
from ngrc.live.coming import Matured
from ngrc.live.inputs import Inputs
from ngrc.live.point import Point
from ngrc.live.refit import Refits, values_kept
from ngrc.live.waiting import Missing, check_issued, matured


@dataclass(slots=True)
class Service:
    """The state, a function of the history and the observations since.

    Parameters
    ----------
    clock, inputs, point, calibration
        The newest time, the newest values, the model, and the trackers with what waits for them.
    begun
        Observations of the history.
    refits
        When the model is fitted anew; None: never.
    remembered
        How many targets that were missing are kept for an outcome that comes late, the newest.
    missing
        These, by point of the clock, oldest first.
    """

    clock: Clock
    inputs: Inputs
    point: Point
    calibration: Calibration
    begun: int
    refits: Refits | None
    remembered: int
    missing: dict[int, Missing] = field(default_factory=dict)

    def outcome(self, number: float) -> float:
        """A value in the units of the residuals; `ValueError` where the model's transform or bounds exclude it."""
        link = self.calibration.link
        if link.identity:
            return number
        values = np.array([number])
        link.bounds.check(values, "the series")
        return float(link.forward(values)[0])

    def advance(self, number: float | None, outcome: float | None) -> tuple[Matured, ...]:
        """The next time: its outcome to the trackers, None where it is missing, then forecasts from it."""
        clock, inputs, calibration = self.clock, self.inputs, self.calibration
        if outcome is not None:
            for place, issued in enumerate(reversed(calibration.waiting)):
                check_residual(outcome, issued.centre[place])
        point, mean, centre, leverages, time = self._foreseen(number)
        # Everything that can be refused was refused above: nothing below may fail half-way.
        ripe = calibration.ripe()
        target = clock.following()
        found = () if number is None else matured(ripe, calibration.levels, target, number)
        calibration.advance(outcome, mean, centre, leverages, target)
        if number is not None:
            calibration.cross(number)
        elif self.remembered:
            self._remember(Missing(inputs.count, ripe))
        inputs.advance(number is None, time)
        if point is not self.point:
            self.point = point
            inputs.keep = values_kept(point.model, self.refits)
        clock.newest += 1
        return found

    def _foreseen(
        self, number: float | None
    ) -> tuple[Point, list[float], list[float], list[float] | None, Any]:
        """Model, forecasts, the same in the link's units, leverages and time once a value is taken in."""
        inputs = self.inputs
        try:
            inputs.place(inputs.newest if number is None else number)
            times = self._times()
            point = self._refitted(times)
            mean = point.ahead(inputs, times)
            centre = self.calibration.centre(mean)
            time = None if times is None else times[inputs.size]
            return point, mean, centre, point.leverages(inputs, times), time
        except Exception:
            inputs.free()
            raise

    def _times(self) -> AnyArray | None:
        """Times of the values with the one that was placed and of the coming targets; None where none are read."""
        inputs, clock = self.inputs, self.clock
        if inputs.times is None:
            return None
        coming = clock.coming(self.calibration.horizon + 1)
        return np.concatenate([inputs.times[: inputs.size], coming])

    def _refitted(self, times: AnyArray | None) -> Point:
        """The model, fitted anew where that is due."""
        refits = self.refits
        if refits is None or (self.inputs.count + 1 - self.begun) % refits.every:
            return self.point
        return refits.fitted(self.inputs, times, self.point.leveraged)

    def pass_over(self, count: int, number: float | None, outcome: float | None) -> tuple[Matured, ...]:
        """So many missing observations and then this one, all of them or none."""
        # A fitted model is never changed, and may be large.
        before = deepcopy(self, {id(self.point.model): self.point.model})
        try:
            for _ in range(count):
                self.advance(None, None)
            return self.advance(number, outcome)
        except Exception:
            for name in self.__slots__:
                setattr(self, name, getattr(before, name))
            raise

    def _remember(self, one: Missing) -> None:
        self.missing[self.clock.newest + 1] = one
        if len(self.missing) > self.remembered:
            del self.missing[next(iter(self.missing))]

    def mature_late(self, point: int, number: float, outcome: float) -> tuple[Matured, ...]:
        """The outcome of a target that was missing: nothing that was said is changed."""
        one = self.missing[point]
        for ripe in one.ripe:
            check_residual(outcome, ripe.issued.centre[ripe.step - 1])
        found = matured(one.ripe, self.calibration.levels, self.clock.time(point), number)
        self.calibration.mature_late(one.ripe, outcome)
        self.calibration.cross(number)
        self.inputs.replace(one.index, number)
        del self.missing[point]
        return found

    def check_kept(self) -> None:
        """Refuse parts that do not fit each other."""
        steps, levels = self.calibration.horizon, len(self.calibration.levels)
        check_that(self.point.model.horizon == steps, "trackers and model have the same steps")
        check_that(self.refits is None or self.refits.model.horizon == steps, "refits have the same steps")
        check_that(0 < self.begun <= self.inputs.count, "the history comes first")
        check_that(len(self.missing) <= self.remembered, "no more missing targets are kept than remembered")
        read = values_kept(self.point.model, None)
        check_that(read is None or self.inputs.size >= min(read, self.begun), "values that are read are held")
        for one in self.missing.values():
            for ripe in one.ripe:
                check_that(1 <= ripe.step <= steps, "missing targets were forecast by known steps")
                check_issued(ripe.issued, steps, levels)


def check_residual(outcome: float, centre: float) -> None:
    """Refuse an outcome whose residual would not be finite."""
    # NaN where no forecast was made.
    if centre == centre and not isfinite(outcome - centre):
        raise ValueError(
            f"outcome minus forecast overflows: {outcome!r} and {centre!r}; check the outcome, or give None for it to "
            "count as missing"
        )
