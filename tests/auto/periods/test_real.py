"""Periods of real series, where their files are at hand."""

import csv
import gzip
import os
from pathlib import Path

import numpy as np
import pytest

from ngrc import datasets
from ngrc._types import FloatArray
from ngrc.auto.periods import data_periods, find_periods
from ngrc.datasets.catalogue import load
from ngrc.datasets.registry import DatasetError

FOLDER = Path(os.environ.get("NGRC_DATA", "nowhere"))
pytestmark = [
    pytest.mark.paper,
    pytest.mark.skipif(not FOLDER.is_dir(), reason="NGRC_DATA names no folder with the original files"),
]


@pytest.fixture(scope="module")
def short() -> dict[str, tuple[int, FloatArray]]:
    """Season and values of each short series by name."""
    path = FOLDER / "short.csv.gz"
    if not path.is_file():
        pytest.skip("short.csv.gz is not in NGRC_DATA")
    seasons: dict[str, int] = {}
    values: dict[str, list[float]] = {}
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for row in csv.DictReader(lines):
            seasons[row["unique_id"]] = int(row["season"])
            values.setdefault(row["unique_id"], []).append(float(row["y"]))
    return {name: (season, np.array(values[name])) for name, season in seasons.items()}


def named(name: str) -> FloatArray:
    try:
        return np.asarray(load(name).values)
    except DatasetError as error:
        pytest.skip(str(error))


def test_solar_has_a_day_of_144_steps() -> None:
    values = named("solar")
    assert [period.steps for period in data_periods(values)] == [144]
    assert 144 in [period.steps for period in data_periods(values[: len(values) // 10])]


@pytest.mark.parametrize("column", ["TEMP", "O3", "PRES"])
def test_beijing_has_a_day_of_24_hours(column: str) -> None:
    named("beijing")
    frame = datasets.beijing_channels((column,))
    values = frame[column].to_numpy()
    assert 24 in [period.steps for period in data_periods(values)]
    assert 24 in [period.steps for period in data_periods(values[:14_000])]
    told = find_periods(values, frame["time"].to_numpy())
    assert [period.name for period in told] == ["day", "week", "year"]


def test_exchange_rates_have_no_period() -> None:
    assert data_periods(named("exchange")) == ()


def test_sunspots_have_eleven_years(short: dict[str, tuple[int, FloatArray]]) -> None:
    (years,) = data_periods(short["datasets/sunspot.year"][1])
    assert years.steps == pytest.approx(11, abs=0.5)
    (months,) = data_periods(short["datasets/sunspots"][1])
    assert months.steps == pytest.approx(132, abs=6)


# Without a season: bond yields, river levels given as deviations from their season, Australians, a price
# index, revenues free of season, share prices; the monthly sunspots have eleven years instead.
SEASONLESS = {
    "AER/BondYield", "boot/manaus", "datasets/sunspots", "datasets/austres", "datasets/freeny.y", "AER/ArgentinaCPI",
    "AER/DJFranses",
}  # fmt: skip


def test_short_seasonal_series_show_their_season(short: dict[str, tuple[int, FloatArray]]) -> None:
    for name, (season, values) in short.items():
        found = [period.steps for period in data_periods(values)]
        if season > 1 and name not in SEASONLESS:
            assert found[:1] == [season], (name, found)
        elif name in SEASONLESS - {"datasets/sunspots"}:
            assert found == [], name


def test_yearly_and_daily_series_without_season_show_few(short: dict[str, tuple[int, FloatArray]]) -> None:
    shown = {name for name, (season, values) in short.items() if season == 1 and data_periods(values)}
    # Sunspots twice, and the lynx with its nine and a half years.
    assert shown == {"datasets/sunspot.year", "fpp2/sunspotarea", "datasets/lynx"}
