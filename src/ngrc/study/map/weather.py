"""Weather beside Beijing's PM10: two readings of it, and hours that do not agree."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import polars as pl

from ngrc._types import FloatArray
from ngrc.series import Series

NAMES = ("TEMP", "PRES", "DEWP", "WSPM", "wd_sin", "wd_cos")
"""Temperature, pressure, dew point, wind speed and direction."""
OZONE = "O3"
AHEAD = " at the target"
HORIZONS = (1, 3, 24)
STAMPS = {"filed": "as filed", "delayed": "delayed by an hour until the change"}
READINGS = {
    "observed": "observed through the origin",
    "known": "and known at the target, as by a perfect forecast",
}
MONTH, HALF_YEAR = 730, 4383
"""Hours of a twelfth and of a half of a year."""
MOST_LAG = 3
LAGS = 3
"""Hours of every column that are read through the origin."""


def arguments(kind: str) -> dict[str, Any]:
    """What declares the columns to `NGRC`."""
    known = tuple(f"{name}{AHEAD}" for name in NAMES) if kind == "known" else ()
    return {"exog": NAMES, "known": known, "exog_lags": LAGS}


def frames(weather: pl.DataFrame, change: int) -> dict[str, pl.DataFrame]:
    """The columns by the reading of their hours, each also under the name of what is known at the target."""
    late = weather.with_columns(pl.col(name).shift(1).backfill() for name in NAMES)
    early = pl.int_range(pl.len()) < change
    delayed = weather.with_columns(
        pl.when(early).then(late[name]).otherwise(pl.col(name)).alias(name) for name in NAMES
    )
    return {stamps: _twice(frame) for stamps, frame in (("filed", weather), ("delayed", delayed))}


def _twice(frame: pl.DataFrame) -> pl.DataFrame:
    # A column is read through the origin or at the target, so that both takes two columns.
    return frame.select("time", *NAMES).with_columns(pl.col(name).alias(f"{name}{AHEAD}") for name in NAMES)


def lag_correlations(series: FloatArray, column: FloatArray) -> FloatArray:
    """Rank correlations of hourly changes of the series with those of the column 0..3 hours before, shape (4,)."""
    from scipy.stats import spearmanr

    changes, others = np.diff(series)[MOST_LAG:], np.diff(column)
    ends = [others.size - lag for lag in range(MOST_LAG + 1)]
    return np.array([spearmanr(changes, others[end - changes.size : end]).statistic for end in ends])


def find_change(series: FloatArray, column: FloatArray) -> int:
    """The month's first hour that best divides lag 1 before from lag 0 after; 0 or the end where nothing divides."""
    starts = range(0, series.size - MONTH + 1, MONTH)
    lags = np.array(
        [np.argmax(lag_correlations(series[k : k + MONTH], column[k : k + MONTH])) for k in starts]
    )
    # Months that fit if the change lies before month k: lag 1 in those before it, lag 0 from it on.
    before = np.concatenate(((0,), np.cumsum(lags == 1)))
    after = np.concatenate((np.cumsum((lags == 0)[::-1])[::-1], (0,)))
    return int(np.argmax(before + after)) * MONTH


def alignment(series: Series, weather: pl.DataFrame) -> pl.DataFrame:
    """One row per half-year: where the changes of dew point and PM10 agree most, and the hour of the daily waves."""
    columns: Mapping[str, FloatArray] = {name: weather[name].to_numpy() for name in ("DEWP", "TEMP", OZONE)}
    assert series.times is not None
    records = []
    for start in range(0, len(series) - HALF_YEAR + 1, HALF_YEAR):
        part = slice(start, start + HALF_YEAR)
        found = lag_correlations(series.values[part], columns["DEWP"][part])
        hours = series.times[part].astype("M8[h]").astype(np.int64) % 24
        records.append(
            {
                "from": str(series.times[start])[:10],
                "lag": int(np.argmax(found)),
                **{f"correlation_{lag}": float(found[lag]) for lag in (0, 1)},
                "temperature_hour": daily_hour(columns["TEMP"][part], hours),
                "ozone_hour": daily_hour(columns[OZONE][part], hours),
            }
        )
    return pl.DataFrame(records)


def daily_hour(values: FloatArray, hours: Any) -> float:
    """The hour of day at which the first daily harmonic is largest.

    Examples
    --------
    >>> hours = np.arange(48) % 24
    >>> round(daily_hour(np.cos(2 * np.pi * (hours - 15) / 24), hours), 6)
    15.0
    """
    wave = np.sum((values - values.mean()) * np.exp(2j * np.pi * hours / 24))
    return float(np.angle(wave) * 24 / (2 * np.pi) % 24)
