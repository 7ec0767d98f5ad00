"""Bounds on which outcomes pile up, and how far ends reach."""

import numpy as np
import pytest

from ngrc._kernels.auto import (
    LIMITS_CEILING,
    LIMITS_FLOOR,
    limits_cut,
    limits_learn,
    limits_nearby,
    limits_within,
)
from ngrc._types import FloatArray
from ngrc.features import limits as found
from ngrc.intervals import Stream
from ngrc.intervals.auto import limits
from ngrc.intervals.auto.method import Auto
from ngrc.intervals.context import Context

OUTER = np.array([-100.0, 100.0])


def cut(state: FloatArray, forecast: float, ends: FloatArray) -> list[float]:
    changed = ends.copy()
    limits_within(state, forecast, changed)
    return [float(end) for end in changed]


def piled(share: float, count: int = 400, side: int = 1) -> FloatArray:
    """Positive outcomes of which a share lies on zero; turned upside down where the side is -1."""
    outcomes = 1.0 + np.random.default_rng(0).exponential(size=count)
    outcomes[: round(share * count)] = 0.0
    return side * outcomes


def test_a_floor_and_a_ceiling_are_found() -> None:
    floor, ceiling = limits.start_limits(piled(0.1)), limits.start_limits(piled(0.1, side=-1))
    assert (floor[LIMITS_FLOOR], floor[LIMITS_CEILING]) == (0.0, np.inf)
    assert (ceiling[LIMITS_FLOOR], ceiling[LIMITS_CEILING]) == (-np.inf, 0.0)
    assert cut(floor, 2.0, OUTER) == pytest.approx([-2.0, 100.0], abs=1e-7)
    assert cut(ceiling, -2.0, OUTER) == pytest.approx([-100.0, 2.0], abs=1e-7)


@pytest.mark.parametrize(
    ("count", "on", "found"), [(400, 4, False), (400, 5, True), (900, 8, False), (900, 9, True)]
)
def test_one_in_a_hundred_and_five_make_a_bound(count: int, on: int, found: bool) -> None:
    state = limits.start_limits(piled(on / count, count))
    assert np.isfinite(state[LIMITS_FLOOR]) == found


def test_no_bound_without_forecasts_nor_where_all_is_constant() -> None:
    for outcomes in (None, np.full(50, 3.0)):
        state = limits.start_limits(outcomes)
        assert cut(state, 0.0, OUTER) == OUTER.tolist()


def test_outcomes_equal_but_for_rounding_count_as_one_value() -> None:
    outcomes = piled(0.1)
    outcomes[:20] += 1e-15
    assert limits.start_limits(outcomes)[LIMITS_FLOOR] == 0.0


@pytest.mark.parametrize("side", [1, -1])
def test_a_bound_is_dropped_once_crossed_and_not_before(side: int) -> None:
    state = limits.start_limits(piled(0.1, side=side))
    for outcome in (0.0, -side * 1e-12, side * 50.0):
        limits_learn(state, outcome)
        assert np.isfinite(state[[LIMITS_FLOOR, LIMITS_CEILING]]).any()
    limits_learn(state, -side * 0.01)
    assert cut(state, 0.0, OUTER) == OUTER.tolist()


def test_an_interval_wholly_beyond_becomes_the_bound_unless_most_outcomes_lie_there() -> None:
    beyond = np.array([-5.0, -3.0])
    hard, soft = limits.start_limits(piled(0.33)), limits.start_limits(piled(0.34))
    assert cut(hard, 1.0, beyond) == pytest.approx([-1.0, -1.0], abs=1e-7)
    assert cut(soft, 1.0, beyond) == [-5.0, -3.0]
    # Where the upper end is inside, the lower one is cut in either case.
    for state in (hard, soft):
        assert cut(state, 1.0, np.array([-5.0, 2.0])) == pytest.approx([-1.0, 2.0], abs=1e-7)
    upside = limits.start_limits(piled(0.33, side=-1))
    assert cut(upside, -1.0, -beyond[::-1]) == pytest.approx([1.0, 1.0], abs=1e-7)


@pytest.mark.parametrize("side", [1, -1])
def test_ends_never_reach_beyond_a_bound_of_a_clipped_series(side: int) -> None:
    """Outcomes clipped at zero, an eighth of them on it; forecasts know neither the bound nor the noise."""
    rng = np.random.default_rng(1)
    forecasts = 1.5 + np.sin(2 * np.pi * np.arange(900) / 24)
    outcomes = np.maximum(forecasts + rng.normal(size=900), 0.0)
    assert 0.05 < np.mean(outcomes == 0.0) < limits.MOST
    stream = Stream(side * (outcomes - forecasts), 500, context=Context(side * forecasts, (24.0,)))
    for offsets in Auto().run_levels(stream, (0.5, 0.95)):
        lower, upper = (side * forecasts[500:] + end for end in (offsets.lower, offsets.upper))
        inner, outer = (lower, upper) if side > 0 else (-upper, -lower)
        assert inner.min() >= -1e-7
        assert (inner <= outer).all()
        assert (np.abs(inner) < 1e-7).any()


def test_near_holds_a_mixture_to_one_radius_beyond_all_outcomes() -> None:
    state = limits.start_limits(np.array([1.0, 2.0, 5.0]))
    for outcome in (1.0, 2.0, 5.0):
        limits_learn(state, outcome)
    mixture = np.array([-50.0, -0.1, 70.0, 0.2])
    limits_nearby(state, 3.0, np.array([2.0, 0.5]), mixture)
    # Outcomes lie two below and two above the forecast; a radius of two stands beyond either for the first level.
    assert mixture.tolist() == [-4.0, -0.1, 4.0, 0.2]
    # A forecast outside of all outcomes: the far end may reach them, the other one radius beyond the forecast.
    mixture = np.array([-50.0, -50.0, 70.0, 70.0])
    limits_nearby(state, 10.0, np.array([2.0, 0.5]), mixture)
    assert mixture.tolist() == [-11.0, -9.5, 2.0, 0.5]


def test_near_leaves_a_mixture_alone_where_no_outcome_is_known() -> None:
    for state in (limits.start_limits(None), limits.start_limits(np.array([1.0, 2.0]))):
        mixture = np.array([-50.0, 70.0])
        limits_nearby(state, 0.0, np.array([1.0]), mixture)
        assert mixture.tolist() == [-50.0, 70.0]


def test_a_bound_is_found_by_the_same_rule_as_in_the_series_own_units() -> None:
    assert (limits.SHARE, limits.LEAST) == (found.SHARE, found.LEAST)


def test_members_reach_at_most_one_radius_beyond_the_largest_error() -> None:
    """The plain member is the second; two levels, lower ends first."""
    members = np.array([[-1e22, -9.0, 3.0, 1e11], [-1.0, -2.0, 1.0, 2.0], [-3.0, 8.0, 5.5, 7.0]])
    limits_cut(members, 5.0, 1)
    assert members.tolist() == [[-6.0, -7.0, 3.0, 7.0], [-1.0, -2.0, 1.0, 2.0], [-3.0, 7.0, 5.5, 7.0]]
