"""Bounds that outcomes obey: found by counting, and dropped by a slow twin's rule."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ngrc.features.bounds import Bounds
from ngrc.features.limits import found_bounds, found_limits


def pile(count: int, size: int, bound: float = 0.0) -> np.ndarray:
    """So many outcomes on a bound, the others above it and all different."""
    return np.concatenate([np.full(count, bound), bound + 1.0 + np.arange(size - count)])


@pytest.mark.parametrize(
    ("count", "size", "found"),
    [(4, 20, False), (5, 20, True), (5, 500, True), (5, 501, False), (6, 600, True), (10, 1001, False)],
)
def test_five_and_one_in_a_hundred(count: int, size: int, found: bool) -> None:
    values = pile(count, size, bound=-3.5)
    assert found_bounds(values) == Bounds(lower=-3.5 if found else None)
    assert found_bounds(-values) == Bounds(upper=3.5 if found else None)
    assert found_bounds(np.random.default_rng(0).permutation(values)) == found_bounds(values)


def test_both_sides_neither_and_a_constant() -> None:
    assert found_bounds(np.array([0.0, 1.0] * 5)) == Bounds(0.0, 1.0)
    assert found_bounds(np.full(100, 2.0)) == Bounds()
    assert found_bounds(np.zeros(0)) == Bounds()
    assert found_limits(np.arange(50.0), 40, 10) is None
    # Nearly equal is not equal: a bound is hit exactly.
    assert found_bounds(1e-9 * np.arange(5.0)) == Bounds()


@settings(deadline=None, max_examples=60)
@given(
    later=st.lists(st.sampled_from([-1.0, 0.0, 0.5, 9.0, 10.0]), min_size=1, max_size=12),
    horizon=st.integers(1, 4),
    data=st.data(),
)
def test_a_bound_stands_until_an_outcome_is_known_to_cross_it(
    later: list[float], horizon: int, data: st.DataObject
) -> None:
    known = [0.0] * 6 + [9.0] * 6 + [3.0, 4.0]
    steps = data.draw(st.integers(1, len(later)))
    # Targets between what is known and the block: H - 1 that are pending.
    pending = [2.0] * (horizon - 1)
    outcomes = np.array([*known, *pending, *later[:steps]])
    limits = found_limits(outcomes, len(known), steps)
    assert limits is not None
    assert limits.bounds == Bounds(0.0, 9.0)
    for step in range(steps):
        seen = outcomes[: outcomes.size - steps + step - horizon + 1]
        assert limits.lower[step] == (0.0 if seen.min() >= 0 else -np.inf)
        assert limits.upper[step] == (9.0 if seen.max() <= 9 else np.inf)
        assert limits.kept[step] == (limits.lower[step] <= later[step] <= limits.upper[step])
    np.testing.assert_array_equal(limits.outcomes, later[:steps])


def test_ends_are_cut_and_an_interval_wholly_beyond_is_left_to_the_method() -> None:
    limits = found_limits(np.array([*pile(5, 20), 1.0, 1.0, np.nan]), 20, 3)
    assert limits is not None
    lower, upper = limits.cut(np.array([-2.0, -5.0, 1.0]), np.array([3.0, -1.0, np.inf]))
    assert lower.tolist() == [0.0, -5.0, 1.0]
    assert upper.tolist() == [3.0, -1.0, np.inf]
    assert limits.outcomes.tolist() == [1.0, 1.0]
    assert limits.kept.tolist() == [True, True]
