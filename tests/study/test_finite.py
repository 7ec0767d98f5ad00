"""Laws of finite samples against simulation and closed forms."""

import numpy as np
import pytest
from scipy import stats

from ngrc.order import conformal_quantile, conformal_rank
from ngrc.study.fixed_shape.expected import FiniteShape
from ngrc.study.simulated.blur import BlurredLaw
from ngrc.study.simulated.finite import absolute_normal, corrected_rank, expected_coverage, expected_score
from ngrc.study.simulated.mean_square import mean_square_law
from ngrc.theory import fixed_dimension, residual_law

LAWS = ["gaussian", "laplace", "t5", "exponential"]


@pytest.mark.parametrize(("count", "level", "power"), [(400, 0.95, 2), (60, 0.8, 1), (99, 0.9, 2)])
def test_expected_score_is_the_mean_corrected_quantile(count: int, level: float, power: int) -> None:
    rng = np.random.default_rng(4)
    drawn = np.abs(rng.standard_normal((4000, count)))
    scores = np.sort(drawn, axis=1)[:, conformal_rank(count, level) - 1]
    assert scores[0] == conformal_quantile(drawn[0], level)
    powers = scores**power
    error = powers.std(ddof=1) / np.sqrt(len(powers))
    assert expected_score(absolute_normal, count, level, power) == pytest.approx(powers.mean(), abs=4 * error)


def test_expected_score_of_uniform_scores_is_the_rank_over_count_plus_one() -> None:
    assert expected_score(lambda shares: shares, 80, 0.95) == pytest.approx(77 / 81, abs=1e-5)
    assert expected_coverage(80, 0.95) == 77 / 81


@pytest.mark.parametrize("count", [20, 99, 100, 400, 800, 999])
@pytest.mark.parametrize("level", [0.55, 0.8, 0.9, 0.95])
def test_the_second_writing_of_the_rank_is_the_first(count: int, level: float) -> None:
    assert corrected_rank(count, level) == conformal_rank(count, level)


def test_too_few_scores_are_refused() -> None:
    with pytest.raises(ValueError, match="more than 10 scores"):
        expected_score(absolute_normal, 10, 0.95)


def test_gaussian_mean_squares_are_chi_squared() -> None:
    law = mean_square_law(residual_law("gaussian"), 800)
    assert law.masses.sum() == pytest.approx(1.0, abs=1e-12)
    exact = stats.chi(800).mean() / np.sqrt(800)
    assert law.expectation(np.sqrt(law.values)) == pytest.approx(exact, abs=1e-6)
    centred = law.expectation((law.values - 1.0) ** 2)
    assert centred == pytest.approx(2 / 800, rel=2e-3)


@pytest.mark.parametrize("name", LAWS)
def test_mean_squares_are_those_drawn(name: str) -> None:
    law = mean_square_law(residual_law(name), 800)
    drawn = np.mean(residual_law(name).sample((8000, 800), rng=np.random.default_rng(2)) ** 2, axis=1)
    roots = np.sqrt(drawn)
    error = roots.std(ddof=1) / np.sqrt(roots.size)
    assert law.expectation(np.sqrt(law.values)) == pytest.approx(roots.mean(), abs=4 * error)
    inside = np.mean(drawn < 1.02)
    expected = law.masses[law.values < 1.02].sum()
    assert expected == pytest.approx(inside, abs=4 * np.sqrt(0.25 / drawn.size))


@pytest.mark.parametrize("name", LAWS)
@pytest.mark.parametrize("variance", [1e-10, 0.006, 0.3])
def test_blurred_residuals_are_those_drawn(name: str, variance: float) -> None:
    law, rng = residual_law(name), np.random.default_rng(3)
    blurred = BlurredLaw(law, variance)
    drawn = np.abs(law.sample(400_000, rng=rng) + np.sqrt(variance) * rng.standard_normal(400_000))
    for value in (0.3, 1.0, 2.5):
        share = np.mean(drawn <= value)
        assert blurred.share(np.array([value]))[0] == pytest.approx(share, abs=4 * np.sqrt(0.25 / drawn.size))
    assert blurred.quantile(blurred.share(np.array([1.7])))[0] == pytest.approx(1.7, abs=1e-9)
    if variance < 1e-9:
        assert blurred.share(np.array([1.2]))[0] == pytest.approx(law.absolute_cdf(1.2), abs=1e-6)


@pytest.mark.parametrize("name", LAWS)
def test_shifts_vanish_with_the_sample(name: str) -> None:
    limit = fixed_dimension(name, 0.9)
    near, far = (FiniteShape(residual_law(name), rows=rows, scores=10**6).at(0.9) for rows in (2400, 800))
    # Shifts are of the order 1/n; the bias of the penalty stays, 0.4 (0.01/1.01)^2, and moves both by less than 1e-4.
    for measure, value in (("width_difference", limit.difference), ("bayes_coverage", limit.coverage_bayes)):
        shifts = [getattr(one, measure) - value for one in (near, far)]
        assert shifts[0] == pytest.approx(shifts[1] / 3.0, abs=1e-4)
        assert abs(shifts[1]) > 5e-4
    assert near.split_coverage == pytest.approx(0.9, abs=1e-6)


def test_a_sum_beyond_the_grid_is_refused() -> None:
    with pytest.raises(ValueError, match="at most 2621"):
        mean_square_law(residual_law("gaussian"), 3000)
