import datetime as dt

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ngrc._types import AnyArray
from ngrc.series.dates import compact_dates, dates_from_text, looks_like_dates

DAYS = [dt.date(2023, 12, 29) + dt.timedelta(days=k) for k in range(40)]


def read(tokens: list[str]) -> AnyArray:
    return dates_from_text(pl.Series(tokens), "date", lambda row: f"place {row}").times


@pytest.mark.parametrize(
    "pattern",
    [
        "%Y-%m-%d",
        "%Y/%m/%d",
        "%d.%m.%Y",
        "%d/%m/%Y",
        "%m/%d/%Y",
        "%d-%m-%Y",
        "%d-%b-%Y",
        "%d %b %Y",
        "%b %d, %Y",
    ],
)
@pytest.mark.parametrize("clock", ["", " 06:30", " 06:30:15", " 06:30:15.25", " 06:30 AM"])
def test_python_writes_and_we_read(pattern: str, clock: str) -> None:
    expected = np.array(DAYS, dtype="M8[us]")
    if clock:
        seconds = 6.5 * 3600 + (15 if ":15" in clock else 0) + (0.25 if ".25" in clock else 0)
        expected = expected + np.timedelta64(int(seconds * 1e6), "us")
    np.testing.assert_array_equal(read([day.strftime(pattern) + clock for day in DAYS]), expected)


@pytest.mark.parametrize("pattern", ["%Y-%m", "%Y/%m", "%b %Y", "%B %Y", "%b-%Y"])
def test_months(pattern: str) -> None:
    months = [dt.date(2020 + k // 12, k % 12 + 1, 1) for k in range(30)]
    np.testing.assert_array_equal(
        read([month.strftime(pattern) for month in months]), np.array(months, "M8[D]")
    )


@pytest.mark.parametrize("pattern", ["{}Q{}", "{}-Q{}", "{} q{}"])
def test_quarters(pattern: str) -> None:
    tokens = [pattern.format(2020 + k // 4, k % 4 + 1) for k in range(6)]
    expected = ["2020-01", "2020-04", "2020-07", "2020-10", "2021-01", "2021-04"]
    np.testing.assert_array_equal(read(tokens), np.array(expected, dtype="M8[M]"))


@settings(deadline=None, max_examples=15)
@given(
    st.lists(st.datetimes(dt.datetime(1900, 1, 1), dt.datetime(2100, 1, 1)), min_size=1, max_size=5),
    st.integers(-14 * 60, 14 * 60),
)
def test_offsets_become_universal_time(moments: list[dt.datetime], minutes: int) -> None:
    zone = dt.timezone(dt.timedelta(minutes=minutes))
    tokens = [moment.replace(tzinfo=zone).isoformat() for moment in moments]
    if len({len(token) for token in tokens}) > 1:
        tokens = [moment.replace(tzinfo=zone).isoformat(timespec="microseconds") for moment in moments]
    times = read(tokens)
    universal = [moment - dt.timedelta(minutes=minutes) for moment in moments]
    expected = (np.array(universal, dtype="M8[us]"), np.array(moments, dtype="M8[us]"))
    assert any(np.array_equal(times, one) for one in expected)
    if len(moments) < 2:
        np.testing.assert_array_equal(times, expected[0])


def test_hours_across_a_clock_change_are_regular_in_universal_time() -> None:
    tokens = ["2020-03-29T00:00:00+01:00", "2020-03-29T01:00:00+01:00", "2020-03-29T03:00:00+02:00"]
    result = dates_from_text(pl.Series(tokens), "date", str)
    np.testing.assert_array_equal(result.times, np.array("2020-03-28T23", "M8[h]") + np.arange(3))
    assert result.notes == ("times counted in UTC",)


def test_days_across_a_clock_change_stay_in_local_time() -> None:
    tokens = [
        "2020-03-28T00:00+01:00",
        "2020-03-29T00:00+01:00",
        "2020-03-30T00:00+02:00",
        "2020-03-31T00:00+02:00",
    ]
    result = dates_from_text(pl.Series(tokens), "date", str)
    np.testing.assert_array_equal(result.times, np.array("2020-03-28", "M8[D]") + np.arange(4))
    assert "local time" in result.notes[0]


@pytest.mark.parametrize(
    "token",
    [
        "2024-01-31T06",
        "2024-01-31 06",
        "2024-01-31T06:00",
        "2024-01-31T06:00:00.000000000",
        "2024-01-31T06Z",
        "2024-01-31T06:00:00+00",
        "2024-01-31 07:00:00+01:00",
        "2024-01-31 06:00:00 UTC",
        "20240131T0600",
        "20240131T060000Z",
        "20240131 0600",
    ],
)
def test_forms_that_libraries_print(token: str) -> None:
    np.testing.assert_array_equal(read([token]), np.array(["2024-01-31T06"], "M8[us]"))


def test_weeks_and_nanoseconds() -> None:
    assert read(["2024-W05", "2024-W06"])[0] == np.datetime64("2024-01-29")
    fine = read(["2024-01-31T06:00:00.000000001", "2024-01-31T06:00:00.000000002"])
    assert fine[1] - fine[0] == np.timedelta64(1, "ns")


def test_z_means_universal_time() -> None:
    np.testing.assert_array_equal(read(["2020-01-01T00:00:00Z"]), np.array(["2020-01-01"], "M8[us]"))


def test_month_first_or_day_first_is_settled_by_the_grid() -> None:
    monthly = [f"01/{month:02d}/{year}" for year in (2020, 2021) for month in range(1, 13)]
    assert read(monthly)[1] == np.datetime64("2020-02-01")
    irregular = ["03/01/2020", "05/01/2020", "01/02/2020", "08/02/2020"]
    assert read(irregular)[-1] == np.datetime64("2020-02-08")


def test_a_format_that_fails_only_far_down_is_dropped() -> None:
    days = [(dt.date(2001, 1, 1) + dt.timedelta(days=31 * k)).replace(day=5) for k in range(240)]
    tokens = [day.strftime("%d/%m/%Y") for day in days] + ["25/12/2030"]
    assert read(tokens)[-1] == np.datetime64("2030-12-25")


def test_ambiguous_dates_raise() -> None:
    with pytest.raises(ValueError, match=r"'01/02/2020' can be read with the day or the month first"):
        read(["01/02/2020", "02/02/2020", "03/02/2020"])
    with pytest.raises(ValueError, match="day or the month first"):
        read([f"01/{month:02d}/{year}" for year in (2020, 2021) for month in range(1, 13) if month != 5])


@pytest.mark.parametrize(
    ("tokens", "message"),
    [
        (["2020-01-01", "2020-02-30", "2020-01-03"], r"place 1: column 'date' holds '2020-02-30'"),
        (["2020-01-01", "", "2020-01-03"], r"place 1: column 'date' holds no time"),
        (["2020-01-01T00:00Z", "2020-01-01T01:00", "2020-01-01T02:00Z"], r"place 1: .*'2020-01-01T01:00'"),
        (["spring", "summer"], r"'spring', which cannot be read as a time"),
        (["20-01-01", "20-01-02"], r"cannot be read as a time"),
        (["", ""], r"cannot be read as a time"),
    ],
)
def test_unreadable_times_are_named(tokens: list[str], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        read(tokens)


def test_compact_dates() -> None:
    days = compact_dates(pl.Series(["20240131", "20240201"]))
    assert days is not None
    assert days.times.tolist() == [dt.date(2024, 1, 31), dt.date(2024, 2, 1)]
    months = compact_dates(pl.Series(["202412", "202501"]))
    assert months is not None
    assert months.times.tolist() == [dt.date(2024, 12, 1), dt.date(2025, 1, 1)]
    for tokens in (
        ["202413", "202501"],
        ["20240231"],
        ["1990", "1991"],
        ["100001", "100002"],
        ["", "20240101"],
    ):
        assert compact_dates(pl.Series(tokens)) is None


def test_what_looks_like_dates() -> None:
    assert looks_like_dates(pl.Series(["2020-01-01", "x", "2020-01-03"]))
    assert not looks_like_dates(pl.Series(["10:00", "11:00"]))
    assert not looks_like_dates(pl.Series([], dtype=pl.String))
