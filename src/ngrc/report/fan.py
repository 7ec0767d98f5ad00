"""A fan chart as data: the end of a series, its forecast, and the intervals around it."""

from typing import Any

import numpy as np

from ngrc._types import BoolArray, FloatArray, IntArray
from ngrc.report.clock import Clock
from ngrc.report.coming import Coming
from ngrc.web.numbers import rounded
from ngrc.web.thinning import Thinning, thinning

RECENT = 1_500
"""Observations before the end of the series that are drawn one by one; older ones are thinned."""
MOST_OLDER = 3_000
"""Points for all that is older."""
VIEWED = 200
"""Observations before the first coming one that the chart shows at first, and four horizons of them at least."""


def history_places(count: int) -> tuple[IntArray, Thinning | None]:
    """Positions of the older part that are drawn, and its thinning; the newest `RECENT` are drawn one by one."""
    older = max(count - RECENT, 0)
    if older <= MOST_OLDER:
        return np.arange(count), None
    kept = thinning(older, MOST_OLDER)
    return np.concatenate([kept.positions, np.arange(older, count)]), kept


def observed(values: FloatArray, missing: BoolArray | None) -> FloatArray:
    """Values with NaN where none came: what was carried forward over a gap is no observation."""
    return values if missing is None else np.where(missing, np.nan, values)


def fan_of(
    chart: str,
    name: str,
    clock: Clock,
    values: FloatArray,
    missing: BoolArray | None,
    coming: Coming,
    digits: int | None = None,
) -> dict[str, Any]:
    """What the script draws under the name of a `chart`, ready for JSON."""
    seen, count = observed(values, missing), values.size
    places, kept = history_places(count)
    history = seen if kept is None else np.concatenate([kept.of(seen[: kept.count]), seen[kept.count :]])
    told = coming.digits
    fine = told if digits is None else max(digits, told)
    steps = count + np.arange(coming.forecast.size)
    viewed = max(count - max(VIEWED, 4 * coming.forecast.size), 0)
    return {
        "chart": chart,
        "name": name,
        "history": {"x": clock.axis(places), "y": rounded(history, fine)},
        "x": clock.axis(steps),
        "labels": coming.times,
        "forecast": rounded(coming.forecast, fine),
        "methods": list(coming.methods),
        "bands": [
            {
                "method": method,
                "level": level,
                "lower": rounded(lower, fine),
                "upper": rounded(upper, fine),
            }
            for method, bands in coming.by_method.items()
            for level, (lower, upper) in bands.items()
        ],
        "digits": told,
        "recent": [clock.axis(np.array([viewed]))[0], clock.axis(steps[-1:])[0]],
    }
