"""Known finite-sample shifts against simulation."""

import numpy as np
import pytest

from ngrc.order import conformal_quantile, conformal_rank
from ngrc.study.simulated.finite import FixedShifts, absolute_normal, expected_score
from ngrc.theory import fixed_dimension, residual_law


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


def test_too_few_scores_are_refused() -> None:
    with pytest.raises(ValueError, match="more than 10 scores"):
        expected_score(absolute_normal, 10, 0.95)


@pytest.mark.parametrize("law", ["gaussian", "exponential"])
def test_fixed_shifts_vanish_with_the_sample(law: str) -> None:
    near = FixedShifts(residual_law(law), rows=10**9, columns=5, scores=10**7).at(0.9)
    assert abs(near.width) < 0.02
    assert abs(near.coverage) < 0.002


def test_gaussian_coverage_shift_has_its_closed_form() -> None:
    law = residual_law("gaussian")
    shift = FixedShifts(law, rows=100, columns=20, scores=400).at(0.95)
    # A residual of variance 1 + x against a radius z sqrt((1 - x)(1 + x)): coverage at z sqrt(1 - x).
    expected = law.absolute_cdf(1.959964 * np.sqrt(0.8)) - fixed_dimension(law, 0.95).coverage_bayes
    assert shift.coverage == pytest.approx(expected, abs=4 * 0.0003)
