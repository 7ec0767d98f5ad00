from math import inf

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ngrc.order.quantiles import (
    conformal_quantile,
    conformal_rank,
    signed_quantiles,
    signed_ranks,
)
from tests import twins

LEVELS = st.integers(1, 999).map(lambda thousandths: thousandths / 1000)
SCORES = st.lists(st.integers(0, 20).map(float), min_size=1, max_size=60)


def test_rank_is_not_fooled_by_a_floating_ceiling() -> None:
    assert 100 * 0.55 > 55
    assert conformal_rank(99, 0.55) == 55


@pytest.mark.parametrize("level", [0.55, 0.8, 0.9, 0.95, 0.975, 0.99, 0.999])
def test_rank_equals_exact_arithmetic_for_every_count(level: float) -> None:
    for count in range(2100):
        assert conformal_rank(count, level) == twins.rank(count, level)


@given(st.integers(0, 100_000), LEVELS)
@settings(deadline=None, max_examples=300)
def test_rank_property(count: int, level: float) -> None:
    assert conformal_rank(count, level) == twins.rank(count, level)
    lower, upper = signed_ranks(count, level)
    tail = (1 - twins.exact(level)) / 2
    assert lower == int((count + 1) * tail)
    assert lower + upper == count + 1


@given(SCORES, LEVELS)
@settings(deadline=None, max_examples=200)
def test_quantiles_equal_their_twins(scores: list[float], level: float) -> None:
    values = np.array(scores)
    assert conformal_quantile(values, level) == twins.split_quantile(scores, level)
    signed = values - 10.0
    assert signed_quantiles(signed, level) == twins.signed_pair(signed.tolist(), level)


def test_too_few_scores_are_infinite() -> None:
    assert conformal_quantile(np.ones(18), 0.95) == inf
    assert conformal_quantile(np.ones(19), 0.95) == 1.0
    assert signed_quantiles(np.ones(38), 0.95) == (-inf, inf)
    assert signed_quantiles(np.ones(39), 0.95) == (1.0, 1.0)


def test_coverage_is_exact_for_exchangeable_scores() -> None:
    draws, count = 20_000, 29
    scores = np.random.default_rng(5).exponential(size=(draws, count + 1))
    covered = np.mean([row[-1] <= conformal_quantile(row[:-1], 0.85) for row in scores])
    truth = twins.rank(count, 0.85) / (count + 1)
    assert abs(covered - truth) < 4 * np.sqrt(truth * (1 - truth) / draws)


@pytest.mark.parametrize("level", [0.0, 1.0, -0.1, 1.5, float("nan")])
def test_bad_level(level: float) -> None:
    with pytest.raises(ValueError, match="level"):
        conformal_quantile(np.ones(3), level)


def test_missing_scores_never_pass() -> None:
    with pytest.raises(ValueError, match="finite"):
        conformal_quantile(np.array([1.0, np.nan]), 0.5)
