import numpy as np
import pytest

from ngrc._kernels.models import cholesky_factor, cholesky_inverse, cholesky_solutions, whitening_squares
from ngrc._types import FloatArray

# Around whole strips of eight columns, groups of four strips and tiles of four rows.
SIZES = [1, 2, 3, 4, 5, 7, 8, 9, 13, 31, 32, 33, 39, 64, 70, 100]


def matrix(size: int) -> FloatArray:
    columns = np.random.default_rng(size).normal(size=(2 * size, size))
    return columns.T @ columns / len(columns)


def factor_of(moments: FloatArray, penalty: float) -> FloatArray:
    factor = np.full_like(moments, 7.0)
    assert cholesky_factor(moments, penalty, factor)
    return factor


@pytest.mark.parametrize("penalty", [0.0, 0.3])
@pytest.mark.parametrize("size", SIZES)
def test_the_factor_is_that_of_lapack(size: int, penalty: float) -> None:
    moments = matrix(size)
    before, factor = moments.copy(), factor_of(moments, penalty)
    np.testing.assert_allclose(factor, np.linalg.cholesky(moments + penalty * np.eye(size)), atol=1e-13)
    assert not np.triu(factor, 1).any()
    np.testing.assert_array_equal(moments, before)
    # The lower half is not read.
    np.testing.assert_array_equal(factor_of(np.triu(moments), penalty), factor)


@pytest.mark.parametrize("size", SIZES)
def test_the_inverse_is_a_triangle_that_inverts(size: int) -> None:
    factor = factor_of(matrix(size), 0.1)
    inverse = cholesky_inverse(factor)
    np.testing.assert_allclose(inverse @ factor, np.eye(size), atol=1e-13)
    assert not np.triu(inverse, 1).any()


@pytest.mark.parametrize("count", [0, 1, 3])
@pytest.mark.parametrize("size", SIZES)
def test_solutions_solve(size: int, count: int) -> None:
    moments, rights = matrix(size), np.random.default_rng(1).normal(size=(size, count))
    ours = cholesky_solutions(factor_of(moments, 0.1), rights)
    np.testing.assert_allclose((moments + 0.1 * np.eye(size)) @ ours, rights, atol=1e-12)
    assert ours.shape == rights.shape


@pytest.mark.parametrize("bad", [-1.0, 0.0, np.nan])
@pytest.mark.parametrize("place", [0, 3, 8, 40, 69])
def test_what_is_not_positive_definite_has_no_factor(place: int, bad: float) -> None:
    moments = np.eye(70)
    moments[place, place] = bad
    assert not cholesky_factor(moments, 0.0, np.empty((70, 70)))
    assert cholesky_factor(moments, 2.0, np.empty((70, 70))) == np.isfinite(bad)


@pytest.mark.parametrize("rows", [0, 1, 7, 8, 9, 31, 32, 33, 70])
@pytest.mark.parametrize("size", [0, 1, 4, 6, 33])
def test_whitened_squares_are_those_of_the_product(size: int, rows: int) -> None:
    rng = np.random.default_rng(rows)
    lower, design, means = (
        np.tril(rng.normal(size=(size, size))),
        rng.normal(size=(rows, size)),
        np.arange(1.0 * size),
    )
    expected = np.square((design - means) @ lower.T).sum(axis=1)
    np.testing.assert_allclose(whitening_squares(lower, design, means), expected, rtol=1e-12)


def test_a_row_is_whitened_alike_alone_and_among_others() -> None:
    rng = np.random.default_rng(5)
    lower, design, means = np.tril(rng.normal(size=(19, 19))), rng.normal(size=(45, 19)), rng.normal(size=19)
    alone = [whitening_squares(lower, row[None], means)[0] for row in design]
    assert alone == whitening_squares(lower, design, means).tolist()
