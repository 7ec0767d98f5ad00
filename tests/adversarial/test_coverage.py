"""Split conformal on exchangeable scores: its coverage has a known law, and lies inside exact bounds of it.

With n calibration scores without ties and k = ceil((n + 1) level), the coverage given the calibration is
Beta(k, n + 1 - k), and of r samples with one outcome each the number covered is binomial with k / (n + 1), whatever the
law of the scores. Every bound below fails by chance with probability 1e-6 at most, stated where it is drawn.
"""

from typing import Any

import numpy as np
import pytest
from scipy import stats

from ngrc._types import FloatArray
from ngrc.intervals import METHODS, History, Split, Stream
from ngrc.order import conformal_rank
from tests.twins import rank

ERROR = 1e-6
"""Probability with which each bound fails by chance."""

LAWS: dict[str, Any] = {
    "normal": stats.norm,
    "cauchy": stats.cauchy,
    "exponential": stats.expon,
    "uniform": stats.uniform(-1, 2),
}
SIZES = pytest.mark.parametrize("size", [19, 40, 99, 250])
LEVELS = pytest.mark.parametrize("level", [0.5, 0.8, 0.9, 0.95])


def binomial_bounds(count: int, share: float) -> tuple[int, int]:
    """Numbers of successes outside which `count` draws fall with probability ERROR at most."""
    law = stats.binom(count, share)
    return int(law.ppf(ERROR / 2)), int(law.isf(ERROR / 2))


def half_width(scores: FloatArray, level: float) -> float:
    return float(Split().run(Stream(np.append(scores, 0.0), scores.size), level).upper[0])


@LEVELS
@SIZES
@pytest.mark.parametrize("law", LAWS)
def test_coverage_of_one_outcome_is_binomial(law: str, size: int, level: float) -> None:
    rng = np.random.default_rng([size, int(1000 * level)])
    samples = 1500
    draws = np.asarray(LAWS[law].rvs(size=(samples, size + 1), random_state=rng))
    covered = sum(abs(row[-1]) <= half_width(row[:-1], level) for row in draws)
    low, high = binomial_bounds(samples, rank(size, level) / (size + 1))
    assert low <= covered <= high


@LEVELS
@SIZES
def test_coverage_given_the_calibration_has_its_beta_law(size: int, level: float) -> None:
    # Scores uniform on (0, 1): the coverage given the calibration is the half-width itself.
    rng = np.random.default_rng([7, size, int(1000 * level)])
    samples = 1200
    coverage = np.array([half_width(rng.uniform(size=size), level) for _ in range(samples)])
    k = rank(size, level)
    law = stats.beta(k, size + 1 - k)
    # Dvoretzky, Kiefer and Wolfowitz, with Massart's constant: P(sup distance > d) <= 2 exp(-2 r d^2).
    distance = np.sqrt(np.log(2.0 / ERROR) / (2.0 * samples))
    assert stats.kstest(coverage, law.cdf).statistic <= distance
    # The one-sided guarantee, sharper in the tail: fewer than it should be below the law's own 1 % point.
    assert np.count_nonzero(coverage < law.ppf(0.01)) <= binomial_bounds(samples, 0.01)[1]


@pytest.mark.parametrize("off", [-1, 1])
def test_a_rank_that_is_off_by_one_leaves_the_bounds(off: int) -> None:
    # The bounds are not idle: with 5,000 samples of 19 scores the next rank is 5 points away.
    rng = np.random.default_rng(11)
    size, level, samples = 19, 0.8, 5000
    draws = np.sort(rng.uniform(size=(samples, size)), axis=1)
    k = conformal_rank(size, level)
    covered = np.count_nonzero(rng.uniform(size=samples) <= draws[:, k - 1 + off])
    low, high = binomial_bounds(samples, k / (size + 1))
    assert not low <= covered <= high


@LEVELS
@pytest.mark.parametrize("values", [2, 5, 30])
def test_ties_make_coverage_larger_and_never_smaller(values: int, level: float) -> None:
    # Scores on a grid: an outcome that equals the quantile is covered, so that the guarantee holds with room.
    rng = np.random.default_rng([values, int(1000 * level)])
    size, samples = 39, 1500
    draws = rng.integers(0, values, (samples, size + 1)).astype(float)
    covered = sum(row[-1] <= half_width(row[:-1], level) for row in draws)
    k = rank(size, level)
    assert covered >= binomial_bounds(samples, k / (size + 1))[0]
    # Broken at random they are exchangeable scores without ties, and the law is exact again.
    broken = draws + rng.uniform(0.0, 0.5, draws.shape)
    covered = sum(row[-1] <= half_width(row[:-1], level) for row in broken)
    low, high = binomial_bounds(samples, k / (size + 1))
    assert low <= covered <= high


@pytest.mark.parametrize("size", [1, 4, 18])
def test_too_few_scores_give_infinity_and_full_coverage(size: int) -> None:
    rng = np.random.default_rng(size)
    assert half_width(rng.normal(size=size), 0.95) == np.inf
    assert np.isfinite(half_width(rng.normal(size=19), 0.95))


@pytest.mark.parametrize("name", ["split", "asymmetric", "rolling", "nexcp", "unprojected", "adaptive"])
def test_other_conformal_methods_cover_exchangeable_scores(name: str) -> None:
    # The first interval after the calibration: the same guarantee, for `adaptive` and `nexcp` up to the cap at the
    # largest score and the weights, so that one more score may be missing on either side: 1 / (n + 1).
    rng = np.random.default_rng(23)
    size, level, samples = 99, 0.9, 1000
    settings: dict[str, dict[str, Any]] = {"rolling": {"window": size}, "adaptive": {"rate": 0.01}}
    method = METHODS[name](**settings.get(name, {}))
    covered = 0
    for _ in range(samples):
        draw = rng.normal(size=size + 1)
        lower, upper = method.begin(History(draw[:-1]), level).issue()
        covered += lower <= draw[-1] <= upper
    share = rank(size, level) / (size + 1)
    slack = 0.0 if name in ("split", "asymmetric", "rolling", "unprojected") else 1.0 / (size + 1)
    assert binomial_bounds(samples, share - slack)[0] <= covered <= binomial_bounds(samples, share + slack)[1]
