"""Intervals one observation at a time, around any point forecasts, with outcomes that come H steps late.

At step t the outcome of target t - H is observed first, then the interval for target t is issued: the same
order, and the same offsets, as in a whole block. Every target has an identity, so that an outcome which names its
target cannot be taken for another's.
"""

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from math import isfinite
from typing import Any

from ngrc._targets import Target, check_target, is_later
from ngrc.archive import Keepable, check_that
from ngrc.intervals.base import History, IntervalMethod, Tracker
from ngrc.validation import check_count, check_level


@dataclass(frozen=True, slots=True)
class Interval:
    """A prediction interval in the series' units, the forecast it surrounds and the target it is for.

    Examples
    --------
    >>> interval = Interval(lower=-1.0, upper=3.0, forecast=0.5)
    >>> interval.center, interval.width, 3.0 in interval, 3.1 in interval
    (1.0, 4.0, True, False)
    """

    lower: float
    upper: float
    forecast: float
    target: Target = None

    @property
    def center(self) -> float:
        """Midpoint; the forecast where an end is infinite."""
        # Halved before they are added: the sum of two ends near 1e308 would overflow.
        middle = 0.5 * self.lower + 0.5 * self.upper
        return middle if isfinite(middle) else self.forecast

    @property
    def width(self) -> float:
        """Upper minus lower end."""
        return self.upper - self.lower

    def __contains__(self, value: float) -> bool:
        return self.lower <= value <= self.upper


@dataclass(frozen=True, slots=True)
class OpenForecast:
    """A forecast that awaits its outcome; `offsets` is None where no interval was issued for it."""

    target: Target
    forecast: float
    offsets: tuple[float, float] | None

    def missed(self, residual: float) -> bool | None:
        """Whether the interval missed, decided on the residual, as a block does."""
        if self.offsets is None:
            return None
        return not self.offsets[0] <= residual <= self.offsets[1]


KEPT = {
    "method": "method",
    "tracker": "tracker",
    "level": "level",
    "horizon": "horizon",
    "waiting": "_waiting",
    "last": "_last",
    "named": "_named",
}
"""What is kept of an `Online`, and where it stands."""


class Online(Keepable):
    """An interval method in service.

    Parameters
    ----------
    method
        Any interval method; open parameters are tuned on the history.
    history
        Residuals known when the first interval is issued.
    level
        Nominal coverage in (0, 1).
    pending
        Forecasts of the H - 1 calibration targets that are still to be observed, oldest first. They get no
        interval, but their residuals join the history. Where the history has a context they are those of the context:
        they may be left out, and must agree with it if given.
    pending_targets
        Their identities, where targets are named; without names they are counted -(H - 1) .. -1.

    Attributes
    ----------
    method
        The tuned method.
    tracker
        Its state, which can be printed.

    Notes
    -----
    Targets are counted 0, 1, 2 ... or named by the caller, all of them or none: numbers or times that increase
    strictly. Outcomes are taken in target order; where targets are named, every outcome names its own. One that
    names its target is refused unless that is the oldest unresolved one, and whatever is refused leaves the state
    exactly as it was.

    Examples
    --------
    >>> import numpy as np
    >>> from ngrc.intervals import Rolling
    >>> online = Online(Rolling(window=3), History(np.array([1.0, -2.0, 3.0])), level=0.5)
    >>> online.issue(10.0)
    Interval(lower=8.0, upper=12.0, forecast=10.0, target=0)
    >>> online.observe(14.0, target=0)
    >>> online.issue(11.0)
    Interval(lower=8.0, upper=14.0, forecast=11.0, target=1)
    >>> online.skip(target=1)
    >>> online.issue(12.0)
    Interval(lower=9.0, upper=15.0, forecast=12.0, target=2)
    """

    def __init__(
        self,
        method: IntervalMethod,
        history: History,
        level: float,
        pending: Iterable[float] = (),
        *,
        pending_targets: Iterable[Target] | None = None,
    ) -> None:
        if not isinstance(method, IntervalMethod) or not isinstance(history, History):
            raise ValueError(
                "Online takes an interval method such as Adaptive() and a History of residuals, got "
                f"{type(method).__name__} and {type(history).__name__}"
            )
        self.level = check_level(level)
        self.horizon = history.horizon
        forecasts = _pending_forecasts(pending, history)
        if len(forecasts) != self.horizon - 1:
            raise ValueError(
                f"pending must hold horizon - 1 = {self.horizon - 1} forecasts, those made before the first interval "
                f"and not yet resolved, got {len(forecasts)}; residuals of resolved ones belong to the history"
            )
        targets = _pending_targets(pending_targets, len(forecasts))
        self._waiting = deque(
            OpenForecast(target, forecast, None) for target, forecast in zip(targets, forecasts, strict=True)
        )
        self._last: Target = targets[-1] if targets else None
        # Whether the caller names targets: settled by the first target of all, None until there is one.
        self._named: bool | None = None if not targets else pending_targets is not None
        self.method: IntervalMethod = method.tuned(history, self.level)
        self.tracker: Tracker = self.method.begin(history, self.level)

    def kept(self) -> dict[str, Any]:
        """The tuned method, its state, and the forecasts that await their outcomes."""
        return {name: getattr(self, attribute) for name, attribute in KEPT.items()}

    @classmethod
    def rebuilt(cls, kept: dict[str, Any]) -> "Online":
        """The same, in the same state."""
        check_that(list(kept) == list(KEPT), f"an Online is kept as {', '.join(KEPT)}")
        online = cls.__new__(cls)
        for name, attribute in KEPT.items():
            setattr(online, attribute, kept[name])
        check_that(isinstance(online.method, IntervalMethod), "method is an interval method")
        check_that(isinstance(online.tracker, Tracker), "tracker is a tracker")
        check_that(online._named in (None, False, True), "targets are named or not")
        check_that(
            isinstance(online._waiting, deque)
            and all(isinstance(one, OpenForecast) for one in online._waiting),
            "forecasts await their outcomes",
        )
        online.level, online.horizon = check_level(online.level), check_count(online.horizon, "horizon")
        return online

    def __repr__(self) -> str:
        state = f"level={self.level}, horizon={self.horizon}, unresolved={self.unresolved}"
        return f"Online({self.method!r}, {state})"

    @property
    def unresolved(self) -> int:
        """How many forecasts await their outcome."""
        return len(self._waiting)

    @property
    def targets(self) -> tuple[Target, ...]:
        """The targets that await their outcome, oldest first."""
        return tuple(issued.target for issued in self._waiting)

    @property
    def selected(self) -> dict[str, Any]:
        """The method's parameters that were chosen or fixed."""
        return self.method.selected

    def issue(self, forecast: float, leverage: float = 0.0, target: Target = None) -> Interval:
        """The interval around the next target's forecast.

        Parameters
        ----------
        forecast
            Of the next target.
        leverage
            Of its features; only `bayes` reads it.
        target
            Its index or time, later than the one before; counted from 0 when no target is ever named.
        """
        forecast = _finite(forecast, "forecast")
        following = self._following(target)
        # Everything that can be refused is refused above: nothing below may fail half-way.
        offsets = self.tracker.issue(leverage, forecast)
        self._last, self._named = following, target is not None
        self._waiting.append(OpenForecast(following, forecast, offsets))
        return Interval(forecast + offsets[0], forecast + offsets[1], forecast, following)

    def observe(self, outcome: float, target: Target = None) -> None:
        """Take in the outcome of the oldest unresolved forecast, which `target` must name if targets are named.

        Everything is checked first: a refused outcome changes nothing.
        """
        number = _finite(outcome, "outcome", "; skip() the target if its outcome is lost")
        issued = self._oldest(target)
        residual = number - issued.forecast
        if not isfinite(residual):
            raise ValueError(
                f"outcome minus forecast overflows for target {issued.target!r}: {number!r} and {issued.forecast!r}; "
                "check the outcome, or skip() the target"
            )
        # A pending calibration target has no interval and brings no coverage error (METHODS.md, "Availability"). Taken
        # off the queue last, so that a tracker that raises leaves the forecast in its place.
        self.tracker.observe(residual, issued.missed(residual))
        self._waiting.popleft()

    def skip(self, target: Target = None) -> None:
        """The oldest unresolved forecast's outcome will never come.

        It brings no residual and no coverage error, and no time passes for what is known: windows keep the residuals
        they hold, weights do not fade, the adaptive level and ResCP's reservoir stay where they are. Intervals issued
        afterwards are those of the outcomes observed until then, as if this target had not been.
        """
        self._oldest(target)
        self.tracker.skip()
        self._waiting.popleft()

    def _following(self, target: Target) -> Target:
        """The next target's identity: counted, or named and later than all before it."""
        if target is None:
            if self._named:
                raise ValueError(
                    f"targets of this stream are named, the last one {self._last!r}; give target="
                )
            # Pending forecasts, where there are any, were counted -(H - 1) .. -1, so that this starts at 0 either way.
            return 0 if self._last is None else self._last + 1
        if self._named is False:
            raise ValueError(
                f"targets of this stream are counted, the last one {self._last!r}, got target={target!r}; name all "
                "targets or none (those of pending forecasts by pending_targets=)"
            )
        check_target(target, self._last)
        if self._last is not None and not is_later(target, self._last):
            raise ValueError(
                f"targets must increase: {target!r} does not come after {self._last!r}; issue in time order"
            )
        return target

    def _oldest(self, target: Target) -> OpenForecast:
        """The oldest unresolved forecast, unless `target` names another."""
        if not self._waiting:
            which = "no forecast" if target is None else f"target {target!r} cannot be resolved: no forecast"
            raise ValueError(
                f"{which} is unresolved, the last target being {self._last!r}; issue an interval first"
            )
        oldest = self._waiting[0]
        if target is None and self._named:
            # Taken by order, all outcomes after a lost one would be paired with the target before theirs.
            raise ValueError(
                f"targets of this stream are named, the oldest unresolved one {oldest.target!r}; give target= with "
                "every outcome and skip"
            )
        if target is not None and check_target(target, oldest.target) != oldest.target:
            raise ValueError(self._refusal(target))
        return oldest

    def _refusal(self, target: Target) -> str:
        """Why an outcome cannot be that of the oldest unresolved forecast, and what to do."""
        # From the outside in: later than all, earlier than all, between two of them, or in the queue but not its head.
        oldest = self._waiting[0].target
        if is_later(target, self._last):
            return f"target {target!r} has not been issued, the last one is {self._last!r}; issue its interval first"
        if is_later(oldest, target):
            return f"target {target!r} is resolved already or was never issued; the oldest unresolved one is {oldest!r}"
        if target not in self.targets:
            return (
                f"target {target!r} is unknown; the unresolved targets run from {oldest!r} to {self._last!r}"
            )
        return (
            f"target {target!r} is not the oldest unresolved one, {oldest!r}; observe the outcomes before it first, "
            f"or skip(target={oldest!r}) if it is lost"
        )


def _pending_forecasts(pending: Iterable[float], history: History) -> list[float]:
    """Those given, or those of the history's context, in which they stand anyway."""
    given = [_finite(forecast, "a pending forecast") for forecast in pending]
    if history.context is None:
        return given
    expected: list[float] = history.context.forecasts[history.residuals.size :].tolist()
    if given and given != expected:
        raise ValueError(
            f"pending must be the last {len(expected)} forecasts of the history's context, {expected}, got {given}; "
            "leave it out"
        )
    return expected


def _pending_targets(targets: Iterable[Target] | None, count: int) -> list[Target]:
    if targets is None:
        return list(range(-count, 0))
    identities = list(targets)
    if len(identities) != count:
        raise ValueError(
            f"pending_targets must name the {count} pending forecasts, got {len(identities)} targets; give one for each"
        )
    for target, before in zip(identities, [None, *identities], strict=False):
        check_target(target, identities[0])
        if before is not None and not is_later(target, before):
            raise ValueError(
                f"pending_targets must increase: {target!r} does not come after {before!r}; give them oldest first"
            )
    return identities


def _finite(value: Any, name: str, advice: str = "; fill gaps before") -> float:
    # What nearly every call brings, and a third of its time otherwise.
    if type(value) is float and isfinite(value):
        return value
    try:
        # Text and the answer of a comparison would pass `float`, and neither is a measurement.
        number = float("nan") if isinstance(value, str | bytes | bool) or _no_number(value) else float(value)
    except (TypeError, ValueError, OverflowError):
        number = float("nan")
    if not isfinite(number):
        raise ValueError(f"{name} must be a finite number, got {value!r}{advice}")
    return number


def _no_number(value: Any) -> bool:
    """Whether NumPy holds it as a truth value or as text: `numpy.bool` is no `bool`, nor is an array without axes."""
    return getattr(getattr(value, "dtype", None), "kind", "") in ("b", "S", "U")
