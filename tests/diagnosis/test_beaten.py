"""The model beside naive forecasts: the skill in closed form, its error, and what is said of it."""

from dataclasses import replace

import numpy as np
import pytest

from ngrc.diagnosis.beaten import Comparison, compare, naive
from ngrc.diagnosis.knowledge import Knowledge
from tests.diagnosis.worlds import perfect


@pytest.mark.parametrize("horizon", [1, 3])
def test_the_skill_of_the_true_forecast_and_its_error(horizon: int) -> None:
    """Of an autoregression phi, the forecast's variance over that of the last value is (1 + phi^H) / 2."""
    rng, weight = np.random.default_rng(0), 0.6
    found = [compare(perfect(800, horizon, weight, rng), ())[0] for _ in range(150)]
    skills = np.array([comparison.skill for comparison in found])
    expected = 1.0 - (1.0 + weight**horizon) / 2.0
    # Three Monte-Carlo errors, and the bias of a ratio of means over 800 / H values.
    assert abs(skills.mean() - expected) < 3 * skills.std() / np.sqrt(skills.size) + horizon / 800
    stated = np.sqrt(np.mean([comparison.error**2 for comparison in found]))
    # The spread of 150 values is known to 6 %; two of those and a tenth for the long-run error itself.
    assert stated == pytest.approx(skills.std(), rel=0.22)
    assert all(comparison.verdict == "better than" for comparison in found)


def test_seasonal_rivals_repeat_the_last_known_value_of_the_season() -> None:
    seen = perfect(400, 3, 0.6, np.random.default_rng(1))
    last, weekly, two = compare(seen, (7.0, 2.0))
    errors = [np.mean((seen.outcomes - seen.values[seen.start - back : -back]) ** 2) for back in (3, 7, 4)]
    ours = np.mean(seen.residuals**2)
    for comparison, theirs in zip((last, weekly, two), errors, strict=True):
        assert comparison.skill == pytest.approx(1 - ours / theirs)
    assert [c.rival for c in (last, weekly, two)] == [
        "the last value",
        "the value 7 steps before",
        "the value 4 steps before",
    ]
    # A season that begins before the series is nobody's rival.
    assert len(compare(seen, (401.0,))) == 1


def test_a_constant_outcome_has_no_rival() -> None:
    seen = perfect(100, 1, 0.5, np.random.default_rng(2))
    assert compare(replace(seen, values=np.ones(seen.values.size)), ()) == ()


@pytest.mark.parametrize(
    ("factor", "verdict"), [(0.5, "better than"), (1.0, "no better than"), (1.5, "worse than")]
)
def test_what_is_said_of_a_model_and_what_to_try(factor: float, verdict: str) -> None:
    seen = perfect(400, 1, 1.0, np.random.default_rng(3))
    scaled = replace(seen, forecasts=seen.outcomes - factor * seen.residuals)
    compared = compare(scaled, ())
    assert compared[0].verdict == verdict
    finding = naive(compared, Knowledge())
    assert (finding is None) == (verdict == "better than")
    if finding is not None:
        assert verdict in finding.words
        assert 'target="increment", whose' in finding.remedy
        again = naive(compared, Knowledge(target="increment"))
        assert again is not None
        assert again.remedy.startswith("ridge=inf")


def test_too_wide_an_error_says_nothing() -> None:
    wide = Comparison("the last value", 1, -0.02, 0.05, 0.66, 0.28)
    assert wide.verdict == "not shown to beat"
    assert naive([wide], Knowledge()) is None


def test_the_strongest_rival_is_named_with_its_own_target() -> None:
    last = Comparison("the last value", 1, -0.1, 0.01, 1.0, 0.0)
    season = Comparison("the value 24 steps before", 24, -0.4, 0.01, 1.0, 0.0)
    finding = naive([last, season], Knowledge())
    assert finding is not None
    assert finding.statistic == -0.4
    assert finding.remedy.startswith('target="seasonal" with periods=(24,)')
