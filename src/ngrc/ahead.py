"""The future of a series: a forecast and an interval for each of the coming steps."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ngrc._frames import Frame, frame_like
from ngrc._shares import share
from ngrc._types import AnyArray, FloatArray
from ngrc.intervals.base import History, IntervalMethod, Stream
from ngrc.intervals.defaults import resolve
from ngrc.intervals.tuning import HISTORY_SHARE
from ngrc.model import NGRC
from ngrc.presets import default_lags
from ngrc.series import Series, as_series
from ngrc.series.regular import coming_times
from ngrc.splits import LEAST_ROWS
from ngrc.validation import check_count, check_level


@dataclass(frozen=True, slots=True)
class Ahead:
    """Forecasts of the steps after the last observation, with intervals, all in the series' units.

    `selected` holds, for every step, what was chosen: the ridge penalty and the method's parameters.
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
    """One row a step: step, time (where the series has times), forecast, lower, upper."""


def look_ahead(
    series: Any,
    model: NGRC | None = None,
    *,
    steps: int = 1,
    method: str | IntervalMethod = "adaptive",
    level: float = 0.95,
    fit: float = 0.6,
    seed: int = 0,
) -> Ahead:
    """Forecast the coming `steps` values, each with a prediction interval.

    Step h has a model of its own, fitted directly to targets h steps away on the first `fit` share of the rows; the
    residuals of the other rows, all observed by now, calibrate its interval. Nothing is refitted on them, so that
    they stay out of sample.

    Parameters
    ----------
    series
        Anything `as_series` takes.
    model
        An `NGRC` whose horizon is replaced by 1 to `steps`; by default one with lags chosen from the length.
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
    >>> ahead = look_ahead(y, NGRC(lags=4), steps=3, method="split", level=0.9)
    >>> ahead.table.shape, bool(np.all(ahead.lower < ahead.upper))
    ((3, 4), True)
    """
    observed, nominal = as_series(series), check_level(level)
    model = NGRC(default_lags(observed.values.size)) if model is None else model
    if not isinstance(model, NGRC):
        raise ValueError(
            f"model must be an unfitted NGRC, got {model!r}; put intervals around other forecasts with ngrc.around"
        )
    if not 0.0 < fit < 1.0:
        raise ValueError(f"fit must be a share of the rows in (0, 1), got {fit!r}; try 0.6")
    found = [
        _step(observed, model, h, method, nominal, fit, seed)
        for h in range(1, check_count(steps, "steps") + 1)
    ]
    ends = np.array([(one.forecast, one.lower, one.upper) for one in found])
    times = None if observed.times is None or len(observed) < 2 else coming_times(observed.times, steps)
    columns = {} if times is None else {"time": times.tolist()}
    columns |= {"forecast": ends[:, 0].tolist(), "lower": ends[:, 1].tolist(), "upper": ends[:, 2].tolist()}
    rows = [{"step": h + 1} | {name: values[h] for name, values in columns.items()} for h in range(steps)]
    return Ahead(
        level=nominal,
        method=found[0].tuned.name,
        times=times,
        forecast=ends[:, 0],
        lower=ends[:, 1],
        upper=ends[:, 2],
        selected=tuple({"ridge": one.ridge, **one.tuned.selected} for one in found),
        guarantee=found[0].tuned.guarantee,
        table=frame_like(series, rows),
    )


@dataclass(frozen=True, slots=True)
class _Step:
    forecast: float
    lower: float
    upper: float
    ridge: float
    tuned: IntervalMethod


def _step(
    series: Series,
    model: NGRC,
    horizon: int,
    method: str | IntervalMethod,
    level: float,
    fit: float,
    seed: int,
) -> _Step:
    fitted = type(model)(**{**model.get_params(), "horizon": horizon})
    values, first = series.values, fitted.first_target
    end = first + share(fit, max(values.size - first, 0))
    # The first horizon - 1 calibration forecasts were made before the fit block closed.
    usable = values.size - end - (horizon - 1)
    if end - first < 5 * horizon or usable < LEAST_ROWS + horizon:
        raise ValueError(
            f"the series is too short for {horizon} step(s) ahead with {model.lags} lags: {values.size} observations "
            "leave too few rows to fit or to calibrate; use fewer steps or lags"
        )
    fitted.fit(values[:end])
    residuals = (values - fitted.predict(values))[-usable:]
    history = History(residuals, horizon, fitted.fit_scale_)
    tuned = resolve(method, usable, seed=seed).tuned(history, level)
    forecast = float(fitted.forecast(values)[-1])
    lower, upper = _offsets(tuned, history, level, float(fitted.forecast_leverage(values)[-1]))
    return _Step(forecast, forecast + lower, forecast + upper, fitted.ridge_, tuned)


def _offsets(method: IntervalMethod, history: History, level: float, leverage: float) -> tuple[float, float]:
    """Offsets of the next interval; a method that learns from its own misses first practises on the history."""
    if not method.feedback:
        return method.begin(history, level).issue(leverage)
    horizon = history.horizon
    # The coming targets have no residuals yet, and none of those positions is ever looked at.
    residuals = np.concatenate([history.residuals, np.zeros(horizon)])
    start = max(share(HISTORY_SHARE, history.residuals.size), horizon)
    offsets = method.run(Stream(residuals, start, horizon), level)
    return float(offsets.lower[-1]), float(offsets.upper[-1])
