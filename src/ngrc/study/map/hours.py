"""Whether the hours of two columns agree, and when they cease to."""

from collections.abc import Mapping

import numpy as np
import polars as pl

from ngrc._types import AnyArray, FloatArray
from ngrc.series import Series

MONTH, YEAR = 730, 8766
"""Hours of a twelfth of a year, and of a year, which leans to no season."""
MOST_LAG = 3
"""Hours back to which agreement is looked for."""
MOISTURE, WARMTH, OZONE = "DEWP", "TEMP", "O3"
"""Dew point changes with the air mass as dust does; ozone is measured by the sites of PM10, and has a daily wave as
temperature has."""


def lag_correlations(series: FloatArray, column: FloatArray) -> FloatArray:
    """Rank correlations of hourly changes of the series with those of the column 0..3 hours before, shape (4,)."""
    from scipy.stats import spearmanr

    changes, others = np.diff(series)[MOST_LAG:], np.diff(column)
    if np.ptp(changes) == 0.0 or np.ptp(others[MOST_LAG:-MOST_LAG]) == 0.0:
        raise ValueError("a column that does not change has no correlation; give a longer stretch of it")
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
    """One row per year: where the changes of dew point and PM10 agree most, and the hour of the daily waves."""
    columns: Mapping[str, FloatArray] = {name: weather[name].to_numpy() for name in (MOISTURE, WARMTH, OZONE)}
    if series.times is None:
        raise ValueError("the hours of a series without times cannot be compared; give its times")
    records = []
    for start in range(0, len(series) - YEAR + 1, YEAR):
        part = slice(start, start + YEAR)
        found = lag_correlations(series.values[part], columns[MOISTURE][part])
        hours = series.times[part].astype("M8[h]").astype(np.int64) % 24
        records.append(
            {
                "from": str(series.times[start])[:10],
                "lag": int(np.argmax(found)),
                **{f"correlation_{lag}": float(found[lag]) for lag in (0, 1)},
                "temperature_hour": daily_hour(columns[WARMTH][part], hours),
                "ozone_hour": daily_hour(columns[OZONE][part], hours),
            }
        )
    return pl.DataFrame(records)


def daily_hour(values: FloatArray, hours: AnyArray) -> float:
    """The hour of day at which the first daily harmonic is largest.

    Examples
    --------
    >>> hours = np.arange(48) % 24
    >>> round(daily_hour(np.cos(2 * np.pi * (hours - 15) / 24), hours), 6)
    15.0
    """
    wave = np.sum((values - values.mean()) * np.exp(2j * np.pi * hours / 24))
    return float(np.angle(wave) * 24 / (2 * np.pi) % 24)
