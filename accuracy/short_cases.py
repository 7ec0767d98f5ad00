"""One method on one short series: the path from each of the last ends, and its first step."""

from dataclasses import replace
from time import process_time

import numpy as np

from accuracy.long_cases import scored
from accuracy.methods.base import Forecasts, Known
from accuracy.methods.short import SHORT
from accuracy.origins import ends
from accuracy.scores import Row, seasonal_scale
from accuracy.short import ShortSeries
from ngrc._types import FloatArray


def short_rows(series: ShortSeries, method: str) -> list[Row]:
    """Two rows per end: the first step and the whole path; none where the method needs more observations."""
    rows: list[Row] = []
    whole = Known(series.values, series.times, series.season)
    for end in ends(series.values.size, series.season, series.steps):
        begin = process_time()
        forecasts = SHORT[method](whole.until(end), series.steps)
        seconds = process_time() - begin
        if forecasts is None:
            continue
        outcomes = series.values[end : end + series.steps]
        scale = seasonal_scale(series.values[:end], series.season)
        # The path is forecast once: its cost is shared out in halves over its two rows.
        row = Row("short", series.group, series.name, 1, str(end), method, seconds=seconds / 2)
        rows += [_scored(row, horizon, outcomes, forecasts, scale) for horizon in (1, series.steps)]
    return rows


def _scored(row: Row, horizon: int, outcomes: FloatArray, forecasts: Forecasts, scale: float) -> Row:
    """The path's first `horizon` steps; Winkler in units of the scale, so that series can be averaged."""
    first = np.arange(horizon)
    row = scored(replace(row, horizon=horizon), outcomes[first], forecasts.at(first), first >= 0, scale)
    return replace(row, winkler=row.winkler / scale)
