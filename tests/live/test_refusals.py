"""What cannot be taken is refused in one line, and leaves the state as it was, to the bit."""

from datetime import UTC, date, datetime
from typing import Any

import numpy as np
import pytest

from ngrc import NGRC, OnlineForecaster
from ngrc.archive import dumps
from ngrc.forecasters import SeasonalNaive
from ngrc.intervals import METHODS
from tests.live.starts import BEGIN, SERIES, fresh, said


@pytest.mark.parametrize(
    ("value", "time", "match"),
    [
        (float("inf"), None, "must be finite, got inf"),
        (-np.inf, None, "must be finite"),
        ("3.0", None, "is a number, or None where it is missing; got '3.0'"),
        (True, None, "is a number"),
        (np.True_, None, "is a number"),
        (np.array([1.0]), None, "is a number"),
        (np.datetime64("2026-01-01"), None, "is a number"),
        (1j, None, "is a number"),
        (10**400, None, "is a number"),
        (1.0, BEGIN - 1, "was taken already, the newest is 239"),
        (1.0, 0, "was taken already"),
        (1.0, -5, "was taken already"),
        (1.0, BEGIN + 0.5, "the index of a row, counted from 0; got 240.5"),
        (1.0, True, "the index of a row"),
        (1.0, "2026-01-01", "the history has no times"),
        (1.0, np.datetime64("2026-01-01"), "the history has no times"),
        (1.0, 10**9, "passes over 999,999,760 times, more than 100,000"),
        (1e300, None, "would not be finite"),
        (1e300, BEGIN + 3, "would not be finite"),
    ],
)
def test_refused_and_unchanged(value: Any, time: Any, match: str) -> None:
    live = fresh("adaptive", 3)
    before, then = dumps(live), said(live)
    with pytest.raises(ValueError, match=match):
        live.observe(value, time)
    assert dumps(live) == before
    assert said(live) == then


@pytest.mark.parametrize("method", METHODS)
def test_a_gap_that_ends_in_a_refusal_leaves_no_trace(method: str) -> None:
    live = fresh(method, 3, late="accept")
    before, then = dumps(live), said(live)
    with pytest.raises(ValueError, match="would not be finite"):
        live.observe(1e300, BEGIN + 5)
    assert dumps(live) == before
    assert said(live) == then
    other = fresh(method, 3, late="accept")
    for value in SERIES[BEGIN : BEGIN + 5]:
        assert live.observe(value) == other.observe(value)


def test_before_the_start() -> None:
    live = OnlineForecaster(NGRC(lags=3), "adaptive")
    for ask in (live.next, lambda: live.observe(1.0)):
        with pytest.raises(ValueError, match=r"needs a history; call start\(history\) first"):
            ask()
    assert (live.started, live.count, live.origin) == (False, 0, None)
    assert repr(live) == "OnlineForecaster(NGRC, adaptive, level 0.95, horizon 1: not started)"


@pytest.mark.parametrize(
    ("arguments", "match"),
    [
        ({"late": "maybe"}, "late must be 'refuse' or 'accept', got 'maybe'"),
        ({"method": "magic"}, "unknown interval method 'magic'"),
        ({"level": 1.5}, "level must be in"),
        ({"horizon": 0}, "horizon must be at least 1"),
        ({"refit_every": 0}, "refit_every must be at least 1"),
        ({"window": 50}, "window is for refits"),
        ({"model": "NGRC"}, "forecaster"),
    ],
)
def test_parameters(arguments: dict[str, Any], match: str) -> None:
    with pytest.raises(ValueError, match=match):
        OnlineForecaster(**{"model": NGRC(lags=3), **arguments})


def test_a_start_that_cannot_be() -> None:
    live = OnlineForecaster(NGRC(lags=3), "adaptive", horizon=3)
    with pytest.raises(ValueError, match="too short for 3 steps ahead"):
        live.start(SERIES[:12])
    assert not live.started
    with pytest.raises(ValueError, match="bayes needs a forecaster with leverage"):
        OnlineForecaster(SeasonalNaive(), "bayes").start(SERIES[:100])
    with pytest.raises(ValueError, match="need at least 5 observations, got 4"):
        OnlineForecaster(NGRC(lags=3), "adaptive", refit_every=5, window=1).start(SERIES[:100])


def test_what_the_model_excludes() -> None:
    live = fresh("adaptive", transform="log")
    before = dumps(live)
    with pytest.raises(ValueError, match="'log' needs values above 0"):
        live.observe(-1.0)
    assert dumps(live) == before
    bounded = OnlineForecaster(NGRC(lags=3, upper=6.0), "adaptive").start(SERIES[:100])
    with pytest.raises(ValueError, match="upper=6"):
        bounded.observe(7.0)


HOURS = np.datetime64("2026-03-01T00", "h") + np.arange(100)


@pytest.mark.parametrize(
    ("time", "match"),
    [
        (7, "the history's times are dates, got the time 7"),
        ("yesterday", "no date in ISO 8601"),
        ("2026-03-05T04:30", "finer than the history's times"),
        ("2026-03-05T04:00+01:00", "has a zone, and the history's times have none"),
        (datetime(2026, 3, 5, 4, tzinfo=UTC), "has a zone"),
        (np.datetime64("NaT"), "NaT"),
        (np.datetime64("2026-03-05T03"), "was taken already, the newest is 2026-03-05T03"),
        (date(2026, 3, 1), "was taken already"),
        ("2999-01-01T00:00", "passes over"),
    ],
)
def test_wrong_times(time: Any, match: str) -> None:
    from ngrc import Series

    live = OnlineForecaster(NGRC(lags=3), "adaptive").start(Series(SERIES[:100], HOURS))
    before = dumps(live)
    with pytest.raises(ValueError, match=match):
        live.observe(1.0, time)
    assert dumps(live) == before
