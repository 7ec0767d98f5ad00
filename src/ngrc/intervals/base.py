"""The contract of every interval method: residuals in, offsets around the forecast out.

A method never sees the model. It sees signed residuals (outcome minus forecast) in target order, and knows
of each only after its outcome can be observed. What a method reads besides residuals it declares in `sees`: the
forecasts and the clock of a `Context`, known at the origin. Whole block and one at a time are two drivers of one rule.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Literal

import numpy as np

from ngrc._shares import share as share_of
from ngrc._types import FloatArray
from ngrc.archive import Keepable
from ngrc.intervals.context import Context
from ngrc.validation import check_count, check_vector


def _checked(residuals: FloatArray) -> FloatArray:
    """Finite residuals, contiguous."""
    return np.require(check_vector(residuals, "residuals"), requirements=("C", "W"))


@dataclass(frozen=True, slots=True)
class History:
    """Residuals known when the first interval is issued.

    Parameters
    ----------
    residuals
        Signed residuals in target order, shape (m,), all observable.
    horizon
        Steps between a forecast's origin and its target, H. The interval issued first is for the target
        H steps after the last known one, so that H - 1 outcomes are still pending.
    fit_scale
        Root mean square of the fit residuals; only `bayes` needs it.
    noise_scales
        Other estimates of the noise by name, "gcv" and "evidence"; only `bayes` reads them, where it is told to.
    context
        Forecasts of the known positions and of the H - 1 pending ones, and the clock; methods that read it (`sees`) do
        without where there is none.
    """

    residuals: FloatArray
    horizon: int = 1
    fit_scale: float | None = None
    noise_scales: Mapping[str, float] = field(default_factory=dict)
    context: Context | None = None

    def __post_init__(self) -> None:
        residuals = _checked(self.residuals)
        object.__setattr__(self, "residuals", residuals)
        check_count(self.horizon, "horizon")
        if residuals.size == 0:
            raise ValueError("a history must hold at least one known residual, got none; calibrate first")
        _check_context(self.context, residuals.size + self.horizon - 1, "the known and the pending positions")

    def inner(self, share: float) -> "Stream":
        """The history as a stream of its own, for tuning: intervals are wanted for its last `1 - share`.

        The same H-step delay holds at the inner boundary.
        """
        context = None if self.context is None else self.context.until(self.residuals.size)
        return Stream(self.residuals, share_of(share, self.residuals.size), self.horizon, context=context)


@dataclass(frozen=True, slots=True)
class Stream:
    """Signed residuals of consecutive targets, and the block for which intervals are wanted.

    At position t >= start only residuals at positions <= t - horizon are known.

    Parameters
    ----------
    residuals
        Shape (start + T,): calibration (guards removed, pending kept), then the T wanted positions.
    start
        First position for which an interval is wanted.
    horizon
        Forecast horizon H.
    leverage
        r'(R'R + n lambda D)^-1 r of every position, same shape as `residuals`; only `bayes` needs it.
    fit_scale
        Root mean square of the fit residuals; only `bayes` needs it.
    noise_scales
        As in `History`.
    context
        Forecasts of all positions, and the clock; that of position t is read at its origin, and not before.
    """

    residuals: FloatArray
    start: int
    horizon: int = 1
    leverage: FloatArray | None = None
    fit_scale: float | None = None
    noise_scales: Mapping[str, float] = field(default_factory=dict)
    context: Context | None = None

    def __post_init__(self) -> None:
        residuals = _checked(self.residuals)
        object.__setattr__(self, "residuals", residuals)
        check_count(self.horizon, "horizon")
        # From H on at least one residual is known; at the very end no interval is wanted, which is allowed.
        if not self.horizon <= self.start <= residuals.size:
            raise ValueError(
                f"start must lie between the horizon {self.horizon} and the {residuals.size} residuals, "
                f"got {self.start}; give more calibration residuals"
            )
        if self.leverage is not None and np.shape(self.leverage) != residuals.shape:
            raise ValueError(
                f"leverage must have the residuals' shape {residuals.shape}, got {np.shape(self.leverage)}"
            )
        _check_context(self.context, residuals.size, "the stream's positions")

    @property
    def known(self) -> int:
        """How many residuals are observable when the first interval is issued."""
        # The interval at `start` is issued at its origin, start - H, when the target there has just been observed:
        # positions 0 .. start - H.
        return self.start - self.horizon + 1

    @property
    def steps(self) -> int:
        """How many intervals are wanted."""
        return int(self.residuals.size) - self.start

    @property
    def visible(self) -> FloatArray:
        """The residuals that any wanted position may use: all but those known only after the last one."""
        # The last of n positions is issued at n - 1 - H. Where none is wanted the history still counts.
        return self.residuals[: max(self.known, self.residuals.size - self.horizon)]

    @property
    def history(self) -> History:
        """What is known when the first interval is issued."""
        # `known` positions and H - 1 pending ones: all that lie before `start`.
        context = None if self.context is None else self.context.until(self.start)
        return History(self.residuals[: self.known], self.horizon, self.fit_scale, self.noise_scales, context)

    def without_context(self) -> "Stream":
        """Residuals alone."""
        return replace(self, context=None)


def _check_context(context: Context | None, positions: int, of: str) -> None:
    if context is not None and context.forecasts.size != positions:
        raise ValueError(
            f"a context needs one forecast for each of {of}, {positions} in all, got {context.forecasts.size}"
        )


@dataclass(frozen=True, slots=True)
class Offsets:
    """Lower and upper ends relative to the forecast, one pair per wanted position.

    `trace` holds what a method recorded at each step (the adaptive level, an effective sample size).
    """

    lower: FloatArray
    upper: FloatArray
    trace: Mapping[str, FloatArray] = field(default_factory=dict)

    def with_forecast(self) -> "Offsets":
        """The same, widened where the forecast, an offset of zero, lies outside.

        Examples
        --------
        >>> Offsets(np.array([-1.0, 1.0]), np.array([2.0, 3.0])).with_forecast().lower.tolist()
        [-1.0, 0.0]
        """
        return replace(self, lower=np.minimum(self.lower, 0.0), upper=np.maximum(self.upper, 0.0))


class Tracker(Keepable, ABC):
    """An interval method's state between one observation and the next."""

    __slots__ = ()

    @abstractmethod
    def issue(self, leverage: float = 0.0, forecast: float = 0.0) -> tuple[float, float]:
        """Offsets of the next target's interval, from what is known now.

        `forecast`, in the units of the residuals, is read by methods that see forecasts, and only where the history
        had a context.
        """

    @abstractmethod
    def observe(self, residual: float, missed: bool | None) -> None:
        """Take in the next residual to become known.

        `missed` says whether its interval missed it; None where no interval was issued for it. A residual that cannot
        be taken in raises `ValueError` before anything is changed.
        """

    def step(
        self, residual: float, missed: bool | None, leverage: float = 0.0, forecast: float = 0.0
    ) -> tuple[float, float]:
        """`observe`, then `issue`, to the bit: in service one call per observation.

        To be overridden where one compiled call can do both.
        """
        self.observe(residual, missed)
        return self.issue(leverage, forecast)

    def skip(self) -> None:
        """The next residual never becomes known: nothing is learned, as if its target had not been.

        To be overridden where the state is laid out by targets rather than by known residuals.
        """

    def observe_late(self, residual: float, missed: bool | None) -> None:
        """Take in the residual of a target that was skipped before, among those that are known now.

        A state that is made of known residuals, whichever came first, takes it as it takes any. One that is laid out by
        targets has forgotten what the skipped one's interval rested on, and the next residual that it expects is that
        of another: it learns nothing.
        """
        if type(self).skip is Tracker.skip:
            self.observe(residual, missed)


class IntervalMethod(Keepable, ABC):
    """A rule that turns known residuals into offsets; parameters only, no state.

    Subclasses are frozen dataclasses. A parameter left at None is chosen from its grid by `tuned`.
    """

    name: ClassVar[str]
    guarantee: ClassVar[str]
    feedback: ClassVar[bool] = False
    """Whether the state depends on how earlier intervals fared, not on the residuals alone."""
    sees: ClassVar[tuple[str, ...]] = ("residuals",)
    """What the method reads: "residuals", and of a `Context` "forecasts" and "clock"."""
    joint: ClassVar[bool] = False
    """Whether `run_each` serves all levels in one pass; `tuned` is then asked once, at the highest level."""
    bounded: ClassVar[bool] = False
    """Whether ends are cut to a bound that the outcomes are found to obey (`features/limits.py`)."""

    def tuned(self, history: History, level: float) -> "IntervalMethod":
        """The same method with every open parameter chosen from the known history alone."""
        return self

    @property
    def validates(self) -> bool:
        """Whether `tuned` scores candidates on the last part of the history, for which a history can be too short."""
        return True

    @property
    def noise_estimates(self) -> tuple[Literal["gcv", "evidence"], ...]:
        """Which of `noise_scales` the method reads; they cost a decomposition, so that only these are computed."""
        return ()

    @property
    def selected(self) -> dict[str, Any]:
        """The parameters that were chosen or fixed, by name, for reports."""
        return {}

    def leaned(self, trace: Mapping[str, FloatArray]) -> dict[str, float]:
        """What a run leaned on, by name, for reports, from its trace; nothing where parameters say all."""
        return {}

    @abstractmethod
    def run(self, stream: Stream, level: float) -> Offsets:
        """Offsets of the whole block in one call; open parameters are tuned first."""

    def run_each(self, stream: Stream, levels: Sequence[float]) -> tuple[Offsets, ...]:
        """Offsets of several levels, each as it is alone, so that they may cross.

        One run per level, each tuned for itself; a method that serves all levels at once overrides this.
        """
        return tuple(self.run(stream, level) for level in levels)

    def run_levels(self, stream: Stream, levels: Sequence[float]) -> tuple[Offsets, ...]:
        """Offsets of several levels, those of a higher one never inside those of a lower one."""
        return nested(self.run_each(stream, levels), levels)

    def assumes_normal(self, history: History) -> bool:
        """Whether intervals from this history are Student's: of normal errors whose scale few residuals tell."""
        return False

    @abstractmethod
    def begin(self, history: History, level: float) -> Tracker:
        """State for one observation at a time; open parameters are tuned first."""


def nested(offsets: Sequence[Offsets], levels: Sequence[float]) -> tuple[Offsets, ...]:
    """The same offsets, each widened to hold those of every lower level.

    Examples
    --------
    >>> inner, outer = Offsets(np.array([-2.0]), np.array([1.0])), Offsets(np.array([-1.0]), np.array([3.0]))
    >>> [offsets.lower.tolist() for offsets in nested([outer, inner], [0.9, 0.5])]
    [[-2.0], [-2.0]]
    """
    wide: dict[int, Offsets] = {}
    before: Offsets | None = None
    for place in sorted(range(len(levels)), key=lambda index: levels[index]):
        one = offsets[place]
        if before is not None:
            one = replace(
                one, lower=np.minimum(one.lower, before.lower), upper=np.maximum(one.upper, before.upper)
            )
        wide[place] = before = one
    return tuple(wide[place] for place in range(len(levels)))
