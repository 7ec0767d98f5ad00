"""The future of a series: a forecast and an interval for each of the coming steps."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ngrc._frames import Frame, columns_like, is_pandas
from ngrc._shares import share
from ngrc._types import AnyArray, FloatArray
from ngrc.forecasters.beside import Beside, place_beside
from ngrc.intervals.base import History, IntervalMethod, Stream
from ngrc.intervals.defaults import resolve
from ngrc.intervals.tuning import HISTORY_SHARE
from ngrc.model import NGRC
from ngrc.presets import default_lags
from ngrc.series import Series, as_series
from ngrc.series.outward import time_column
from ngrc.series.regular import coming_times
from ngrc.series.wording import plural
from ngrc.splits import LEAST_ROWS
from ngrc.validation import check_count, check_level


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
    interval. Nothing is refitted on them, so that they stay out of sample.

    Parameters
    ----------
    series
        Anything `as_series` takes.
    model
        An `NGRC` whose horizon is replaced by 1 to `steps`; by default one with lags chosen from the length.
    exog, known
        Columns beside the series, anything `as_channels` takes, and the names of those that are known ahead: they need
        `steps` rows after the series' last one.
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
    (outlook,) = _look(
        [series], model, exog=exog, known=known, steps=steps, method=method, level=level, fit=fit, seed=seed
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
) -> list[Outlook]:
    """`look_ahead` of several series of the same times as one vector series: each is forecast from the past of all.

    Examples
    --------
    >>> wave, noise = np.sin(np.arange(401) / 5), np.random.default_rng(0).normal(0, 0.1, 400)
    >>> ahead = look_ahead_together([wave[:-1] + noise, wave[1:]], NGRC(lags=2), steps=2, method="split")
    >>> [outlook.forecast.size for outlook in ahead]
    [2, 2]
    """
    return _look(
        targets, model, exog=exog, known=known, steps=steps, method=method, level=level, fit=fit, seed=seed
    )


def _look(
    targets: Sequence[Any],
    model: NGRC | None,
    *,
    exog: Any,
    known: Sequence[str],
    steps: int,
    method: str | IntervalMethod,
    level: float,
    fit: float,
    seed: int,
) -> list[Outlook]:
    observations, nominal = [as_series(series) for series in targets], check_level(level)
    sizes = {series.values.size for series in observations}
    if len(sizes) != 1:
        raise ValueError(
            f"series of one length are forecast together, got {sorted(sizes)}; cut them to the same times"
        )
    (size,) = sizes
    model = NGRC(default_lags(size)) if model is None else model
    if not isinstance(model, NGRC):
        raise ValueError(
            f"model must be an unfitted NGRC, got {model!r}; put intervals around other forecasts with ngrc.around"
        )
    if not 0.0 < fit < 1.0:
        raise ValueError(f"fit must be a share of the rows in (0, 1), got {fit!r}; try 0.6")
    lead = observations[0]
    path = _path(model, check_count(steps, "steps"))
    beside = place_beside(targets[0], lead, path, exog, known, ahead=steps)
    path = beside.equip(path)
    _check_steps(size, path, fit)
    # Before the fits: times that run beyond what their type can hold are refused without waiting.
    times = None if lead.times is None or size < 2 else coming_times(lead.times, steps)
    predictions = _predict(observations, path, beside, method, level=nominal, fit=fit, seed=seed)
    return [
        _outlook(source, series, times, steps, nominal)
        for source, series, steps in zip(targets, observations, predictions, strict=True)
    ]


def _outlook(
    source: Any, series: Series, times: AnyArray | None, steps: Sequence["_Prediction"], level: float
) -> Outlook:
    ends = np.array([(step.forecast, step.lower, step.upper) for step in steps])
    columns: dict[str, Any] = {"step": np.arange(1, len(steps) + 1)}
    if times is not None:
        columns["time"] = time_column(times, series.style, is_pandas(source))
    columns |= {"forecast": ends[:, 0], "lower": ends[:, 1], "upper": ends[:, 2]}
    return Outlook(
        level=level,
        method=steps[0].tuned.name,
        times=times,
        forecast=ends[:, 0],
        lower=ends[:, 1],
        upper=ends[:, 2],
        selected=tuple({"ridge": step.ridge, **step.tuned.selected} for step in steps),
        guarantee=steps[0].tuned.guarantee,
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
    shape = "this map" if model.map is not None or not isinstance(model.lags, int) else f"{model.lags} lags"
    raise ValueError(
        f"the series is too short for {plural(steps, 'step')} ahead with {shape}: {size} observations leave "
        f"too few rows to fit or to calibrate; {remedy}"
    )


def _predict(
    observations: Sequence[Series],
    model: NGRC,
    beside: Beside,
    method: str | IntervalMethod,
    *,
    level: float,
    fit: float,
    seed: int,
) -> list[list[_Prediction]]:
    """Fit an unfitted model of all steps, forecast, and put an interval around every step of every series."""
    values = np.stack([series.values for series in observations], axis=1)
    size = len(values)
    # One series is a scalar one, not a vector of one: its columns have the names that everybody knows.
    data: Any = values[:, 0] if len(observations) == 1 else values
    end = _fit_end(size, model, fit)
    model.fit(data[:end], **beside.until(end))
    now, coming = beside.until(size), beside.until(size, model.horizon)
    paths = model.predict_path(data, **now).reshape(size, model.horizon, -1)
    forecasts = model.forecast(data, **coming).reshape(model.horizon, -1)
    leverages = model.forecast_leverage(data, **coming).reshape(model.horizon, -1)
    return [
        [
            _interval(
                model,
                step,
                channel,
                model.fitted_.preparation.links[channel].residuals(outcomes, paths[:, step - 1, channel])[
                    end + step - 1 :
                ],
                float(forecasts[step - 1, channel]),
                float(leverages[step - 1, channel]),
                resolve(method, size - end - (step - 1), seed=seed),
                level,
            )
            for step in range(1, model.horizon + 1)
        ]
        for channel, outcomes in enumerate(values.T)
    ]


def _interval(
    model: NGRC,
    step: int,
    channel: int,
    residuals: FloatArray,
    forecast: float,
    leverage: float,
    method: IntervalMethod,
    level: float,
) -> _Prediction:
    """One step's interval, from the residuals whose forecasts were made after the fit block had closed."""
    fitted = model.fitted_
    readout = fitted.readout(step, channel)
    scales: dict[str, float] = {
        name: model.noise_scale(name, step, channel).scale for name in method.noise_estimates
    }
    fit_scale = readout.fit_scale * fitted.preparation.scales[channel].std
    history = History(residuals, step, fit_scale, scales)
    tuned = method.tuned(history, level)
    offsets = _offsets(tuned, history, level, leverage)
    lower, upper = (float(end) for end in fitted.preparation.links[channel].ends(forecast, *offsets))
    return _Prediction(forecast, lower, upper, readout.penalty, tuned)


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
