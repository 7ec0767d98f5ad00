"""Intervals one observation at a time, around any point forecasts, with outcomes that come H steps late.

At step t the outcome of target t - H is observed first, then the interval for target t is issued: the same
order, and the same offsets, as in a whole block.
"""

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from math import isfinite
from typing import Any

from ngrc.intervals.base import History, IntervalMethod, Tracker
from ngrc.validation import check_level


@dataclass(frozen=True, slots=True)
class Interval:
    """A prediction interval in the series' units, and the forecast it surrounds.

    Examples
    --------
    >>> interval = Interval(lower=-1.0, upper=3.0, forecast=0.5)
    >>> interval.center, interval.width, 3.0 in interval, 3.1 in interval
    (1.0, 4.0, True, False)
    """

    lower: float
    upper: float
    forecast: float

    @property
    def center(self) -> float:
        """Midpoint; the forecast where an end is infinite."""
        middle = 0.5 * self.lower + 0.5 * self.upper
        return middle if isfinite(middle) else self.forecast

    @property
    def width(self) -> float:
        """Upper minus lower end."""
        return self.upper - self.lower

    def __contains__(self, value: float) -> bool:
        return self.lower <= value <= self.upper


@dataclass(frozen=True, slots=True)
class Issued:
    """A forecast that awaits its outcome; `offsets` is None where no interval was issued for it."""

    forecast: float
    offsets: tuple[float, float] | None

    def missed(self, residual: float) -> bool | None:
        """Whether the interval missed, decided on the residual, as a block does."""
        if self.offsets is None:
            return None
        return not self.offsets[0] <= residual <= self.offsets[1]


class Online:
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
        interval, but their residuals join the history.

    Attributes
    ----------
    method
        The tuned method.
    tracker
        Its state, which can be printed.

    Examples
    --------
    >>> import numpy as np
    >>> from ngrc.intervals import Rolling
    >>> online = Online(Rolling(window=3), History(np.array([1.0, -2.0, 3.0])), level=0.5)
    >>> online.issue(10.0)
    Interval(lower=8.0, upper=12.0, forecast=10.0)
    >>> online.observe(14.0)
    >>> online.issue(11.0)
    Interval(lower=8.0, upper=14.0, forecast=11.0)
    """

    def __init__(
        self, method: IntervalMethod, history: History, level: float, pending: Iterable[float] = ()
    ) -> None:
        if not isinstance(method, IntervalMethod) or not isinstance(history, History):
            raise ValueError(
                "Online takes an interval method such as Adaptive() and a History of residuals, got "
                f"{type(method).__name__} and {type(history).__name__}"
            )
        self.level = check_level(level)
        self.horizon = history.horizon
        self.method: IntervalMethod = method.tuned(history, self.level)
        self.tracker: Tracker = self.method.begin(history, self.level)
        self._waiting = deque(Issued(_finite(forecast, "a pending forecast"), None) for forecast in pending)
        if len(self._waiting) != self.horizon - 1:
            raise ValueError(
                f"pending must hold horizon - 1 = {self.horizon - 1} forecasts, those made before the first interval "
                f"and not yet resolved, got {len(self._waiting)}; residuals of resolved ones belong to the history"
            )

    def __repr__(self) -> str:
        state = f"level={self.level}, horizon={self.horizon}, unresolved={self.unresolved}"
        return f"Online({self.method!r}, {state})"

    @property
    def unresolved(self) -> int:
        """How many forecasts await their outcome."""
        return len(self._waiting)

    @property
    def selected(self) -> dict[str, Any]:
        """The method's parameters that were chosen or fixed."""
        return self.method.selected

    def issue(self, forecast: float, leverage: float = 0.0) -> Interval:
        """The interval around the next target's forecast; only `bayes` reads the leverage."""
        forecast = _finite(forecast, "forecast")
        offsets = self.tracker.issue(leverage)
        self._waiting.append(Issued(forecast, offsets))
        return Interval(forecast + offsets[0], forecast + offsets[1], forecast)

    def observe(self, outcome: float) -> None:
        """Take in the outcome of the oldest unresolved forecast."""
        outcome = _finite(outcome, "outcome")
        if not self._waiting:
            raise ValueError("an outcome came but no forecast is unresolved; issue an interval first")
        issued = self._waiting.popleft()
        residual = outcome - issued.forecast
        self.tracker.observe(residual, issued.missed(residual))


def _finite(value: float, name: str) -> float:
    number = float(value)
    if not isfinite(number):
        raise ValueError(f"{name} must be a finite number, got {value!r}; fill gaps before")
    return number
