"""Working days, holidays and clock changes: read without being asked for a grid, and said."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

from ngrc import NGRC, look_ahead
from ngrc.series import Series, as_series, read_channels, read_series
from ngrc.series.regular import coming_times

Reader = Callable[..., Series]
Refusal = Callable[..., str]
HOLIDAYS = ["2024-01-01", "2024-01-15", "2024-02-19", "2024-03-29", "2024-05-27", "2024-07-04"]
MODEL = NGRC(lags=2, ridge=0.1)


def table(times: Any, extra: str = "") -> str:
    return "date,y\n" + "".join(f"{time},{k * k % 19}{extra}\n" for k, time in enumerate(times))


def values(count: int) -> list[float]:
    return [float(k * k % 19) for k in range(count)]


def test_weekdays_with_and_without_holidays(read: Reader) -> None:
    days = np.arange("2024-01-01", "2024-08-01", dtype="M8[D]")
    weekdays = days[np.is_busday(days)]
    assert "every weekday" in read(table(weekdays)).notes[0]
    trading = days[np.is_busday(days, holidays=HOLIDAYS)]
    series = read(table(trading))
    np.testing.assert_array_equal(series.times, trading)
    assert series.values.tolist() == values(trading.size)
    assert series.missing is None
    assert "5 working days without a row taken as holidays: rows are consecutive" in series.notes
    assert series.times is not None
    # 31 July 2024 was a Wednesday.
    assert [str(day) for day in coming_times(series.times, 4)] == [
        "2024-08-01",
        "2024-08-02",
        "2024-08-05",
        "2024-08-06",
    ]
    outlook = look_ahead(series, MODEL, steps=3, method="split", level=0.8)
    assert [str(day) for day in outlook.table["time"]] == ["2024-08-01", "2024-08-02", "2024-08-05"]


@pytest.mark.parametrize(("off", "count"), [((6,), 6), ((4, 5), 5)])
def test_other_working_weeks(read: Reader, off: tuple[int, ...], count: int) -> None:
    days = np.arange("2024-01-01", "2024-06-01", dtype="M8[D]")
    # 1970-01-01 was a Thursday.
    working = days[~np.isin((days.astype(np.int64) + 3) % 7, off)]
    series = read(table(working))
    np.testing.assert_array_equal(series.times, working)
    assert "every working day" in series.notes[0]
    coming = coming_times(working, 14)
    assert not np.isin((coming.astype(np.int64) + 3) % 7, off).any()


def test_gaps_that_are_no_holidays(refused: Refusal) -> None:
    days = np.arange("2024-01-01", "2024-08-01", dtype="M8[D]")
    weekdays = days[np.is_busday(days)]
    assert "--resample" in refused(table(np.delete(weekdays, np.s_[40:60])))
    rng = np.random.default_rng(0)
    assert "--resample" in refused(table(weekdays[rng.random(weekdays.size) < 0.8]))
    assert "--resample" in refused(table(np.delete(days, 30)))


def berlin(start: str, periods: int, frequency: str) -> pd.DatetimeIndex:
    return pd.date_range(start, periods=periods, freq=frequency, tz="Europe/Berlin")


@pytest.mark.parametrize(
    ("start", "rows", "frequency", "nights"),
    [
        ("2024-03-25", 24 * 10, "h", ["2024-03-31"]),
        ("2024-10-20", 24 * 10, "h", ["2024-10-27"]),
        ("2024-03-30", 4 * 24 * 3, "15min", ["2024-03-31"]),
        ("2024-10-26", 4 * 24 * 3, "15min", ["2024-10-27"]),
        ("2023-10-20", 24 * 380, "h", ["2023-10-29", "2024-03-31", "2024-10-27"]),
    ],
)
@pytest.mark.parametrize("backward", [False, True])
def test_local_hours_without_a_zone(
    read: Reader, start: str, rows: int, frequency: str, nights: list[str], backward: bool
) -> None:
    index = berlin(start, rows, frequency)
    wall = index.tz_localize(None)
    lines = table([f"{time:%d.%m.%Y %H:%M}" for time in wall]).splitlines()
    series = read("\n".join([lines[0], *(lines[:0:-1] if backward else lines[1:])]))
    assert series.values.tolist() == values(rows)
    assert any(f"clocks changed on {', '.join(nights)}" in note for note in series.notes)
    assert series.times is not None
    step = index[1] - index[0]
    expected = wall[-1].to_datetime64() - step.to_timedelta64() * np.arange(rows)[::-1]
    np.testing.assert_array_equal(series.times, expected)
    if not backward:
        again = as_series(pd.Series(values(rows), index=wall))
        np.testing.assert_array_equal(again.times, series.times)


def test_hours_that_no_clock_change_explains(refused: Refusal) -> None:
    wall = pd.date_range("2024-01-01", periods=24 * 350, freq="h")
    # Left out in spring, not doubled in autumn; left out on a Wednesday; left out at noon.
    for lost in ("2024-03-31 02:00", "2024-04-03 02:00", "2024-03-31 12:00"):
        kept = wall[wall != pd.Timestamp(lost)]
        assert "does not follow" in refused(table([str(time) for time in kept]))
    twice = wall.insert(500, wall[500])
    assert "repeats" in refused(table([str(time) for time in twice]))


@pytest.mark.parametrize("zone", ["iso", "names", "brackets"])
@pytest.mark.parametrize("start", ["2024-03-30", "2024-10-26"])
def test_offsets_across_a_clock_change(read: Reader, zone: str, start: str) -> None:
    index = berlin(start, 72, "h")
    spelled = {
        "iso": [time.isoformat() for time in index],
        "names": [f"{time:%Y-%m-%d %H:%M} {time.tzname()}" for time in index],
        "brackets": [f"{time:%d.%m.%Y %H:%M} ({time.tzname()})" for time in index],
    }
    series = read(table(spelled[zone]))
    np.testing.assert_array_equal(series.times, index.tz_convert(None).to_numpy())
    assert series.values.tolist() == values(72)
    assert "times counted in UTC" in series.notes
    assert "every hour" in series.notes[0]
    # The last row as it came.
    assert series.notes[0].endswith(f"to {spelled[zone][-1]}")


def test_zones_of_typed_files_go_out_as_they_came(tmp_path: Path) -> None:
    for start in ("2024-03-29", "2024-10-25"):
        index = berlin(start, 123, "h")
        frame = pl.DataFrame({"when": pl.Series(index), "y": np.arange(123.0) ** 2 % 19})
        for name, write in (("a.parquet", frame.write_parquet), ("a.feather", frame.write_ipc)):
            write(tmp_path / name)
            frame[:120].write_parquet(tmp_path / "cut.parquet")
            assert len(read_series(tmp_path / name)) == 123
        outlook = look_ahead(read_series(tmp_path / "cut.parquet"), MODEL, steps=3, method="split", level=0.8)
        assert outlook.table["time"].dtype.time_zone == "Europe/Berlin"
        assert outlook.table["time"].to_list() == frame["when"][120:].to_list()


@pytest.mark.parametrize("offset", ["+01:00", "-05:00", "+13:00", "Z"])
def test_offsets_go_out_as_they_came(read: Reader, offset: str) -> None:
    hours = [f"{hour}:00{offset}" for hour in np.datetime64("2024-01-01T00", "h") + np.arange(60)]
    outlook = look_ahead(read(table(hours)), MODEL, steps=2, method="split", level=0.8)
    expected = pd.to_datetime([f"2024-01-03T12:00{offset}", f"2024-01-03T13:00{offset}"])
    assert [time.isoformat() for time in outlook.table["time"]] == [time.isoformat() for time in expected]


def test_offsets_of_half_an_hour_go_out_in_utc(read: Reader) -> None:
    hours = [f"{hour}:00+05:30" for hour in np.datetime64("2024-01-01T00", "h") + np.arange(60)]
    series = read(table(hours))
    outlook = look_ahead(series, MODEL, steps=1, method="split", level=0.8)
    assert [time.isoformat() for time in outlook.table["time"]] == ["2024-01-03T06:30:00+00:00"]
    frame = pd.DataFrame({"when": hours, "y": values(60)})
    assert [str(time) for time in look_ahead(frame, MODEL, steps=1, method="split").table["time"]] == [
        "2024-01-03 12:00:00+05:30"
    ]


def test_all_columns_are_sorted_together(tmp_path: Path) -> None:
    days = [str(day) for day in np.datetime64("2024-01-01") + np.arange(20)]
    rows = [f"{day},{k},{100 + k}\n" for k, day in enumerate(days)]
    (tmp_path / "back.csv").write_text("day,y,wind\n" + "".join(rows[::-1]))
    recording = read_channels(tmp_path / "back.csv", targets=["y"], exog=["wind"])
    np.testing.assert_array_equal(recording.targets[0].values, np.arange(20))
    assert recording.channels is not None
    np.testing.assert_array_equal(recording.channels.column("wind"), 100 + np.arange(20))
    assert "rows stood newest first and were turned round" in recording.targets[0].notes
    assert (
        recording.targets[0].notes[0].startswith("values from column 'y', times from column 'day': every day")
    )
