"""Scores against values worked out by hand and against plain loops."""

from math import erf, pi, sqrt
from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ngrc import metrics
from ngrc._types import FloatArray

Y = np.array([0.0, 2.0, -3.0, 0.5])
LOWER = np.array([-1.0, -1.0, -1.0, 0.5])
UPPER = np.array([1.0, 1.0, 1.0, 0.75])


def test_scores_by_hand() -> None:
    assert metrics.coverage(Y, LOWER, UPPER) == 0.5
    assert metrics.coverage_error(Y, LOWER, UPPER, 0.9) == pytest.approx(-40.0)
    assert metrics.width(LOWER, UPPER) == pytest.approx((2 + 2 + 2 + 0.25) / 4)
    # alpha = 0.1: one unit outside costs 20, two units cost 40.
    assert metrics.winkler(Y, LOWER, UPPER, 0.9) == pytest.approx((2 + 22 + 42 + 0.25) / 4)
    assert metrics.rmse(Y, np.zeros(4)) == pytest.approx(np.sqrt((4 + 9 + 0.25) / 4))


def test_an_infinite_interval_covers_and_costs_everything() -> None:
    lower, upper = np.full(4, -np.inf), np.full(4, np.inf)
    assert metrics.coverage(Y, lower, upper) == 1.0
    assert metrics.width(lower, upper) == np.inf
    assert metrics.winkler(Y, lower, upper, 0.9) == np.inf


def test_winkler_is_shift_invariant_and_scales() -> None:
    base = metrics.winkler(Y, LOWER, UPPER, 0.8)
    assert metrics.winkler(Y + 7, LOWER + 7, UPPER + 7, 0.8) == pytest.approx(base)
    assert metrics.winkler(3 * Y, 3 * LOWER, 3 * UPPER, 0.8) == pytest.approx(3 * base)


@settings(deadline=None, max_examples=40)
@given(st.lists(st.floats(-1e3, 1e3), min_size=1, max_size=30), st.integers(1, 35))
def test_running_mean_is_the_mean_of_each_window(values: list[float], window: int) -> None:
    curve = metrics.running_mean(np.array(values), window)
    for step in range(len(values)):
        if step + 1 < window:
            assert np.isnan(curve[step])
        else:
            assert curve[step] == pytest.approx(np.mean(values[step + 1 - window : step + 1]), abs=1e-9)


def test_running_curves_end_at_the_score_of_the_last_window() -> None:
    forecasts = np.array([0.1, 0.2, 0.3, 0.4])
    tail = slice(1, 4)
    assert metrics.running_rmse(Y, forecasts, 3)[-1] == pytest.approx(metrics.rmse(Y[tail], forecasts[tail]))
    assert metrics.running_coverage(Y, LOWER, UPPER, 3)[-1] == pytest.approx(1 / 3)
    assert metrics.running_coverage_error(Y, LOWER, UPPER, 0.9, 3)[-1] == pytest.approx(100 / 3 - 90)
    assert metrics.running_width(LOWER, UPPER, 3)[-1] == pytest.approx(
        metrics.width(LOWER[tail], UPPER[tail])
    )
    expected = metrics.winkler(Y[tail], LOWER[tail], UPPER[tail], 0.9)
    assert metrics.running_winkler(Y, LOWER, UPPER, 0.9, 3)[-1] == pytest.approx(expected)


def test_a_window_below_one_is_refused() -> None:
    with pytest.raises(ValueError, match="window must be at least 1, got 0"):
        metrics.running_mean(Y, 0)


def test_all_scores_of_a_block_with_and_without_its_last_outcomes() -> None:
    whole = metrics.interval_scores(Y, LOWER, UPPER, 0.9)
    assert whole == (
        metrics.coverage(Y, LOWER, UPPER),
        metrics.width(LOWER, UPPER),
        metrics.winkler(Y, LOWER, UPPER, 0.9),
        0,
    )
    early = metrics.interval_scores(Y[:3], LOWER, np.array([1.0, 1.0, 1.0, np.inf]), 0.9)
    assert early.coverage == pytest.approx(1 / 3)
    assert early.winkler == pytest.approx((2 + 22 + 42) / 3)
    assert (early.width, early.infinite) == (np.inf, 1)
    none = metrics.interval_scores(Y[:0], LOWER, UPPER, 0.9)
    assert np.isnan([none.coverage, none.winkler]).all()
    assert none.width == whole.width


def test_pinball_by_hand_and_as_a_share_of_the_winkler_score() -> None:
    quantiles = np.array([1.0, 1.0, 1.0, 0.5])
    np.testing.assert_allclose(metrics.pinball_scores(Y, quantiles, 0.2), [0.8, 0.2, 3.2, 0.0])
    assert metrics.pinball(Y, quantiles, 0.2) == pytest.approx(1.05)
    for level in (0.5, 0.8, 0.95):
        alpha = 1 - level
        ends = metrics.pinball(Y, LOWER, alpha / 2), metrics.pinball(Y, UPPER, 1 - alpha / 2)
        assert sum(ends) / 2 == pytest.approx(alpha / 4 * metrics.winkler(Y, LOWER, UPPER, level), rel=1e-12)


def test_pinball_is_smallest_at_the_quantile() -> None:
    values = np.random.default_rng(0).exponential(size=999)
    for probability in (0.1, 0.5, 0.9):
        best = np.sort(values)[int(np.ceil(999 * probability)) - 1]
        for other in (best - 0.05, best + 0.05):
            assert metrics.pinball(values, np.full(999, best), probability) < metrics.pinball(
                values, np.full(999, other), probability
            )


def gaussian_crps(outcomes: FloatArray) -> FloatArray:
    """y (2 Phi(y) - 1) + 2 phi(y) - 1 / sqrt(pi) for the standard normal law (Gneiting and Raftery 2007)."""
    below = np.array([0.5 * (1 + erf(value / sqrt(2))) for value in outcomes])
    density = np.exp(-(outcomes**2) / 2) / sqrt(2 * pi)
    scores: FloatArray = outcomes * (2 * below - 1) + 2 * density - 1 / sqrt(pi)
    return scores


@pytest.mark.parametrize("count", [10, 50, 200])
def test_crps_of_a_gaussian_from_its_quantiles(count: int) -> None:
    probabilities = (np.arange(count) + 0.5) / count
    law = NormalDist(3.0, 2.0)
    quantiles = np.array([law.inv_cdf(p) for p in probabilities])
    # The outcomes are quantiles themselves, 4000 of them: their mean is the expectation, up to the far tails.
    standard = np.array([NormalDist().inv_cdf((k + 0.5) / 4000) for k in range(4000)])
    scores = metrics.crps_scores(3 + 2 * standard, np.tile(quantiles, (4000, 1)), probabilities.tolist())
    error = scores.mean() - 2 * gaussian_crps(standard).mean()
    assert 0 < error < 2 / count**2
    # One outcome by itself: 0.3 / K of the scale at four of them from the mean, where the tail beyond the last one is.
    np.testing.assert_allclose(scores, 2 * gaussian_crps(standard), atol=2 * 0.3 / count)


TENTHS = tuple(k / 10 for k in range(1, 10))
SHARES = {
    (0.95,): 0.21,
    (0.8, 0.95): 0.57,
    (0.5, 0.8, 0.9, 0.95): 0.90,
    (0.1, 0.3, 0.5, 0.7, 0.9): 1.01,
    (*TENTHS, 0.95, 0.98): 1.00,
}
"""The table of docs/levels.md."""


def test_crps_of_a_few_levels_is_what_the_page_says() -> None:
    standard = np.array([NormalDist().inv_cdf((k + 0.5) / 4000) for k in range(4000)])
    for levels, share in SHARES.items():
        probabilities = sorted([(1 - level) / 2 for level in levels] + [(1 + level) / 2 for level in levels])
        quantiles = np.tile([NormalDist().inv_cdf(p) for p in probabilities], (4000, 1))
        found = metrics.crps(standard, quantiles, probabilities)
        assert found / gaussian_crps(standard).mean() == pytest.approx(share, abs=0.005)


def test_crps_of_equal_masses_is_that_of_samples_and_a_double_loop() -> None:
    rng = np.random.default_rng(1)
    samples, outcomes = np.sort(rng.normal(size=(6, 15)), axis=1), rng.normal(size=6)
    from_quantiles = metrics.crps(outcomes, samples, ((np.arange(15) + 0.5) / 15).tolist())
    plain = metrics.crps_samples(outcomes, samples, fair=False)
    assert from_quantiles == pytest.approx(plain, rel=1e-12)
    between = [[abs(a - b) for a in row for b in row] for row in samples]
    error = np.mean([np.mean(np.abs(row - y)) for row, y in zip(samples, outcomes, strict=True)])
    assert plain == pytest.approx(error - np.sum(between) / (2 * 6 * 15**2), rel=1e-12)
    assert metrics.crps_samples(outcomes, samples) == pytest.approx(
        error - np.sum(between) / (2 * 6 * 15 * 14), rel=1e-12
    )
    far = metrics.crps_samples(outcomes + 2.0**30, samples + 2.0**30, fair=False)
    assert far == pytest.approx(plain, abs=1e-5)


def test_fair_crps_of_few_samples_is_that_of_the_law() -> None:
    rng = np.random.default_rng(2)
    outcomes = rng.normal(size=20_000)
    samples = rng.normal(size=(20_000, 3))
    # 4 Monte-Carlo errors: one score's deviation is below 0.9, so that the mean's is below 0.9 / sqrt(20,000).
    tolerance = 4 * 0.9 / np.sqrt(20_000)
    assert metrics.crps_samples(outcomes, samples) == pytest.approx(1 / sqrt(pi), abs=tolerance)
    # The plain one is too large by half the mean distance, 2 / sqrt(pi), over the number of samples.
    assert metrics.crps_samples(outcomes, samples, fair=False) == pytest.approx(
        1 / sqrt(pi) * (1 + 1 / 3), abs=tolerance
    )


def test_an_infinite_quantile_costs_everything_and_is_no_nan() -> None:
    quantiles = np.array([[-np.inf, 0.0, np.inf]])
    assert metrics.crps(np.zeros(1), quantiles, [0.1, 0.5, 0.9]) == np.inf
    assert metrics.pinball(np.zeros(1), np.array([-np.inf]), 0.05) == np.inf


@pytest.mark.parametrize("probabilities", [[], [0.5, 0.5], [0.9, 0.1], [0.0], [1.0], [0.5, np.nan], [np.nan]])
def test_probabilities_are_checked(probabilities: list[float]) -> None:
    with pytest.raises(ValueError, match="probabilit"):
        metrics.crps(np.zeros(1), np.zeros((1, len(probabilities))), probabilities)


def test_shapes_are_checked() -> None:
    with pytest.raises(ValueError, match=r"shape \(2, 1\), got \(2, 2\)"):
        metrics.crps(np.zeros(2), np.zeros((2, 2)), [0.5])
    with pytest.raises(ValueError, match="at least 2 columns"):
        metrics.crps_samples(np.zeros(2), np.zeros((2, 1)))
    with pytest.raises(ValueError, match="one row per outcome"):
        metrics.crps_samples(np.zeros(2), np.zeros((3, 4)))
    with pytest.raises(ValueError, match="finite"):
        metrics.crps_samples(np.zeros(1), np.array([[0.0, np.inf]]))
