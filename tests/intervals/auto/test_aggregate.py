"""Block and tracker of an aggregate: levels together or alone, traces, and outcomes that come later than H steps."""

import numpy as np
import pytest

from ngrc._kernels.auto import walk_learn, walk_look
from ngrc.intervals import Stream
from ngrc.intervals.auto import walk
from ngrc.intervals.auto.aggregate import Aggregate, AggregateTracker
from ngrc.intervals.auto.method import Auto
from ngrc.intervals.context import Context
from ngrc.intervals.quantile import Quantile

BOTH = pytest.mark.parametrize("method", [Auto(), Quantile()], ids=["auto", "quantile"])


def clocked(size: int = 420, start: int = 360, horizon: int = 1) -> Stream:
    rng = np.random.default_rng([size, horizon])
    scale = np.where(np.arange(size) % 24 < 12, 1.0, 3.0)
    return Stream(
        scale * rng.gumbel(size=size), start, horizon, context=Context(rng.normal(size=size), (24.0,))
    )


@BOTH
def test_levels_in_one_pass_are_those_of_single_passes_but_for_nesting(method: Aggregate) -> None:
    stream, levels = clocked(), (0.9, 0.5, 0.95)
    together = method.run_levels(stream, levels)
    alone = [method.run(stream, level) for level in levels]
    order = np.argsort(levels)
    lower = np.minimum.accumulate(np.stack([alone[place].lower for place in order]))
    upper = np.maximum.accumulate(np.stack([alone[place].upper for place in order]))
    for rank, place in enumerate(order):
        np.testing.assert_array_equal(together[place].lower, lower[rank])
        np.testing.assert_array_equal(together[place].upper, upper[rank])
        for name, trace in together[place].trace.items():
            np.testing.assert_array_equal(trace, alone[place].trace[name])


def test_traces_are_shares_of_the_families() -> None:
    for offsets in Auto().run_levels(clocked(), (0.5, 0.95)):
        assert list(offsets.trace) == ["plain", "scaled", "quantile"]
        shares = np.stack(list(offsets.trace.values()))
        np.testing.assert_allclose(shares.sum(axis=0), 1.0, rtol=1e-12)
        # A hundredth is dealt out evenly among eleven members, two of which are quantile readouts.
        assert shares.min() >= 0.01 * 2 / 11
    assert Quantile().run(clocked(), 0.9).trace == {}


def one_slot_each(method: Aggregate, stream: Stream, level: float, wait: int) -> list[tuple[float, float]]:
    """Ends where every target has a slot of its own, and outcomes come `wait` steps later than H from the block on."""
    context, history = stream.context, stream.history
    assert context is not None
    state = walk.start_state(
        history.residuals, history.context, stream.horizon, np.array([level]), method.families
    )
    slots = walk.start_slots(state, stream.residuals.size)
    known, said = 0, []
    for target in range(stream.residuals.size):
        late = min(wait, max(target - stream.start, 0))
        while known <= target - stream.horizon - late:
            walk_learn(state, slots, known, stream.residuals[known])
            known += 1
        walk_look(state, slots, target, context.forecasts[target], context.phase + target)
        if target >= stream.start:
            said.append((float(slots.ends[target, 0]), float(slots.ends[target, 1])))
    return said


@BOTH
@pytest.mark.parametrize("horizon", [1, 3])
@pytest.mark.parametrize("wait", [0, 1, 11])
def test_outcomes_that_come_late_find_what_was_said_of_their_targets(
    method: Aggregate, horizon: int, wait: int
) -> None:
    stream = clocked(horizon=horizon)
    assert stream.context is not None
    tracker = method.begin(stream.history, 0.9)
    said = []
    for step in range(stream.steps):
        if step > wait:
            tracker.observe(float(stream.residuals[stream.known + step - wait - 1]), None)
        said.append(tracker.issue(0.0, float(stream.context.forecasts[stream.start + step])))
    assert said == one_slot_each(method, stream, 0.9, wait)


@BOTH
def test_slots_of_a_pause_are_used_again(method: Aggregate) -> None:
    """Ten intervals without an outcome, then all outcomes at once: every slot is free once, and none is lost."""
    stream = clocked(horizon=3)
    tracker = method.begin(stream.history, 0.9)
    assert isinstance(tracker, AggregateTracker)
    for _ in range(3):
        for _ in range(10):
            tracker.issue(0.0, 0.5)
        while tracker.waiting:
            tracker.observe(0.1, None)
        assert sorted(tracker.free) == list(range(tracker.slots.sizes.size))
    assert tracker.slots.sizes.size == 12
