"""The slow twin: everything that was observed, gone through anew at every step, by whole blocks.

Forecasts are those of the fitted model for the whole series, one call per origin. Intervals are those of one block per
step and level that begins where the history's practice does and reaches to the coming target, with missing outcomes
lost. No state passes from one observation to the next.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ngrc._types import FloatArray
from ngrc.ahead.levels import Step, practice_start, tuned_levels
from ngrc.ahead.paths import ManyFits, path_model
from ngrc.ahead.pending import pending_forecasts
from ngrc.ahead.steps import Calibrator
from ngrc.forecasters.beside import Beside
from ngrc.intervals.base import Offsets, Stream, nested
from ngrc.intervals.context import Context
from ngrc.intervals.lost import run_with_lost
from ngrc.live.begin import pooled_steps


class Twin:
    """What a forecaster should say after any observations."""

    def __init__(
        self, history: FloatArray, model: Any, method: str, levels: Sequence[float], horizon: int
    ) -> None:
        self.history, self.levels, self.horizon = history, levels, horizon
        paths = ManyFits().paths(history, path_model(model, horizon), Beside())
        (self.calibrated,) = Calibrator(method, 0, smooth=False).channels(history, [None], paths, Beside())
        pooled = self.calibrated.pool is not None
        self.steps = pooled_steps(self.calibrated) if pooled else self.calibrated.steps
        self.model = paths.model
        self.pending = pending_forecasts(history, paths, Beside())[:, :, 0]

    def ends(self, observed: Sequence[float]) -> tuple[FloatArray, list[FloatArray]]:
        """Forecasts, and per level the ends of all steps, shape (2, H), after observations that may be NaN."""
        values = self.history.tolist()
        for value in observed:
            values.append(values[-1] if np.isnan(value) else value)
        size = self.history.size
        # By origin, from the history's last row on; that one spoke at the start.
        said = [np.array([step.forecast for step in self.calibrated.steps])]
        said += [self.model.forecast(np.array(values[: origin + 1])) for origin in range(size, len(values))]
        before, rows = None, []
        for step in self.steps:
            before = tuned_levels(step, self.levels, before)
            rows.append(self._offsets(step, [one for _, one in before], said, observed))
        each = [
            Offsets(np.array([row[place][0] for row in rows]), np.array([row[place][1] for row in rows]))
            for place in range(len(self.levels))
        ]
        if self.calibrated.steps[0].method.name == "student":
            widest = [np.maximum.accumulate(one.upper) for one in each]
            each = [Offsets(-one, one) for one in widest]
        ends = [
            np.array(
                [
                    self.calibrated.link.ends(float(m), float(low), float(high))
                    for m, low, high in zip(said[-1], one.lower, one.upper, strict=True)
                ]
            ).T
            for one in nested([one.with_forecast() for one in each], self.levels)
        ]
        return said[-1], ends

    def _offsets(
        self, step: Step, methods: Sequence[Any], said: list[FloatArray], observed: Sequence[float]
    ) -> list[tuple[float, float]]:
        """Offsets of the coming target of one step per level."""
        history, ahead = step.history, step.step
        # Targets from the first after the history on: those of the pending origins, then those of the later ones.
        early = [
            float(self.pending[len(self.pending) - ahead + 1 + row, ahead - 1]) for row in range(ahead - 1)
        ]
        forecasts = np.array([*early, *(float(one[ahead - 1]) for one in said)])
        lost = np.isnan(np.array(observed, dtype=float))
        link = self.calibrated.link
        outcomes = np.where(lost, forecasts[: len(observed)], observed)
        residuals = link.residuals(outcomes, forecasts[: len(observed)])
        count = history.residuals.size
        whole = np.concatenate([history.residuals, residuals, np.zeros(ahead)])
        gone = np.concatenate([np.zeros(count, bool), lost, np.zeros(ahead, bool)])
        context = None
        if step.context is not None:
            told = np.array([link.forward(np.array([one]))[0] for one in forecasts])
            known = step.context.forecasts[: count + ahead - 1]
            context = Context(np.concatenate([known[:count], told]), step.context.periods, step.context.phase)
        found = []
        for method, level in zip(methods, self.levels, strict=True):
            start = practice_start(history)
            if not method.feedback or start > count:
                start = count + ahead - 1
            stream = Stream(whole, start, ahead, fit_scale=history.fit_scale, context=context)
            offsets = run_with_lost(method, stream, level, gone)
            found.append((float(offsets.lower[-1]), float(offsets.upper[-1])))
        return found
