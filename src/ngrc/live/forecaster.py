"""`OnlineForecaster`: a model and its intervals in service."""

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from math import isfinite
from pathlib import Path
from typing import Any, Literal, Self

import numpy as np

from ngrc._types import AnyArray, FloatArray
from ngrc.ahead.paths import path_model, threads
from ngrc.archive import Keepable, check_that, dumps
from ngrc.automatic import AutoNGRC
from ngrc.forecasters.base import check_forecaster
from ngrc.intervals import make_method
from ngrc.intervals.base import IntervalMethod
from ngrc.live.begin import begin
from ngrc.live.calibration import Calibration, Ripe, check_issued
from ngrc.live.clock import Clock
from ngrc.live.coming import Coming, Matured, Time
from ngrc.live.inputs import Inputs
from ngrc.live.point import Point, settled, values_read
from ngrc.model import NGRC
from ngrc.presets import default_model
from ngrc.series import as_series
from ngrc.validation import check_count, check_levels

LATE = ("refuse", "accept")
REMEMBERED = 1000
"""Missing targets whose forecasts are kept for an outcome that comes late, the newest, and at least H of them."""
FARTHEST = 100_000
"""Times that one observation may pass over: each is a step of its own, and so many take seconds to minutes. A year that
was mistyped would take hours."""
PARAMETERS = ("model", "method", "level", "horizon", "late", "refit_every", "window", "seed")


@dataclass(slots=True)
class Service:
    """The state of a forecaster that was started.

    Parameters
    ----------
    clock, inputs, point, calibration
        One room each.
    begun
        Observations of the history.
    missed
        Forecasts of targets that were missing, by point of the clock, oldest first; none are kept where late outcomes
        are refused.
    indices
        Index of each of these observations.
    """

    clock: Clock
    inputs: Inputs
    point: Point
    calibration: Calibration
    begun: int
    missed: dict[int, list[Ripe]] = field(default_factory=dict)
    indices: dict[int, int] = field(default_factory=dict)

    def check_kept(self) -> None:
        """Refuse parts that do not fit each other."""
        steps, levels = self.calibration.horizon, len(self.calibration.levels)
        check_that(type(self.point.model) in (NGRC, AutoNGRC), "the model is an NGRC or AutoNGRC")
        check_that(
            self.point.model.path is True and hasattr(self.point.model, "fitted_"),
            "it is fitted to all steps",
        )
        check_that(self.point.model.horizon == steps, "trackers and model have the same steps")
        check_that(0 < self.begun <= self.inputs.count, "the history comes first")
        check_that(list(self.missed) == list(self.indices), "missing targets have an index")
        for ripe in self.missed.values():
            for one in ripe:
                check_that(1 <= one.step <= steps, "missing targets were forecast by known steps")
                check_issued(one.issued, steps, levels)


class OnlineForecaster(Keepable):
    """Forecasts with intervals while the world goes on: one observation in, the coming values out.

    Parameters
    ----------
    model
        An unfitted `NGRC`, `AutoNGRC` (None: the library's default) or any point forecaster that `look_ahead` takes.
    method
        A name or an interval method.
    level
        Nominal coverage, or several.
    horizon
        Steps 1..H are forecast at once.
    late
        "refuse" outcomes of times that are over, or "accept" those of times that were missing.
    refit_every, window
        Observations from one refit to the next, and how many observations a refit uses instead of all.
    seed
        Of a method given by name.

    Examples
    --------
    >>> from ngrc import NGRC
    >>> wave = np.sin(np.arange(400) / 5) + np.random.default_rng(0).normal(0, 0.1, 400)
    >>> live = OnlineForecaster(NGRC(lags=4), "adaptive", 0.9).start(wave[:300])
    >>> covered = []
    >>> for value in wave[300:]:
    ...     covered += [matured.covered[0.9] for matured in live.observe(value)]
    >>> bool(80 <= sum(covered) <= 98), live.next().targets
    (True, array([400]))
    """

    def __init__(
        self,
        model: Any = None,
        method: str | IntervalMethod = "auto",
        level: float | Sequence[float] = 0.95,
        *,
        horizon: int = 1,
        late: Literal["refuse", "accept"] = "refuse",
        refit_every: int | None = None,
        window: int | None = None,
        seed: int = 0,
    ) -> None:
        if model is not None and not isinstance(model, NGRC):
            check_forecaster(model)
        if late not in LATE:
            raise ValueError(f"late must be 'refuse' or 'accept', got {late!r}")
        if not isinstance(method, IntervalMethod):
            make_method(method)
        if window is not None and refit_every is None:
            raise ValueError(
                "window is for refits, and none are asked for; give refit_every=, or leave it out"
            )
        self.model = default_model() if model is None else model
        self.method = method
        self.levels = check_levels(level)
        self.horizon = check_count(horizon, "horizon")
        self.late = late
        self.refit_every = None if refit_every is None else check_count(refit_every, "refit_every")
        self.window = None if window is None else check_count(window, "window")
        self.seed = check_count(seed, "seed", 0)
        self._service: Service | None = None
        self._coming: Coming | None = None

    def __repr__(self) -> str:
        levels = ", ".join(f"{level:g}" for level in self.levels)
        method = self.method if isinstance(self.method, str) else self.method.name
        state = f"{self.count} observations, origin {self.origin}" if self.started else "not started"
        model = type(self.model).__name__
        return f"OnlineForecaster({model}, {method}, level {levels}, horizon {self.horizon}: {state})"

    @property
    def started(self) -> bool:
        """Whether `start` was called."""
        return self._service is not None

    @property
    def count(self) -> int:
        """Observations so far, the history's and those that were missing included; zero before the start."""
        return 0 if self._service is None else self._service.inputs.count

    @property
    def origin(self) -> Time:
        """Time of the newest observation; None before the start."""
        return None if self._service is None else self._service.clock.time(self._service.clock.newest)

    def start(self, history: Any) -> Self:
        """Fit and calibrate on a history, anything `as_series` takes, as `look_ahead` does."""
        series = as_series(history)
        clock = Clock.of(series)
        # Before the fits: times that run beyond what their type can hold are refused without waiting.
        clock.times(clock.newest + np.arange(self.horizon + 1))
        begun = begin(series, self.model, self.method, self.levels, self.horizon, self.seed, clock)
        model = begun.paths.model
        times = None if begun.beside.times is None else begun.beside.times[: len(series)]
        inputs = Inputs.of(series.values, times, self._kept_values(model))
        point = Point(model, 0, begun.leveraged)
        self._service = Service(clock, inputs, point, begun.calibration, len(series))
        self._coming = None
        return self

    def next(self) -> Coming:
        """The forecasts of the newest origin; asked twice they are the same."""
        service = self._running("next()")
        if self._coming is None:
            issued, clock = service.calibration.waiting[-1], service.clock
            assert issued.lower is not None
            assert issued.upper is not None
            self._coming = Coming(
                service.inputs.count,
                clock.time(clock.newest),
                clock.times(clock.newest + np.arange(1, self.horizon + 1)),
                np.array(issued.mean),
                {level: np.array(ends) for level, ends in zip(self.levels, issued.lower, strict=True)},
                {level: np.array(ends) for level, ends in zip(self.levels, issued.upper, strict=True)},
            )
        return self._coming

    def observe(self, value: float | None, time: Any = None) -> tuple[Matured, ...]:
        """Take in the outcome of the next time, or of a later one: those between are missing.

        Parameters
        ----------
        value
            A number; None or NaN where it is missing.
        time
            As the history's times are: a `datetime`, numpy `datetime64` or text in ISO 8601, a number, or an index
            counted from the history's first row where it has none. None is the next time.

        Returns
        -------
        tuple of Matured
            The forecasts that were waiting for it, the nearest step first.

        Raises
        ------
        ValueError
            Where the value or the time cannot be taken; nothing is changed then.
        """
        service = self._running("observe()")
        number = _number(value)
        ahead = 1 if time is None else service.clock.point(time) - service.clock.newest
        outcome = None if number is None else self._outcome(number)
        if ahead < 1:
            return self._observe_late(number, outcome, service.clock.newest + ahead, time)
        if ahead > FARTHEST:
            raise ValueError(
                f"time {time!r} passes over {ahead - 1:,} times, more than {FARTHEST:,}; check it, or start anew"
            )
        if ahead == 1:
            return self._advance(number, outcome)
        return self._pass_over(ahead - 1, number, outcome)

    def save(self, path: str | Path) -> None:
        """Keep it in a file that `ngrc.load` reads, started or not; going on from it gives the same bits."""
        Keepable.save(self, path)

    def dumps(self) -> bytes:
        """The same as bytes, for `ngrc.archive.loads`."""
        return dumps(self)

    def _running(self, what: str) -> Service:
        if self._service is None:
            raise ValueError(f"{what} needs a history; call start(history) first")
        return self._service

    def _outcome(self, number: float) -> float:
        """A value in the units of the residuals."""
        link = self._running("observe()").calibration.link
        if link.identity:
            return number
        values = np.array([number])
        link.bounds.check(values, "the series")
        return float(link.forward(values)[0])

    def _pass_over(self, missing: int, number: float | None, outcome: float | None) -> tuple[Matured, ...]:
        """Several times in a row, all of them or none."""
        service = self._running("observe()")
        # A fitted model is never changed, and may be large.
        before = deepcopy(service, {id(service.point.model): service.point.model})
        try:
            for _ in range(missing):
                self._advance(None, None)
            return self._advance(number, outcome)
        except Exception:
            self._service, self._coming = before, None
            raise

    def _advance(self, number: float | None, outcome: float | None) -> tuple[Matured, ...]:
        """The next time: its outcome to the trackers, then forecasts from it."""
        service = self._running("observe()")
        clock, inputs, calibration = service.clock, service.inputs, service.calibration
        ripe = calibration.ripe()
        if outcome is not None:
            _check_residuals(ripe, outcome)
        try:
            # Everything that may be refused comes before anything is changed.
            values = inputs.place(inputs.newest if number is None else number)
            times, known = self._times()
            point = self._refitted(values, times)
            said = point.ahead(values, inputs.first, known)
            leverages = point.leverages(values, inputs.first, known)
            centre = calibration.centre(said)
        except Exception:
            inputs.free()
            raise
        matured = () if number is None else self._matured(ripe, clock.newest + 1, number)
        calibration.mature(outcome)
        if number is not None:
            calibration.cross(number)
        elif self.late == "accept":
            self._remember(clock.newest + 1, inputs.count, ripe)
        inputs.advance(number is None, None if times is None else times[-1])
        if point is not service.point:
            service.point = point
            inputs.keep = self._kept_values(point.model)
        clock.newest += 1
        calibration.issue(clock.newest, inputs.count - 1, said, centre, leverages)
        self._coming = None
        return matured

    def _times(self) -> tuple[AnyArray | None, AnyArray | None]:
        """Times of the values with the one that is placed, and with those of the coming targets; None without any."""
        service = self._running("observe()")
        inputs, clock = service.inputs, service.clock
        if inputs.times is None:
            return None, None
        coming = clock.times(clock.newest + 1 + np.arange(self.horizon + 1))
        known = np.concatenate([inputs.times[: inputs.size], coming])
        return known[: inputs.size + 1], known

    def _refitted(self, values: FloatArray, times: AnyArray | None) -> Point:
        """The model, fitted anew where that is due."""
        service = self._running("observe()")
        count = service.inputs.count + 1 - service.begun
        if self.refit_every is None or count % self.refit_every:
            return service.point
        model = settled(path_model(self.model, self.horizon), service.calibration.link)
        first = 0 if self.window is None else max(0, values.size - self.window)
        with threads(model):
            fitted = model.fit(values.copy(), first=first, **({} if times is None else {"times": times}))
        return Point(fitted, service.inputs.first, service.point.leveraged)

    def _kept_values(self, model: Any) -> int | None:
        """How many values stay: those that forecasts read, and those of the next refit."""
        read = values_read(model)
        if self.refit_every is None or read is None:
            return read
        return None if self.window is None else read + self.window

    def _matured(self, ripe: list[Ripe], target: int, number: float) -> tuple[Matured, ...]:
        clock = self._running("observe()").clock
        time = clock.time(target)
        found = []
        for one in ripe:
            place, issued = one.step - 1, one.issued
            mean = issued.mean[place]
            # Before the first fit of the start no forecast was made.
            if mean != mean:
                continue
            lower = upper = covered = None
            if issued.lower is not None and issued.upper is not None:
                lower = {level: ends[place] for level, ends in zip(self.levels, issued.lower, strict=True)}
                upper = {level: ends[place] for level, ends in zip(self.levels, issued.upper, strict=True)}
                covered = {level: lower[level] <= number <= upper[level] for level in self.levels}
            origin = clock.time(issued.origin)
            found.append(Matured(one.step, origin, time, mean, number, lower, upper, covered))
        return tuple(found)

    def _remember(self, point: int, index: int, ripe: list[Ripe]) -> None:
        service = self._running("observe()")
        service.missed[point], service.indices[point] = ripe, index
        while len(service.missed) > max(self.horizon, REMEMBERED):
            oldest = next(iter(service.missed))
            del service.missed[oldest], service.indices[oldest]

    def _observe_late(
        self, number: float | None, outcome: float | None, point: int, time: Any
    ) -> tuple[Matured, ...]:
        """The outcome of a target that was missing."""
        service = self._running("observe()")
        if self.late == "refuse":
            order = "was observed already" if point == service.clock.newest else "is over"
            raise ValueError(
                f"time {time!r} {order}, the newest is {self.origin}; give a later one, or use late='accept' for "
                "outcomes of times that were missing"
            )
        if point not in service.missed:
            raise ValueError(
                f"time {time!r} is over and not among the missing ones that can still come; its outcome is known, was "
                f"never forecast, or is older than the last {max(self.horizon, REMEMBERED)} missing"
            )
        if number is None or outcome is None:
            raise ValueError(f"time {time!r} is known to be missing already; give its outcome or nothing")
        ripe = service.missed[point]
        _check_residuals(ripe, outcome)
        matured = self._matured(ripe, point, number)
        service.calibration.mature_late(ripe, outcome)
        service.calibration.cross(number)
        service.inputs.replace(service.indices[point], number)
        del service.missed[point], service.indices[point]
        return matured

    def kept(self) -> dict[str, Any]:
        """Parameters, and the state where it was started."""
        service = self._service
        if not isinstance(self.model, NGRC | AutoNGRC):
            raise ValueError(
                f"an OnlineForecaster of {type(self.model).__name__} goes on in this process alone; use NGRC or "
                "AutoNGRC to keep one"
            )
        parameters = {name: self.levels if name == "level" else getattr(self, name) for name in PARAMETERS}
        return {"parameters": parameters, "service": service}

    @classmethod
    def rebuilt(cls, kept: dict[str, Any]) -> Self:
        """The same, in the same state."""
        check_that(list(kept) == ["parameters", "service"], "an OnlineForecaster is parameters and a state")
        parameters, service = kept["parameters"], kept["service"]
        check_that(list(parameters) == list(PARAMETERS), f"its parameters are {', '.join(PARAMETERS)}")
        live = cls(parameters.pop("model"), parameters.pop("method"), parameters.pop("level"), **parameters)
        check_that(service is None or isinstance(service, Service), "its state is that of a service")
        if service is not None:
            check_that(service.calibration.levels == live.levels, "trackers are of its levels")
            check_that(service.calibration.horizon == live.horizon, "trackers are of its steps")
        live._service = service
        return live


def _number(value: Any) -> float | None:
    """A finite number, or None where it is missing."""
    if value is None:
        return None
    number = value if type(value) is float else _read(value)
    if number != number:
        return None
    if not isfinite(number):
        raise ValueError(f"an observation must be finite, got {value!r}; give None where it is missing")
    return number


def _read(value: Any) -> float:
    # Text and the answer of a comparison would pass `float`, and neither is a measurement.
    if not isinstance(value, str | bytes | bool | np.bool_ | np.datetime64 | np.timedelta64):
        try:
            return float(value)
        except (TypeError, ValueError, OverflowError):
            pass
    raise ValueError(f"an observation is a number, or None where it is missing; got {value!r}")


def _check_residuals(ripe: list[Ripe], outcome: float) -> None:
    for one in ripe:
        centre = one.issued.centre[one.step - 1]
        if centre == centre and not isfinite(outcome - centre):
            raise ValueError(
                f"outcome minus forecast overflows: {outcome!r} and {centre!r}; check the outcome, or give None for it "
                "to count as missing"
            )
