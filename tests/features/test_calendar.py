"""Calendar columns beside pandas, which counts hours, weekdays and months by itself."""

import sys
from datetime import date, timedelta
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest

from ngrc import NGRC
from ngrc._types import AnyArray, FloatArray
from ngrc.features.calendar import VALUES, Calendar, _holidays
from ngrc.features.inputs import Inputs
from ngrc.features.union import basis_of

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


SHAPES: dict[str, dict[str, Any]] = {
    "all": {},
    "hours": {"parts": ("hour",)},
    "weekdays first": {"parts": ("weekday", "hour")},
    "months between": {"parts": ("hour", "month", "weekday")},
    "holidays": {"parts": ("weekday",), "holidays": "DE"},
}


@pytest.mark.usefixtures("calls")
@pytest.mark.parametrize("frequency", ["30min", "h", "7min", "D", "12h", "B"])
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("horizons", [(1, 2, 3), tuple(range(1, 49))])
def test_a_basis_at_the_origin_turns_into_every_horizon(
    frequency: str, shape: str, horizons: tuple[int, ...]
) -> None:
    # From 23:47 on, so that a time is nowhere at the start of its slot.
    inputs = over(pd.date_range("2023-12-29 23:47", periods=700, freq=frequency).to_numpy())
    calendar = Calendar(**SHAPES[shape])
    basis, turn = basis_of(calendar, horizons, inputs)
    assert not basis.moving
    for horizon in (horizons[0], horizons[-1]):
        span = slice(60 + horizon, 640 + horizon)
        held = basis.columns(inputs, horizon, span.start, span.stop)
        assert held.shape[1] == basis.count(horizon) == len(basis.names(horizon))
        np.testing.assert_array_equal(
            held @ turn(horizon), calendar.columns(inputs, horizon, span.start, span.stop)
        )


@pytest.mark.parametrize(
    ("frequency", "parts", "count"),
    [
        ("30min", ("hour",), 48),
        ("30min", ("hour", "weekday"), 336),
        ("h", ("hour", "weekday"), 168),
        # 1008 slots of a week are more than those of a day and 7 weekdays at every horizon.
        ("10min", ("hour", "weekday"), 144 + 7 * 48),
        ("D", ("weekday",), 7),
        ("30min", ("hour", "month"), 48 + 12 * 48),
        # No slot tells the hour of daily data, and none the weekday of business days.
        ("D", ("hour",), 24 * 48),
        ("B", ("weekday",), 7 * 48),
    ],
)
def test_the_smallest_basis_is_taken(frequency: str, parts: tuple[str, ...], count: int) -> None:
    inputs = over(pd.date_range("2024-01-01", periods=300, freq=frequency).to_numpy())
    basis, _ = basis_of(Calendar(parts), tuple(range(1, 49)), inputs)
    assert basis.count(1) == count


def test_a_zone_has_no_slots() -> None:
    inputs = over(pd.date_range("2024-01-01", periods=300, freq="h").to_numpy())
    assert Calendar(("hour",), zone="Europe/Berlin").basis_over(inputs, (1, 2, 3)) is None


@pytest.mark.parametrize("parts", [("hour", "weekday"), ("month", "hour")])
def test_a_path_with_a_calendar_is_its_single_fits(parts: tuple[str, ...]) -> None:
    rng = np.random.default_rng(2)
    index = pd.date_range("2024-01-01", periods=1500, freq="h")
    y = np.sin(index.hour * 0.7) + 0.5 * (index.day_of_week < 5) + 0.1 * rng.normal(size=1500)
    series = pd.Series(y, index=index)
    model = NGRC(lags=3, calendar=parts, ridge=1e-3, horizon=5, path=True)
    # One scale, as the single fits below see a little less of the series.
    path = model.fit(series, scale=(0.0, 1.0)).predict_path(series)
    for horizon in (1, 5):
        single = NGRC(lags=3, calendar=parts, ridge=1e-3, horizon=horizon)
        # The path's rows have the origins that all horizons share.
        single.fit(series[: 1500 - 5 + horizon], scale=(0.0, 1.0))
        np.testing.assert_allclose(path[-5:, horizon - 1], single.predict(series)[-5:], rtol=0, atol=1e-8)
