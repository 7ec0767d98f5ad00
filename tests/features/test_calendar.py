"""Calendar columns beside pandas, which counts hours, weekdays and months by itself."""

import sys
from datetime import date, timedelta
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest

from ngrc._types import AnyArray, FloatArray
from ngrc.features.calendar import VALUES, Calendar, _holidays
from ngrc.features.inputs import Inputs

LENGTH = 2000


def over(times: AnyArray | None) -> Inputs:
    return Inputs({"x": np.zeros(10)}, times=times)


def twin(index: pd.DatetimeIndex, part: str) -> FloatArray:
    """Indicators row by row, from what pandas says of each time."""
    rows = np.zeros((len(index), len(VALUES[part])))
    for row, time in enumerate(index):
        place = {"hour": time.hour, "weekday": time.weekday(), "month": time.month - 1}[part]
        rows[row, place] = 1.0
    return rows


@pytest.mark.parametrize("frequency", ["30min", "h", "D", "B", "MS", "7h"])
@pytest.mark.parametrize("start", ["1969-12-29 22:00", "2023-02-26", "2024-12-30 05:30"])
@pytest.mark.parametrize("parts", [("hour", "weekday", "month"), ("month", "hour"), ("weekday",)])
@pytest.mark.parametrize("unit", ["ns", "us", "s"])
def test_columns_equal_the_twin(frequency: str, start: str, parts: tuple[str, ...], unit: str) -> None:
    index = pd.date_range(start, periods=400, freq=frequency)
    columns = Calendar(parts).columns(over(index.to_numpy().astype(f"M8[{unit}]")), 3, 50, 390)
    expected = np.hstack([twin(index, part) for part in parts])[50:390]
    np.testing.assert_array_equal(columns, expected)


def test_days_alone_have_hour_zero() -> None:
    days = np.arange("2024-01-01", "2024-01-09", dtype="M8[D]")
    columns = Calendar(("hour",)).columns(over(days), 1, 0, 8)
    np.testing.assert_array_equal(columns[:, 0], 1.0)
    assert not columns[:, 1:].any()


def test_names_count_and_contract() -> None:
    calendar = Calendar()
    names = calendar.names(1)
    assert calendar.moving
    assert calendar.reach(5) == 0
    assert calendar.count(2) == len(names) == 24 + 7 + 12
    assert names[7] == "hour(t')=7"
    assert names[24] == "weekday(t')=Mon"
    assert names[-1] == "month(t')=Dec"
    assert Calendar((), holidays="DE").names(1) == ("holiday(t')",)
    assert Calendar("hour") == Calendar(("hour",))
    assert hash(Calendar(["hour"])) == hash(Calendar(("hour",)))


def test_every_row_has_one_value_of_each_part() -> None:
    times = pd.date_range("2020-01-01", periods=LENGTH, freq="5h").to_numpy()
    columns = Calendar().columns(over(times), 1, 0, LENGTH)
    for block in (columns[:, :24], columns[:, 24:31], columns[:, 31:]):
        np.testing.assert_array_equal(block.sum(axis=1), 1.0)


def test_blocks_join_to_the_whole() -> None:
    times = pd.date_range("2020-12-20", periods=500, freq="h").to_numpy()
    whole = Calendar().columns(over(times), 1, 10, 500)
    parts = [Calendar().columns(over(times), 1, first, first + 70) for first in range(10, 500, 70)]
    np.testing.assert_array_equal(np.vstack(parts), whole)


def test_a_zone_tells_the_hours_of_its_clock() -> None:
    index = pd.date_range("2024-03-30", periods=72, freq="h", tz="UTC")
    columns = Calendar(zone="Europe/Berlin").columns(over(index.tz_localize(None).to_numpy()), 1, 0, 72)
    local = index.tz_convert("Europe/Berlin")
    np.testing.assert_array_equal(columns, np.hstack([twin(local, part) for part in VALUES]))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"parts": ("year",)}, "calendar parts are hour, weekday, month, got 'year'"),
        ({"parts": ("hour", "hour")}, "may stand once"),
        ({"parts": ()}, "got neither"),
        ({"holidays": ("US", "CA", "LA")}, "country and subdivision"),
        ({"holidays": ""}, "country code such as 'DE'"),
    ],
)
def test_bad_arguments(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Calendar(**arguments)


@pytest.mark.parametrize(
    ("times", "message"),
    [
        (None, "need the series' times, and there are none; give dates with times="),
        (np.arange(10), "need dates, got times of type int64"),
        (np.arange(5).astype("M8[D]"), "got 5 times for 8; give the coming times"),
    ],
)
def test_bad_times(times: AnyArray | None, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Calendar().columns(over(times), 1, 2, 8)


def test_an_unknown_zone() -> None:
    with pytest.raises(ValueError, match="got 'Mars/Olympus'"):
        Calendar(zone="Mars/Olympus").columns(over(np.arange(8).astype("M8[D]")), 1, 2, 8)


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> Any:
    """A stand-in for the package: 1 January everywhere, the year's 100th day in California."""
    asked: list[tuple[str, str | None, int]] = []

    def country_holidays(country: str, subdiv: str | None = None, years: int = 0) -> dict[date, str]:
        asked.append((country, subdiv, years))
        if country == "XX":
            raise NotImplementedError("Country XX\nnot available")
        local = {date(years, 1, 1) + timedelta(days=99): "local"} if subdiv == "CA" else {}
        return {date(years, 1, 1): "new year", **local}

    monkeypatch.setitem(sys.modules, "holidays", SimpleNamespace(country_holidays=country_holidays))
    _holidays.cache_clear()
    yield asked
    _holidays.cache_clear()


def test_holidays_are_the_last_column(calls: list[Any]) -> None:
    index = pd.date_range("2021-11-01", periods=1200, freq="12h")
    columns = Calendar(("weekday",), holidays="DE").columns(over(index.to_numpy()), 1, 0, 1200)
    np.testing.assert_array_equal(columns[:, -1], (index.month == 1) & (index.day == 1))
    assert calls == [("DE", None, 2021), ("DE", None, 2022), ("DE", None, 2023)]


def test_holidays_of_a_subdivision_once_per_year(calls: list[Any]) -> None:
    times = over(pd.date_range("2021-01-01", periods=365, freq="D").to_numpy())
    calendar = Calendar((), holidays=("US", "CA"))
    columns = np.vstack([calendar.columns(times, 1, first, first + 73) for first in range(0, 365, 73)])
    assert np.flatnonzero(columns[:, 0]).tolist() == [0, 99]
    assert calls == [("US", "CA", 2021)]


@pytest.mark.usefixtures("calls")
def test_an_unknown_country_is_one_line() -> None:
    with pytest.raises(
        ValueError, match="no holidays are known of 'XX': Country XX not available; give a country"
    ):
        Calendar((), holidays="XX").columns(over(np.arange(9).astype("M8[D]")), 1, 0, 9)


def test_a_missing_package_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "holidays", None)
    _holidays.cache_clear()
    with pytest.raises(
        ImportError, match=r'needs holidays, which is not installed; run: pip install "ngrc\[holidays'
    ):
        Calendar((), holidays="DE").columns(over(np.arange(9).astype("M8[D]")), 1, 0, 9)


def test_the_package_itself() -> None:
    package = pytest.importorskip("holidays")
    index = pd.date_range("2023-01-01", "2024-12-31", freq="D")
    column = Calendar((), holidays=("US", "CA")).columns(over(index.to_numpy()), 1, 0, len(index))[:, 0]
    known = package.country_holidays("US", subdiv="CA")
    np.testing.assert_array_equal(column, [float(day.date() in known) for day in index])
    assert column[index.get_loc("2024-07-04")] == 1.0
