"""Small systems, against numpy."""

import numpy as np
import pytest

from ngrc._kernels.local import cholesky_solve


@pytest.mark.parametrize("size", [1, 2, 5, 40])
def test_solves_as_numpy_does(size: int) -> None:
    rng = np.random.default_rng(size)
    rows = rng.normal(size=(3 * size, size))
    matrix, right = rows.T @ rows + 0.1 * np.eye(size), rng.normal(size=size)
    factor, solution = matrix.copy(), right.copy()
    assert cholesky_solve(factor, solution)
    np.testing.assert_allclose(solution, np.linalg.solve(matrix, right), rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(np.tril(factor), np.linalg.cholesky(matrix), rtol=1e-9, atol=1e-12)


def test_reads_the_lower_half_alone() -> None:
    matrix = np.array([[4.0, np.nan], [1.0, 3.0]])
    right = np.array([1.0, 2.0])
    assert cholesky_solve(matrix, right)
    np.testing.assert_allclose(right, np.linalg.solve([[4.0, 1.0], [1.0, 3.0]], [1.0, 2.0]))


@pytest.mark.parametrize(
    "matrix",
    [[[0.0]], [[-1.0]], [[1.0, 2.0], [2.0, 1.0]], [[1.0, 1.0], [1.0, 1.0]], [[np.nan, 0.0], [0.0, 1.0]]],
)
def test_says_so_where_the_matrix_is_not_positive_definite(matrix: list[list[float]]) -> None:
    assert not cholesky_solve(np.array(matrix), np.ones(len(matrix)))
