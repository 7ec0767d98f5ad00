"""Times in several columns: joined where they belong together, refused where they make no time."""

import datetime as dt
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

from ngrc.series import Series, as_series, read_series
from ngrc.series.forecasts import read_forecasts

DAYS = [str(np.datetime64("2024-02-27") + day) for day in range(5)]
PAIRS = [(day, hour) for day in DAYS for hour in range(24)]
START = np.datetime64("2024-02-27T00", "h")


def read(folder: Path, header: str, rows: list[tuple[Any, ...]], **options: Any) -> Series:
    (folder / "parts.csv").write_text(header + "\n" + "".join(",".join(map(str, row)) + "\n" for row in rows))
    return read_series(folder / "parts.csv", **options)


def twelve(hour: int) -> str:
    return f"{hour % 12 or 12}:00 {'AM' if hour < 12 else 'PM'}"


@pytest.mark.parametrize(
    ("write", "shift"),
    [
        (lambda hour: hour, 0),
        (lambda hour: hour + 1, 1),
        (lambda hour: f"{hour:02d}:00", 0),
        (lambda hour: f"{hour}:00:00", 0),
        (lambda hour: f"{hour + 1:02d}:00", 1),
        (twelve, 0),
    ],
)
@pytest.mark.parametrize("name", ["hour", "time"])
@pytest.mark.parametrize("resample", [True, False])
def test_date_and_hour(
    tmp_path: Path, write: Callable[[int], Any], shift: int, name: str, resample: bool
) -> None:
    rows = [(day, write(hour), k) for k, (day, hour) in enumerate(PAIRS)]
    series = read(tmp_path, f"date,{name},y", rows, resample=resample)
    np.testing.assert_array_equal(series.times, START + shift + np.arange(120))
    np.testing.assert_array_equal(series.values, np.arange(120))
    assert f"times from columns 'date' and '{name}': every hour, " in series.notes[0]
    ends = any("ends of the hours" in note for note in series.notes)
    assert ends == (write(0) == 1)


def test_the_hour_may_come_first_and_the_date_may_be_named(tmp_path: Path) -> None:
    rows = [(hour, day, k) for k, (day, hour) in enumerate(PAIRS)]
    for options in ({}, {"time": "date"}):
        series = read(tmp_path, "time,date,y", rows, **options)
        np.testing.assert_array_equal(series.times, START + np.arange(120))


def test_year_month_day_hour(tmp_path: Path) -> None:
    rows = [(k, *day.split("-"), hour, k, "X") for k, (day, hour) in enumerate(PAIRS)]
    series = read(tmp_path, "No,year,month,day,hour,PM10,station", rows)
    np.testing.assert_array_equal(series.times, START + np.arange(120))
    assert series.name == "PM10"
    months = read(tmp_path, "year,month,y", [(2020 + k // 12, k % 12 + 1, k) for k in range(30)])
    np.testing.assert_array_equal(months.times, np.datetime64("2020-01") + np.arange(30))


def test_typed_columns() -> None:
    dates = [dt.date.fromisoformat(day) for day, _ in PAIRS]
    clock = pl.DataFrame({"date": dates, "time": [dt.time(hour) for _, hour in PAIRS], "y": range(120)})
    hours = pd.DataFrame({"date": dates, "hour": [hour for _, hour in PAIRS], "y": range(120)})
    for frame in (clock, hours):
        np.testing.assert_array_equal(as_series(frame).times, START + np.arange(120))


def test_the_hour_of_a_daily_peak_is_no_part_of_the_time(tmp_path: Path) -> None:
    series = read(tmp_path, "date,hour,y", [(day, k * 7 % 24, k) for k, day in enumerate(DAYS)])
    np.testing.assert_array_equal(series.times, np.array(DAYS, dtype="M8[D]"))


def test_hours_of_several_stores_are_several_series(tmp_path: Path) -> None:
    rows = [(store, day, hour, k) for store in "ab" for k, (day, hour) in enumerate(PAIRS)]
    with pytest.raises(ValueError, match="2 series, told apart by column 'store'"):
        read(tmp_path, "store,date,hour,y", rows, resample=True)


@pytest.mark.parametrize(
    ("header", "rows", "message"),
    [
        ("date,hour,y", [(DAYS[0], hour, 1) for hour in range(25)], "hours from 0 to 24"),
        ("date,hour,y", [(DAYS[0], hour, 1) for hour in range(1, 26)], r"'25' where an hour from 0 to 24"),
        ("date,hour,y", [(DAYS[0], 100 * hour, 1) for hour in range(24)], r"'100' where an hour"),
        ("date,time,y", [(DAYS[0], f"{hour}:75", 1) for hour in range(24)], r"'0:75' where a time of day"),
        ("year,month,y", [(2020, month, 1) for month in range(1, 14)], r"row 13 .*'13' where a month"),
        ("year,month,day,y", [(2023, 2, day, 1) for day in range(1, 30)], r"2023-02 has no day 29"),
    ],
)
def test_parts_that_make_no_time_are_refused(
    tmp_path: Path, header: str, rows: list[tuple[Any, ...]], message: str
) -> None:
    with pytest.raises(ValueError, match=message) as raised:
        read(tmp_path, header, rows)
    assert "\n" not in str(raised.value)


QUARTERS = np.arange("1990-01", "2000-01", 3, dtype="M8[M]")
MONTHS = np.arange("1990-01", "1995-01", dtype="M8[M]")


@pytest.mark.parametrize("written", ["{}", "Q{}", "q{}"])
def test_year_and_quarter(tmp_path: Path, written: str) -> None:
    path = tmp_path / "quarters.csv"
    rows = [
        f"{str(q)[:4]},{written.format((int(str(q)[5:]) + 2) // 3)},{k}.5" for k, q in enumerate(QUARTERS)
    ]
    path.write_text("Year,Quarter,gdp\n" + "\n".join(rows) + "\n")
    series = read_series(path)
    assert series.name == "gdp"
    np.testing.assert_array_equal(series.times, QUARTERS.astype("M8[D]"))


@pytest.mark.parametrize(
    ("header", "names"),
    [
        ("Jahr;Monat", "Januar Februar März April Mai Juni Juli August September Oktober November Dezember"),
        ("Année;Mois", "janv. févr. mars avr. mai juin juil. août sept. oct. nov. déc."),
        ("Anno;Mese", "gen feb mar apr mag giu lug ago set ott nov dic"),
    ],
)
def test_year_and_name_of_month_elsewhere(tmp_path: Path, header: str, names: str) -> None:
    path = tmp_path / "months.csv"
    rows = [f"{str(m)[:4]};{names.split()[int(str(m)[5:]) - 1]};{k},5" for k, m in enumerate(MONTHS)]
    path.write_text(f"{header};Absatz\n" + "\n".join(rows) + "\n")
    np.testing.assert_array_equal(read_series(path).times, MONTHS.astype("M8[D]"))


@pytest.mark.parametrize("written", ["{:02d}{:02d}", "{}h{:02d}", "{:02d}{:02d} UTC", "{:02d}:{:02d}Z"])
@pytest.mark.parametrize("header", ["date,time,y", "Data,Hora UTC,y"])
def test_times_of_day_without_a_colon(tmp_path: Path, header: str, written: str) -> None:
    half_hours = np.datetime64("2024-01-01T00:00") + 30 * np.arange(96)
    rows = [
        f"{str(t)[:10]},{written.format(int(str(t)[11:13]), int(str(t)[14:]))},{k}.5"
        for k, t in enumerate(half_hours)
    ]
    path = tmp_path / "station.csv"
    path.write_text(f"{header}\n" + "\n".join(rows) + "\n")
    np.testing.assert_array_equal(read_series(path).times, half_hours)


def test_date_and_time_without_a_header(tmp_path: Path) -> None:
    hours = np.datetime64("2024-01-01T00:00") + 60 * np.arange(72)
    path = tmp_path / "logger.txt"
    lines = [f"{t.item():%d.%m.%Y;%H:%M};{k},25\n" for k, t in enumerate(hours)]
    path.write_text("".join(lines))
    series = read_series(path)
    np.testing.assert_array_equal(series.times, hours)
    assert series.values[1] == 1.25
    assert series.notes[0].startswith(
        "values from column 'column_3', times from columns 'column_1' and 'column_2'"
    )


@pytest.mark.parametrize("length", [3, 99])
def test_year_and_name_of_month(tmp_path: Path, length: int) -> None:
    path = tmp_path / "months.csv"
    rows = [f"{m.astype(object):%Y},{f'{m.astype(object):%B}'[:length]},{k}.5" for k, m in enumerate(MONTHS)]
    path.write_text("year,month,y\n" + "\n".join(rows) + "\n")
    np.testing.assert_array_equal(read_series(path).times, MONTHS.astype("M8[D]"))


def test_h_is_the_hour_beside_a_date_that_repeats(tmp_path: Path) -> None:
    path = tmp_path / "hours.csv"
    path.write_text("date,h,y\n" + "".join(f"2024-01-{1 + k // 24:02d},{k % 24},{k}.5\n" for k in range(96)))
    assert str(read_series(path).times[-1])[:13] == "2024-01-04T23"  # type: ignore[index]
    path.write_text("date,h,y\n" + "".join(f"2024-01-{k:02d},{170 + k},{k}.5\n" for k in range(1, 9)))
    assert read_series(path, column="y").times[0] == np.datetime64("2024-01-01")  # type: ignore[index]


@pytest.mark.parametrize("header", ["year,week,y", "Jahr;KW;y"])
def test_year_and_week(tmp_path: Path, header: str) -> None:
    # Through 2020, which has 53 weeks, and a new year that begins in the last week of the old one.
    mondays = np.datetime64("2019-09-30") + 7 * np.arange(90)
    sign = ";" if ";" in header else ","
    rows = [
        sign.join((*map(str, day.astype(object).isocalendar()[:2]), f"{k}")) for k, day in enumerate(mondays)
    ]
    path = tmp_path / "weeks.csv"
    path.write_text(f"{header}\n" + "\n".join(rows) + "\n")
    series = read_series(path)
    np.testing.assert_array_equal(series.times, mondays)
    assert "weeks counted by ISO 8601 and taken by their Mondays" in series.notes


def test_weeks_of_half_a_week_are_no_series(tmp_path: Path) -> None:
    # Weeks 1 to 53 of every year, as spreadsheets count them: two of them would begin on one Monday.
    path = tmp_path / "weeks.csv"
    path.write_text("year,week,y\n" + "".join(f"{2021 + k // 53},{1 + k % 53},{k}.5\n" for k in range(106)))
    with pytest.raises(ValueError, match=r"time 2022-01-03 repeats the time of the row before"):
        read_series(path)


def test_year_and_day_of_the_year(tmp_path: Path) -> None:
    days = np.datetime64("2023-12-01") + np.arange(500)
    path = tmp_path / "days.csv"
    numbers = [day.astype(object).timetuple()[:8:7] for day in days]
    path.write_text("year,doy,flow\n" + "".join(f"{y},{n},{n % 17}.5\n" for y, n in numbers))
    np.testing.assert_array_equal(read_series(path).times, days)
    path.write_text("year,doy,flow\n" + "".join(f"2023,{n},{n % 17}.5\n" for n in range(1, 367)))
    with pytest.raises(ValueError, match=r"year 2023 has no day 366"):
        read_series(path)


def test_forecasts_have_times_in_parts_too(tmp_path: Path) -> None:
    path = tmp_path / "parts.csv"
    rows = (f"2024-01-{1 + k // 24:02d},{k % 24},{k}.5,{k}.2\n" for k in range(96))
    path.write_text("date,hour,y,forecast\n" + "".join(rows))
    forecasts = read_forecasts(path, time=None, outcome="y", forecast="forecast")
    assert forecasts.times is not None
    assert forecasts.times[-1] == "2024-01-04T23:00"
    assert forecasts.outcomes.size == 96
