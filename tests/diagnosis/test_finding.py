"""The evidence behind a finding against closed forms, explicit sums and simulated sampling errors."""

from dataclasses import replace

import numpy as np
import pytest

from ngrc.diagnosis.extremes import spikes
from ngrc.diagnosis.finding import Gain, cosine_sums, gain, long_run_error, upper_tail
from ngrc.diagnosis.level import positions
from ngrc.diagnosis.moving import lately
from tests.diagnosis.worlds import perfect


@pytest.mark.parametrize("count", [12, 37])
def test_cosine_sums_are_the_explicit_ones(count: int) -> None:
    values = np.random.default_rng(0).normal(size=count)
    explicit = [
        np.sum(values * np.cos(np.pi * order * (np.arange(count) + 0.5) / count)) for order in range(1, 9)
    ]
    np.testing.assert_allclose(cosine_sums(values, 8), explicit, atol=1e-13)


@pytest.mark.parametrize("horizon", [1, 3, 7])
def test_the_long_run_error_is_that_of_a_moving_average(horizon: int) -> None:
    """Sums of H neighbours have the long-run variance H^2; a plain standard error would be sqrt(H) too small."""
    rng, m = np.random.default_rng(1), 600
    draws = np.array(
        [np.convolve(rng.normal(size=m + horizon - 1), np.ones(horizon), "valid") for _ in range(400)]
    )
    squares = [long_run_error(draw, horizon)[0] ** 2 * m / horizon**2 for draw in draws]
    error = np.std(squares) / np.sqrt(len(squares))
    # Three Monte-Carlo errors, and a tenth for the spectrum that falls off within the cosines used.
    assert abs(np.mean(squares) - 1.0) < 3 * error + 0.1
    ratios = [draw.mean() / long_run_error(draw, horizon)[0] for draw in draws]
    freedom = long_run_error(draws[0], horizon)[1]
    beyond = np.mean([upper_tail(abs(ratio), freedom) < 0.025 for ratio in ratios])
    assert beyond < 0.05 + 3 * np.sqrt(0.05 * 0.95 / 400)


def test_the_share_removed_has_its_closed_form() -> None:
    residuals = np.random.default_rng(2).normal(size=200)
    found = gain(residuals, 0.5 * residuals, 1, 1.0)
    assert found.removed == pytest.approx(0.75)
    assert found.p < 1e-6
    assert gain(residuals, -0.5 * residuals, 1, 1.0).p > 1 - 1e-6
    assert gain(residuals, np.zeros(200), 1, 1.5) == Gain(1.0, 0.0)


def test_what_few_fit_rows_miss_makes_the_test_as_much_weaker() -> None:
    rng = np.random.default_rng(3)
    residuals, correction = rng.normal(size=(2, 300))
    correction += 0.1 * residuals
    product = residuals * correction
    error, freedom = long_run_error(product, 1)
    assert gain(residuals, correction, 1, 4.0).p == pytest.approx(
        upper_tail(float(product.mean()) / (2 * error), freedom)
    )


def test_the_inflation_is_that_of_a_mean_fitted_on_few_rows() -> None:
    """Residuals about the mean of 50 earlier values: the variance of their mean, times m, is 1 + m / 50."""
    rng = np.random.default_rng(6)
    seen = replace(perfect(100, 1, 0.0, rng), fit_rows=50)
    draws = rng.normal(size=(4000, 150))
    means = np.mean(draws[:, 50:], axis=1) - np.mean(draws[:, :50], axis=1)
    # The variance of 4000 means is known to 2.2 %; three of those.
    assert 100 * np.var(means) == pytest.approx(seen.inflation(100), rel=0.067)
    assert replace(seen, fit_targets=10).inflation(100) == pytest.approx(1.2)


def test_what_counts_is_beyond_chance_and_worth_it_or_beyond_doubt() -> None:
    assert Gain(0.009, 0.02).counts
    assert not Gain(0.011, 0.5).counts
    assert not Gain(0.009, 0.005).counts
    assert Gain(1e-7, 0.001).counts


@pytest.mark.parametrize("horizon", [1, 4])
def test_the_recent_mean_knows_no_residual_before_it_is_observed(horizon: int) -> None:
    seen = perfect(200, horizon, 0.5, np.random.default_rng(4))
    before = lately(seen).copy()
    seen.residuals[120] += 100.0
    after = lately(seen)
    # Bit by bit before it is observed; after it has left the window, sums keep its rounding.
    assert np.array_equal(after[: 120 + horizon], before[: 120 + horizon])
    moved = np.flatnonzero(np.abs(after - before) > 1e-9)
    assert moved[0] == 120 + horizon
    assert moved[-1] == 120 + horizon + 24


def test_positions_run_from_below_all_to_above_all() -> None:
    among = np.array([3.0, 1.0, 2.0, 4.0])
    np.testing.assert_allclose(positions(np.array([0.0, 2.5, 9.0, 1.0]), among), [-1.0, 0.0, 1.0, -0.75])


def test_one_gaussian_residual_in_a_hundred_holds_a_twelfth() -> None:
    seen = perfect(4000, 1, 0.0, np.random.default_rng(5))
    squares = np.sort(seen.residuals**2)
    # 2 (z phi(z) + 1 - Phi(z)) at the 1 % point: the share that the threshold's reason states.
    assert squares[-40:].sum() / squares.sum() == pytest.approx(0.0845, abs=0.01)
    assert spikes(seen) is None
    seen.residuals[50] = np.sqrt(squares.sum())
    found = spikes(seen)
    assert found is not None
    assert f"position {seen.start + 50}" in found.words
