"""Several series in one table are refused and never averaged; ordinary extra columns are let through."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

from ngrc.cli import run
from ngrc.series import Series, as_series, read_series

DAYS = [str(np.datetime64("2024-01-01") + day) for day in range(30)]
RNG = np.random.default_rng(0)
NOISE = RNG.normal(size=3000)


def table(**columns: Any) -> str:
    rows = zip(*columns.values(), strict=True)
    return ",".join(columns) + "\n" + "".join(",".join(map(str, row)) + "\n" for row in rows)


def long(name: str, ids: list[Any], blocks: bool) -> dict[str, list[Any]]:
    pairs = [(key, day) for key in ids for day in DAYS] if blocks else [(k, d) for d in DAYS for k in ids]
    return {name: [key for key, _ in pairs], "ds": [day for _, day in pairs], "y": list(NOISE[: len(pairs)])}


@pytest.mark.parametrize("name", ["unique_id", "store", "StationID", "item_nbr", "fruit"])
@pytest.mark.parametrize("ids", [["a", "b", "c"], [7, 8, 9]])
@pytest.mark.parametrize("blocks", [True, False])
@pytest.mark.parametrize("resample", [True, False])
def test_long_tables_are_refused(
    tmp_path: Path, name: str, ids: list[Any], blocks: bool, resample: bool
) -> None:
    columns = long(name, ids, blocks)
    (tmp_path / "long.csv").write_text(table(**columns))
    indexed = pd.DataFrame(columns).set_index(pd.DatetimeIndex(columns["ds"])).drop(columns="ds")
    message = rf"3 series, told apart by column '{name}' \('{ids[0]}', '{ids[1]}', '{ids[2]}'\)"
    readers: list[Callable[[], Series]] = [
        lambda: read_series(tmp_path / "long.csv", resample=resample),
        lambda: as_series(pd.DataFrame(columns), resample=resample),
        lambda: as_series(pl.DataFrame(columns), resample=resample, column="y", time="ds"),
        lambda: as_series(indexed, resample=resample),
    ]
    for read in readers:
        with pytest.raises(ValueError, match=message) as raised:
            read()
        assert "\n" not in str(raised.value)
        assert f"{name} = '{ids[0]}'" in str(raised.value)


def test_the_command_line_refuses_with_and_without_resample(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    columns = long("store", [1, 2], True)
    (tmp_path / "long.csv").write_text(table(store=columns["store"], date=columns["ds"], sales=columns["y"]))
    for options in ([], ["--resample"]):
        assert run(["forecast", str(tmp_path / "long.csv"), *options]) == 2
        assert "2 series, told apart by column 'store'" in capsys.readouterr().err


@pytest.mark.parametrize("names", [("store", "item"), ("left", "right")])
def test_two_columns_may_tell_series_apart_together(tmp_path: Path, names: tuple[str, str]) -> None:
    rows = [(a, b, day) for a in "xy" for b in "pq" for day in DAYS]
    first, second, days = (list(column) for column in zip(*rows, strict=True))
    columns = {names[0]: first, names[1]: second, "date": days, "sales": NOISE[:120]}
    (tmp_path / "pairs.csv").write_text(table(**columns))
    with pytest.raises(ValueError, match=rf"4 series, told apart by columns '{names[0]}' and '{names[1]}'"):
        read_series(tmp_path / "pairs.csv", resample=True)


def test_a_row_that_stands_twice_hides_nothing(tmp_path: Path) -> None:
    for name in ("unique_id", "fruit"):
        columns = long(name, ["a", "b"], True)
        (tmp_path / "dirty.csv").write_text(table(**columns) + f"a,{DAYS[3]},5\n")
        with pytest.raises(ValueError, match=f"2 series, told apart by column '{name}'"):
            read_series(tmp_path / "dirty.csv", resample=True)


@pytest.mark.parametrize("name", ["country", "land"])
def test_years_that_start_again(tmp_path: Path, name: str) -> None:
    years = list(range(1990, 2020))
    (tmp_path / "gdp.csv").write_text(
        table(**{name: ["a"] * 30 + ["b"] * 30}, year=2 * years, gdp=NOISE[:60])
    )
    with pytest.raises(ValueError, match=f"2 series, told apart by column '{name}'"):
        read_series(tmp_path / "gdp.csv")


def test_ids_without_times_and_ids_that_alternate(tmp_path: Path) -> None:
    path = tmp_path / "ids.csv"
    path.write_text(table(station=["a"] * 15 + ["b"] * 15, y=NOISE[:30]))
    with pytest.raises(ValueError, match="2 series"):
        read_series(path)
    path.write_text(table(date=DAYS, station=["a", "b"] * 15, y=NOISE[:30]))
    with pytest.raises(ValueError, match="2 series"):
        read_series(path)


def test_an_index_of_several_levels_is_refused() -> None:
    frame = pd.DataFrame(long("unique_id", ["a", "b"], True)).set_index(["unique_id", "ds"])
    for data in (frame, frame["y"]):
        with pytest.raises(ValueError, match="the index has 2 levels"):
            as_series(data)


def test_files_of_forecasts_hold_one_series_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    columns = long("unique_id", ["a", "b"], True)
    (tmp_path / "long.csv").write_text(table(**columns, forecast=NOISE[:60]))
    assert run(["intervals", str(tmp_path / "long.csv")]) == 2
    assert "2 series, told apart by column 'unique_id'" in capsys.readouterr().err


HOURS = [
    str(hour).replace("T", " ")
    for hour in np.arange("2024-01-01T00:00", "2024-03-01T00:00", 60, dtype="M8[m]")
]
AGAIN = [*HOURS[:701], *HOURS[700:]]
TWICE = [day for day in DAYS for _ in range(2)]


@pytest.mark.parametrize(
    "columns",
    [
        {"station": ["X"] * len(HOURS), "date": HOURS},
        {"date": HOURS, "station_id": [101] * len(HOURS)},
        {"date": HOURS, "flag": [("ok", "bad")[k % 3 == 0] for k in range(len(HOURS))]},
        {"date": HOURS, "weekday": ["MTWTFSS"[k // 24 % 7] for k in range(len(HOURS))]},
        {"date": DAYS, "station": ["old"] * 15 + ["new"] * 15},
        {"id": range(30), "date": DAYS},
        {"id": range(30)},
        # An hour that a clock change repeats, beside columns that differ there by chance.
        {"date": AGAIN, "flag": [("ok", "bad")[k % 2] for k in range(len(AGAIN))]},
        {"date": AGAIN, "zone": ["CET" if k <= 700 else "CEST" for k in range(len(AGAIN))]},
        {"date": AGAIN, "humidity": RNG.integers(0, 100, len(AGAIN))},
        {"id": range(len(AGAIN)), "date": AGAIN},
        {"station": ["X"] * len(AGAIN), "date": AGAIN},
        # Two readings on every day of one series.
        {"date": TWICE},
        {"date": TWICE, "flag": RNG.choice(["A", "B"], 60)},
        {"date": TWICE, "temperature": RNG.integers(0, 30, 60)},
        {"date": TWICE, "weekday": ["MTWTFSS"[k // 2 % 7] for k in range(60)]},
    ],
)
def test_ordinary_tables_are_let_through(tmp_path: Path, columns: dict[str, Any]) -> None:
    size = len(next(iter(columns.values())))
    (tmp_path / "fine.csv").write_text(table(**columns, y=NOISE[:size]))
    series = read_series(tmp_path / "fine.csv", resample=len(columns.get("date", [])) in (len(AGAIN), 60))
    assert series.name == "y"
    unique = np.unique(columns.get("date", np.arange(size)), return_inverse=True)[1]
    means = np.bincount(unique, weights=NOISE[:size]) / np.bincount(unique)
    np.testing.assert_allclose(series.values, means)


def test_an_id_is_not_what_is_forecast(tmp_path: Path) -> None:
    (tmp_path / "one.csv").write_text(table(date=DAYS, station_id=[101] * 30, temperature=NOISE[:30]))
    assert read_series(tmp_path / "one.csv").name == "temperature"
