"""Decayed quantiles at levels that fall on partial sums: exact, the same in both forms, and blind to the future."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ngrc._kernels.order import exact_rounding_share, exact_whole_weights, fenwick_build, fenwick_reach
from ngrc._types import FloatArray
from ngrc.intervals import History, Stream, Weighted
from ngrc.order.exact import settled
from ngrc.order.multisets import decayed_select
from ngrc.order.ranks import ordering
from tests import twins

DECAYS = (0.9, 0.95, 0.99, 1.0 / 3.0, 0.5, 1.0)


def block(residuals: FloatArray, start: int, decay: float, level: float) -> FloatArray:
    return Weighted(decay).run(Stream(residuals, start), level).upper


@pytest.mark.parametrize("decay", DECAYS)
def test_levels_on_partial_sums_equal_exact_arithmetic(decay: float) -> None:
    """More than 500 levels per decay, three doubles around every partial sum of three histories."""
    for seed in range(3):
        residuals = np.random.default_rng(seed).normal(size=100)
        known = np.abs(residuals[:60]).tolist()
        for level in twins.partial_sum_levels(known, decay):
            expected = twins.decayed_quantile(known, decay, level)
            assert block(residuals, 60, decay, level)[0] == expected
            assert Weighted(decay).begin(History(residuals[:60]), level).issue()[1] == expected


@pytest.mark.parametrize("decay", DECAYS)
def test_scores_to_come_change_nothing_at_levels_on_partial_sums(decay: float) -> None:
    rng = np.random.default_rng(7)
    residuals = rng.normal(size=90)
    others = [np.concatenate([residuals[:70], rng.normal(size=count) * 3.0]) for count in (5, 20, 300)]
    for step in (0, 10):
        for level in twins.partial_sum_levels(np.abs(residuals[: 60 + step]).tolist(), decay):
            first = block(residuals, 60, decay, level)[: step + 1]
            for other in others:
                assert np.array_equal(block(other, 60, decay, level)[: step + 1], first)


@pytest.mark.parametrize("decay", DECAYS)
def test_both_forms_agree_to_the_bit_at_levels_on_partial_sums(decay: float) -> None:
    residuals = np.random.default_rng(11).normal(size=130)
    stream = Stream(residuals, 80, 2)
    for level in twins.partial_sum_levels(np.abs(residuals[:100]).tolist(), decay):
        upper = twins.one_at_a_time(Weighted(decay), stream, level)[1]
        assert np.array_equal(upper, Weighted(decay).run(stream, level).upper)


@given(
    st.lists(st.integers(0, 40), min_size=25, max_size=45),
    st.lists(st.integers(0, 40), min_size=1, max_size=30),
    st.floats(0.02, 1.0),
    st.integers(0, 10**6),
    st.integers(1, 3),
)
@settings(deadline=None, max_examples=150)
def test_the_past_is_settled_whatever_comes(
    past: list[int], future: list[int], decay: float, pick: int, horizon: int
) -> None:
    known, residuals = np.array(past, dtype=float), np.array(past + future, dtype=float)
    levels = twins.partial_sum_levels(known.tolist(), decay)
    level = levels[pick % len(levels)] if levels else 0.5
    start = len(past) - 4
    whole, cut = (Stream(values, start, horizon) for values in (residuals, known))
    offsets = Weighted(decay).run(whole, level)
    assert np.array_equal(offsets.upper[:4], Weighted(decay).run(cut, level).upper)
    assert np.array_equal(offsets.upper, twins.one_at_a_time(Weighted(decay), whole, level)[1])
    expected = [
        twins.decayed_quantile(residuals[: t - horizon + 1].tolist(), decay, level)
        for t in range(start, residuals.size)
    ]
    assert offsets.upper.tolist() == expected


def test_every_step_in_doubt_is_settled() -> None:
    """Rising scores have the same partial sums at every step, and the level sits on one of them."""
    scores = np.arange(1.0, 1801.0)
    level = twins.partial_sum_levels(scores[:1500].tolist(), 0.95)[-400]
    chosen = decayed_select(ordering(scores), 1500, 0.95, level)
    for step in range(0, 301, 20):
        assert scores[chosen[step]] == twins.decayed_quantile(scores[: 1500 + step].tolist(), 0.95, level)


def test_ordinary_levels_are_never_in_doubt() -> None:
    """The slow way is taken at about one step in a million, so speed is that of the search."""
    scores = np.abs(np.random.default_rng(0).standard_t(4, 3000))
    order, share = ordering(scores), 0.9 * (1.0 + 1e-12)
    for decay in (0.9, 0.95, 0.99, 0.999, 1.0):
        tree = np.zeros(4097)
        tree[1:3001] = (decay ** np.arange(3000.0)[::-1])[order]
        total = tree.sum()
        fenwick_build(tree)
        _, clearance = fenwick_reach(tree, share * total)
        assert clearance > 100 * exact_rounding_share(decay, 3000, 64) * total


@pytest.mark.parametrize("decay", [0.3, 0.95, 0.9999, 1.0])
def test_whole_weights_are_what_they_say(decay: float) -> None:
    assert exact_whole_weights(decay, 300).tolist() == twins.whole_weights(decay, 300)


def test_rounding_stays_below_the_stated_share() -> None:
    """Prefix sums of both forms against exact ones, at the largest step of a long stream."""
    scores = np.random.default_rng(3).random(6000)
    order = ordering(scores)
    for decay in (0.9, 0.99, 0.999, 0.99999):
        weights = twins.whole_weights(decay, scores.size)[::-1]
        grown = np.empty(scores.size)
        newest = 1.0
        for position in range(scores.size):
            grown[position] = newest
            newest /= decay
            if newest > 2.0**600:
                grown[: position + 1] /= 2.0**600
                newest /= 2.0**600
        exact, cumulative = [], 0
        for position in order.tolist():
            cumulative += weights[position]
            exact.append(cumulative)
        rounded = np.cumsum(grown[order]) / grown.sum()
        truth = np.array([part / exact[-1] for part in exact])
        assert np.abs(rounded - truth).max() < exact_rounding_share(decay, scores.size, 3000)


def test_a_share_beyond_one_takes_the_largest_known_score() -> None:
    scores = np.array([1.0, 5.0, 2.0, 7.0, 3.0])
    assert settled(ordering(scores), 3, 0.5, 1.5) == 1
    tracker = Weighted(0.5).begin(History(scores[:3]), 1 - 1e-15)
    assert tracker.issue() == (-5.0, 5.0)
