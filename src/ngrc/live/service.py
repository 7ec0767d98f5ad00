"""A forecaster that was started: what it knows, and what an observation changes."""

from copy import deepcopy
from dataclasses import dataclass, field

import numpy as np

from ngrc._types import AnyArray
from ngrc.archive import check_that
from ngrc.live.calibration import Calibration, check_residuals
from ngrc.live.clock import Clock
from ngrc.live.coming import Matured
from ngrc.live.inputs import Inputs
from ngrc.live.point import Point
from ngrc.live.refit import Refits, values_kept
from ngrc.live.waiting import Missing, check_ripe, matured, ripe_of


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
        inputs, calibration, point = self.inputs, self.calibration, self.point
        ripe = ripe_of(calibration.waiting)
        if outcome is not None:
            check_residuals(ripe, outcome)
        try:
            inputs.place(inputs.newest if number is None else number)
            times = None if inputs.times is None else self._times(inputs.times)
            if self.refits is not None:
                point = self._refitted(self.refits, times)
            mean = point.ahead(inputs, times)
            centre = calibration.centre(mean)
            leverages = point.leverages(inputs, times) if point.leveraged else None
            # Its own time, and those of the targets that are forecast from there.
            target = self.clock.following(1 + len(mean))
        except Exception:
            inputs.free()
            raise
        # Everything that can be refused was refused above: nothing below may fail half-way.
        found: tuple[Matured, ...] = ()
        if number is not None:
            found = matured(ripe, calibration.levels, target, number)
        elif self.remembered:
            self._remember(Missing(inputs.count, ripe))
        calibration.advance(ripe, outcome, mean, centre, leverages, target)
        if number is not None:
            calibration.cross(number)
        inputs.advance(number is None, None if times is None else times[inputs.size])
        if point is not self.point:
            self.point = point
            inputs.keep = values_kept(point.model, self.refits)
        self.clock.newest += 1
        return found

    def _times(self, times: AnyArray) -> AnyArray:
        """Times of the values with the one that was placed, and of the coming targets."""
        coming = self.clock.coming(self.calibration.horizon + 1)
        return np.concatenate([times[: self.inputs.size], coming])

    def _refitted(self, refits: Refits, times: AnyArray | None) -> Point:
        """The model, fitted anew where that is due."""
        if (self.inputs.count + 1 - self.begun) % refits.every:
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
        check_residuals(one.ripe, outcome)
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
        # The kernel asks for no place twice: what it reads must be there now, and after values are dropped.
        for held in (self.inputs.size, self.inputs.keep):
            check_that(read is None or held is None or held >= read, "values that are read are held")
        for one in self.missing.values():
            check_that(len(one.ripe) == steps, "missing targets were forecast by all steps")
            for ripe in one.ripe:
                check_ripe(ripe, levels)
