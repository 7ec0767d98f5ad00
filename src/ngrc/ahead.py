"""The future of a series: a forecast and an interval for each of the coming steps."""

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from itertools import product
from typing import Any

import numpy as np

from ngrc._frames import Frame, columns_like, is_pandas
from ngrc._shares import share
from ngrc._threads import one_thread
from ngrc._types import AnyArray, FloatArray
from ngrc.forecasters.beside import Beside, place_beside
from ngrc.intervals.base import History, IntervalMethod, Stream
from ngrc.intervals.defaults import resolve
from ngrc.intervals.tuning import HISTORY_SHARE
from ngrc.model import NGRC
from ngrc.presets import default_lags
from ngrc.series import Series, as_series
from ngrc.series.agreement import check_same_times
from ngrc.series.outward import time_column
from ngrc.series.regular import coming_times
from ngrc.series.wording import plural
from ngrc.splits import LEAST_ROWS
from ngrc.validation import check_count, check_level

# Above so many columns the decomposition itself is long enough to gain by a second thread.
FEW_COLUMNS = 1000


@dataclass(frozen=True, slots=True)
class Outlook:
    """Forecasts of the steps after the last observation, with intervals, all in the series' units.

    `selected` holds, for every step, what was chosen: the ridge penalty and the method's parameters. `times` are plain
    numpy times, in UTC where the series has a zone; the table has them as the series came.
    """

    level: float
    method: str
    times: AnyArray | None = field(repr=False)
    forecast: FloatArray
    lower: FloatArray
    upper: FloatArray
    selected: tuple[Mapping[str, Any], ...] = field(repr=False)
    guarantee: str = field(repr=False)
    table: Frame = field(repr=False)
    """One row per step: step, time (where the series has times), forecast, lower, upper."""


def look_ahead(
    series: Any,
    model: NGRC | None = None,
    *,
    exog: Any = None,
    known: Sequence[str] = (),
    steps: int = 1,
    method: str | IntervalMethod = "adaptive",
    level: float = 0.95,
    fit: float = 0.6,
    seed: int = 0,
) -> Outlook:
    """Forecast the coming `steps` values, each with a prediction interval.

    Step h has a readout of its own, fitted directly to targets h steps away on the first `fit` share of the rows, all
    from one decomposition (`NGRC(path=True)`); the residuals of the other rows, all observed by now, calibrate its
    interval. Nothing is refitted on them, so that they stay out of sample. All steps are fitted at the same origins,
    those from which the farthest target is in the fit block: more steps change the nearer forecasts a little.

    Parameters
    ----------
    series
        Anything `as_series` takes.
    model
        An `NGRC` whose horizon is replaced by 1 to `steps`; by default one with lags chosen from the length.
    exog, known
        Columns beside the series, anything `as_channels` takes, and the names of those that are known ahead: they need
        `steps` rows after the series' last. The others are read through the last observation.
    steps
        How many values to forecast.
    method
        A name or an interval method.
    level
        Nominal coverage.
    fit
        Share of the rows that is fitted; the rest calibrates.
    seed
        Seed of the ResCP reservoir where the method is given by name.

    Examples
    --------
    >>> y = np.sin(np.arange(400) / 5) + np.random.default_rng(0).normal(0, 0.1, 400)
    >>> outlook = look_ahead(y, NGRC(lags=4), steps=3, method="split", level=0.9)
    >>> outlook.table.shape, bool(np.all(outlook.lower < outlook.upper))
    ((3, 4), True)
    """
    (outlook,) = look_ahead_together(
        (series,), model, exog=exog, known=known, steps=steps, method=method, level=level, fit=fit, seed=seed
    )
    return outlook


def look_ahead_together(
    targets: Sequence[Any],
    model: NGRC | None = None,
    *,
    exog: Any = None,
    known: Sequence[str] = (),
    steps: int = 1,
    method: str | IntervalMethod = "adaptive",
    level: float = 0.95,
    fit: float = 0.6,
    seed: int = 0,
) -> tuple[Outlook, ...]:
    """Forecast the coming values of several series of one length, each from the past of all; one `Outlook` for each.

    Parameters are those of `look_ahead`, and one series is forecast as there.
    """
    observations, nominal = _together(targets), check_level(level)
    size = observations[0].values.size
    model = NGRC(default_lags(size)) if model is None else model
    if not isinstance(model, NGRC):
        raise ValueError(
            f"model must be an unfitted NGRC, got {model!r}; put intervals around other forecasts with ngrc.around"
        )
    if not 0.0 < fit < 1.0:
        raise ValueError(f"fit must be a share of the rows in (0, 1), got {fit!r}; try 0.6")
    beside = place_beside(targets[0], observations[0], model, exog, known, ahead=check_count(steps, "steps"))
    path = _path(beside.equip(model), steps)
    _check_steps(size, path, fit)
    # Before the fits: times that run beyond what their type can hold are refused without waiting.
    clocks = [
        None if one.times is None or size < 2 else coming_times(one.times, steps) for one in observations
    ]
    columns = [one.values for one in observations]
    values = columns[0] if len(columns) == 1 else np.stack(columns, axis=1)
    with _threads(path):
        predictions = _predict(values, path, beside, method, level=nominal, fit=fit, seed=seed)
    return tuple(
        _outlook(source, one, times, predicted, nominal)
        for source, one, times, predicted in zip(targets, observations, clocks, predictions, strict=True)
    )


def _together(targets: Sequence[Any]) -> tuple[Series, ...]:
    """Series of one length at the same times."""
    series = tuple(as_series(target) for target in targets)
    for one in series[1:]:
        names = f"series {series[0].name!r}", f"series {one.name!r}"
        if len(one) != len(series[0]):
            raise ValueError(
                f"series that are forecast together need one length, got {len(series[0])} of {names[0]} and {len(one)} "
                f"of {names[1]}; cut the longer one"
            )
        if one.times is not None and series[0].times is not None:
            check_same_times(series[0].times, one.times, names)
    return series


def _outlook(
    source: Any, series: Series, times: AnyArray | None, predictions: Sequence["_Prediction"], level: float
) -> Outlook:
    ends = np.array([(step.forecast, step.lower, step.upper) for step in predictions])
    columns: dict[str, Any] = {"step": np.arange(1, len(predictions) + 1)}
    if times is not None:
        columns["time"] = time_column(times, series.style, is_pandas(source))
    columns |= {"forecast": ends[:, 0], "lower": ends[:, 1], "upper": ends[:, 2]}
    return Outlook(
        level=level,
        method=predictions[0].tuned.name,
        times=times,
        forecast=ends[:, 0],
        lower=ends[:, 1],
        upper=ends[:, 2],
        selected=tuple({"ridge": step.ridge, **step.tuned.selected} for step in predictions),
        guarantee=predictions[0].tuned.guarantee,
        table=columns_like(source, columns),
    )


@dataclass(frozen=True, slots=True)
class _Prediction:
    """One step ahead, and what was chosen for it."""

    forecast: float
    lower: float
    upper: float
    ridge: float
    tuned: IntervalMethod


def _threads(model: NGRC) -> AbstractContextManager[None]:
    """One thread for small maps, whose many short products would wait for each other."""
    # On two threads the forecast of 48 steps took half again the processor time, and no less of the clock's.
    columns = model.feature_map.count(model.horizon)
    return one_thread() if columns < FEW_COLUMNS else nullcontext()


def _path(model: NGRC, steps: int) -> NGRC:
    """An unfitted copy for all horizons up to `steps`: the caller's model is never changed."""
    return type(model)(**{**model.get_params(deep=False), "horizon": steps, "path": True})


def _fit_end(size: int, model: NGRC, fit: float) -> int:
    """End of the fit block."""
    first = model.first_target
    return first + share(fit, max(size - first, 0))


def _feasible(size: int, model: NGRC, fit: float) -> bool:
    end, horizon = _fit_end(size, model, fit), model.horizon
    # The first horizon - 1 calibration forecasts were made before the fit block closed.
    usable = size - end - (horizon - 1)
    # 5 H fit rows, as in `splits.Sizes`: the penalty is chosen on the last fifth of them, of which H - 1 are guards.
    # H residuals beyond the least, because tuning cuts them once more with the same delay; none is pending here.
    return end - model.first_target >= 5 * horizon and usable >= LEAST_ROWS + horizon


def _check_steps(size: int, model: NGRC, fit: float) -> None:
    """Refuse before anything is fitted: the largest step needs the most rows."""
    steps = model.horizon
    if _feasible(size, model, fit):
        return
    # Rows only shrink as the horizon grows, so the largest step that can be had is found by halving: `low` is feasible
    # (or zero), `high` is not. No step beyond the series' length is, which bounds the search for --steps 1000000.
    low, high = 0, min(steps, size)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if _feasible(size, _path(model, middle), fit) else (low, middle)
    remedy = f"at most {plural(low, 'step')} can be had" if low else "give more observations or fewer lags"
    reach = model.first_target - steps
    lags = model.lags if model.map is None and isinstance(model.lags, int) else 0
    plain = reach == (lags - 1) * model.spacing
    # Where a season or an input reaches farther back than the lags, they are not what costs the rows.
    shape = plural(lags, "lag") if plain else f"a map that reads {plural(reach, 'step')} back"
    raise ValueError(
        f"the series is too short for {plural(steps, 'step')} ahead with {shape}: {size} observations leave "
        f"too few rows to fit or to calibrate; {remedy}"
    )


def _predict(
    values: FloatArray,
    model: NGRC,
    beside: Beside,
    method: str | IntervalMethod,
    *,
    level: float,
    fit: float,
    seed: int,
) -> list[list[_Prediction]]:
    """Fit an unfitted model of all steps, forecast, and put an interval around every step of every channel."""
    size, horizon = len(values), model.horizon
    end = _fit_end(size, model, fit)
    model.fit(values[:end], **beside.until(end))
    # Shapes with an axis of channels, also of the one channel of a scalar series.
    outcomes = values.reshape(size, -1)
    paths = model.predict_path(values, **beside.until(size)).reshape(size, horizon, -1)
    coming = beside.until(size, horizon)
    said = [
        model.forecast(values, **coming),
        model.forecast_leverage(values, **coming),
        model.fit_scale_,
        model.ridge_,
    ]
    forecasts, leverages, fit_scales, ridges = (np.reshape(part, (horizon, -1)) for part in said)
    predictions: list[list[_Prediction]] = [[] for _ in range(outcomes.shape[1])]
    for channel, step in product(range(outcomes.shape[1]), range(1, horizon + 1)):
        place = step - 1, channel
        usable = size - end - (step - 1)
        link = model.fitted_.preparation.links[channel]
        residuals = link.residuals(outcomes[:, channel], paths[:, step - 1, channel])[-usable:]
        interval_method = resolve(method, usable, seed=seed)
        estimates = interval_method.noise_estimates
        scales: dict[str, float] = {name: model.noise_scale(name, step, channel).scale for name in estimates}
        history = History(residuals, step, float(fit_scales[place]), scales)
        tuned = interval_method.tuned(history, level)
        forecast = float(forecasts[place])
        offsets = _offsets(tuned, history, level, float(leverages[place]))
        lower, upper = (float(end) for end in link.ends(forecast, *offsets))
        predictions[channel].append(_Prediction(forecast, lower, upper, float(ridges[place]), tuned))
    return predictions


def _offsets(method: IntervalMethod, history: History, level: float, leverage: float) -> tuple[float, float]:
    """Offsets of the next interval; a method that learns from its own misses first practises on the history."""
    if not method.feedback:
        return method.begin(history, level).issue(leverage)
    horizon = history.horizon
    # The coming targets have no residuals yet, and none of those positions is ever looked at.
    residuals = np.concatenate([history.residuals, np.zeros(horizon)])
    # The share that tuning starts from, and at least one residual that is known H steps later.
    start = max(share(HISTORY_SHARE, history.residuals.size), horizon)
    offsets = method.run(Stream(residuals, start, horizon), level)
    return float(offsets.lower[-1]), float(offsets.upper[-1])
