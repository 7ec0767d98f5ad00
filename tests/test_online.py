"""The one-at-a-time form around forecasts."""

import copy
import pickle
from dataclasses import FrozenInstanceError

import numpy as np
import pytest

from ngrc.intervals import Adaptive, Bayes, History, Rolling, Split, Stream
from ngrc.intervals.adaptive import AdaptiveTracker
from ngrc.online import Interval, Online


def test_interval_is_a_value() -> None:
    interval = Interval(1.0, 4.0, 2.0)
    assert (interval.center, interval.width) == (2.5, 3.0)
    assert 1.0 in interval
    assert 4.0 in interval
    assert 0.999 not in interval
    assert interval == Interval(1.0, 4.0, 2.0)
    with pytest.raises(FrozenInstanceError):
        interval.lower = 0.0  # type: ignore[misc]


def test_infinite_interval_is_centred_on_its_forecast() -> None:
    interval = Online(Split(), History(np.ones(3)), 0.95).issue(7.0)
    assert interval == Interval(-np.inf, np.inf, 7.0)
    assert (interval.center, interval.width) == (7.0, np.inf)
    assert 1e300 in interval


def test_interval_surrounds_its_forecast() -> None:
    online = Online(Rolling(4), History(np.array([1.0, -2.0, 3.0, -4.0])), 0.5)
    interval = online.issue(100.0)
    assert (interval.lower, interval.upper, interval.forecast) == (97.0, 103.0, 100.0)


@pytest.mark.parametrize("horizon", [1, 3, 7])
def test_equals_the_block_around_any_forecasts(horizon: int) -> None:
    rng = np.random.default_rng(horizon)
    outcomes = rng.integers(-64, 64, 200) / 8.0
    forecasts = rng.integers(-64, 64, 200) / 8.0
    stream = Stream(outcomes - forecasts, 120, horizon)
    offsets = Adaptive(0.05).run(stream, 0.9)
    pending = forecasts[stream.known : stream.start]
    online = Online(Adaptive(0.05), stream.history, 0.9, pending)
    for step, position in enumerate(range(stream.start, 200)):
        if step > 0:
            online.observe(outcomes[position - horizon])
        interval = online.issue(forecasts[position])
        assert interval.lower == forecasts[position] + offsets.lower[step]
        assert interval.upper == forecasts[position] + offsets.upper[step]
        assert online.unresolved == horizon


def test_pending_forecasts_bring_no_coverage_error() -> None:
    history = History(np.arange(1.0, 21.0), horizon=3)
    online = Online(Adaptive(0.1), history, 0.8, pending=[0.0, 0.0])
    first = online.issue(0.0)
    assert isinstance(online.tracker, AdaptiveTracker)
    online.observe(1000.0)
    online.observe(1000.0)
    assert online.unresolved == 1
    assert online.tracker.current == pytest.approx(0.2, abs=1e-15)
    online.observe(first.upper + 1)
    assert online.tracker.current == pytest.approx(0.12, abs=1e-15)


def test_leverage_reaches_the_bayesian_interval() -> None:
    online = Online(Bayes(), History(np.zeros(2), fit_scale=1.0), 0.95)
    assert online.issue(0.0, leverage=3.0).width == pytest.approx(2 * online.issue(0.0).width)


def test_tuned_parameters_are_reported() -> None:
    history = History(np.random.default_rng(0).normal(size=100))
    online = Online(Adaptive(rates=(0.2, 0.1)), history, 90)
    assert online.level == 0.9
    assert online.selected == Adaptive(rates=(0.2, 0.1)).tuned(history, 0.9).selected
    assert "unresolved=0" in repr(online)


def test_a_copy_lives_its_own_life() -> None:
    online = Online(Rolling(5), History(np.arange(1.0, 8.0)), 0.6)
    online.issue(0.0)
    copies = [copy.deepcopy(online), pickle.loads(pickle.dumps(online))]
    online.observe(50.0)
    moved = online.issue(1.0)
    for twin in copies:
        assert twin.unresolved == 1
        assert twin.issue(1.0) != moved
        twin.observe(50.0)
        assert twin.issue(1.0) == moved


def test_misuse_is_explained() -> None:
    online = Online(Split(), History(np.ones(30)), 0.9)
    with pytest.raises(ValueError, match="no forecast is unresolved"):
        online.observe(1.0)
    with pytest.raises(ValueError, match="forecast must be a finite number"):
        online.issue(np.nan)
    online.issue(1.0)
    with pytest.raises(ValueError, match="outcome must be a finite number"):
        online.observe(np.nan)
    assert online.unresolved == 1
    online.observe(1.0)
    with pytest.raises(ValueError, match="issue an interval first"):
        online.observe(1.0)
    with pytest.raises(ValueError, match=r"horizon - 1 = 0 forecasts.*got 1"):
        Online(Split(), History(np.ones(30)), 0.9, pending=[1.0])
    with pytest.raises(ValueError, match="a pending forecast must be"):
        Online(Split(), History(np.ones(30), horizon=2), 0.9, pending=[np.inf])
    with pytest.raises(ValueError, match="level"):
        Online(Split(), History(np.ones(30)), 1.0)
