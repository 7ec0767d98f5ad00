"""One method with intervals on one long series: its rows, scored on every target of the schedule."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

import numpy as np

from accuracy.methods import OURS
from accuracy.methods.backtested import METHOD, backtested
from accuracy.methods.base import LEVEL, Forecasts
from accuracy.methods.conformal import ConformalQuantiles
from accuracy.schedule import Schedule, schedule
from accuracy.scores import Row, seasonal_scale
from accuracy.series import LongSeries
from accuracy.walk import Walk, walk
from ngrc._types import FloatArray
from ngrc.metrics import coverage, winkler

OURS_BANDED = f"{OURS} {METHOD}"
PEER = ConformalQuantiles.name
ROUNDING = 1e-9
"""Distance, in units of the mean seasonal difference, up to which an outcome beyond an end counts as on it.

Solar power is zero at night, and so are both ends but for the rounding of the sums that give them."""
INTERVALS: Mapping[str, Callable[[LongSeries, Schedule], Walk]] = MappingProxyType(
    {
        PEER: lambda series, plan: walk(series, ConformalQuantiles(), plan, np.arange(plan.origins.size)),
        OURS_BANDED: backtested,
    }
)
"""Methods with intervals of their own on the long series."""


def interval_rows(series: LongSeries, name: str) -> list[Row]:
    """Horizons 1 and one season over every origin: coverage and Winkler score, no error of a point forecast."""
    plan = schedule(series.values.size, series.season)
    walked = INTERVALS[name](series, plan)
    scale = seasonal_scale(series.values[: plan.ends[0]], series.season)
    rows = []
    for horizon, forecasts in walked.forecasts.items():
        outcomes = series.values[plan.origins + horizon]
        inside, score = interval_scores(outcomes, forecasts, scale)
        rows.append(
            Row(
                "interval",
                series.group,
                series.name,
                horizon,
                "all",
                name,
                count=outcomes.size,
                coverage=inside,
                winkler=score,
                seconds=walked.seconds[horizon],
            )
        )
    return rows


def interval_scores(outcomes: FloatArray, forecasts: Forecasts, scale: float) -> tuple[float, float]:
    """Share inside and mean Winkler score; an end that is no number stops the run."""
    if forecasts.lower is None or forecasts.upper is None:
        raise ValueError("a method with intervals gave none; it must give both ends at every origin")
    bad = np.flatnonzero(~np.isfinite(forecasts.upper - forecasts.lower))
    if bad.size or forecasts.lower.size != outcomes.size:
        raise ValueError(
            f"{outcomes.size} intervals with two finite ends are expected, got {forecasts.lower.size}, of which "
            f"{bad.size} are not finite"
        )
    near = ROUNDING * scale
    inside = coverage(outcomes, forecasts.lower - near, forecasts.upper + near)
    return inside, winkler(outcomes, forecasts.lower, forecasts.upper, LEVEL)
