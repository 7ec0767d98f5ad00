"""One interval per step and channel, calibrated on the residuals that the step has, or on those of a nearer one."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from ngrc._shares import share
from ngrc._types import FloatArray
from ngrc.ahead.paths import Paths
from ngrc.features.link import Link
from ngrc.forecasters.beside import Beside
from ngrc.intervals import Student
from ngrc.intervals.base import History, IntervalMethod, Stream
from ngrc.intervals.defaults import resolve
from ngrc.intervals.tuning import HISTORY_SHARE
from ngrc.splits import LEAST_ROWS

# Independent residuals of a step below which they are few. From 30 on Student's factor is within four percent of the
# normal one (1.697 and 1.645 at a level of 0.9): what `student` knows of small numbers is no longer worth its normal
# shape. Below, the coverage of a quantile of the residuals varies by five points and more, sqrt(0.9 * 0.1 / 32).
WORTH = 3
"""Residuals per step that `student` asks of a step before it trusts them: errors that overlap so much that they are
worth fewer than three would make an interval of any width."""
FEW = 30


@dataclass(frozen=True, slots=True)
class Prediction:
    """One step ahead, and what was chosen for it.

    `borrowed` is the nearer step whose residuals stand in where this one has too few; None where it has its own.
    """

    forecast: float
    lower: float
    upper: float
    ridge: float
    tuned: IntervalMethod
    borrowed: int | None = None

    @property
    def selected(self) -> dict[str, Any]:
        """What was chosen, by name."""
        chosen = {"ridge": self.ridge, **self.tuned.selected}
        return chosen if self.borrowed is None else {**chosen, "residuals_of_step": self.borrowed}


@dataclass(frozen=True, slots=True)
class Calibrator:
    """How residuals become intervals: the method (None chooses one), the level, and the seed of a named one."""

    method: str | IntervalMethod | None
    level: float
    seed: int

    def predictions(self, values: FloatArray, paths: Paths, beside: Beside) -> list[list[Prediction]]:
        """By channel and step: forecasts of the last fit, with intervals of residuals that are out of sample."""
        size, model = len(values), paths.model
        horizon = model.horizon
        # Shapes with an axis of channels, also of the one channel of a scalar series.
        outcomes = values.reshape(size, -1)
        coming = beside.until(size, horizon)
        said = [
            model.forecast(values, **coming),
            model.forecast_leverage(values, **coming),
            model.fit_scale_,
            model.ridge_,
        ]
        tables = [np.reshape(part, (horizon, -1)) for part in said]
        return [
            list(self._channel(outcomes[:, channel], paths, channel, [table[:, channel] for table in tables]))
            for channel in range(outcomes.shape[1])
        ]

    def _channel(
        self, outcomes: FloatArray, paths: Paths, channel: int, tables: list[FloatArray]
    ) -> Iterator[Prediction]:
        """Every step of one channel, from the nearest on."""
        forecasts, leverages, fit_scales, ridges = tables
        link: Link = paths.model.link(channel)
        wanted = usual_method(paths) if self.method is None else self.method
        before: tuple[IntervalMethod, IntervalMethod] | None = None
        widest = 0.0
        for step in range(1, len(forecasts) + 1):
            place, own = step - 1, _own(step, paths, wanted)
            usable = paths.usable(own)
            residuals = link.residuals(outcomes, paths.said[:, own - 1, channel])[-usable:]
            method = resolve(wanted, usable, seed=self.seed)
            scales: dict[str, float] = {
                name: paths.model.noise_scale(name, step, channel).scale for name in method.noise_estimates
            }
            history = History(_grown(residuals, own, step), own, float(fit_scales[place]), scales)
            tuned = _tuned(method, history, self.level, before)
            before = method, tuned
            forecast = float(forecasts[place])
            offsets = _offsets(tuned, history, self.level, float(leverages[place]))
            if isinstance(tuned, Student):
                # A scale of a few residuals is a rough one, and the farther step is no better known than the nearer.
                widest = max(widest, offsets[1])
                offsets = -widest, widest
            lower, upper = (float(end) for end in link.ends(forecast, *offsets))
            borrowed = None if own == step else own
            yield Prediction(forecast, lower, upper, float(ridges[place]), tuned, borrowed)


def usual_method(paths: Paths) -> str:
    """`student` for all steps where the farthest has few independent residuals, else `adaptive`.

    Errors of forecasts `step` steps ahead overlap, so that their number over the step counts.
    """
    farthest: int = paths.model.horizon
    return "student" if paths.usable(farthest) < FEW * farthest else "adaptive"


def _own(step: int, paths: Paths, method: str | IntervalMethod) -> int:
    """The step itself, or the farthest nearer one that has enough residuals."""
    # Steps have one residual less each, so that the nearest has the most; the caller has seen to that one.
    if method == "student" or isinstance(method, Student):
        # usable(h) = usable(1) - (h - 1), of which `WORTH` per step are asked.
        return max(1, min(step, (paths.usable(1) + 1) // (WORTH + 1)))
    return min(step, max(paths.usable(1) - LEAST_ROWS + 1, 1))


def _grown(residuals: FloatArray, own: int, step: int) -> FloatArray:
    """Residuals of a nearer step as those of a farther one: times the square root of the ratio of the steps.

    So the errors of a random walk grow; those of a series that returns to its mean grow less, and its interval is wide
    rather than narrow.
    """
    return residuals if own == step else residuals * np.sqrt(step / own)


def _tuned(
    method: IntervalMethod,
    history: History,
    level: float,
    before: tuple[IntervalMethod, IntervalMethod] | None,
) -> IntervalMethod:
    """The method tuned on the history, or as for the nearer step where the history is too short for its delay."""
    # Tuning cuts the history at its share, and needs a residual that is known there, H steps late.
    long = share(HISTORY_SHARE, history.residuals.size) >= history.horizon
    if not long and before is not None and before[0] == method:
        return before[1]
    return method.tuned(history, level)


def _offsets(method: IntervalMethod, history: History, level: float, leverage: float) -> tuple[float, float]:
    """Offsets of the next interval; a method that learns from its own misses first practises on the history."""
    horizon = history.horizon
    # The share that tuning starts from, and at least one residual that is known H steps later.
    start = max(share(HISTORY_SHARE, history.residuals.size), horizon)
    if not method.feedback or start > history.residuals.size:
        return method.begin(history, level).issue(leverage)
    # The coming targets have no residuals yet, and none of those positions is ever looked at.
    residuals = np.concatenate([history.residuals, np.zeros(horizon)])
    offsets = method.run(Stream(residuals, start, horizon), level)
    return float(offsets.lower[-1]), float(offsets.upper[-1])
