"""Whole-block kernels against brute force, and their blindness to the future."""

from math import fsum

import numpy as np
import pytest

from ngrc._kernels.order import decayed_start
from ngrc.order.multisets import decayed_reach, decayed_select, sliding_select
from ngrc.order.ranks import ordering
from ngrc.order.sums import MovingSum, moving_sums
from tests import twins


@pytest.mark.parametrize(("window", "rank"), [(1, 1), (7, 1), (7, 4), (7, 7), (64, 61), (200, 190)])
@pytest.mark.parametrize("ties", [False, True])
def test_sliding_select_equals_sorting_each_window(window: int, rank: int, ties: bool) -> None:
    rng = np.random.default_rng(window + rank)
    scores = rng.integers(0, 6, 200).astype(float) if ties else rng.exponential(size=200)
    chosen = sliding_select(ordering(scores), window, rank)
    windows = np.lib.stride_tricks.sliding_window_view(scores, window)
    assert np.array_equal(scores[chosen], np.sort(windows, axis=1)[:, rank - 1])
    starts = np.arange(chosen.size)
    assert np.all((starts <= chosen) & (chosen < starts + window))


@pytest.mark.parametrize("decay", [0.3, 0.9, 0.95, 0.999, 1.0])
@pytest.mark.parametrize("level", [0.2, 0.9, 0.95])
def test_decayed_select_equals_exact_fractions(decay: float, level: float) -> None:
    rng = np.random.default_rng(3)
    scores = rng.integers(0, 30, 90).astype(float)
    known = 25
    chosen = decayed_select(ordering(scores), known, decay, level)
    powers = [twins.exact(decay) ** age for age in range(scores.size)]
    for step, position in enumerate(chosen):
        past = scores[: known + step].tolist()
        assert position < known + step
        assert scores[position] == twins.weighted_rank(past, powers[: len(past)][::-1], level)


def test_decay_equal_to_the_level_makes_a_newest_largest_score_the_quantile() -> None:
    scores = np.concatenate([np.random.default_rng(0).random(400), [9.0, 0.5]])
    chosen = decayed_select(ordering(scores), 400, 0.95, 0.95)
    assert chosen[1] == 400
    assert chosen[2] != 400


@pytest.mark.parametrize("decay", [0.2, 0.5, 0.8])
def test_weights_are_rescaled_before_they_overflow(decay: float) -> None:
    scores = np.random.default_rng(2).exponential(size=9000)
    chosen = decayed_select(ordering(scores), 100, decay, 0.9)
    recent = np.cumprod(np.full(400, decay))[::-1] / decay
    for step in (0, 250, 258, 2000, 8900):
        past = scores[: 100 + step][-400:]
        order = np.argsort(past)
        cumulative = np.cumsum(recent[-past.size :][order])
        expected = past[order[np.searchsorted(cumulative, 0.9 * (1 + 1e-12) * cumulative[-1])]]
        assert scores[chosen[step]] == expected


def test_a_level_next_to_one_takes_the_largest_known_score() -> None:
    scores = np.array([1.0, 5.0, 2.0, 7.0, 3.0])
    chosen = decayed_select(ordering(scores), 2, 0.9, 1 - 1e-15)
    assert chosen.tolist() == [1, 1, 3, 3]


def test_future_scores_change_nothing() -> None:
    rng = np.random.default_rng(4)
    scores = rng.exponential(size=300)
    changed = scores.copy()
    changed[200:] = 5 * rng.exponential(size=100)
    for decay in (0.95, 0.999):
        before = scores[decayed_select(ordering(scores), 50, decay, 0.95)[:151]]
        assert np.array_equal(before, changed[decayed_select(ordering(changed), 50, decay, 0.95)[:151]])
    before = scores[sliding_select(ordering(scores), 50, 48)[:151]]
    assert np.array_equal(before, changed[sliding_select(ordering(changed), 50, 48)[:151]])


def test_starting_weights() -> None:
    weights, total = decayed_start(6, 0.5)
    assert weights.tolist() == [2.0**-5, 2.0**-4, 2.0**-3, 0.25, 0.5, 1.0]
    assert total == weights.sum()
    faded, total = decayed_start(3000, 0.5)
    assert faded[:1000].max() == 0.0
    assert total == 2.0


@pytest.mark.parametrize("window", [1, 2, 7, 50, 61])
@pytest.mark.parametrize("length", [61, 100, 183])
def test_moving_sums_equal_exact_sums_and_the_online_form(window: int, length: int) -> None:
    values = np.random.default_rng(window).exponential(size=length)
    sums = moving_sums(values, window)
    exact = [fsum(values[start : start + window]) for start in range(length - window + 1)]
    assert np.allclose(sums, exact, rtol=1e-14, atol=0)
    moving = MovingSum(values[:window])
    online = [moving.total]
    for value in values[window:].tolist():
        moving.push(value)
        online.append(moving.total)
    assert online == sums.tolist()


def test_moving_sums_forget_a_spike_entirely() -> None:
    values = np.ones(500)
    values[100] = 1e20
    assert moving_sums(values, 10)[101:].tolist() == [10.0] * 390


@pytest.mark.parametrize("decay", [0.9, 1.0])
def test_a_share_of_its_own_for_every_step(decay: float) -> None:
    scores = np.random.default_rng(1).exponential(size=60)
    shares = np.random.default_rng(2).uniform(0.05, 1.3, 41)
    chosen = decayed_reach(ordering(scores), 20, decay, shares)
    for step, (position, share) in enumerate(zip(chosen, shares, strict=True)):
        past = scores[: 20 + step]
        weights = decay ** np.arange(past.size, dtype=float)[::-1]
        order = np.argsort(past)
        reached = np.flatnonzero(np.cumsum(weights[order]) >= share * weights.sum())
        assert past[position] == (past[order[reached[0]]] if reached.size else past.max())
