"""AR(1) windows and their quadratic coordinates: moments against closed forms and simulation."""

import numpy as np
import pytest

from ngrc.study.simulated.windows import (
    ar1_windows,
    independent_windows,
    quadratic_coordinates,
    quadratic_covariance,
    standardised,
    window_correlation,
)
from ngrc.theory import quadratic_map


def test_windows_overlap_on_one_trajectory() -> None:
    windows = ar1_windows(6, 4, 2, 0.5, rng=np.random.default_rng(0))
    assert windows.shape == (6, 4)
    np.testing.assert_array_equal(windows[1:, :2], windows[:-1, 2:])


def test_windows_far_apart_share_nothing() -> None:
    windows = ar1_windows(5, 3, 7, 0.5, rng=np.random.default_rng(0))
    assert np.unique(windows).size == windows.size


@pytest.mark.parametrize("rho", [-0.5, 0.0, 0.8])
def test_the_process_is_stationary_with_the_stated_correlation(rho: float) -> None:
    rng = np.random.default_rng(2)
    starts = np.array([ar1_windows(1, 3, 1, rho, rng=rng)[0] for _ in range(5_000)])
    tolerance = 4 * np.sqrt(2 / len(starts))
    np.testing.assert_allclose(starts.T @ starts / len(starts), window_correlation(3, rho), atol=tolerance)


def test_independent_windows_have_the_same_law_within() -> None:
    correlation = window_correlation(4, 0.7)
    windows = independent_windows(40_000, correlation, rng=np.random.default_rng(3))
    np.testing.assert_allclose(windows.T @ windows / 40_000, correlation, atol=4 * np.sqrt(2 / 40_000))
    neighbours = np.mean(windows[1:] * windows[:-1], axis=0)
    np.testing.assert_allclose(neighbours, 0.0, atol=4 / np.sqrt(40_000))


def test_identity_correlation_gives_the_quadratic_map() -> None:
    windows = np.random.default_rng(4).standard_normal((7, 5))
    np.testing.assert_allclose(
        quadratic_coordinates(windows, np.eye(5)), quadratic_map(windows, linear=False), atol=1e-14
    )


def test_covariance_is_that_of_simulated_coordinates() -> None:
    correlation = window_correlation(3, 0.8)
    windows = independent_windows(200_000, correlation, rng=np.random.default_rng(5))
    coordinates = quadratic_coordinates(windows, correlation)
    covariance = quadratic_covariance(correlation)
    np.testing.assert_allclose(np.diagonal(covariance), 1.0, atol=1e-12)
    np.testing.assert_allclose(coordinates.mean(axis=0), 0.0, atol=4 / np.sqrt(200_000))
    products = coordinates[:, :, None] * coordinates[:, None, :]
    error = products.std(axis=0) / np.sqrt(len(products))
    assert np.all(np.abs(products.mean(axis=0) - covariance) <= 4.5 * error)


def test_a_block_is_standardised_by_its_own_moments() -> None:
    block = standardised(np.random.default_rng(6).exponential(2.0, (50, 3)))
    np.testing.assert_allclose(block.mean(axis=0), 0.0, atol=1e-12)
    np.testing.assert_allclose((block**2).mean(axis=0), 1.0, atol=1e-12)
