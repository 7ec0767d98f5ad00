"""From a history to a forecaster in service, by the parts of `ahead`."""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from ngrc._types import FloatArray
from ngrc.ahead.calibrated import Calibrated
from ngrc.ahead.levels import Step, practice_start, practice_stream, tuned_levels
from ngrc.ahead.paths import ManyFits, PathForecaster, Paths, check_steps, path_model, threads
from ngrc.ahead.pending import pending_forecasts
from ngrc.ahead.steps import Calibrator
from ngrc.forecasters.base import check_forecaster
from ngrc.forecasters.beside import Beside, place_beside
from ngrc.forecasters.facts import Leveraged
from ngrc.intervals import Bayes, Student
from ngrc.intervals.base import IntervalMethod, Tracker
from ngrc.live.calibration import Calibration, Issued, Pair
from ngrc.live.clock import Clock
from ngrc.model import NGRC
from ngrc.series import Series


@dataclass(frozen=True, slots=True, eq=False)
class Beginning:
    """What a start settles."""

    paths: Paths
    beside: Beside
    calibration: Calibration
    leveraged: bool


def begin(
    series: Series,
    model: Any,
    method: str | IntervalMethod | None,
    levels: tuple[float, ...],
    horizon: int,
    seed: int,
    clock: Clock,
) -> Beginning:
    """Fit and calibrate as `look_ahead` does, one tracker per step and level."""
    if not isinstance(model, NGRC):
        check_forecaster(model)
        if not isinstance(model, PathForecaster):
            _check_alone(model, method)
    plan, values = ManyFits(), series.values
    beside = place_beside(series, series, model, ahead=horizon)
    path = path_model(model, horizon)
    check_steps(len(series), path, plan)
    with threads(path):
        paths = plan.paths(values, path, beside)
        (calibrated,) = Calibrator(method, seed, smooth=False).channels(values, [series.times], paths, beside)
        pending = pending_forecasts(values, paths, beside)[:, :, 0]
        calibration = _calibration(calibrated, levels, pending, len(series), clock.points(series, horizon))
    leveraged = any(isinstance(step.method, Bayes) for step in calibrated.steps)
    return Beginning(paths, beside, calibration, leveraged)


def _check_alone(model: Any, method: str | IntervalMethod | None) -> None:
    if not isinstance(model, Leveraged) and (method == "bayes" or isinstance(method, Bayes)):
        raise ValueError(
            f"bayes needs a forecaster with leverage(), such as NGRC, got {type(model).__name__}; use method='auto'"
        )


def _calibration(
    calibrated: Calibrated, levels: tuple[float, ...], pending: FloatArray, size: int, origins: Sequence[int]
) -> Calibration:
    """The trackers after the history, and the forecasts that wait."""
    steps = calibrated.steps
    rows = [
        _started(step, methods, levels) for step, methods in zip(steps, _tuned(steps, levels), strict=True)
    ]
    calibration = Calibration(
        levels,
        [row.trackers for row in rows],
        deque(),
        calibrated.link,
        calibrated.bounds,
        isinstance(steps[0].method, Student),
    )
    horizon = len(steps)
    for place in range(horizon - 1):
        # Row i of the pending forecasts was said at the origin n - H + i, `age` observations before the newest.
        age = horizon - 1 - place
        mean = pending[place].tolist()
        # Of step h the target lies h - age after the newest; its interval was the (h - age)-th of those pending.
        offsets = [
            [None if (due := step - age) < 1 else per_level[due - 1] for per_level in row.pending]
            for step, row in enumerate(rows, start=1)
        ]
        centre = [one if one != one else calibration.centre([one])[0] for one in mean]
        calibration.waiting.append(Issued(origins[place], size - 1 - age, mean, centre, offsets, None, None))
    mean = [step.forecast for step in steps]
    centre = [
        calibration.centre([step.forecast])[0] if step.context is None else float(step.context.forecasts[-1])
        for step in steps
    ]
    coming: list[list[Pair | None]] = [list(row.coming) for row in rows]
    calibration.waiting.append(calibration.said(origins[-1], size - 1, mean, centre, coming))
    return calibration


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
    return _Row([one[0] for one in each], [one[1][-1] for one in each], [list(one[1][:-1]) for one in each])


def _practised(step: Step, method: IntervalMethod, level: float) -> tuple[Tracker, list[Pair]]:
    """A tracker after the history, and the offsets of the pending targets and of the coming one.

    A method that learns from its own misses first practises on the history, as in `ahead.levels`.
    """
    history = step.history
    count, horizon = history.residuals.size, history.horizon
    forecasts = None if step.context is None else step.context.forecasts
    first = practice_start(history)
    if not method.feedback or first > count:
        tracker = method.begin(history, level)
        coming = tracker.issue(
            step.leverage() if isinstance(method, Bayes) else 0.0,
            0.0 if forecasts is None else float(forecasts[-1]),
        )
        return tracker, [*([None] * (horizon - 1)), coming]  # type: ignore[list-item]
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
    # Those of the last H positions are left, unless fewer were practised on.
    left: list[Any] = list(issued)
    return tracker, [*([None] * (horizon - len(left))), *left]
