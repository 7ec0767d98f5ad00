"""Times go out as they came in: zone, resolution, periods, spelling."""

import csv
import datetime as dt
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

from ngrc import NGRC, as_series, backtest, look_ahead
from ngrc._types import AnyArray
from ngrc.cli import run
from ngrc.series.outward import offset_minutes, time_column, time_text
from ngrc.series.regular import coming_times
from ngrc.series.style import TimeStyle

VALUES = np.random.default_rng(0).normal(size=120)
MODEL = NGRC(lags=2, ridge=0.1)


def coming(data: Any, steps: int = 3) -> Any:
    return look_ahead(data, MODEL, steps=steps, method="split", level=0.8).table["time"]


@pytest.mark.parametrize("unit", ["s", "ms", "us", "ns"])
@pytest.mark.parametrize(
    "zone",
    [None, "UTC", "Europe/Berlin", "America/New_York", "Etc/GMT+5", dt.timezone(dt.timedelta(hours=1))],
)
@pytest.mark.parametrize("frequency", ["h", "D", "MS"])
def test_pandas_times_keep_zone_and_resolution(unit: Any, zone: Any, frequency: str) -> None:
    index = pd.date_range("2024-01-01", periods=123, freq=frequency, tz=zone, unit=unit)
    for data in (
        pd.Series(VALUES, index=index[:120]),
        pd.DataFrame({"when": index[:120], "y": VALUES}),
    ):
        times = coming(data)
        assert times.dtype == index.dtype
        assert times.tolist() == index[120:].tolist()


@pytest.mark.parametrize("unit", ["ms", "us", "ns"])
@pytest.mark.parametrize("zone", [None, "UTC", "America/New_York"])
@pytest.mark.parametrize("frequency", ["h", "D"])
def test_polars_times_keep_zone_and_resolution(unit: Any, zone: str | None, frequency: str) -> None:
    index = pd.date_range("2024-01-01", periods=123, freq=frequency, tz=zone)
    times = pl.Series("when", index).dt.cast_time_unit(unit)
    table = coming(pl.DataFrame({"when": times[:120], "y": VALUES}))
    assert table.dtype == times.dtype
    assert table.to_list() == times[120:].to_list()


def test_clock_changes() -> None:
    change = pd.Timestamp("2024-03-31", tz="Europe/Berlin")
    hours = pd.date_range(end=change, periods=120, freq="h")
    expected = ["2024-03-31 01:00:00+01:00", "2024-03-31 03:00:00+02:00", "2024-03-31 04:00:00+02:00"]
    assert [str(time) for time in coming(pd.Series(VALUES, index=hours))] == expected
    days = pd.date_range(end=change, periods=120, freq="D")
    midnight = ["2024-04-01 00:00:00+02:00", "2024-04-02 00:00:00+02:00", "2024-04-03 00:00:00+02:00"]
    assert [str(time) for time in coming(pd.Series(VALUES, index=days))] == midnight
    frame = pl.DataFrame({"when": pl.Series(days), "y": VALUES})
    assert [str(time) for time in coming(frame)] == midnight


def test_a_midnight_that_a_clock_change_leaves_out() -> None:
    nights = np.array(["2018-11-03", "2018-11-04", "2018-11-05"], dtype="M8[us]")
    style = TimeStyle(zone="America/Sao_Paulo", wall=True)
    expected = ["2018-11-03 00:00:00-03:00", "2018-11-04 01:00:00-02:00", "2018-11-05 00:00:00-02:00"]
    assert [str(time) for time in time_column(nights, style, pandas=True)] == expected
    assert [str(time) for time in time_column(nights, style, pandas=False)] == expected


def test_periods_numbers_and_compact_dates() -> None:
    months = pd.period_range("2010-01", periods=123, freq="M")
    assert coming(pd.Series(VALUES, index=months[:120])).tolist() == months[120:].tolist()
    assert coming(pl.DataFrame({"time": np.arange(120), "y": VALUES})).to_list() == [120, 121, 122]
    assert coming(pd.DataFrame({"time": np.arange(120) / 2, "y": VALUES})).tolist() == [60, 60.5, 61]
    numbers = [int(str(day).replace("-", "")) for day in np.datetime64("2024-01-01") + np.arange(120)]
    assert coming(pd.DataFrame({"date": numbers, "y": VALUES})).tolist() == [20240430, 20240501, 20240502]


def test_years_of_five_digits() -> None:
    days = np.datetime64("9999-12-01") + np.arange(120)
    with pytest.raises(ValueError, match="outside the years 1 to 9999"):
        coming(pl.DataFrame({"time": days, "y": VALUES}))
    assert (
        time_text(days[-1:], TimeStyle())
        == time_text(days[-1:], TimeStyle(pattern="%Y-%m-%d"))
        == ["10000-03-29"]
    )


def test_times_beyond_their_type_are_refused() -> None:
    days = (np.datetime64("2262-04-11") - np.arange(20)[::-1]).astype("M8[ns]")
    with pytest.raises(ValueError, match=r"do not fit into datetime64\[ns\]"):
        coming_times(days, 2)


def test_a_backtest_gives_times_as_they_came() -> None:
    index = pd.date_range("2024", periods=120, freq="h", tz="Asia/Kolkata", unit="ns")
    table = backtest(pd.Series(VALUES, index=index), MODEL, methods="split").intervals("split")
    assert table["time"].dtype == index.dtype
    assert table["time"].tolist() == index[-len(table) :].tolist()
    frame = pl.DataFrame({"when": pl.Series(index), "y": VALUES})
    assert backtest(frame, MODEL, methods="split").intervals("split")["time"].dtype == frame["when"].dtype


HOURS = np.datetime64("2024-01-01T00", "h") + np.arange(122)
DAYS = np.datetime64("2024-01-01") + np.arange(122)
MONTHS = np.datetime64("2010-01") + np.arange(122)


def strftime(signs: str) -> Callable[[Any], str]:
    return lambda time: time.astype("M8[s]").item().strftime(signs)


@pytest.mark.parametrize(
    ("times", "write"),
    [
        (HOURS, str),
        (HOURS, strftime("%Y-%m-%d %H:%M")),
        (HOURS, strftime("%Y-%m-%dT%H:%M:%SZ")),
        (HOURS, strftime("%Y-%m-%dT%H:%M:%S+01:00")),
        (HOURS, strftime("%Y-%m-%d %H:%M:%S -0530")),
        (HOURS, strftime("%Y-%m-%d %H:%M:%S UTC")),
        (HOURS, strftime("%d.%m.%Y %H:%M")),
        (HOURS, strftime("%-m/%-d/%Y %-I:%M %p")),
        (HOURS, strftime("%Y%m%dT%H%M")),
        (HOURS, lambda time: str(time.astype("M8[ns]"))),
        (DAYS, str),
        (DAYS, strftime("%Y%m%d")),
        (DAYS, strftime("%-d/%-m/%Y")),
        (DAYS, strftime("%d %b %Y")),
        (MONTHS, str),
        (MONTHS, strftime("%B %Y")),
        (MONTHS[::3], lambda time: f"{str(time)[:4]}-Q{int(str(time)[5:]) // 3 + 1}"),
        (np.datetime64("2020-01-06") + 7 * np.arange(122), strftime("%G-W%V")),
        (np.arange(122), str),
        (np.arange(122) / 4, str),
    ],
)
def test_files_get_the_spelling_that_they_have(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], times: AnyArray, write: Callable[[Any], str]
) -> None:
    path, out = tmp_path / "in.csv", tmp_path / "out.csv"
    rows = zip(times[:-2], VALUES, strict=False)
    path.write_text("time,y\n" + "".join(f"{write(time)},{value}\n" for time, value in rows))
    command = ["forecast", str(path), "--steps", "2", "--lags", "2", "--method", "split", "--level", "0.7"]
    assert run([*command, "--out", str(out)]) == 0
    expected = [write(time) for time in times[-2:]]
    assert [row["time"] for row in csv.DictReader(out.read_text().splitlines())] == expected
    capsys.readouterr()
    assert run([*command, "--json"]) == 0
    assert [str(step["time"]) for step in json.loads(capsys.readouterr().out)["steps"]] == expected


def test_typed_times_are_written_as_iso_8601() -> None:
    hours = np.array(["2024-03-31T00", "2024-03-31T01"], dtype="M8[ns]")
    assert time_text(hours, TimeStyle()) == ["2024-03-31T00:00", "2024-03-31T01:00"]
    zoned = TimeStyle(zone="Europe/Berlin")
    assert time_text(hours, zoned) == ["2024-03-31T01:00+01:00", "2024-03-31T03:00+02:00"]
    fine = hours + np.timedelta64(5, "ns")
    assert time_text(fine, TimeStyle())[0] == "2024-03-31T00:00:00.000000005"


def test_days_with_two_offsets_stay_days(tmp_path: Path) -> None:
    days = pd.date_range("2024-01-01", periods=120, tz="Europe/Berlin")
    frame = pd.DataFrame({"date": [day.isoformat() for day in days], "y": VALUES})
    series = as_series(frame)
    assert series.style.wall
    following = coming_times(series.times, 1)  # type: ignore[arg-type]
    assert time_text(following, series.style) == ["2024-04-30T00:00:00"]


@pytest.mark.parametrize(
    ("offset", "minutes"), [("Z", 0), (" UTC", 0), ("+01:00", 60), ("-0530", -330), ("+02", 120)]
)
def test_offsets(offset: str, minutes: int) -> None:
    assert offset_minutes(offset) == minutes
