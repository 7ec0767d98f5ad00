import datetime as dt
from dataclasses import FrozenInstanceError
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from ngrc.series import Series, as_series

DAYS = np.arange("2024-01-01", "2024-01-05", dtype="M8[D]")
VALUES = [1.0, 2.0, 4.0, 3.0]


@pytest.mark.parametrize(
    "time",
    [
        DAYS,
        DAYS.astype("M8[ns]"),
        DAYS.tolist(),
        [dt.datetime(2024, 1, day) for day in range(1, 5)],
        [dt.datetime(2024, 1, day, tzinfo=dt.UTC) for day in range(1, 5)],
        [f"2024-01-0{day}" for day in range(1, 5)],
        np.array([f"2024-01-0{day}" for day in range(1, 5)]),
        pd.DatetimeIndex(DAYS),
        pd.DatetimeIndex(DAYS, tz="UTC"),
        pd.PeriodIndex(DAYS, freq="D"),
        pd.Series(DAYS),
        pl.Series(DAYS),
        pl.Series([f"2024-01-0{day}" for day in range(1, 5)], dtype=pl.Categorical),
        np.array([20240101, 20240102, 20240103, 20240104]),
    ],
)
def test_times_of_every_kind(time: Any) -> None:
    series = as_series(VALUES, time=time)
    np.testing.assert_array_equal(series.times, DAYS)
    np.testing.assert_array_equal(series.values, VALUES)


@pytest.mark.parametrize(
    "data",
    [
        pd.Series(VALUES, index=pd.DatetimeIndex(DAYS), name="y"),
        pd.Series(VALUES, index=pd.PeriodIndex(DAYS, freq="D"), name="y"),
        pd.DataFrame({"y": VALUES}, index=pd.DatetimeIndex(DAYS)),
        pd.DataFrame({"day": DAYS, "y": VALUES}),
        pd.DataFrame({"day": [str(day) for day in DAYS], "y": VALUES}),
        pl.DataFrame({"when": DAYS, "y": VALUES, "other": ["a", "b", "c", "d"]}),
        pl.DataFrame({"date": [str(day) for day in DAYS], "y": VALUES}),
        pa.table({"when": DAYS, "y": VALUES}),
    ],
)
def test_times_are_found_in_frames(data: Any) -> None:
    series = as_series(data)
    np.testing.assert_array_equal(series.times, DAYS)
    np.testing.assert_array_equal(series.values, VALUES)
    assert series.name == "y"


def test_named_columns() -> None:
    frame = pl.DataFrame({"a": DAYS, "b": [4, 5, 6, 7], "c": VALUES, "d": [0, 2, 4, 6]})
    series = as_series(frame, column="c", time="d", name="mine")
    assert series.times is not None
    assert (series.times.tolist(), series.values.tolist(), series.name) == ([0, 2, 4, 6], VALUES, "mine")
    assert series.notes == ()
    indexed = pd.DataFrame({"y": VALUES}, index=pd.DatetimeIndex(DAYS, name="day"))
    np.testing.assert_array_equal(as_series(indexed, time="day").times, DAYS)
    explicit = as_series(frame, column="c", time=np.arange(4) * 0.5)
    np.testing.assert_array_equal(explicit.times, np.arange(4) * 0.5)


def test_pandas_columns_may_be_numbers() -> None:
    frame = pd.DataFrame({0: VALUES, 1: [5.0, 6.0, 7.0, 9.0]})
    np.testing.assert_array_equal(as_series(frame, column=1).values, [5, 6, 7, 9])
    assert as_series(frame).name == "0"


def test_a_zone_is_converted_and_days_survive_the_clock_change() -> None:
    hours = pd.date_range("2020-03-29", periods=5, freq="h", tz="Europe/Berlin")
    series = as_series(pd.Series(range(5), index=hours))
    np.testing.assert_array_equal(series.times, np.datetime64("2020-03-28T23") + np.arange(5))
    days = pd.date_range("2020-03-27", periods=5, tz="Europe/Berlin")
    local = as_series(pl.DataFrame({"date": pl.Series(days), "y": range(5)}))
    np.testing.assert_array_equal(local.times, np.datetime64("2020-03-27") + np.arange(5))
    assert "times kept in local time, in which they are regular" in local.notes


def test_a_leading_gap_takes_its_times_along() -> None:
    series = as_series([None, 2.0, None, 3.0], time=DAYS)
    np.testing.assert_array_equal(series.times, DAYS[1:])
    assert (series.filled, series.dropped) == (1, 1)
    assert series.notes == ("1 missing value carried forward", "1 leading missing value dropped")


def test_resampling() -> None:
    series = as_series([1.0, 2.0, 5.0], time=[0, 1, 4], resample=True)
    assert series.times is not None
    assert (series.times.tolist(), series.values.tolist()) == ([0, 1, 2, 3, 4], [1, 2, 2, 2, 5])
    assert series.filled == 2
    assert series.notes == ("2 gaps on the grid of 1", "2 missing values carried forward")


def test_a_series_passes_through() -> None:
    series = as_series(VALUES)
    assert as_series(series) is series
    assert as_series(series, name="other").name == "other"
    with pytest.raises(ValueError, match="do not apply to a Series"):
        as_series(series, column="y")


def test_a_constant_series_says_so() -> None:
    series = as_series([3.5, None, 3.5])
    assert series.constant
    assert "constant series: every value is 3.5; its intervals have width zero" in series.notes
    assert not as_series([3.5, 3.6]).constant


@pytest.mark.parametrize(
    ("data", "options", "message"),
    [
        (VALUES, {"column": "y"}, "applies to data frames only"),
        (VALUES, {"time": "date"}, "names a column, but a list has none"),
        (VALUES, {"time": [1, 2]}, "4 values came with 2 times"),
        (VALUES, {"time": [1, "x", 2, 3]}, "dates or numbers of one kind"),
        (VALUES, {"time": [1, 10**400, 2, 3]}, "dates or numbers of one kind"),
        (
            pd.DataFrame({"y": VALUES, "t": pd.Series([1, 10**400, 2, 3], dtype=object)}),
            {"time": "t"},
            "neither dates nor numbers",
        ),
        (VALUES, {"time": np.array([0, 1, 2, 2**63], dtype=np.uint64)}, "times"),
        (VALUES, {"time": np.arange(4).astype("M8[ps]")}, "finer than nanoseconds"),
        (VALUES, {"time": [1, None, 2, 3]}, r"row 2 .*has no time"),
        (VALUES, {"time": [0.0, 1.0, np.inf, 2.0]}, r"row 3 .*has no time"),
        (
            VALUES,
            {"time": pd.DatetimeIndex(["2020-01-01", None, "2020-01-03", "2020-01-04"])},
            r"row 2 .*no time",
        ),
        (VALUES, {"time": np.ones((4, 1))}, "one-dimensional"),
        (VALUES, {"time": [dt.timedelta(days=day) for day in range(4)]}, "cannot be the time"),
        (VALUES, {"time": [1, 2, 3, 3]}, r"row 4 .*repeats"),
        (VALUES, {"time": [1, 2, 4, 3]}, r"row 4 .*comes before"),
        (VALUES, {"time": [1, 2, 3, 5]}, r"row 4 .*does not follow 3 by 1"),
        (VALUES, {"resample": True}, "resampling needs times"),
        (pl.DataFrame({"price": VALUES}), {"column": "prise"}, r"no column 'prise'; .*did you mean 'price'"),
        (pl.DataFrame({"price": VALUES}), {"time": "date"}, r"no column 'date'; there are 'price'"),
        (pl.DataFrame({"y": VALUES}), {"column": "y", "time": "y"}, "both as values and as time"),
        (pl.DataFrame({"a": ["x"], "b": ["y"]}), {}, "no column of numbers"),
        (pd.DataFrame([[1, 2]], columns=["a", "a"]), {}, "column names must differ"),
    ],
)
def test_bad_requests(data: Any, options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message) as raised:
        as_series(data, **options)
    assert "\n" not in str(raised.value)


def test_the_value_itself() -> None:
    series = Series(np.array([1.0, 2.0]), DAYS[:2], "demo")
    assert len(series) == 2
    with pytest.raises(FrozenInstanceError):
        series.name = "other"  # type: ignore[misc]
    with pytest.raises(ValueError, match="finite"):
        Series(np.array([1.0, np.nan]))
    with pytest.raises(ValueError, match="at least one value"):
        Series(np.zeros(0))
    with pytest.raises(ValueError, match="values' shape"):
        Series(np.ones(3), DAYS)


@pytest.mark.parametrize(
    "zone", ["America/New_York", "America/Los_Angeles", "Etc/GMT+5", "Australia/Lord_Howe"]
)
def test_zones_that_narwhals_cannot_read(zone: str) -> None:
    hours = pd.date_range("2024-03-08", periods=72, freq="h", tz=zone)
    values = np.arange(72.0)
    frame = pd.DataFrame({"when": hours, "y": values})
    sources = [
        as_series(pd.Series(values, index=hours)),
        as_series(pd.DataFrame({"y": values}, index=hours)),
        as_series(frame),
        as_series(frame, time="when"),
        as_series(values, time=hours),
        as_series(values, time=frame["when"]),
    ]
    for series in sources:
        assert series.style.zone == zone
        np.testing.assert_array_equal(series.times, hours.tz_convert(None).to_numpy())
