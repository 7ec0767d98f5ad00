"""Alarms: exact where outcomes are independent, and about as rare as they say where forecasts overlap."""

import numpy as np
import pytest

from ngrc._normal import gaussian_radius
from ngrc.serve.alarms import RARE, bounds, count_law, judge, ladder
from ngrc.serve.overlap import clumping, miss_correlations

WINDOWS = 20_000


def alarm_share(level: float, step: int, outcomes: int, rng: np.random.Generator) -> float:
    """How often forecasts of a random walk `step` ahead, whose law is known, leave the bounds."""
    innovations = rng.standard_normal((WINDOWS, outcomes + step - 1))
    sums = np.cumsum(np.pad(innovations, ((0, 0), (1, 0))), axis=1)
    errors = (sums[:, step:] - sums[:, :-step]) / np.sqrt(step)
    coverage = np.mean(np.abs(errors) <= gaussian_radius(level), axis=1)
    low, high = bounds(level, outcomes, step)
    return float(np.mean((coverage < low - 1e-12) | (coverage > high + 1e-12)))


@pytest.mark.parametrize(("level", "outcomes"), [(0.5, 60), (0.8, 200), (0.95, 200)])
def test_false_alarms_of_independent_outcomes_are_as_rare_as_the_binomial_says(
    level: float, outcomes: int
) -> None:
    law = count_law(level, outcomes)
    low, high = bounds(level, outcomes)
    share = np.arange(outcomes + 1) / outcomes
    exact = float(law[(share < low - 1e-12) | (share > high + 1e-12)].sum())
    assert exact <= RARE
    # Four standard errors of the simulation.
    tolerance = 4.0 * np.sqrt(exact * (1.0 - exact) / WINDOWS)
    assert abs(alarm_share(level, 1, outcomes, np.random.default_rng(1)) - exact) <= tolerance


@pytest.mark.parametrize(("level", "step"), [(0.8, 7), (0.9, 3), (0.9, 24), (0.95, 7)])
def test_false_alarms_stay_rare_where_forecasts_overlap_the_most(level: float, step: int) -> None:
    # The law is approximate there: three times as many, beyond four standard errors of the simulation, would be wrong.
    tolerance = 4.0 * np.sqrt(3.0 * RARE / WINDOWS)
    assert alarm_share(level, step, 200, np.random.default_rng(2)) <= 3.0 * RARE + tolerance


def test_bounds_that_forget_the_overlap_would_cry_all_the_time() -> None:
    rng = np.random.default_rng(3)
    sums = np.cumsum(rng.standard_normal((4000, 224)), axis=1)
    errors = (sums[:, 24:] - sums[:, :-24]) / np.sqrt(24.0)
    coverage = np.mean(np.abs(errors) <= gaussian_radius(0.9), axis=1)
    low, high = bounds(0.9, 200, 1)
    assert np.mean((coverage < low) | (coverage > high)) > 0.2


def test_the_law_of_the_count_has_the_mean_and_variance_that_it_states() -> None:
    for step in (1, 3, 12):
        law, counts = count_law(0.9, 150, step), np.arange(151)
        mean = float(law @ counts)
        assert law.sum() == pytest.approx(1.0, abs=1e-10)
        assert mean == pytest.approx(135.0, rel=1e-9)
        variance = 150 * 0.9 * 0.1 * clumping(0.9, 150, step)
        assert float(law @ (counts - mean) ** 2) == pytest.approx(variance, rel=1e-8)


def test_correlation_of_misses_against_a_simulation() -> None:
    rng = np.random.default_rng(4)
    first = rng.standard_normal(400_000)
    second = 0.7 * first + np.sqrt(1.0 - 0.49) * rng.standard_normal(400_000)
    radius = gaussian_radius(0.8)
    seen = np.corrcoef(np.abs(first) > radius, np.abs(second) > radius)[0, 1]
    # A correlation of n pairs has a standard error of about 1 / sqrt(n).
    assert seen == pytest.approx(miss_correlations(0.8, np.array([0.7]))[0], abs=4.0 / np.sqrt(400_000))


def test_a_change_of_coverage_is_seen_and_named() -> None:
    rng = np.random.default_rng(5)
    right = (rng.random(400) < 0.9).tolist()
    assert judge(right, 0.9).state == "within"  # type: ignore[union-attr]
    low, high = judge(right + [False] * 30, 0.9), judge([True] * 300, 0.9)
    assert low is not None
    assert high is not None
    assert (low.state, high.state) == ("low", "high")
    assert low.outcomes == high.outcomes == 200
    assert judge([], 0.9) is None


def test_one_outcome_is_never_an_alarm() -> None:
    for step in (1, 5):
        only = judge([False], 0.95, step=step)
        assert only is not None
        assert only.state == "within"


@pytest.mark.parametrize("level", [0.1, 0.5, 0.9, 0.999])
def test_correlations_of_misses_are_those_of_the_bivariate_normal_law(level: float) -> None:
    from scipy.integrate import quad
    from scipy.special import ndtr

    radius = gaussian_radius(level)
    for correlation in (0.0, 0.3, 0.9, 0.999):
        rest = np.sqrt(1.0 - correlation**2)

        def both(x: float, correlation: float = correlation, rest: float = rest) -> float:
            other = ndtr((-radius - correlation * x) / rest) + ndtr((correlation * x - radius) / rest)
            return float(2.0 * np.exp(-0.5 * x * x) / np.sqrt(2.0 * np.pi) * other)

        joint = sum(
            quad(both, low, high, epsabs=1e-13, limit=200)[0]
            for low, high in ((radius, radius + 0.2), (radius + 0.2, radius + 9.0))
        )
        wanted = (joint - (1.0 - level) ** 2) / (level * (1.0 - level))
        assert miss_correlations(level, np.array([correlation]))[0] == pytest.approx(wanted, abs=1e-8)


def test_bounds_of_all_counts_are_those_of_each() -> None:
    low, high = ladder(0.95, 24)
    for outcomes in (1, 2, 23, 24, 25, 150, 200):
        assert (low[outcomes - 1], high[outcomes - 1]) == bounds(0.95, outcomes, 24)
