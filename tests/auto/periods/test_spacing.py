"""Periods from the spacing of time stamps."""

import numpy as np
import pytest

from ngrc._types import AnyArray
from ngrc.auto.periods import spacing_periods


def every(step: str, unit: str, count: int = 400) -> AnyArray:
    start: AnyArray = np.array("2020-03-01T00").astype(f"M8[{unit}]")
    return np.asarray(start + (int(step) * np.arange(count)).astype(f"m8[{unit}]"))


def told(times: AnyArray | None) -> dict[str, float]:
    return {period.name: round(period.steps, 2) for period in spacing_periods(times)}


@pytest.mark.parametrize(
    ("step", "unit", "expected"),
    [
        ("1", "s", {}),
        ("10", "s", {"hour": 360}),
        ("1", "m", {"hour": 60, "day": 1440}),
        ("5", "m", {"day": 288, "week": 2016}),
        ("7", "m", {"day": 205.71, "week": 1440}),
        ("10", "m", {"day": 144, "week": 1008}),
        ("15", "m", {"day": 96, "week": 672}),
        ("30", "m", {"day": 48, "week": 336}),
        ("60", "m", {"day": 24, "week": 168, "year": 8766}),
        ("1", "h", {"day": 24, "week": 168, "year": 8766}),
        ("3", "h", {"day": 8, "week": 56, "year": 2922}),
        ("6", "h", {"day": 4, "week": 28, "year": 1461}),
        # Nine hours divide no day, and their week is too short to be cut anyhow.
        ("9", "h", {"year": 974}),
        ("12", "h", {"day": 2, "week": 14, "year": 730.5}),
        ("1", "D", {"week": 7, "year": 365.25}),
        ("2", "D", {"year": 182.62}),
        ("7", "D", {"year": 52.18}),
        ("28", "D", {"year": 13.04}),
    ],
)
def test_constant_steps(step: str, unit: str, expected: dict[str, float]) -> None:
    assert told(every(step, unit)) == expected


@pytest.mark.parametrize(
    ("step", "expected"), [(1, {"year": 12}), (2, {"year": 6}), (3, {"year": 4}), (6, {"year": 2}), (12, {}), (24, {})]
)  # fmt: skip
def test_calendar_months(step: int, expected: dict[str, float]) -> None:
    months = np.datetime64("1990-01", "M") + step * np.arange(60)
    assert told(months) == expected
    assert told(months.astype("M8[D]")) == expected
    assert told((months + 1).astype("M8[D]") - np.timedelta64(1, "D")) == expected
    assert told(months.astype("M8[ns]")) == expected


def test_weekdays_also_where_holidays_are_missing() -> None:
    days = np.busday_offset("2020-01-01", np.arange(600), roll="forward")
    assert told(days) == {"week": 5, "year": 260.89}
    assert told(np.delete(days, [60, 130, 131, 400])) == {"week": 5, "year": 260.89}


def test_nearly_regular_times_have_the_step_of_most() -> None:
    hours = every("1", "h", 1000)
    assert told(np.delete(hours, [3, 500, 501, 777])) == told(hours)


def test_sessions_have_days_of_their_own() -> None:
    # Seven trading hours per day: a day has seven steps and not 24, a week those of its working days.
    days = every("1", "D", 60).astype("M8[h]")
    trading = (days[:, None] + np.arange(9, 16).astype("m8[h]")).ravel()
    assert told(trading) == {"day": 7, "week": 49}
    assert told(trading[np.is_busday(trading.astype("M8[D]"))]) == {"day": 7, "week": 35}


def test_times_without_a_common_step_tell_nothing() -> None:
    rng = np.random.default_rng(0)
    assert told(np.unique(every("1", "m", 1) + rng.integers(0, 100_000, 300).astype("m8[m]"))) == {}


@pytest.mark.parametrize(
    "times",
    [
        None,
        np.arange(50),
        np.linspace(0, 1, 50),
        np.array([], dtype="M8[h]"),
        np.array(["2020-01-01"], dtype="M8[D]"),
        np.array(["2020-01-01"] * 3, dtype="M8[D]"),
        np.array(["2020-01-03", "2020-01-02", "2020-01-01"], dtype="M8[D]"),
        np.array(["NaT", "NaT"], dtype="M8[D]"),
    ],
)
def test_no_calendar_no_period(times: AnyArray | None) -> None:
    assert spacing_periods(times) == ()


def test_reasons_are_plain() -> None:
    reasons = [spacing_periods(times)[0].reason for times in (
        every("1", "h"), every("30", "m"), every("10", "m"), every("7", "D"),
        np.arange("1990-01", "1999-01", dtype="M8[M]"),
    )]  # fmt: skip
    assert reasons == [
        "hourly time stamps",
        "half-hourly time stamps",
        "time stamps every 10 minutes",
        "weekly time stamps",
        "monthly time stamps",
    ]
