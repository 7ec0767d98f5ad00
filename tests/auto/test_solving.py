"""Ridge weights of many penalties against one plain solve each."""

import numpy as np
import pytest

from ngrc._types import FloatArray
from ngrc.auto.solving import FEW, FoldMoments, ridge_paths

PENALTIES = np.array([1e-9, 1e-6, 1e-3, 0.1, 1.0, 1e3, np.inf])


def moments(
    columns: int, folds: int = 3, rows: int = 400, seed: int = 0
) -> tuple[FloatArray, FloatArray, FloatArray]:
    rng = np.random.default_rng(seed)
    means, covariance, cross = [], [], []
    for _ in range(folds):
        design = rng.normal(size=(rows, columns)) @ np.diag(rng.uniform(0.1, 9.0, columns)) + rng.normal(
            size=columns
        )
        target = design @ rng.normal(size=columns) + rng.normal(size=rows)
        centred = design - design.mean(axis=0)
        means.append(design.mean(axis=0))
        covariance.append(centred.T @ centred / rows)
        cross.append(centred.T @ target / rows)
    return np.array(means), np.array(covariance), np.array(cross)


def scaled(
    means: FloatArray, covariance: FloatArray, cross: FloatArray, weights: FloatArray | float = 1.0
) -> FoldMoments:
    """Moments of columns divided by their standard deviation and by the root of their penalty weights."""
    deviations = np.sqrt(np.diagonal(covariance, axis1=1, axis2=2))
    scales = np.where(deviations > 1e-10, deviations, 1.0) * np.sqrt(weights)
    matrices = covariance / (scales[:, :, None] * scales[:, None, :])
    return FoldMoments(means, scales, matrices, cross / scales, np.zeros(len(means)))


@pytest.mark.parametrize("columns", [1, 5, FEW, FEW + 1, 70])
def test_weights_are_those_of_a_plain_solve(columns: int) -> None:
    means, covariance, cross = moments(columns)
    burden = np.random.default_rng(1).choice([1.0, 10.0, 0.5], columns)
    weights = ridge_paths(scaled(means, covariance, cross, burden), PENALTIES)
    assert weights.shape == (3, columns, PENALTIES.size)
    for fold in range(3):
        scales = np.sqrt(np.diag(covariance[fold]))
        standard = covariance[fold] / np.outer(scales, scales)
        for place, penalty in enumerate(PENALTIES[:-1]):
            direct = np.linalg.solve(standard + penalty * np.diag(burden), cross[fold] / scales) / scales
            np.testing.assert_allclose(weights[fold, :, place], direct, rtol=1e-8, atol=1e-10)
    assert (weights[:, :, -1] == 0.0).all()


@pytest.mark.parametrize("columns", [3, FEW + 4])
def test_the_order_of_penalties_is_kept(columns: int) -> None:
    problem = scaled(*moments(columns, seed=1))
    order = np.array([6, 2, 0, 5, 3, 1, 4])
    np.testing.assert_allclose(
        ridge_paths(problem, PENALTIES[order]),
        ridge_paths(problem, PENALTIES)[:, :, order],
        rtol=1e-12,
    )


@pytest.mark.parametrize("columns", [0, 4, FEW + 4])
def test_infinite_penalties_alone_and_no_columns_leave_nothing(columns: int) -> None:
    problem = scaled(*moments(columns))
    weights = ridge_paths(problem, np.array([np.inf, np.inf]))
    assert weights.shape == (3, columns, 2)
    assert (weights == 0.0).all()
    assert ridge_paths(problem, PENALTIES).shape == (3, columns, PENALTIES.size)


@pytest.mark.parametrize("columns", [6, FEW + 6])
def test_constant_and_doubled_columns_do_no_harm(columns: int) -> None:
    rng = np.random.default_rng(4)
    design = rng.normal(size=(300, columns))
    design[:, 1], design[:, 2] = 5.0, design[:, 0]
    target = design[:, 0] - design[:, 3]
    centred = design - design.mean(axis=0)
    problem = design.mean(axis=0)[None], (centred.T @ centred / 300)[None], (centred.T @ target / 300)[None]
    weights = ridge_paths(scaled(*problem), np.array([1e-9, 1e-3]))[0]
    # Rounding of its cross moment, 1e-17, over the smallest penalty.
    assert abs(weights[1]).max() < 1e-6
    np.testing.assert_allclose(weights[0], weights[2], atol=1e-5)
    np.testing.assert_allclose(weights[0] + weights[2], 1.0, atol=5e-3)


def test_moments_that_are_not_positive_give_no_forecast_rather_than_noise() -> None:
    columns = FEW + 2
    matrix = np.eye(columns)
    matrix[0, 1] = matrix[1, 0] = 1.0 + 1e-6
    problem = np.zeros((1, columns)), matrix[None], np.ones((1, columns))
    weights = ridge_paths(scaled(*problem), np.array([1e-9, 1.0]))
    assert np.isnan(weights[0, :, 0]).all()
    assert np.isfinite(weights[0, :, 1]).all()
