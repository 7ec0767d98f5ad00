"""Weather beside Beijing's PM10: two readings of it, with the hours as they are filed and as they agree."""

from typing import Any, NamedTuple

import numpy as np
import polars as pl

from ngrc._types import FloatArray
from ngrc.datasets import beijing_channels
from ngrc.series import Series
from ngrc.study.map.cells import Plan
from ngrc.study.map.hours import MOISTURE, OZONE, alignment, find_change
from ngrc.study.map.maps import maps_of

BEIJING = "beijing"
NAMES = ("TEMP", "PRES", "DEWP", "WSPM", "wd_sin", "wd_cos")
"""Temperature, pressure, dew point, wind speed and direction."""
AHEAD = " at the target"
HORIZONS = (1, 3, 24)
STAMPS = {"filed": "as filed", "delayed": "put right: an hour later until the change"}
READINGS = {
    "observed": "through the origin",
    "known": "through the origin and at the target, as if forecast perfectly",
}
LAGS = 3
"""Hours of every column that are read through the origin."""


class Reading(NamedTuple):
    """How the weather is read at one horizon; both empty where it is not."""

    horizon: int
    kind: str = ""
    stamps: str = ""


class Weather(NamedTuple):
    """What is to be scored.

    Parameters
    ----------
    plans
        Maps by reading.
    data
        The series and the frame beside it of every map.
    hours
        How the hours of weather and PM10 agree.
    change
        When they change, as text.
    """

    plans: dict[Reading, Plan]
    data: dict[Plan, tuple[Series, Any]]
    hours: pl.DataFrame
    change: str


def weather_of(series: Series) -> Weather:
    """Every reading of the weather beside Beijing's series, at every horizon."""
    columns = beijing_channels((*NAMES, OZONE))
    change = find_change(series.values, columns[MOISTURE].to_numpy())
    beside, own = frames(columns, change), maps_of(BEIJING)[-1]
    plans: dict[Reading, Plan] = {}
    data: dict[Plan, tuple[Series, Any]] = {}
    for horizon in HORIZONS:
        plain = Plan(BEIJING, horizon, own)
        plans[Reading(horizon)], data[plain] = plain, (series, None)
        for kind in READINGS:
            for stamps, frame in beside.items():
                plan = Plan(BEIJING, horizon, (*own, *arguments(kind).items()), stamps)
                plans[Reading(horizon, kind, stamps)], data[plan] = plan, (series, frame)
    # At the end where no hour divides the record.
    moment = columns["time"][min(change, columns.height - 1)]
    return Weather(plans, data, alignment(series, columns), f"{moment:%Y-%m-%d %H:%M}")


def arguments(kind: str) -> dict[str, Any]:
    """What declares the columns to `NGRC`."""
    known = tuple(f"{name}{AHEAD}" for name in NAMES) if kind == "known" else ()
    return {"exog": NAMES, "known": known, "exog_lags": LAGS}


def frames(weather: pl.DataFrame, change: int) -> dict[str, pl.DataFrame]:
    """The columns by the reading of their hours, each also under the name of what is known at the target."""
    early = np.arange(weather.height) < change
    delayed = weather.with_columns(
        pl.Series(name, np.where(early, _late(weather[name].to_numpy()), weather[name].to_numpy()))
        for name in NAMES
    )
    return {stamps: _twice(frame) for stamps, frame in (("filed", weather), ("delayed", delayed))}


def _late(values: FloatArray) -> FloatArray:
    """Every value an hour later; the first stays where nothing came before it."""
    return np.concatenate((values[:1], values[:-1]))


def _twice(frame: pl.DataFrame) -> pl.DataFrame:
    # A column is read through the origin or at the target, so that both takes two columns.
    return frame.select("time", *NAMES).with_columns(pl.col(name).alias(f"{name}{AHEAD}") for name in NAMES)
