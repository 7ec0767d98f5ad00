"""From a history to a forecaster in service, by the parts of `ahead`."""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ngrc._types import FloatArray
from ngrc.ahead.calibrated import Calibrated
from ngrc.ahead.levels import Step, practice_start, practice_stream, tuned_levels
from ngrc.ahead.paths import ManyFits, PathForecaster, checked_path, path_model, threads
from ngrc.ahead.pending import pending_forecasts
from ngrc.ahead.steps import Calibrator
from ngrc.forecasters.base import check_forecaster
from ngrc.forecasters.beside import place_beside
from ngrc.forecasters.facts import Leveraged
from ngrc.intervals import Bayes
from ngrc.intervals.base import IntervalMethod, Tracker
from ngrc.live.calibration import Calibration
from ngrc.live.clock import Clock
from ngrc.live.coming import Time
from ngrc.live.ends import Pair
from ngrc.live.inputs import Inputs
from ngrc.live.point import Point
from ngrc.live.refit import refits_of, values_kept
from ngrc.live.service import Service
from ngrc.live.waiting import Forecast
from ngrc.model import NGRC
from ngrc.series import Series

REMEMBERED = 1000
"""Missing targets whose forecasts are kept for an outcome that comes late, the newest, and at least H of them."""


def begin(
    series: Series,
    model: Any,
    method: str | IntervalMethod | None,
    levels: tuple[float, ...],
    horizon: int,
    seed: int,
    *,
    late: bool,
    refit_every: int | None,
    window: int | None,
) -> Service:
    """Fit and calibrate as `look_ahead` does, one tracker per step and level; parameters as of `OnlineForecaster`."""
    clock, values, plan = Clock.of(series), series.values, ManyFits()
    _check_model(model, method)
    path = checked_path(len(series), model, horizon, plan)
    # Before the fits: times that run beyond what their type can hold are refused without waiting.
    clock.coming(horizon)
    beside = place_beside(series, series, model, ahead=horizon)
    with threads(path):
        paths = plan.paths(values, path, beside)
        calibrator = Calibrator(method, seed, smooth=False)
        (calibrated,) = calibrator.channels(values, [series.times], paths, beside, [series.missing])
        pending = pending_forecasts(values, paths, beside)[:, :, 0]
        calibration = _calibration(calibrated, levels, pending, clock.newest_of(series, horizon))
    refits = refits_of(path_model(model, horizon), calibrated.link, refit_every, window)
    times = None if beside.times is None else beside.times[: len(series)]
    leveraged = any(isinstance(step.method, Bayes) for step in calibrated.steps)
    inputs = Inputs.of(values, times, values_kept(paths.model, refits))
    if refits is not None and window is not None:
        # A window too short for a fit is refused now, and not at an observation in service.
        refits.fitted(inputs, inputs.held_times, leveraged, placed=False)
    return Service(
        clock,
        inputs,
        Point(paths.model, 0, leveraged),
        calibration,
        len(series),
        refits,
        max(horizon, REMEMBERED) if late else 0,
    )


def _check_model(model: Any, method: str | IntervalMethod | None) -> None:
    # NGRC by its name first: a look at the contract asks the model for its properties, which cost it a plan.
    if isinstance(model, NGRC):
        return
    check_forecaster(model)
    bayes = method == "bayes" or isinstance(method, Bayes)
    if bayes and not isinstance(model, PathForecaster) and not isinstance(model, Leveraged):
        raise ValueError(
            f"bayes needs a forecaster with leverage(), such as NGRC, got {type(model).__name__}; use method='auto'"
        )


def _calibration(
    calibrated: Calibrated, levels: tuple[float, ...], pending: FloatArray, origins: Sequence[Time]
) -> Calibration:
    """The trackers after the history, and the forecasts that wait; `origins` are the times of its last H rows."""
    pooled = calibrated.pool is not None
    steps, horizon = pooled_steps(calibrated) if pooled else calibrated.steps, len(calibrated.steps)
    rows = [
        _started(step, methods, levels) for step, methods in zip(steps, _tuned(steps, levels), strict=True)
    ]
    calibration = Calibration(
        levels,
        [row.trackers for row in rows],
        deque(),
        calibrated.link,
        calibrated.bounds,
        spread=False,
    )
    # Row i of the pending forecasts was said at the origin n - H + i, `age` observations before the newest.
    for age, origin, row in zip(range(horizon - 1, 0, -1), origins, pending, strict=False):
        mean: list[float] = row.tolist()
        centre = calibration.centre(mean)
        # Of step h the target lies h - age after the newest; its interval is the (h - age)-th of those pending.
        offsets = [
            [None if step <= age else level[step - age - 1] for level in one.pending]
            for step, one in enumerate(rows, start=1)
        ]
        parts = zip(mean, centre, offsets, strict=True)
        calibration.waiting.append([Forecast(origin, *part, None) for part in parts])
    mean = [step.forecast for step in steps]
    # The very number that the method was given at the start.
    centre = [
        calibration.centre([step.forecast])[0] if step.context is None else float(step.context.forecasts[-1])
        for step in steps
    ]
    coming = _pooled_offsets(calibrated, levels) if pooled else [row.coming for row in rows]
    calibration.waiting.append(calibration.said(origins[-1], mean, centre, coming))
    calibration.spread = pooled
    return calibration


def pooled_steps(calibrated: Calibrated) -> tuple[Step, ...]:
    """The steps of `student`, each with residuals whose mean square is its variance by all steps together.

    So its trackers go on from the scales that `look_ahead` has, each of them by its own step's residuals alone.
    """
    scales = np.sqrt(calibrated.pooled_variances())
    return tuple(
        replace(step, history=replace(step.history, residuals=np.full_like(step.history.residuals, scale)))
        for step, scale in zip(calibrated.steps, scales, strict=True)
    )


def _pooled_offsets(calibrated: Calibrated, levels: tuple[float, ...]) -> list[list[Pair]]:
    """Offsets of the coming targets by step and level, as `look_ahead` has them."""
    each, _ = calibrated.offsets(levels)
    sides = [zip(one.lower[-1].tolist(), one.upper[-1].tolist(), strict=True) for one in each]
    return [list(pairs) for pairs in zip(*sides, strict=True)]


def _tuned(steps: Sequence[Step], levels: tuple[float, ...]) -> list[list[IntervalMethod]]:
    """Per step and level the method with its open parameters chosen, as `look_ahead` chooses them."""
    before, methods = None, []
    for step in steps:
        before = tuned_levels(step, levels, before)
        methods.append([chosen for _, chosen in before])
    return methods


@dataclass(frozen=True, slots=True, eq=False)
class _Row:
    """One step: a tracker per level, offsets of the coming target, and those of the pending ones, oldest first."""

    trackers: list[Tracker]
    coming: list[Pair]
    pending: list[list[Pair | None]]


def _started(step: Step, methods: Sequence[IntervalMethod], levels: Sequence[float]) -> _Row:
    # Residuals of a nearer step stand in for those of this one, whose outcomes come as late as its own all the same.
    own = step if step.own == step.step else replace(step, history=replace(step.history, horizon=step.step))
    each = [_practised(own, method, level) for method, level in zip(methods, levels, strict=True)]
    return _Row([one[0] for one in each], [one[1][-1] for one in each], [one[1][:-1] for one in each])


def _practised(step: Step, method: IntervalMethod, level: float) -> tuple[Tracker, list[Any]]:
    """A tracker after the history, and the offsets of the H - 1 pending targets, None where none, and the coming one.

    A method that learns from its own misses first practises on the history, as in `ahead.levels`.
    """
    history = step.history
    count, horizon, first = history.residuals.size, history.horizon, practice_start(history)
    forecasts = None if step.context is None else step.context.forecasts
    if not method.feedback or first > count:
        tracker = method.begin(history, level)
        leverage = step.leverage() if isinstance(method, Bayes) else 0.0
        coming = tracker.issue(leverage, 0.0 if forecasts is None else float(forecasts[-1]))
        return tracker, [*([None] * (horizon - 1)), coming]
    stream = practice_stream(step, method)
    tracker = method.begin(stream.history, level)
    residuals, issued = history.residuals.tolist(), deque[Pair]()
    for position in range(first, count + horizon):
        due = position - horizon
        if due >= stream.known:
            missed = None
            if due >= first:
                lower, upper = issued.popleft()
                missed = not lower <= residuals[due] <= upper
            tracker.observe(residuals[due], missed)
        issued.append(tracker.issue(0.0, 0.0 if forecasts is None else float(forecasts[position])))
    # Those of the last H positions are left.
    return tracker, list(issued)
