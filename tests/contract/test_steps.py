"""Every tracker one observation at a time: `step` is `observe` and `issue` to the bit, and only numbers pass."""

from collections import deque
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from ngrc.archive import dumps
from ngrc.intervals import METHODS, Stream, Tracker
from tests.contract.test_keeping import EVERY, LEVEL, METHOD, history
from tests.twins import one_at_a_time

SIZE = 90
RNG = np.random.default_rng(8)
RESIDUALS, LEVERAGES, FORECASTS = RNG.standard_t(3, SIZE), RNG.random(SIZE) / 5, RNG.normal(size=SIZE)


def served(tracker: Tracker, horizon: int, whole: bool) -> list[tuple[float, float]]:
    """Intervals of all targets, every outcome H steps late and one in eleven lost, by `step` where it can be."""
    waiting: deque[Any] = deque([None] * (horizon - 1))
    issued = []
    for target in range(SIZE):
        known = (float(LEVERAGES[target]), float(FORECASTS[target]))
        ends = None
        if len(waiting) == horizon:
            told, residual = waiting.popleft(), float(RESIDUALS[target])
            missed = None if told is None else not told[0] <= residual <= told[1]
            if target % 11 == 5:
                tracker.skip()
            elif whole:
                ends = tracker.step(residual, missed, *known)
            else:
                tracker.observe(residual, missed)
        ends = tracker.issue(*known) if ends is None else ends
        waiting.append(ends)
        issued.append(ends)
    return issued


@EVERY
@pytest.mark.parametrize(("horizon", "sighted"), [(1, True), (3, False)])
def test_a_step_is_an_outcome_and_an_interval_to_the_bit(name: str, horizon: int, sighted: bool) -> None:
    method = METHOD[name]
    known = history(method, horizon, sighted)
    parts, whole = method.begin(known, LEVEL), method.begin(known, LEVEL)
    assert served(whole, horizon, True) == served(parts, horizon, False)
    assert dumps(whole) == dumps(parts)


@EVERY
def test_ends_are_plain_numbers(name: str) -> None:
    tracker = METHOD[name].begin(history(METHOD[name], 1, False), LEVEL)
    true: Any = np.bool_(True)
    for ends in (tracker.issue(), tracker.step(0.5, False), tracker.step(np.float64(0.25), true)):
        assert [type(end) for end in ends] == [float, float]


@EVERY
@pytest.mark.parametrize("residual", [np.nan, np.inf, -np.inf])
def test_what_is_no_number_changes_nothing(name: str, residual: float) -> None:
    tracker = METHOD[name].begin(history(METHOD[name], 1, False), LEVEL)
    tracker.issue()
    before = dumps(tracker)
    if name in ("bayes", "split", "asymmetric"):
        tracker.observe(residual, True)  # nothing is learned
    else:
        with pytest.raises(ValueError, match="residual"):
            tracker.observe(residual, True)
    assert dumps(tracker) == before


@pytest.mark.parametrize("name", ["rolling", "gaussian"])
def test_a_window_takes_no_more_room_however_long_it_runs(name: str) -> None:
    import tracemalloc

    tracker = METHODS[name](window=100).begin(history(METHOD[name], 1, False), LEVEL)  # type: ignore[call-arg]
    residuals = np.random.default_rng(0).normal(size=1000).tolist()
    step = tracker.step

    def run(rounds: int) -> int:
        for _ in range(rounds):
            for residual in residuals:
                step(residual, None)
        return tracemalloc.get_traced_memory()[0]

    size = len(dumps(tracker))
    tracemalloc.start()
    try:
        first = run(2)
        # Two hundred thousand steps; a byte per step would show as a hundred times this much.
        assert run(200) - first < 2000
    finally:
        tracemalloc.stop()
    assert abs(len(dumps(tracker)) - size) < 100


@pytest.mark.parametrize("name", ["adaptive", "unprojected", "weighted", "nexcp", "dtaci", "student"])
def test_a_history_that_grows_many_times_over_is_that_of_the_block(name: str) -> None:
    """Tables are laid out anew several times on the way, and weights scaled down."""
    fixed = {"adaptive": {"rate": 0.02}, "weighted": {"decay": 0.7}, "nexcp": {"decay": 0.995}}
    method = METHODS[name](**fixed.get(name, {}))
    stream = Stream(np.round(np.random.default_rng(1).standard_t(3, 1600), 2), 20)
    lower, upper = one_at_a_time(method, stream, LEVEL)
    block = method.run(stream, LEVEL)
    assert np.array_equal(lower, block.lower)
    assert np.array_equal(upper, block.upper)


@pytest.mark.parametrize("name", ["dtaci", "saocp"])
def test_outcomes_later_than_the_horizon_find_their_targets(name: str) -> None:
    """Room for one target grows to room for nine: the same as where there was room from the start."""
    known = history(METHOD[name], 1, False)
    narrow, wide = (METHOD[name].begin(replace(known, horizon=horizon), LEVEL) for horizon in (1, 9))
    for _ in range(8):
        wide.skip()
    trails = []
    for tracker in (narrow, wide):
        waiting: deque[Any] = deque()
        issued = []
        for target in range(SIZE):
            if len(waiting) == 9:
                told, residual = waiting.popleft(), float(RESIDUALS[target])
                tracker.observe(residual, not told[0] <= residual <= told[1])
            waiting.append(tracker.issue())
            issued.append(waiting[-1])
        trails.append(issued)
    assert trails[0] == trails[1]
