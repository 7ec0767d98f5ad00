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
from ngrc.series.forecasts import read_forecasts

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


def test_the_command_line_keeps_series_apart_with_and_without_resample(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    columns = long("store", [1, 2], True)
    (tmp_path / "long.csv").write_text(table(store=columns["store"], date=columns["ds"], sales=columns["y"]))
    for options in ([], ["--resample"]):
        assert run(["forecast", str(tmp_path / "long.csv"), *options, "--lags", "2"]) == 0
        said = capsys.readouterr()
        assert [line.split(",")[0] for line in said.out.splitlines()] == ["unique_id", "1", "2"]
        assert "2 series by 'store'" in said.err
        # Not one of several: what a single series is asked for is refused.
        assert run(["diagnose", str(tmp_path / "long.csv"), *options]) == 2
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
    # A gap, so that the rows are not one regular series.
    path.write_text(table(date=[*DAYS[:9], *DAYS[10:]], station=["a", "b"] * 14 + ["a"], y=NOISE[:29]))
    with pytest.raises(ValueError, match="2 series"):
        read_series(path, resample=True)


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
    ],
)
def test_ordinary_tables_are_let_through(tmp_path: Path, columns: dict[str, Any]) -> None:
    size = len(next(iter(columns.values())))
    (tmp_path / "fine.csv").write_text(table(**columns, y=NOISE[:size]))
    series = read_series(tmp_path / "fine.csv", resample=len(columns.get("date", [])) == len(AGAIN))
    assert series.name == "y"
    unique = np.unique(columns.get("date", np.arange(size)), return_inverse=True)[1]
    means = np.bincount(unique, weights=NOISE[:size]) / np.bincount(unique)
    np.testing.assert_allclose(series.values, means)


def test_an_id_is_not_what_is_forecast(tmp_path: Path) -> None:
    (tmp_path / "one.csv").write_text(table(date=DAYS, station_id=[101] * 30, temperature=NOISE[:30]))
    assert read_series(tmp_path / "one.csv").name == "temperature"


@pytest.mark.parametrize(
    "clock",
    [
        list(range(30)),
        [1704067200 + 3600 * k for k in range(30)],
        [k / 10 for k in range(30)],
        [f"week {k}" for k in range(30)],
    ],
)
@pytest.mark.parametrize("blocks", [True, False])
@pytest.mark.parametrize("name", ["t", "Days", "when"])
@pytest.mark.parametrize("ids", [["a", "b"], [1, 2], [1.0, 2.0]])
def test_a_clock_that_nobody_named_starts_again(
    tmp_path: Path, clock: list[Any], blocks: bool, name: str, ids: list[Any]
) -> None:
    path = tmp_path / "stack.csv"
    groups = [key for key in ids for _ in clock] if blocks else ids * 30
    ticks = clock * 2 if blocks else [tick for tick in clock for _ in ids]
    path.write_text(table(**{"group": groups, name: ticks, "y": NOISE[:60], "forecast": NOISE[60:120]}))
    for read in (
        lambda: read_series(path, column="y"),
        lambda: read_forecasts(path, time=None, outcome="y", forecast="forecast"),
    ):
        with pytest.raises(ValueError, match="2 series, told apart by column 'group'"):
            read()


def test_a_written_clock_that_comes_round_alike_in_every_block(tmp_path: Path) -> None:
    path = tmp_path / "stack.csv"
    clock = [f"{1 + k % 15:02d}Jan24" for k in range(30)]
    path.write_text(table(group=["a"] * 30 + ["b"] * 30, when=2 * clock, y=NOISE[:60]))
    with pytest.raises(ValueError, match="2 series, told apart by column 'group'"):
        read_series(path)


def test_a_clock_that_goes_on_is_one_series(tmp_path: Path) -> None:
    path = tmp_path / "one.csv"
    weeks = [week for _ in range(3) for week in range(1, 53)]
    for columns in (
        {"group": ["a"] * 15 + ["b"] * 15, "t": range(30)},
        {"group": ["a"] * 14 + ["b"] * 14, "weekday": list("MTWUFSN") * 4},
        {"group": RNG.choice(["a", "b"], 30), "t": range(30)},
        {"yr": [1990 + k // 52 for k in range(156)], "wk": weeks},
        {"group": ["a", "b"] * 15, "humidity": RNG.integers(0, 100, 30)},
    ):
        size = len(next(iter(columns.values())))  # type: ignore[arg-type]
        path.write_text(table(**columns, y=NOISE[:size]))
        np.testing.assert_array_equal(read_series(path).values, NOISE[:size])


@pytest.mark.parametrize("name", ["unique_id", "fruit"])
@pytest.mark.parametrize("resample", [True, False])
def test_ids_in_the_index_are_seen(name: str, resample: bool) -> None:
    frame = pd.DataFrame(long(name, ["a", "b"], True)).set_index(name)
    with pytest.raises(ValueError, match=f"2 series, told apart by column '{name}'"):
        as_series(frame, resample=resample)
    if name == "unique_id":
        with pytest.raises(ValueError, match="2 series"):
            as_series(frame["y"])
    numbered = pd.DataFrame({"row_id": range(30), "ds": DAYS, "y": NOISE[:30]}).set_index("row_id")
    np.testing.assert_array_equal(as_series(numbered).values, NOISE[:30])
    np.testing.assert_array_equal(as_series(numbered["y"]).values, NOISE[:30])


def test_three_columns_may_tell_series_apart_together(tmp_path: Path) -> None:
    rows = [(d, a, b, c) for a in "mf" for b in ("0-40", "40+") for c in "xy" for d in DAYS]
    names = ("date", "sex", "age", "cause")
    columns = dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))
    (tmp_path / "keys.csv").write_text(table(**columns, deaths=RNG.integers(0, 99, 240)))
    for resample in (True, False):
        with pytest.raises(ValueError, match="8 series, told apart by columns 'sex' and 'age' and 'cause'"):
            read_series(tmp_path / "keys.csv", resample=resample)


@pytest.mark.parametrize("resample", [True, False])
def test_times_that_repeat_throughout_or_start_again_are_never_averaged(resample: bool) -> None:
    days = np.array(DAYS, dtype="M8[m]")
    for times in (
        np.repeat(days, 2),
        np.tile(days, 3),
        np.concatenate([days, days + np.timedelta64(30, "m")]),
    ):
        with pytest.raises(ValueError, match="as in a table of several series") as raised:
            as_series(NOISE[: times.size], time=times, resample=resample)
        assert "resampl" not in str(raised.value)
    # One wrong order is no second series.
    turned = np.concatenate([days[15:], days[:15]])
    assert len(as_series(NOISE[:30], time=turned, resample=True)) == 30


@pytest.mark.parametrize("name", ["weather_id", "customer", "region"])
def test_regular_times_are_one_series_whatever_a_column_is_called(tmp_path: Path, name: str) -> None:
    (tmp_path / "one.csv").write_text(table(time=HOURS, y=NOISE[: len(HOURS)], **{name: [7, 8, 9] * 480}))
    series = read_series(tmp_path / "one.csv")
    np.testing.assert_array_equal(series.values, NOISE[: len(HOURS)])
    assert any(name in note and "one series" in note for note in series.notes)
