"""The long series, every one by a written rule: rates, plants, sites and ozone."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from ngrc._types import AnyArray, FloatArray
from ngrc.datasets.beijing import BEIJING, HOURS, SITES, site_files, site_hours
from ngrc.datasets.catalogue import load
from ngrc.datasets.exchange import EXCHANGE
from ngrc.datasets.exchange import SHAPE as EXCHANGE_SHAPE
from ngrc.datasets.matrix import read_matrix
from ngrc.datasets.registry import DatasetError, fetch
from ngrc.datasets.solar import SHAPE as SOLAR_SHAPE
from ngrc.datasets.solar import SOLAR
from ngrc.series.gaps import carry_forward

RATES = EXCHANGE_SHAPE[1]
"""Every column of the file of exchange rates, as levels."""
PLANTS = 20
"""The first so many columns of the file of Solar plants: a rule that looks at no value."""
CHANNELS = ("PM2.5", "PM10", "SO2", "NO2", "CO", "O3", "TEMP", "WSPM")
"""Columns of every Beijing site: six pollutants, temperature, wind speed."""
PLACES = (
    "Aotizhongxin",
    "Changping",
    "Dingling",
    "Dongsi",
    "Guanyuan",
    "Gucheng",
    "Huairou",
    "Nongzhanguan",
    "Shunyi",
    "Tiantan",
    "Wanliu",
    "Wanshouxigong",
)
"""The twelve sites in the order of their files."""
SEASONS = {"rates": 7, "solar": 144, "beijing": 24, "ozone": 7}
"""Steps of one season: a week of days, a day of 10-minute steps, a day of hours, a week of days."""


@dataclass(frozen=True, slots=True)
class LongSeries:
    """Observations of shape (n,), none missing, and their times where the file has any."""

    name: str
    group: str
    season: int
    values: FloatArray
    times: AnyArray | None


def long_names() -> tuple[str, ...]:
    """Every long series by name: 8 rates, 20 plants, 12 x 8 of Beijing, 1 of ozone.

    Examples
    --------
    >>> len(long_names()), long_names()[0], long_names()[28]
    (125, 'rates/0', 'beijing/Aotizhongxin/PM2.5')
    """
    return tuple(_names())


def _names() -> Iterator[str]:
    yield from (f"rates/{column}" for column in range(RATES))
    yield from (f"solar/{column}" for column in range(PLANTS))
    yield from (f"beijing/{place}/{channel}" for place in PLACES for channel in CHANNELS)
    yield "ozone"


def long_series(name: str) -> LongSeries:
    """Read one series by its name."""
    group, _, rest = name.partition("/")
    if name not in long_names():
        raise ValueError(f"no long series {name!r}; there are {len(long_names())}, such as rates/0 or ozone")
    if group == "rates":
        values, times = _rates()[:, int(rest)], None
    elif group == "solar":
        values, times = _plants()[:, int(rest)], _minutes()
    elif group == "beijing":
        values, times = _channel(*rest.split("/"))
    else:
        series = load("ozone-epa")
        values, times = series.values, series.times
    return LongSeries(name, group, SEASONS[group], np.ascontiguousarray(values), times)


@lru_cache(maxsize=1)
def _rates() -> FloatArray:
    return read_matrix(fetch(EXCHANGE), *EXCHANGE_SHAPE)


@lru_cache(maxsize=1)
def _plants() -> FloatArray:
    return read_matrix(fetch(SOLAR), *SOLAR_SHAPE)[:, :PLANTS].copy()


def _minutes() -> AnyArray:
    # The file has no times; it covers 2006 in steps of 10 minutes, as in ngrc.datasets.solar.
    start = np.datetime64("2006-01-01T00:00", "m")
    return np.asarray(start + 10 * np.arange(SOLAR_SHAPE[0]).astype("m8[m]"))


@lru_cache(maxsize=1)
def _site(place: str) -> tuple[AnyArray, FloatArray]:
    contents = list(site_files(fetch(BEIJING).read_bytes()))
    if len(contents) != SITES:
        raise DatasetError(f"the Beijing archive holds {len(contents)} sites where {SITES} are expected")
    content = contents[PLACES.index(place)]
    # The station is the last column; a file in another place would give a series under another's name.
    if place.encode() not in content.split(b"\n", 2)[1]:
        raise DatasetError(f"file {PLACES.index(place) + 1} of the Beijing archive is not that of {place}")
    return site_hours(content, CHANNELS)


def _channel(place: str, channel: str) -> tuple[FloatArray, AnyArray]:
    """One site's channel on its whole hourly grid, gaps carried forward, a leading gap dropped."""
    hours, values = _site(place)
    whole = hours.size == HOURS and bool(np.all(np.diff(hours) == np.timedelta64(1, "h")))
    if not whole:
        raise DatasetError(f"the Beijing site {place} does not hold {HOURS} hours in their order")
    filled, _, dropped = carry_forward(values[:, CHANNELS.index(channel)])
    return filled, hours[dropped:]
