"""One method through one long series: fitted at each end of the schedule, forecasting up to the next."""

from collections.abc import Mapping
from dataclasses import dataclass
from time import process_time

import numpy as np

from accuracy.methods.base import Forecasts, Known, Method
from accuracy.schedule import Schedule
from accuracy.series import LongSeries
from ngrc._types import FloatArray, IntArray


@dataclass(frozen=True, slots=True)
class Walk:
    """Forecasts by horizon at `origins`, and the processor's seconds of fits and forecasts together per horizon."""

    origins: IntArray
    forecasts: Mapping[int, Forecasts]
    seconds: Mapping[int, float]


def walk(series: LongSeries, method: Method, plan: Schedule, positions: IntArray) -> Walk:
    """Forecast horizons 1 and one season from the origins at `positions` of the plan.

    A direct method is fitted per horizon, so that each has a cost of its own; a method of paths is fitted once
    for both, and its cost is shared out in halves.
    """
    horizons = (1, series.season)
    groups = (horizons,) if method.paths else tuple((horizon,) for horizon in horizons)
    forecasts: dict[int, Forecasts] = {}
    seconds: dict[int, float] = {}
    for group in groups:
        begin = process_time()
        forecasts |= _through(series, method, plan, positions, group)
        cost = process_time() - begin
        seconds |= dict.fromkeys(group, cost / len(group))
    return Walk(plan.origins[positions], forecasts, seconds)


def _through(
    series: LongSeries, method: Method, plan: Schedule, positions: IntArray, horizons: tuple[int, ...]
) -> dict[int, Forecasts]:
    whole = Known(series.values, series.times, series.season)
    wanted = plan.origins[positions]
    blocks = [(end, wanted[places]) for end, places in Schedule(plan.ends, wanted).blocks() if places.size]
    ends = [end for end, _ in blocks]
    parts: list[Mapping[int, Forecasts]] = []
    fits = method.fits(whole.until(ends[-1]), ends, horizons)
    for fitted, (_, origins) in zip(fits, blocks, strict=True):
        # Through the last origin of the block and not a row further: a target is never at hand.
        parts.append(fitted.forecast(whole.until(int(origins[-1]) + 1), origins))
    return {horizon: _joined([part[horizon] for part in parts]) for horizon in horizons}


def _joined(parts: list[Forecasts]) -> Forecasts:
    def together(ends: list[FloatArray | None]) -> FloatArray | None:
        present = [end for end in ends if end is not None]
        return np.concatenate(present) if len(present) == len(ends) else None

    return Forecasts(
        np.concatenate([part.point for part in parts]),
        together([part.lower for part in parts]),
        together([part.upper for part in parts]),
    )
