"""Ridge weights of many candidates and penalties against one plain solve each."""

import numpy as np
import pytest

from ngrc._types import FloatArray, IntArray
from ngrc.auto.solving import FoldMoments, nested_chains, ridge_paths

PENALTIES = np.array([1e-9, 1e-6, 1e-3, 0.1, 1.0, 1e3, np.inf])
MANY = np.logspace(-9, 3, 19)


def moments(
    columns: int, folds: int = 3, rows: int = 400, seed: int = 0
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Means, covariances and cross covariances by fold."""
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
) -> tuple[FoldMoments, FloatArray]:
    """Moments of columns divided by their standard deviation and by the root of their penalty weights."""
    deviations = np.sqrt(np.diagonal(covariance, axis1=1, axis2=2))
    scales = np.where(deviations > 1e-10, deviations, 1.0) * np.sqrt(weights)
    matrices = covariance / (scales[:, :, None] * scales[:, None, :])
    return FoldMoments(means, scales, matrices), cross / scales


def single(problem: tuple[FoldMoments, FloatArray], penalties: FloatArray) -> FloatArray:
    """Weights of one candidate with all columns, shape (folds, p, m)."""
    own, cross = problem
    return ridge_paths(own, np.array([cross.shape[1]]), cross[:, None], penalties)[:, 0]


@pytest.mark.parametrize("penalties", [PENALTIES, MANY], ids=["seven", "nineteen"])
@pytest.mark.parametrize("columns", [1, 2, 5, 40, 41, 70])
def test_weights_are_those_of_a_plain_solve(columns: int, penalties: FloatArray) -> None:
    means, covariance, cross = moments(columns)
    shares = np.random.default_rng(1).choice([1.0, 10.0, 0.5], columns)
    weights = single(scaled(means, covariance, cross, shares), penalties)
    assert weights.shape == (3, columns, penalties.size)
    for fold in range(3):
        scales = np.sqrt(np.diag(covariance[fold]))
        standard = covariance[fold] / np.outer(scales, scales)
        for place, penalty in enumerate(penalties):
            if np.isinf(penalty):
                assert (weights[fold, :, place] == 0.0).all()
                continue
            direct = np.linalg.solve(standard + penalty * np.diag(shares), cross[fold] / scales) / scales
            np.testing.assert_allclose(weights[fold, :, place], direct, rtol=1e-8, atol=1e-10)


@pytest.mark.parametrize("columns", [1, 9, 50])
def test_candidates_with_the_first_columns_have_the_weights_that_they_have_alone(columns: int) -> None:
    problem, cross = scaled(*moments(columns))
    sizes = np.array([0, 1, columns // 2, columns, columns])
    rng = np.random.default_rng(0)
    crosses = np.stack([cross, *(rng.normal(size=cross.shape) for _ in sizes[1:])], axis=1)
    together = ridge_paths(problem, sizes, crosses, PENALTIES)
    assert together.shape == (3, sizes.size, columns, PENALTIES.size)
    for place, size in enumerate(sizes):
        own = FoldMoments(
            problem.means[:, :size],
            problem.scales[:, :size],
            np.ascontiguousarray(problem.matrices[:, :size, :size]),
        )
        alone = single((own, np.ascontiguousarray(crosses[:, place, :size])), PENALTIES)
        np.testing.assert_array_equal(together[:, place, :size], alone)
        assert (together[:, place, size:] == 0.0).all()


@pytest.mark.parametrize("columns", [3, 44])
def test_the_order_of_penalties_is_kept(columns: int) -> None:
    problem = scaled(*moments(columns, seed=1))
    order = np.array([6, 2, 0, 5, 3, 1, 4])
    np.testing.assert_array_equal(
        single(problem, PENALTIES[order]),
        single(problem, PENALTIES)[:, :, order],
    )


@pytest.mark.parametrize("columns", [0, 4, 44])
def test_infinite_penalties_alone_and_no_columns_leave_nothing(columns: int) -> None:
    problem = scaled(*moments(columns))
    weights = single(problem, np.array([np.inf, np.inf]))
    assert weights.shape == (3, columns, 2)
    assert (weights == 0.0).all()
    assert single(problem, PENALTIES).shape == (3, columns, PENALTIES.size)


@pytest.mark.parametrize("columns", [6, 46])
def test_constant_and_doubled_columns_do_no_harm(columns: int) -> None:
    rng = np.random.default_rng(4)
    design = rng.normal(size=(300, columns))
    design[:, 1], design[:, 2] = 5.0, design[:, 0]
    target = design[:, 0] - design[:, 3]
    centred = design - design.mean(axis=0)
    problem = design.mean(axis=0)[None], (centred.T @ centred / 300)[None], (centred.T @ target / 300)[None]
    weights = single(scaled(*problem), np.array([1e-9, 1e-3]))[0]
    # Rounding of its cross moment, 1e-17, over the smallest penalty.
    assert abs(weights[1]).max() < 1e-6
    np.testing.assert_allclose(weights[0], weights[2], atol=1e-5)
    np.testing.assert_allclose(weights[0] + weights[2], 1.0, atol=5e-3)


def test_moments_that_are_not_positive_give_no_forecast_rather_than_noise() -> None:
    columns = 42
    matrix = np.eye(columns)
    matrix[0, 1] = matrix[1, 0] = 1.0 + 1e-6
    problem = np.zeros((1, columns)), matrix[None], np.ones((1, columns))
    weights = single(scaled(*problem), np.array([1e-9, 1.0]))
    assert np.isnan(weights[0, :, 0]).all()
    assert np.isfinite(weights[0, :, 1]).all()


def test_chains_hold_every_candidate_once_and_its_columns_first() -> None:
    rng = np.random.default_rng(0)
    columns: list[IntArray] = [
        np.sort(rng.choice(9, size, replace=False)) for size in rng.integers(0, 10, 60)
    ]
    chains = nested_chains(columns)
    assert sorted(number for chain in chains for number in chain.members) == list(range(60))
    assert len(chains) < 60
    for chain in chains:
        assert chain.places.size == max(chain.sizes)
        for number, size in zip(chain.members, chain.sizes, strict=True):
            assert sorted(chain.places[:size]) == columns[number].tolist()
