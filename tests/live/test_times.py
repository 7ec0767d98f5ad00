"""Targets have the times that follow the history's, whatever their grid, and outcomes may name them in many ways."""

from datetime import UTC, date, datetime, timedelta, timezone
from typing import Any

import numpy as np
import pandas as pd
import pytest

from ngrc import NGRC, OnlineForecaster, Series
from ngrc.archive import dumps, loads
from tests.live.starts import SERIES, service_of

HISTORY = SERIES[:100]


def _live(times: Any, horizon: int = 2) -> OnlineForecaster:
    live = OnlineForecaster(NGRC(lags=3, ridge=0.1), "split", horizon=horizon, late="accept")
    return live.start(Series(HISTORY, times) if isinstance(times, np.ndarray) else pd.Series(HISTORY, times))


HOURS = np.datetime64("2026-03-01T00", "s") + 3600 * np.arange(100)


@pytest.mark.parametrize(
    "time",
    [
        np.datetime64("2026-03-05T06"),
        np.datetime64("2026-03-05T06:00:00.000000000"),
        datetime(2026, 3, 5, 6),
        pd.Timestamp("2026-03-05T06"),
        "2026-03-05T06:00",
        "2026-03-05 06:00:00",
        "20260305T06",
    ],
)
def test_a_time_in_many_ways(time: Any) -> None:
    live = _live(HOURS)
    assert str(live.origin) == "2026-03-05T03:00:00"
    assert [str(one) for one in live.next().targets] == ["2026-03-05T04:00:00", "2026-03-05T05:00:00"]
    (one, two) = live.observe(3.0, time)
    assert (one.step, str(one.origin), str(one.target)) == (1, "2026-03-05T05:00:00", "2026-03-05T06:00:00")
    assert (two.step, str(two.origin), two.value) == (2, "2026-03-05T04:00:00", 3.0)
    assert live.count == 103
    # Two were passed over, and one of them comes late.
    (early, earlier) = live.observe(2.5, "2026-03-05T05:00")
    assert (str(early.origin), str(earlier.origin)) == ("2026-03-05T04:00:00", "2026-03-05T03:00:00")
    assert (live.count, str(live.origin)) == (103, "2026-03-05T06:00:00")


MONTH_ENDS = (np.datetime64("2000-02", "M") + np.arange(100)).astype("M8[D]") - np.timedelta64(1, "D")
# Working days, one of which is a holiday.
ALL_DAYS = np.busday_offset("2025-01-01", np.arange(101), roll="forward")
DAYS = np.delete(ALL_DAYS, 70)
TENS = np.arange("2026-01-01T00:00", "2026-01-01T16:40", 10, dtype="M8[m]").astype("M8[10m]")
SESSIONS = (ALL_DAYS[:20, None].astype("M8[h]") + np.arange(9, 14)).ravel()


@pytest.mark.parametrize(
    ("times", "coming", "beyond"),
    [
        (MONTH_ENDS, ["2008-05-31", "2008-06-30"], "2008-07-31"),
        (DAYS, ["2025-05-22", "2025-05-23"], "2025-05-26"),
        (SESSIONS, ["2025-01-29T09", "2025-01-29T10"], "2025-01-29T11"),
        (np.arange(1000, 1500, 5), ["1500", "1505"], 1510),
        (np.arange(100) / 4, ["25.0", "25.25"], 25.5),
        (TENS, ["2026-01-01T16:40", "2026-01-01T16:50"], "2026-01-01T17:00"),
    ],
)
def test_every_grid_goes_on(times: Any, coming: list[str], beyond: Any) -> None:
    live = _live(times)
    assert [str(one) for one in live.next().targets] == coming
    other = loads(dumps(live))
    live.observe(3.0)
    live.observe(2.0)
    other.observe(3.0, coming_time(times, coming[0]))
    other.observe(2.0, coming_time(times, coming[1]))
    assert dumps(other) == dumps(live)
    assert str(live.next().targets[0]) in str(beyond) or str(beyond) in str(live.next().targets[0])
    assert live.observe(1.0, beyond)[0].value == 1.0


def coming_time(times: Any, text: str) -> Any:
    """A time as the history's are."""
    return text if times.dtype.kind == "M" else float(text)


def test_a_time_off_the_grid_is_refused() -> None:
    for times, time in (
        (MONTH_ENDS, "2008-06-15"),
        (DAYS, "2025-05-24"),
        (np.arange(1000, 1500, 5), 1502),
        (np.arange(100) / 4, 25.1),
    ):
        live = _live(times)
        before = dumps(live)
        with pytest.raises(ValueError, match="is not on the series' grid of"):
            live.observe(1.0, time)
        assert dumps(live) == before


def test_times_with_a_zone_are_kept_in_utc_and_named_with_their_zone() -> None:
    times = pd.date_range("2026-03-28 00:00", periods=100, freq="h", tz="Europe/Berlin")
    live = _live(times)
    # The clocks went forward: the hundred hours end at 04:00 in summer time, two hours ahead of UTC.
    assert str(live.origin).startswith("2026-04-01T02:00")
    berlin = timezone(timedelta(hours=2))
    live.observe(1.0, datetime(2026, 4, 1, 5, tzinfo=berlin))
    live.observe(1.0, "2026-04-01T04:00:00+00:00")
    live.observe(1.0, pd.Timestamp("2026-04-01 07:00", tz="Europe/Berlin"))
    live.observe(1.0, np.datetime64("2026-04-01T06:00"))
    live.observe(1.0, datetime(2026, 4, 1, 7, tzinfo=UTC))
    assert live.count == 105
    before = dumps(live)
    with pytest.raises(ValueError, match="has no zone, and the history's times have one"):
        live.observe(1.0, "2026-04-01T09:00")
    assert dumps(live) == before


def test_days_of_a_wall_clock() -> None:
    times = pd.date_range("2026-01-01", periods=100, freq="D", tz="Europe/Berlin")
    live = _live(times)
    live.observe(1.0, pd.Timestamp("2026-04-11", tz="Europe/Berlin"))
    assert live.count == 101


def test_a_date_stands_for_its_midnight() -> None:
    live = _live(np.datetime64("2026-01-01", "D") + np.arange(100))
    live.observe(1.0, date(2026, 4, 11))
    assert str(live.origin) == "2026-04-11"


def test_times_that_leave_their_type_are_refused() -> None:
    times = np.datetime64("2262-04-11T23:00", "ns") - np.timedelta64(1, "h") * np.arange(99, -1, -1)
    with pytest.raises(ValueError, match="do not fit into datetime64"):
        _live(times, horizon=3)
    live = _live(times - np.timedelta64(3, "h"), horizon=2)
    live.observe(1.0)
    assert str(live.next().targets[-1]).startswith("2262-04-11T23")
    before = dumps(live)
    # The second target from there would lie beyond: refused now, and not when it is asked for.
    with pytest.raises(ValueError, match="do not fit into datetime64"):
        live.observe(1.0)
    assert dumps(live) == before


def test_calendar_columns_read_the_times_of_the_targets() -> None:
    model = NGRC(lags=2, calendar=("weekday",), ridge=0.1)
    days = np.datetime64("2025-01-01", "D") + np.arange(330)
    live = OnlineForecaster(model, "split", horizon=2).start(Series(SERIES[:300], days[:300]))
    service = service_of(live)
    for value in SERIES[300:320]:
        live.observe(value)
    expected = service.point.model.forecast(SERIES[:320], times=days[:322])
    np.testing.assert_allclose(live.next().mean, expected, rtol=1e-12)
