"""An outlook as a picture: the last observations, and the fan of what is to come."""

from typing import Any

import numpy as np

from ngrc import plot
from ngrc._types import AnyArray
from ngrc.plot.canvas import entitle
from ngrc.series import Series
from ngrc.series.outward import wall_times
from ngrc.series.wording import plural

# The outlook is that of `outlook.py`, which imports this file: its type cannot be named here.

SHARE, LEAST = 3, 48
"""Past observations per step ahead, and at least: what came before is needed to judge what is to come."""


def draw(outlook: Any, series: Series | None, past: int | None, ax: Any) -> Any:
    """Forecasts with the intervals of all levels after the last observations."""
    steps = outlook.forecast.size
    count = max(LEAST, SHARE * steps) if past is None else past
    x, before = _places(outlook, series, count)
    axes = plot.band(
        outlook.forecast,
        outlook.bands,
        x=x,
        past=before,
        ax=ax,
    )
    name = "forecast" if series is None else series.name
    whole = ", whole path" if outlook.band == "path" else ""
    entitle(axes, f"{name}: {plural(steps, 'step')} ahead, {outlook.method}{whole}")
    axes.set_ylabel(name)
    return axes


def _places(outlook: Any, series: Series | None, count: int) -> tuple[AnyArray, Any]:
    """Where the coming values stand, and the observations before them with their places."""
    steps = outlook.forecast.size
    if series is None or count == 0:
        return (np.arange(1, steps + 1) if outlook.times is None else outlook.times), None
    # What was carried forward over a gap is no observation.
    known = series.values if series.missing is None else np.where(series.missing, np.nan, series.values)
    values = known[-count:]
    if outlook.times is None or series.times is None:
        # Steps counted from the last observation, which is at zero.
        return np.arange(1, steps + 1), (np.arange(1 - values.size, 1), values)
    line = wall_times(np.concatenate([series.times[-count:], outlook.times]), series.style)
    return line[values.size :], (line[: values.size], values)
