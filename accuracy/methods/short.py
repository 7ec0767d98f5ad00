"""The methods of the short series: from all that is known, the whole path ahead, with 90 % ends where they have any."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

import numpy as np

from accuracy.columns import lagged
from accuracy.methods.base import LEVEL, Forecasts, Known
from accuracy.methods.lagged import boosting, ridge
from accuracy.methods.naive import seasonal_naive

PathMethod = Callable[[Known, int], Forecasts | None]
"""The coming `steps` values from what is known; None where the series is too short for the method."""


def naive_path(known: Known, steps: int) -> Forecasts:
    """The last value."""
    return Forecasts(np.full(steps, known.values[-1]))


def seasonal_path(known: Known, steps: int) -> Forecasts:
    """The last season again."""
    last = np.array([known.values.size - 1])
    ahead = [seasonal_naive(known.values, last, step, known.season) for step in range(1, steps + 1)]
    return Forecasts(np.concatenate(ahead))


def regression_path(make: Callable[[], Any], known: Known, steps: int) -> Forecasts | None:
    """Direct regressions, one per step, on the lags of one season (at least 3): where rows exceed twice the lags."""
    lags = max(3, min(known.season, 48))
    size, here = known.values.size, np.array([known.values.size - 1])
    if size - steps - lags + 1 < 2 * lags:
        return None
    point = np.empty(steps)
    for step in range(1, steps + 1):
        origins = np.arange(lags - 1, size - step)
        model = make().fit(lagged(known.values, origins, lags), known.values[origins + step])
        point[step - 1] = model.predict(lagged(known.values, here, lags))[0]
    return Forecasts(point)


def automatic_path(name: str, known: Known, steps: int) -> Forecasts:
    """An automatic model of statsforecast, told the season and nothing else."""
    from statsforecast import models

    model = getattr(models, name)(season_length=known.season)
    percent = round(100 * LEVEL)
    ahead = model.forecast(y=known.values, h=steps, level=[percent])
    return Forecasts(ahead["mean"], ahead[f"lo-{percent}"], ahead[f"hi-{percent}"])


def ours_path(known: Known, steps: int) -> Forecasts:
    """`ngrc.look_ahead` with no options but the steps and the level."""
    import polars as pl

    import ngrc

    if known.times is None:
        outlook = ngrc.look_ahead(known.values, steps=steps, level=LEVEL)
    else:
        frame = pl.DataFrame({"time": known.times, "y": known.values})
        outlook = ngrc.look_ahead(frame, steps=steps, level=LEVEL)
    return Forecasts(outlook.forecast, outlook.lower, outlook.upper)


SHORT: Mapping[str, PathMethod] = MappingProxyType(
    {
        "naive": naive_path,
        "seasonal naive": seasonal_path,
        "ridge": lambda known, steps: regression_path(ridge, known, steps),
        "lightgbm": lambda known, steps: regression_path(boosting, known, steps),
        "AutoETS": lambda known, steps: automatic_path("AutoETS", known, steps),
        "AutoTheta": lambda known, steps: automatic_path("AutoTheta", known, steps),
        "AutoARIMA": lambda known, steps: automatic_path("AutoARIMA", known, steps),
        "AutoNGRC": ours_path,
    }
)
