"""Outcomes that come late mature their own forecasts, and change nothing that was said."""

import numpy as np
import pytest

from ngrc import NGRC, OnlineForecaster
from ngrc.archive import dumps
from ngrc.intervals import METHODS, Rolling, Student
from ngrc.intervals.student import StudentTracker
from tests.live.starts import BEGIN, SERIES, fresh, said, service_of

ORDERLESS = ("rolling", "gaussian", "student", "adaptive", "weighted", "unprojected", "pid", "nexcp")
"""Methods that learn and whose state is made of known residuals, in whatever order they came."""
BY_TARGETS = ("dtaci", "saocp", "rescp", "scaled", "quantile", "auto")
"""Methods whose state is laid out by targets."""


@pytest.mark.parametrize("method", METHODS)
def test_a_late_outcome_matures_its_forecasts_and_leaves_what_was_said(method: str) -> None:
    live = fresh(method, 2, late="accept")
    forecasts = {1: live.next()}
    live.observe(SERIES[BEGIN])
    forecasts[2] = live.next()
    live.observe(None)
    live.observe(SERIES[BEGIN + 2])
    before = said(live)
    one, two = live.observe(SERIES[BEGIN + 1], BEGIN + 1)
    assert (one.step, one.origin, one.target, one.mean) == (1, BEGIN, BEGIN + 1, forecasts[2].mean[0])
    assert (two.step, two.origin, two.mean) == (2, BEGIN - 1, forecasts[1].mean[1])
    assert one.lower == {level: ends[0] for level, ends in forecasts[2].lower.items()}
    assert said(live) == before
    kept = dumps(live)
    for value in (SERIES[BEGIN + 1], 9.0, None):
        with pytest.raises(ValueError, match="no outcome of it is awaited"):
            live.observe(value, BEGIN + 1)
    assert dumps(live) == kept


@pytest.mark.parametrize("method", METHODS)
def test_a_late_residual_is_learned_from_where_order_does_not_matter(method: str) -> None:
    late, never, timely = (fresh(method, 1, late="accept") for _ in range(3))
    for live in (late, never):
        live.observe(None)
    timely.observe(SERIES[BEGIN])
    late.observe(SERIES[BEGIN], BEGIN)
    trackers = [dumps(service_of(live).calibration.trackers[0][0]) for live in (late, never, timely)]
    if method in BY_TARGETS:
        assert trackers[0] == trackers[1]
    if method in ORDERLESS:
        assert trackers[0] == trackers[2] != trackers[1]


def test_a_late_outcome_is_an_input_from_then_on() -> None:
    live = fresh("split", 2, late="accept")
    for value in (3.1, None, None, 2.9, 3.0):
        live.observe(value)
    live.observe(7.0, BEGIN + 1)
    live.observe(3.3)
    # What was carried from the missing one is carried from its late outcome.
    values = [*SERIES[:BEGIN], 3.1, 7.0, 7.0, 2.9, 3.0, 3.3]
    model = service_of(live).point.model
    np.testing.assert_allclose(live.next().mean, model.forecast(np.array(values)), rtol=1e-12)
    live.observe(1.0, BEGIN + 2)
    live.observe(3.2)
    values[BEGIN + 2] = 1.0
    np.testing.assert_allclose(live.next().mean, model.forecast(np.array([*values, 3.2])), rtol=1e-12)


def test_only_so_many_missing_targets_are_remembered() -> None:
    live = OnlineForecaster(NGRC(lags=3, ridge=0.1), Rolling(30), late="accept").start(SERIES[:100])
    live.observe(3.0, 100 + 1001)
    with pytest.raises(ValueError, match="not among the last 1,000 missing ones"):
        live.observe(3.0, 100)
    assert live.observe(3.0, 101)[0].target == 101


def test_a_missing_outcome_cannot_come_late_as_missing() -> None:
    live = fresh("adaptive", 1, late="accept")
    live.observe(None)
    with pytest.raises(ValueError, match="known to be missing"):
        live.observe(None, BEGIN)


def test_late_and_missing_outcomes_bring_no_residual_twice() -> None:
    live = OnlineForecaster(NGRC(lags=3, ridge=0.1), Student(), late="accept").start(SERIES[:100])
    tracker = service_of(live).calibration.trackers[0][0]
    assert isinstance(tracker, StudentTracker)
    count = tracker.count
    live.observe(None)
    assert tracker.count == count
    live.observe(3.0, 100)
    assert tracker.count == count + 1
