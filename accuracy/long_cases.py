"""One method on one long series: its rows of the table."""

from dataclasses import replace

import numpy as np

import ngrc
from accuracy.methods import LONG, LONGEST_SEASON
from accuracy.methods.base import LEVEL, Forecasts
from accuracy.schedule import schedule, spread
from accuracy.scores import Row, mae, rmse, seasonal_scale
from accuracy.series import LongSeries
from accuracy.walk import walk
from ngrc._shares import share
from ngrc._types import BoolArray, FloatArray
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
        row = Row("long", series.group, series.name, horizon, "spread", name)
        paid = replace(row, seconds=walked.seconds[horizon])
        if method.paths:
            rows.append(scored(paid, outcomes, forecasts, some >= calibrating(plan.origins.size), scale))
            continue
        banded = conformal(outcomes, forecasts.point, horizon)
        later = np.arange(outcomes.size) >= calibrating(outcomes.size)
        rows.append(scored(replace(paid, origins="all"), outcomes, banded, later, scale))
        # A part of the same run, which has no cost of its own.
        rows.append(scored(row, outcomes[some], banded.at(some), later[some], scale))
    return rows


def calibrating(origins: int) -> int:
    """How many of the origins only calibrate."""
    return share(CALIBRATION, origins)


def scored(row: Row, outcomes: FloatArray, forecasts: Forecasts, later: BoolArray, scale: float) -> Row:
    """The row with the scores of its errors, and of its intervals where `later` holds and it has any."""
    errors = outcomes - forecasts.point
    size = mae(errors)
    row = replace(row, count=errors.size, rmse=rmse(errors), mae=size, mase=size / scale)
    if forecasts.lower is None or forecasts.upper is None:
        return row
    ends = outcomes[later], forecasts.lower[later], forecasts.upper[later]
    return replace(row, coverage=coverage(*ends), winkler=winkler(*ends, LEVEL))


def conformal(outcomes: FloatArray, point: FloatArray, horizon: int) -> Forecasts:
    """The forecasts with the ends of `ngrc.around`, "adaptive", NaN while it calibrates: the same for every method."""
    bands = ngrc.around(outcomes, point, "adaptive", horizon=horizon, level=LEVEL, calibration=CALIBRATION)
    before = np.full(bands.start, np.nan)
    return Forecasts(point, np.concatenate([before, bands.lower]), np.concatenate([before, bands.upper]))
