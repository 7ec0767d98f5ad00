"""`OnlineForecaster`: a model and its intervals in service."""

from collections.abc import Sequence
from decimal import Decimal
from math import isfinite
from numbers import Real
from pathlib import Path
from typing import Any, Literal, Self

import numpy as np

from ngrc._types import AnyArray
from ngrc.archive import Keepable, check_that
from ngrc.automatic import AutoNGRC
from ngrc.forecasters.base import check_forecaster
from ngrc.intervals import make_method
from ngrc.intervals.base import IntervalMethod
from ngrc.live.begin import begin
from ngrc.live.coming import Coming, Matured, Time
from ngrc.live.moment import shown
from ngrc.live.service import Service
from ngrc.live.waiting import Forecast
from ngrc.model import NGRC
from ngrc.presets import default_model
from ngrc.series import as_series
from ngrc.validation import check_count, check_levels, check_path

LATE = ("refuse", "accept")
FARTHEST = 100_000
"""Times that one observation may pass over: each is a step of its own, and so many take seconds to minutes. A year that
was mistyped would take hours."""
PARAMETERS = ("model", "method", "level", "horizon", "late", "refit_every", "window", "seed")


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
        self.horizon = check_path(horizon)
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
        return None if self._service is None else self._service.calibration.waiting[-1][0].origin

    @property
    def until_refit(self) -> int | None:
        """Observations up to the next refit, that one included; None where none comes."""
        service = self._service
        if service is None or service.refits is None:
            return None
        return service.refits.every - (service.inputs.count - service.begun) % service.refits.every

    def start(self, history: Any) -> Self:
        """Fit and calibrate on a history, anything `as_series` takes, as `look_ahead` does."""
        self._service = begin(
            as_series(history),
            self.model,
            self.method,
            self.levels,
            self.horizon,
            self.seed,
            late=self.late == "accept",
            refit_every=self.refit_every,
            window=self.window,
        )
        self._coming = None
        return self

    def next(self) -> Coming:
        """The forecasts of the newest origin; asked twice they are the same."""
        service = self._running("next()")
        if self._coming is None:
            newest = service.calibration.waiting[-1]
            lower, upper = {}, {}
            for place, level in enumerate(self.levels):
                pairs = [one.ends[place] for one in newest if one.ends is not None]
                lower[level] = np.array([low for low, _ in pairs])
                upper[level] = np.array([high for _, high in pairs])
            self._coming = Coming(
                service.inputs.count,
                newest[0].origin,
                service.clock.coming(self.horizon),
                np.array([one.mean for one in newest]),
                lower,
                upper,
            )
        return self._coming

    def newest(self) -> list[Forecast]:
        """The forecasts of `next()` by step, as plain numbers: for who writes each of them down, in half the time."""
        return self._running("newest()").calibration.waiting[-1]

    def targets_after(self, time: Any = None) -> AnyArray:
        """Times that will be forecast after an observation of `time`, as `observe` takes it; nothing is changed."""
        clock = self._running("targets_after()").clock
        newest = clock.newest + 1 if time is None else clock.point(time)
        points: AnyArray = newest + np.arange(1, self.horizon + 1)
        return points if clock.grid is None else clock.grid.points(points)

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
        outcome = None if number is None else service.outcome(number)
        if ahead < 1:
            return self._late(number, outcome, service.clock.newest + ahead, time)
        self._coming = None
        if ahead == 1:
            return service.advance(number, outcome)
        if ahead > FARTHEST:
            raise ValueError(
                f"time {shown(time)} passes over {ahead - 1:,} times, more than {FARTHEST:,}; check it, or start anew"
            )
        return service.pass_over(ahead - 1, number, outcome)

    def save(self, path: str | Path) -> None:
        """Keep it in a file that `ngrc.load` reads, started or not; going on from it gives the same bits."""
        Keepable.save(self, path)

    def _running(self, what: str) -> Service:
        if self._service is None:
            raise ValueError(f"{what} needs a history; call start(history) first")
        return self._service

    def _late(
        self, number: float | None, outcome: float | None, point: int, time: Any
    ) -> tuple[Matured, ...]:
        """The outcome of a time that is over."""
        service = self._running("observe()")
        if self.late == "refuse":
            raise ValueError(
                f"time {shown(time)} was taken already, the newest is {self.origin}; give a later one, or make the "
                "forecaster with late='accept' to take outcomes of times that were missing"
            )
        if point not in service.missing:
            raise ValueError(
                f"time {shown(time)} is over and no outcome of it is awaited: it is known, lies before the start, or "
                f"is not among the last {service.remembered:,} missing ones; the newest is {self.origin}"
            )
        if number is None or outcome is None:
            raise ValueError(f"time {shown(time)} is known to be missing; give its outcome once it is there")
        return service.mature_late(point, number, outcome)

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
            check_that((service.remembered > 0) == (live.late == "accept"), "late outcomes are as asked for")
            check_that((service.refits is None) == (live.refit_every is None), "refits are as asked for")
        live._service = service
        return live


def _number(value: Any) -> float | None:
    """A finite number, or None where it is missing."""
    number = value if type(value) is float else _read(value)
    if number is None or number != number:
        return None
    if not isfinite(number):
        raise ValueError(f"an observation must be finite, got {value!r}; give None where it is missing")
    return number


def _read(value: Any) -> float | None:
    # By its name, as pandas need not be there.
    if value is None or type(value).__name__ == "NAType":
        return None
    # True and False are whole numbers in Python, and the answer of a comparison is no measurement.
    if type(value) is not bool and isinstance(value, Real | Decimal):
        try:
            return float(value)
        except (OverflowError, ValueError):
            pass
    raise ValueError(f"an observation is a number, or None where it is missing; got {value!r}")
