"""Softmax weights with the ramp against the formula, mild and sharp."""

import numpy as np
import pytest

from ngrc._kernels.rescp import weights_largest, weights_ramp_moments, weights_tilt


@pytest.mark.parametrize("size", [2, 7, 8, 9, 600])
@pytest.mark.parametrize("temperature", [1e-4, 0.009, 0.01, 0.25, 10.0])
def test_weights_are_the_softmax_times_the_ramp(size: int, temperature: float) -> None:
    similarity = np.random.default_rng(size).uniform(-1, 1, size)
    tilted = np.empty(size)
    weights_tilt(similarity, temperature, True, tilted)
    total, squares = weights_ramp_moments(tilted)
    log_weights = similarity / temperature
    expected = np.exp(log_weights - log_weights[1:].max()) * np.arange(size)
    expected /= expected.sum()
    np.testing.assert_allclose(tilted * np.arange(size) / total, expected, rtol=1e-11, atol=1e-200)
    assert squares / total**2 == pytest.approx(np.sum(expected**2), rel=1e-11)


def test_a_sharp_temperature_is_not_blinded_by_the_oldest() -> None:
    tilted = np.empty(3)
    weights_tilt(np.array([1.0, -0.9, -1.0]), 1e-5, True, tilted)
    assert weights_ramp_moments(tilted)[0] == pytest.approx(1.0)


def test_narrow_windows_share_the_widest_exponentials_unless_sharp() -> None:
    similarity, tilted = np.array([0.5, -0.5]), np.full(2, 7.0)
    weights_tilt(similarity, 0.1, False, tilted)
    assert tilted.tolist() == [7.0, 7.0]
    weights_tilt(similarity, 0.001, False, tilted)
    assert tilted[1] == pytest.approx(1.0)


def test_largest_is_at_least_minus_one() -> None:
    assert weights_largest(np.array([-0.5, 0.25, 0.0])) == 0.25
    assert weights_largest(np.array([-1.0], dtype=np.float32)) == -1.0
