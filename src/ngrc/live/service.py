"""A forecaster that was started: what it knows, and what an observation changes."""

from copy import deepcopy
from math import nan
from typing import Any

import numpy as np

from ngrc._types import AnyArray
from ngrc.archive import check_that
from ngrc.live.calibration import Calibration, check_residuals
from ngrc.live.clock import Clock
from ngrc.live.coming import Matured
from ngrc.live.inputs import Inputs
from ngrc.live.point import Point
from ngrc.live.refit import Refits, values_kept, values_reached, values_read
from ngrc.live.waiting import Forecast, Missing, matured, packed, unpacked

KEPT = ("clock", "inputs", "point", "calibration", "begun", "refits", "remembered", "missing")


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

    __slots__ = KEPT

    def __init__(
        self,
        clock: Clock,
        inputs: Inputs,
        point: Point,
        calibration: Calibration,
        begun: int,
        refits: Refits | None,
        remembered: int,
    ) -> None:
        self.clock, self.inputs, self.point, self.calibration = clock, inputs, point, calibration
        self.begun, self.refits, self.remembered = begun, refits, remembered
        self.missing: dict[int, Missing] = {}

    def outcome(self, number: float) -> float:
        """A value in the units of the residuals; `ValueError` where the model's transform or bounds exclude it."""
        if self.calibration.plain:
            return number
        link = self.calibration.link
        values = np.array([number])
        link.bounds.check(values, "the series")
        return float(link.forward(values)[0])

    def advance(self, number: float | None, outcome: float | None) -> tuple[Matured, ...]:
        """The next time: its outcome to the trackers, None where it is missing, then forecasts from it."""
        inputs, calibration, point = self.inputs, self.calibration, self.point
        ripe = calibration.ripe()
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
            self._remember(Missing(inputs.count, self._teaching(ripe)))
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
        if (self.inputs.count + 1 - self.begun) % refits.every or refits.hollow(self.inputs):
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
            for name in KEPT:
                setattr(self, name, getattr(before, name))
            raise

    def _teaching(self, ripe: list[Forecast]) -> list[Forecast]:
        """The same, those made at a missing observation marked as teaching nothing, whenever their outcome comes.

        They went on from a value that was carried forward: their errors are those of a longer way, and after an outage
        would widen every interval for as long as a method remembers.
        """
        inputs, marked = self.inputs, []
        for step, one in enumerate(ripe, start=1):
            place = inputs.size - step
            carried = place >= 0 and bool(inputs.carried[place])
            marked.append(one._replace(centre=nan) if carried else one)
        return marked

    def _remember(self, one: Missing) -> None:
        self.missing[self.clock.newest + 1] = one
        if len(self.missing) > self.remembered:
            del self.missing[next(iter(self.missing))]

    def mature_late(self, point: int, number: float, outcome: float) -> tuple[Matured, ...]:
        """The outcome of a target that was missing: nothing that was said is changed."""
        one = self.missing[point]
        check_residuals(one.forecasts, outcome)
        found = matured(one.forecasts, self.calibration.levels, self.clock.time(point), number)
        self.calibration.mature_late(one.forecasts, outcome)
        self.calibration.cross(number)
        self.inputs.replace(one.place, number)
        del self.missing[point]
        return found

    def kept(self) -> dict[str, Any]:
        """All parts, the missing targets as arrays."""
        rows = [one.forecasts for one in self.missing.values()]
        missing = {
            "points": np.array(list(self.missing), dtype=np.int64),
            "places": np.array([one.place for one in self.missing.values()], dtype=np.int64),
            "forecasts": packed(rows, len(self.calibration.levels)),
        }
        return {**{name: getattr(self, name) for name in KEPT}, "missing": missing}

    @classmethod
    def rebuilt(cls, kept: dict[str, Any]) -> "Service":
        """The same of what was kept, its parts checked against each other."""
        check_that(list(kept) == list(KEPT), f"a service is kept as {', '.join(KEPT)}")
        *parts, missing = kept.values()
        kinds = (Clock, Inputs, Point, Calibration, int, Refits | None, int)
        check_that(
            all(isinstance(one, kind) for one, kind in zip(parts, kinds, strict=True)), "parts are known"
        )
        service = cls(*parts)
        calibration, inputs = service.calibration, service.inputs
        steps = calibration.horizon
        check_that(service.point.model.horizon == steps, "trackers and model have the same steps")
        check_that(
            service.refits is None or service.refits.model.horizon == steps, "refits have the same steps"
        )
        check_that(0 < service.begun <= inputs.count, "the history comes first")
        # The kernel does not ask whether a place is there: what delays reach must be, now and after values are dropped.
        # A memory begins with the first value there is, and is short of its half-lives while a series is young.
        check_that(inputs.size >= values_reached(service.point.model), "values that are read are held")
        read = values_read(service.point.model)
        check_that(
            read is None or inputs.keep is None or inputs.keep >= read, "values that are read are not dropped"
        )
        service.missing = _missing(missing, steps, len(calibration.levels))
        check_that(len(service.missing) <= service.remembered, "no more targets are missing than remembered")
        return service


def _missing(kept: Any, steps: int, levels: int) -> dict[int, Missing]:
    check_that(
        isinstance(kept, dict) and list(kept) == ["points", "places", "forecasts"],
        "missing targets have points, places and forecasts",
    )
    points, places, forecasts = kept.values()
    for part in (points, places):
        check_that(isinstance(part, np.ndarray) and part.dtype == np.int64, "points and places are whole")
        check_that(part.shape == (len(points),) and bool(np.all(np.diff(part) > 0)), "points and places rise")
    rows = unpacked(forecasts, len(points), steps, levels)
    found = zip(points.tolist(), places.tolist(), rows, strict=True)
    return {point: Missing(place, row) for point, place, row in found}
