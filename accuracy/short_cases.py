"""One method on one short series: the path from each of the last ends, and its first step."""

from dataclasses import replace
from time import process_time

from accuracy.long_cases import scored
from accuracy.methods.base import LEVEL, Forecasts, Known
from accuracy.methods.short import SHORT
from accuracy.origins import ends
from accuracy.scores import NAN, Row, seasonal_scale
from accuracy.short import ShortSeries
from ngrc._types import FloatArray
from ngrc.metrics import coverage, winkler


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
        for horizon in (1, series.steps):
            inside, score = intervals(outcomes[:horizon], forecasts, scale)
            row = Row("short", series.group, series.name, horizon, str(end), method)
            # The path is forecast once: its cost is shared out in halves over its two rows.
            row = replace(row, coverage=inside, winkler=score, seconds=seconds / 2)
            rows.append(scored(row, (outcomes - forecasts.point)[:horizon], scale))
    return rows


def intervals(outcomes: FloatArray, forecasts: Forecasts, scale: float) -> tuple[float, float]:
    """Coverage, and the Winkler score in units of the scale so that series can be averaged; NaN without ends."""
    if forecasts.lower is None or forecasts.upper is None:
        return NAN, NAN
    band = outcomes, forecasts.lower[: outcomes.size], forecasts.upper[: outcomes.size]
    return coverage(*band), winkler(*band, LEVEL) / scale
