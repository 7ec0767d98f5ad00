"""Blocks of queries: shapes of blocks change nothing, single precision is settled in double."""

from typing import Any

import numpy as np
import pytest

from ngrc.intervals.rescp import block
from ngrc.intervals.rescp.block import block_ends
from ngrc.intervals.rescp.ends import Ends, Rule, lower_tails
from ngrc.intervals.rescp.reservoir import draw_reservoir
from ngrc.intervals.rescp.states import origin_units

KNOWN, STEPS, HORIZON = 400, 150, 3


def make_rule(temperatures: list[float], sizes: list[int], stochastic: bool = False) -> Rule:
    tails = lower_tails(0.1, 40)
    return Rule(np.array(temperatures), np.array(sizes), tails, 0.1, stochastic, np.uint64(3))


def ends_of(rule: Rule, settle: bool = True) -> Ends:
    rng = np.random.default_rng(8)
    values = rng.standard_t(4, KNOWN + STEPS - 1)
    units, _ = origin_units(draw_reservoir(48, seed=1), values, HORIZON)
    (ends,) = block_ends(units, values, KNOWN, STEPS, (rule,), settle=settle)
    return ends


def one_of(ends: Ends, a: int, b: int) -> Ends:
    lower, upper, effective = (part[a : a + 1, b : b + 1] for part in ends[:3])
    return Ends(lower, upper, effective, ends.doubtful[a : a + 1, b : b + 1])


def same(first: Ends, second: Ends) -> bool:
    pairs = [(first.lower, second.lower), (first.upper, second.upper), (first.effective, second.effective)]
    return all(np.allclose(one, other, rtol=1e-12, atol=0) for one, other in pairs)


@pytest.mark.parametrize("stochastic", [False, True])
@pytest.mark.parametrize("height", [1, 7, 64])
def test_height_of_a_block_changes_nothing(
    height: int, stochastic: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    rule = make_rule([0.05, 0.005], [2**40, 300, 30, 1], stochastic)
    whole = ends_of(rule)
    monkeypatch.setattr(block, "HEIGHT", height)
    monkeypatch.setattr(block, "ELEMENTS", 1 << 12)
    assert same(ends_of(rule), whole)


def test_candidates_together_equal_each_alone() -> None:
    temperatures, sizes = [0.05, 0.25, 0.004], [2**40, 350, 100, 2]
    together = ends_of(make_rule(temperatures, sizes))
    for a, temperature in enumerate(temperatures):
        for b, size in enumerate(sizes):
            alone = ends_of(make_rule([temperature], [size]))
            assert same(one_of(together, a, b), alone)


@pytest.mark.parametrize("stochastic", [False, True])
def test_single_precision_is_settled_in_double(stochastic: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    rule = make_rule([0.05], [350], stochastic)
    double = ends_of(rule)
    monkeypatch.setattr(block, "SCREENED_WINDOW", 1)
    monkeypatch.setattr(block, "SINGLE_ROUNDING", 2.0**-16)  # coarser than it is, so that doubts do arise
    asked = watch_queries(monkeypatch)
    screened = ends_of(rule)
    assert asked[0] == STEPS
    assert 0 < asked[1] < STEPS
    assert np.array_equal(screened.lower, double.lower)
    assert np.array_equal(screened.upper, double.upper)
    np.testing.assert_allclose(screened.effective, double.effective, rtol=1e-4)


def test_more_than_two_answers_are_not_screened(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(block, "SCREENED_WINDOW", 1)
    monkeypatch.setattr(block, "SINGLE_ROUNDING", 2.0**-16)
    asked = watch_queries(monkeypatch)
    ends_of(make_rule([0.05, 0.1], [350]))
    assert len(asked) == 2
    asked.clear()
    ends_of(make_rule([0.05, 0.1], [350, 30]))
    assert asked == [STEPS]
    asked.clear()
    # A choice between candidates settles nothing, so that single precision is all it takes.
    ends_of(make_rule([0.05, 0.1], [350, 30]), settle=False)
    assert asked == [STEPS]


def watch_queries(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many queries each pass was asked, as the passes run."""
    asked: list[int] = []
    fill = block.Block.fill

    def watched(self: block.Block, units: Any, wanted: Any, **options: Any) -> None:
        asked.append(wanted.size)
        fill(self, units, wanted, **options)

    monkeypatch.setattr(block.Block, "fill", watched)
    return asked


def test_a_coarse_rounding_sends_every_query_to_double(monkeypatch: pytest.MonkeyPatch) -> None:
    rule = make_rule([0.05], [350])
    double = ends_of(rule)
    monkeypatch.setattr(block, "SCREENED_WINDOW", 1)
    monkeypatch.setattr(block, "SINGLE_ROUNDING", 1.0)
    screened = ends_of(rule)
    # Blocks of another height: some processors' matrix products then sum in another order.
    np.testing.assert_allclose(screened.effective, double.effective, rtol=1e-12)


@pytest.mark.parametrize("stochastic", [False, True])
def test_unsettled_ends_are_close_enough_to_choose_by(
    stochastic: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    rule = make_rule([0.05, 0.2], [2**40, 120], stochastic)
    double = ends_of(rule)
    monkeypatch.setattr(block, "SCREENED_WINDOW", 1)
    screened = ends_of(rule, settle=False)
    assert np.mean(screened.lower == double.lower) > 0.98
    assert np.mean(screened.upper == double.upper) > 0.98


def test_single_precision_errs_less_than_is_allowed_for() -> None:
    values = np.random.default_rng(0).standard_t(4, 3000)
    for size in (64, 512):
        units, _ = origin_units(draw_reservoir(size), values, 1)
        single = units.astype(np.float32)
        error = np.abs(single[-300:] @ single.T - units[-300:] @ units.T)
        assert error.max() < block.single_rounding(size)


def test_units_are_states_at_the_origins() -> None:
    values = np.random.default_rng(1).normal(size=1200)
    reservoir = draw_reservoir(16)
    units, last = origin_units(reservoir, values, HORIZON)
    states = reservoir.states(values)
    assert not units[:HORIZON].any()
    norms = np.linalg.norm(states, axis=1, keepdims=True)
    np.testing.assert_allclose(units[HORIZON:], states / norms, rtol=1e-12)
    assert np.array_equal(last, states[-1])


def test_a_silent_reservoir_is_like_nothing() -> None:
    units, _ = origin_units(draw_reservoir(16), np.zeros(20), 1)
    assert not units.any()
