"""The one-at-a-time form around forecasts."""

import copy
import pickle
from dataclasses import FrozenInstanceError
from datetime import UTC, datetime
from typing import Any

import numpy as np
import pytest

from ngrc._types import FloatArray
from ngrc.intervals import Adaptive, Bayes, History, Rolling, Split, Stream
from ngrc.intervals.adaptive import AdaptiveTracker
from ngrc.intervals.context import Context
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
    assert interval == Interval(-np.inf, np.inf, 7.0, target=0)
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


def test_pending_forecasts_are_those_of_the_context() -> None:
    forecasts = np.arange(22.0)
    history = History(np.arange(1.0, 21.0), horizon=3, context=Context(forecasts))
    alone, named = Online(Split(), history, 0.8), Online(Split(), history, 0.8, pending=[20.0, 21.0])
    for online in (alone, named):
        assert online.targets == (-2, -1)
        online.observe(20.5)
        online.observe(20.5)
        assert online.unresolved == 0
    with pytest.raises(ValueError, match=r"of the history's context, \[20\.0, 21\.0\], got \[20\.0, 20\.0\]"):
        Online(Split(), history, 0.8, pending=[20.0, 20.0])
    with pytest.raises(ValueError, match="leave it out"):
        Online(Split(), history, 0.8, pending=[21.0])


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
        assert twin.targets == (0,)
        assert copy.deepcopy(twin).issue(1.0) != moved
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


def test_targets_are_counted_from_zero_and_pending_ones_before() -> None:
    online = Online(Rolling(5), History(np.arange(1.0, 8.0), horizon=3), 0.6, pending=[0.0, 0.0])
    assert list(online.targets) == [-2, -1]
    assert [online.issue(0.0).target for _ in range(2)] == [0, 1]
    online.observe(1.0, target=-2)
    online.skip(-1)
    online.observe(1.0)
    assert list(online.targets) == [1]


@pytest.mark.parametrize(
    "times",
    [
        [3, 5, 6],
        [0.5, 1, 1.25],
        [datetime(2024, 1, 1), datetime(2024, 1, 2), datetime(2024, 1, 9)],
        list(np.arange("2024-01-01", "2024-01-04", dtype="datetime64[D]")),
    ],
)
def test_targets_may_be_named(times: list[Any]) -> None:
    online = Online(
        Rolling(5), History(np.arange(1.0, 8.0), horizon=2), 0.6, [0.0], pending_targets=times[:1]
    )
    assert [online.issue(0.0, target=time).target for time in times[1:]] == times[1:]
    for time in times:
        online.observe(1.0, target=time)
    assert online.targets == ()


def test_an_outcome_for_another_target_is_refused_and_told_why() -> None:
    online = Online(Rolling(5), History(np.arange(1.0, 8.0)), 0.6)
    for time in (10, 20, 30):
        online.issue(0.0, target=time)
    online.observe(1.0, target=10)
    for target, message in {
        10: "target 10 is resolved already or was never issued; the oldest unresolved one is 20",
        30: r"target 30 is not the oldest unresolved one, 20; observe .* or skip\(target=20\) if it is lost",
        25: "target 25 is unknown; the unresolved targets run from 20 to 30",
        40: "target 40 has not been issued, the last one is 30; issue its interval first",
    }.items():
        with pytest.raises(ValueError, match=message):
            online.observe(1.0, target=target)
        with pytest.raises(ValueError, match=message):
            online.skip(target)
    with pytest.raises(ValueError, match="one kind"):
        online.observe(1.0, target=datetime(2024, 1, 1))
    assert online.targets == (20, 30)
    online.skip(20)
    online.observe(1.0, target=30)
    with pytest.raises(
        ValueError, match="target 30 cannot be resolved: no forecast is unresolved, the last target being 30"
    ):
        online.observe(1.0, target=30)
    with pytest.raises(ValueError, match="no forecast is unresolved"):
        online.skip()


def test_names_of_targets_are_checked() -> None:
    def fresh() -> Online:
        return Online(Rolling(5), History(np.arange(1.0, 8.0)), 0.6)

    counted, named, dated = fresh(), fresh(), fresh()
    counted.issue(0.0)
    with pytest.raises(ValueError, match="targets of this stream are counted"):
        counted.issue(0.0, target=5)
    named.issue(0.0, target=5)
    with pytest.raises(ValueError, match="targets of this stream are named, the last one 5; give target="):
        named.issue(0.0)
    for target in (5, 4.0):
        with pytest.raises(ValueError, match="targets must increase"):
            named.issue(0.0, target=target)
    dated.issue(0.0, target=datetime(2024, 1, 1))
    for other in (7, np.datetime64("2024-01-02")):
        with pytest.raises(ValueError, match="one kind"):
            dated.issue(0.0, target=other)
    with pytest.raises(ValueError, match="targets must have an order"):
        dated.issue(0.0, target=datetime(2024, 1, 2, tzinfo=UTC))
    for bad in (np.nan, np.datetime64("NaT"), True, np.True_, np.arange(2), np.array(1), [1], {1: 2}):
        with pytest.raises(ValueError, match="a target must be a number or a time"):
            fresh().issue(0.0, target=bad)
    assert (counted.unresolved, named.unresolved, dated.unresolved) == (1, 1, 1)


def test_where_targets_are_named_every_outcome_names_its_own() -> None:
    """One lost outcome would otherwise shift all that come after it by one target."""
    issued = Online(Rolling(5), History(np.arange(1.0, 8.0)), 0.6)
    issued.issue(0.0, target=10)
    history = History(np.arange(1.0, 8.0), horizon=2)
    pending = Online(Rolling(5), history, 0.6, [0.0], pending_targets=[10])
    for online in (issued, pending):
        message = "targets of this stream are named, the oldest unresolved one 10; give target="
        with pytest.raises(ValueError, match=message):
            online.observe(1.0)
        with pytest.raises(ValueError, match=message):
            online.skip()
        assert online.targets == (10,)
        online.observe(1.0, target=10)


@pytest.mark.parametrize("outcome", [True, np.True_, np.array(True), np.array("1"), np.str_("1")])
def test_the_answer_of_a_comparison_is_no_outcome(outcome: Any) -> None:
    online = Online(Rolling(5), History(np.arange(1.0, 8.0)), 0.6)
    with pytest.raises(ValueError, match="forecast must be a finite number"):
        online.issue(outcome)
    online.issue(0.0)
    with pytest.raises(ValueError, match="outcome must be a finite number"):
        online.observe(outcome)
    assert online.targets == (0,)


@pytest.mark.parametrize(
    ("targets", "message"),
    [([1], "name the 2 pending"), ([2, 1], "must increase"), ([1, datetime(2024, 1, 1)], "one kind")],
)
def test_names_of_pending_targets_are_checked(targets: list[Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Online(Split(), History(np.ones(30), horizon=3), 0.9, [0.0, 0.0], pending_targets=targets)


def wandering(count: int) -> tuple[FloatArray, FloatArray]:
    """A level that swings by 40 in a week of steps, and forecasts of it that err by one."""
    level = 20.0 * np.sin(2 * np.pi * np.arange(count) / 7.0)
    return level + np.random.default_rng(5).normal(size=count), level


def test_a_lost_outcome_is_skipped_and_does_no_harm() -> None:
    """Paired by order alone, everything after the loss belongs to the target before: width times six for good."""
    outcomes, forecasts = wandering(1600)
    history = History((outcomes - forecasts)[:400])
    widths, covered = {}, {}
    for named in (True, False):
        online = Online(Adaptive(0.01), history, 0.9)
        intervals = []
        for t in range(400, 1600):
            target = t if named else None
            intervals.append(online.issue(forecasts[t], target=target))
            if t != 600:
                online.observe(outcomes[t], target=target)
            elif named:  # this outcome is lost
                with pytest.raises(ValueError, match=r"skip\(target=600\)"):
                    raise_on_mismatch(online, forecasts, outcomes)
                online.skip(target=t)
        widths[named] = np.mean([interval.width for interval in intervals[400:]])
        covered[named] = np.mean([outcomes[t] in intervals[t - 400] for t in range(800, 1600)])
    assert widths[True] == pytest.approx(2 * 1.645, rel=0.1)
    assert covered[True] == pytest.approx(0.9, abs=4 * np.sqrt(0.09 / 800))
    assert widths[False] > 5 * widths[True]


def raise_on_mismatch(online: Online, forecasts: FloatArray, outcomes: FloatArray) -> None:
    """The next step as it comes, with the outcome naming its target, on a copy."""
    service = copy.deepcopy(online)
    service.issue(forecasts[601], target=601)
    service.observe(outcomes[601], target=601)
