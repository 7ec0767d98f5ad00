"""One method on one long series: its rows of the table."""

from dataclasses import replace

import numpy as np

import ngrc
from accuracy.methods import LONG, LONGEST_SEASON
from accuracy.methods.base import LEVEL, Forecasts
from accuracy.schedule import schedule, spread
from accuracy.scores import NAN, Row, mae, rmse, seasonal_scale
from accuracy.series import LongSeries
from accuracy.walk import walk
from ngrc._types import FloatArray
from ngrc.metrics import coverage, winkler

CALIBRATION = 0.25
"""Share of the origins whose residuals only calibrate; intervals are scored on the targets after them."""


def long_rows(series: LongSeries, name: str) -> list[Row]:
    """Horizons 1 and one season: over every origin for direct methods, over the spread ones for all."""
    if series.season > LONGEST_SEASON.get(name, series.season):
        return []
    plan, method = schedule(series.values.size, series.season), LONG[name]()
    some = spread(plan)
    walked = walk(series, method, plan, some if method.paths else np.arange(plan.origins.size))
    scale = seasonal_scale(series.values[: plan.ends[0]], series.season)
    rows: list[Row] = []
    for horizon, forecasts in walked.forecasts.items():
        outcomes = series.values[walked.origins + horizon]
        errors = outcomes - forecasts.point
        empty = _empty(series, horizon, name)
        if method.paths:
            inside, score = own_intervals(outcomes, forecasts)
            row = replace(empty, coverage=inside, winkler=score, seconds=walked.seconds[horizon])
            rows.append(scored(row, errors, scale))
            continue
        inside, score = conformal(outcomes, forecasts.point, horizon)
        row = replace(empty, origins="all", coverage=inside, winkler=score, seconds=walked.seconds[horizon])
        # The second row is a part of the same run, and has no cost of its own.
        rows += [scored(row, errors, scale), scored(empty, errors[some], scale)]
    return rows


def _empty(series: LongSeries, horizon: int, method: str) -> Row:
    return Row("long", series.group, series.name, horizon, "spread", method)


def scored(row: Row, errors: FloatArray, scale: float) -> Row:
    """The row with the scores of its errors."""
    size = mae(errors)
    return replace(row, count=errors.size, rmse=rmse(errors), mae=size, mase=size / scale)


def conformal(outcomes: FloatArray, point: FloatArray, horizon: int) -> tuple[float, float]:
    """Coverage and Winkler score of `ngrc.around` with "adaptive": the same intervals around every direct method."""
    bands = ngrc.around(outcomes, point, "adaptive", horizon=horizon, level=LEVEL, calibration=CALIBRATION)
    return bands.coverage, bands.winkler


def own_intervals(outcomes: FloatArray, forecasts: Forecasts) -> tuple[float, float]:
    """Coverage and Winkler score of the method's own ends over the same later part, NaN where it has none."""
    lower, upper = forecasts.lower, forecasts.upper
    if lower is None or upper is None:
        return NAN, NAN
    later = slice(round(CALIBRATION * outcomes.size), None)
    ends = outcomes[later], lower[later], upper[later]
    return coverage(*ends), winkler(*ends, LEVEL)
