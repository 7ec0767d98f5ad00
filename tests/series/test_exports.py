"""Files as services write them: envelopes in JSON, the date of a download beside the time, months as columns."""

import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from ngrc.series import read_series

HOURS = np.datetime64("2024-01-01T00:00") + 60 * np.arange(72)
VALUES = np.round(10 + 5 * np.sin(np.arange(72) / 24 * 6.28), 1)


@pytest.mark.parametrize(
    "document",
    [
        {"latitude": 52.5, "hourly_units": {"time": "iso8601", "t": "°C"}, "hourly": {"time": "T", "t": "V"}},
        {"response": {"total": "72", "data": "ROWS"}, "request": {"command": "/v2/", "params": {}}},
        {"meta": {"columns": ["time", "t"]}, "data": "ROWS"},
        "PAIRS",
        {"status": "ok", "prices": "PAIRS"},
    ],
)
def test_json_in_an_envelope(tmp_path: Path, document: object) -> None:
    times = [str(t) for t in HOURS]
    milliseconds = HOURS.astype("M8[ms]").astype(int).tolist()
    text = json.dumps(document)
    for word, part in {
        "T": times,
        "V": VALUES.tolist(),
        "ROWS": [{"time": t, "t": v} for t, v in zip(times, VALUES.tolist(), strict=True)],
        "PAIRS": list(zip(milliseconds, VALUES.tolist(), strict=True)),
    }.items():
        text = text.replace(f'"{word}"', json.dumps(part))
    path = tmp_path / "answer.json"
    path.write_text(text)
    series = read_series(path)
    np.testing.assert_array_equal(series.values, VALUES)
    np.testing.assert_array_equal(series.times, HOURS)


def test_json_of_two_tables_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "two.json"
    rows = [{"time": str(t), "t": 1.5} for t in HOURS]
    path.write_text(json.dumps({"hourly": rows, "daily": rows[::24]}))
    with pytest.raises(ValueError, match=r"holds 2 tables; keep one of them"):
        read_series(path)


def test_the_date_of_a_download_is_no_time(tmp_path: Path) -> None:
    path = tmp_path / "office.csv"
    months = np.arange("2015-01", "2024-01", dtype="M8[M]")
    lines = [f"10/02/24 23:00:00,M,{m},{k % 12}.5\n" for k, m in enumerate(months)]
    path.write_text("LAST UPDATE,freq,TIME_PERIOD,OBS_VALUE\n" + "".join(lines))
    series = read_series(path)
    assert series.name == "OBS_VALUE"
    np.testing.assert_array_equal(series.times.astype("M8[M]"), months)  # type: ignore[union-attr]


def test_what_a_calendar_says_is_not_forecast(tmp_path: Path) -> None:
    path = tmp_path / "hire.csv"
    lines = [
        f"{str(t)[:10]},{k % 24},{k // 24 % 7},{v}\n"
        for k, (t, v) in enumerate(zip(HOURS, VALUES, strict=True))
    ]
    path.write_text("dteday,hr,weekday,cnt\n" + "".join(lines))
    series = read_series(path)
    assert series.name == "cnt"
    np.testing.assert_array_equal(series.times, HOURS)


def test_a_column_per_month_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "prices.csv"
    names = "Jan,Feb,Mar,Apr,May,Jun,Jul,Aug,Sep,Oct,Nov,Dec"
    path.write_text(f"Year,{names}\n" + "".join(f"{y}{',1.5' * 12}\n" for y in range(2010, 2024)))
    with pytest.raises(ValueError, match=r"every month has a column .* write one row per month"):
        read_series(path)


def test_offsets_of_half_and_quarter_hours(tmp_path: Path) -> None:
    path = tmp_path / "load.csv"
    for offset in ("+05:30", "+0545", "-03:30"):
        path.write_text(
            "timestamp,mw\n" + "".join(f"{t}{offset},{v}\n" for t, v in zip(HOURS, VALUES, strict=True))
        )
        series = read_series(path)
        assert series.times is not None
        sign, hours, minutes = int(f"{offset[0]}1"), int(offset[1:3]), int(offset[-2:])
        shift = sign * np.timedelta64(60 * hours + minutes, "m")
        np.testing.assert_array_equal(series.times, HOURS - shift)
        # Times are told as they came in.
        assert f"{HOURS[0]}{offset} to " in series.notes[0]


def test_a_folder_of_partitions_says_what_to_do(tmp_path: Path) -> None:
    for year in (2023, 2024):
        folder = tmp_path / "hive" / f"year={year}"
        folder.mkdir(parents=True)
        pl.DataFrame({"time": HOURS.astype("M8[ms]"), "y": VALUES}).write_parquet(folder / "part-0.parquet")
    with pytest.raises(ValueError, match=r"folder of partitions; put one series into one file") as raised:
        read_series(tmp_path / "hive")
    assert 'read_parquet("hive/**/*.parquet")' in str(raised.value)
    with pytest.raises(ValueError, match=r"this is a folder; name a CSV"):
        read_series(tmp_path)
