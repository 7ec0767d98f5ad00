"""Offsets of one step at several levels, from one pass where the method serves all levels at once."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ngrc._shares import share
from ngrc._types import FloatArray
from ngrc.intervals.base import History, IntervalMethod, Offsets, Stream
from ngrc.intervals.context import Context
from ngrc.intervals.tuning import HISTORY_SHARE

EXACT = 1e-15
"""Share of the largest past error below which an error is rounding, and a forecast exact."""


@dataclass(frozen=True, slots=True, eq=False)
class Step:
    """One step of one channel: what is known at the last observation, and what the model says of the coming target.

    Parameters
    ----------
    step, own
        The step, and the one whose residuals it has: itself, or a nearer one where it has too few.
    method
        As the user or the library chose it, open parameters open.
    history
        Residuals, all observed, oldest first.
    context
        Of a method that sees more than residuals: forecasts of the known, the pending and the coming target.
    forecast, ridge
        Of the coming target, in the series' own units, and of its readout.
    leverage
        Says the leverage of the coming target, for a method that reads it.
    exact
        Lowest and highest of the past forecasts without an error, in the series' own units; None where there is none.
    """

    step: int
    own: int
    method: IntervalMethod
    history: History
    context: Context | None
    forecast: float
    ridge: float
    leverage: Callable[[], float]
    exact: tuple[float, float] | None = None

    def selected(self, tuned: IntervalMethod, trace: Mapping[str, FloatArray]) -> dict[str, Any]:
        """What was chosen and leaned on, by name."""
        # NaN where the model has no penalty.
        penalty = {} if np.isnan(self.ridge) else {"ridge": self.ridge}
        chosen = {**penalty, **tuned.selected, **tuned.leaned(trace)}
        return chosen if self.own == self.step else {**chosen, "residuals_of_step": self.own}


Choice = tuple[IntervalMethod, IntervalMethod]
"""A method, and the same with its open parameters chosen."""


def tuned_levels(step: Step, levels: Sequence[float], before: Sequence[Choice] | None) -> tuple[Choice, ...]:
    """The step's method tuned for each level; where it serves all levels together once, for the highest.

    A history too short for its delay takes the nearer step's choice.
    """
    history, method = step.history, step.method
    # Tuning cuts the history at its share, and needs a residual that is known there, H steps late.
    long = share(HISTORY_SHARE, history.residuals.size) >= history.horizon
    if method.validates and not long and before is not None and before[0][0] == method:
        return tuple(before)
    if method.joint:
        return ((method, method.tuned(history, max(levels))),) * len(levels)
    return tuple((method, method.tuned(history, level)) for level in levels)


def issued_levels(
    step: Step, methods: Sequence[IntervalMethod], levels: Sequence[float]
) -> tuple[Offsets, ...]:
    """Offsets of each level as it is alone: of the positions that were practised on, and the coming target's last."""
    if step.method.joint:
        return methods[0].run_each(practice_stream(step, methods[0]), levels)
    return tuple(_issued(step, method, level) for method, level in zip(methods, levels, strict=True))


def supported(step: Step, offsets: Sequence[Offsets]) -> tuple[Offsets, ...]:
    """The same; a coming interval without width becomes as wide as the largest past error where it knows nothing.

    Past errors of zero say that forecasts like those were exact. A forecast outside their range is another.
    """
    sizes = np.abs(step.history.residuals)
    largest = float(np.max(sizes))
    low, high = (np.inf, -np.inf) if step.exact is None else step.exact
    # Without errors of zero the ends of a low level may meet as well, and that is no certainty.
    if low <= step.forecast <= high or not np.any(sizes <= EXACT * largest):
        return tuple(offsets)
    return tuple(
        one if one.upper[-1] - one.lower[-1] > EXACT * largest else _wide(one, largest) for one in offsets
    )


def _wide(offsets: Offsets, largest: float) -> Offsets:
    """Offsets with another last pair."""
    lower, upper = offsets.lower.copy(), offsets.upper.copy()
    lower[-1], upper[-1] = -largest, largest
    return replace(offsets, lower=lower, upper=upper)


def _issued(step: Step, method: IntervalMethod, level: float) -> Offsets:
    """Of one level; a method that learns from its own misses first practises on the history."""
    if method.feedback and practice_start(step.history) <= step.history.residuals.size:
        return method.run(practice_stream(step, method), level)
    forecast = 0.0 if step.context is None else float(step.context.forecasts[-1])
    lower, upper = method.begin(step.history, level).issue(step.leverage(), forecast)
    return Offsets(np.array([lower]), np.array([upper]))


def practice_start(history: History) -> int:
    """First position to practise on: the share that tuning starts from, and a residual known H steps later."""
    return max(share(HISTORY_SHARE, history.residuals.size), history.horizon)


def practice_stream(step: Step, method: IntervalMethod) -> Stream:
    """The history and the positions to come; one without feedback is asked for the coming target alone."""
    history = step.history
    count, horizon = history.residuals.size, history.horizon
    start = practice_start(history)
    if not method.feedback or start > count:
        start = count + horizon - 1
    # The coming targets have no residuals yet, and none of those positions is ever looked at.
    residuals = np.concatenate([history.residuals, np.zeros(horizon)])
    return Stream(
        residuals,
        start,
        horizon,
        fit_scale=history.fit_scale,
        noise_scales=history.noise_scales,
        context=step.context,
    )
