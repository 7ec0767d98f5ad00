"""Kolmogorov-Smirnov distances against scipy, the definition and repeated sampling."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from ngrc.study.simulated.distance import distance_between, distance_error, distance_to_normal

SAMPLES = st.lists(st.floats(-4, 4).map(lambda x: round(x, 1)), min_size=1, max_size=40)


@settings(deadline=None, max_examples=60)
@given(SAMPLES)
def test_distance_to_normal_is_scipys(values: list[float]) -> None:
    expected = stats.kstest(values, "norm").statistic
    assert distance_to_normal(np.array(values)) == pytest.approx(expected, abs=1e-12)


@settings(deadline=None, max_examples=60)
@given(SAMPLES, SAMPLES)
def test_distance_between_is_its_definition_and_symmetric(first: list[float], second: list[float]) -> None:
    a, b = np.array(first), np.array(second)
    gaps = [abs(np.mean(a <= x) - np.mean(b <= x)) for x in [*first, *second]]
    assert distance_between(a, b) == pytest.approx(max(gaps), abs=1e-12)
    assert distance_between(a, b) == distance_between(b, a)
    assert distance_between(a, a) == 0.0


def test_resampled_error_is_the_spread_over_samples() -> None:
    rng = np.random.default_rng(0)
    distances = [distance_between(rng.normal(0, 1, 100), rng.normal(1, 1, 100)) for _ in range(300)]
    found = distance_error(rng.normal(0, 1, 100), rng.normal(1, 1, 100), rng=rng)
    # One bootstrap error scatters by some 15 % around the true one.
    assert found == pytest.approx(np.std(distances), rel=0.45)
