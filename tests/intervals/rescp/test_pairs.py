"""Narrowest pairs against a search over exact fractions, and what the doubt promises."""

from fractions import Fraction
from typing import TypeAlias

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ngrc._kernels.rescp import pairs_exact, pairs_narrowest
from ngrc._types import FloatArray
from ngrc.intervals.rescp.ends import Positions, lower_tails, start_order

Window: TypeAlias = tuple[FloatArray, FloatArray, Positions, int, int, float]
TIE = Fraction(1) + Fraction(1, 10**12)


def make_window(values: FloatArray, tilted: FloatArray) -> Window:
    order = start_order(values, 0, values.size, values.size)
    return values, tilted, order, values.size, 0, float(np.sum(tilted * np.arange(values.size)))


def plain_pair(
    values: FloatArray, tilted: FloatArray, tails: FloatArray, alpha: float
) -> tuple[float, float]:
    """Every candidate by adding fractions; the first of the narrowest."""
    weights = [Fraction(float(w)) * j for j, w in enumerate(tilted)]
    ordered = sorted(zip(values.tolist(), weights, strict=True))

    def quantile(share: Fraction) -> float:
        reached = Fraction(0)
        for value, weight in ordered:
            reached += weight
            if reached >= share * TIE * sum(weights):
                return float(value)
        return float(ordered[-1][0])

    pairs = [
        (quantile(Fraction(float(t))), quantile(1 - Fraction(float(alpha)) + Fraction(float(t))))
        for t in tails
    ]
    return min(pairs, key=lambda pair: pair[1] - pair[0])


@settings(deadline=None, max_examples=80)
@given(
    st.lists(st.tuples(st.integers(-20, 20), st.integers(1, 9)), min_size=2, max_size=40),
    st.sampled_from([0.002, 0.05, 0.1, 0.5, 0.9]),
    st.sampled_from([1, 2, 7]),
)
def test_narrowest_pair_equals_the_search(members: list[tuple[int, int]], alpha: float, pairs: int) -> None:
    values, tilted = (np.array(column, dtype=float) for column in zip(*members, strict=True))
    tails = lower_tails(alpha, pairs)
    lower, upper, doubtful = pairs_exact(make_window(values, tilted), tails, alpha, 0.0)
    assert (lower, upper) == plain_pair(values, tilted, tails, alpha)
    assert not doubtful


@settings(deadline=None, max_examples=80)
@given(st.integers(0, 10**6), st.sampled_from([1e-4, 1e-2, 0.2]))
def test_without_doubt_disturbed_weights_give_the_same_pair(seed: int, doubt: float) -> None:
    rng = np.random.default_rng(seed)
    values, tilted = rng.standard_t(3, 60), rng.exponential(size=60) ** 3
    tails = lower_tails(0.2, 30)
    lower, upper, doubtful = pairs_exact(make_window(values, tilted), tails, 0.2, doubt)
    for kind in range(4):
        push = rng.choice([-1.0, 1.0], 60) if kind else np.sign(values)
        disturbed = tilted * np.exp(0.49 * doubt * push)
        other = pairs_exact(make_window(values, disturbed), tails, 0.2, 0.0)
        assert doubtful or other[:2] == (lower, upper)


def test_doubt_is_raised_near_a_tie_and_only_there() -> None:
    values, tilted = np.arange(5.0), np.array([0.0, 1.0, 1.0, 1.0, 1.0])
    window, tails = make_window(values, tilted), np.array([0.1])
    assert pairs_exact(window, tails, 0.5, 1e-9)[2]
    assert not pairs_exact(window, np.array([0.15]), 0.5, 1e-3)[2]


def test_tails_follow_the_published_grid_and_its_open_cases() -> None:
    np.testing.assert_allclose(lower_tails(0.1, 100), np.linspace(0.001, 0.099, 100))
    for alpha in (0.002, 1e-3, 1e-6):
        tails = lower_tails(alpha, 5)
        assert 0 < tails[0] < tails[-1] < alpha
    assert lower_tails(0.1, 1).tolist() == [0.05]


def test_narrowest_takes_the_first_of_equals_up_to_rounding() -> None:
    lower = np.array([0.1, 0.2, -5.0])
    assert pairs_narrowest(lower, lower + np.array([0.2, 0.2 - 1e-16, 9.0])) == 0
    assert pairs_narrowest(lower, lower + np.array([0.2, 0.1, 9.0])) == 1


@pytest.mark.parametrize("level", [1e-15, 0.5, 1 - 1e-9])
def test_ends_are_in_order_at_any_level(level: float) -> None:
    rng = np.random.default_rng(0)
    window = make_window(rng.normal(size=200), rng.random(200))
    lower, upper, _ = pairs_exact(window, lower_tails(1 - level, 50), 1 - level, 0.0)
    assert lower <= upper
