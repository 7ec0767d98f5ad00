"""One decomposition with a border, against plain solves of the whole matrix."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ngrc._types import FloatArray
from ngrc.readout.bordered import Bordered, decompose


def moments(size: int, border: int, rank: int, seed: int) -> FloatArray:
    """A moment matrix of at most that rank."""
    columns = np.random.default_rng(seed).standard_normal((rank, size + border))
    return np.asarray(columns.T @ columns / rank)


def bordered(matrix: FloatArray, size: int) -> Bordered:
    values, vectors = decompose(matrix[:size, :size])
    return Bordered(values, vectors, vectors.T @ matrix[:size, size:], matrix[size:, size:])


@settings(deadline=None, max_examples=80)
@given(st.integers(1, 8), st.integers(0, 5), st.integers(1, 20), st.integers(0, 10**6), st.floats(-5.0, 2.0))
def test_solve_dimension_and_quadratic_are_those_of_the_whole(
    size: int, border: int, rank: int, seed: int, power: float
) -> None:
    matrix = moments(size, border, rank, seed)
    inverse = bordered(matrix, size)
    rng = np.random.default_rng(seed + 1)
    penalties = 10.0 ** (power + np.arange(3.0))
    right = rng.standard_normal((size + border, 3))
    found = inverse.solve(right, penalties)
    for place, penalty in enumerate(penalties):
        whole = matrix + penalty * np.eye(size + border)
        condition = np.linalg.norm(matrix) / penalty + 1.0
        expected = np.linalg.solve(whole, right[:, place])
        np.testing.assert_allclose(found[:, place], expected, atol=1e-13 * condition * np.abs(expected).max())
        dimension = np.trace(np.linalg.solve(whole, matrix))
        assert inverse.dimension(float(penalty)) == pytest.approx(dimension, abs=1e-12 * condition)
        rows = rng.standard_normal((4, size + border))
        quadratic = np.einsum("ij,ij->i", rows, np.linalg.solve(whole, rows.T).T)
        np.testing.assert_allclose(inverse.quadratic(rows, float(penalty)), quadratic, rtol=1e-12 * condition)


@settings(deadline=None, max_examples=40)
@given(st.integers(1, 6), st.integers(0, 4), st.integers(0, 10**6))
def test_a_path_solves_one_response_at_every_penalty(size: int, border: int, seed: int) -> None:
    matrix = moments(size, border, 30, seed)
    cross = np.random.default_rng(seed).standard_normal(size + border)
    penalties = np.array([0.1, np.inf, 3.0, np.inf])
    path = bordered(matrix, size).path(cross, penalties)
    assert (path[:, [1, 3]] == 0.0).all()
    for place in (0, 2):
        expected = np.linalg.solve(matrix + penalties[place] * np.eye(size + border), cross)
        np.testing.assert_allclose(path[:, place], expected, atol=1e-11)


def test_an_infinite_penalty_leaves_nothing() -> None:
    inverse = bordered(moments(4, 2, 9, 0), 4)
    assert inverse.dimension(np.inf) == 0.0
    assert inverse.quadratic(np.ones((3, 6)), np.inf).tolist() == [0.0] * 3
    assert (inverse.path(np.ones(6), np.array([np.inf])) == 0.0).all()


@pytest.mark.parametrize("rank", [2, 5, 9])
def test_no_penalty_is_the_pseudo_inverse(rank: int) -> None:
    matrix = moments(5, 0, rank, 3)
    values, vectors = decompose(matrix)
    values = np.where(values > 1e-12, values, 0.0)
    inverse = Bordered(values, vectors, np.empty((5, 0)), np.empty((0, 0)))
    assert inverse.dimension(0.0) == pytest.approx(min(rank, 5))
    rows = np.random.default_rng(4).standard_normal((3, 5))
    expected = np.einsum("ij,jk,ik->i", rows, np.linalg.pinv(matrix, rcond=1e-12), rows)
    np.testing.assert_allclose(inverse.quadratic(rows, 0.0), expected, rtol=1e-9)


def test_a_decomposition_has_no_negative_value() -> None:
    matrix = moments(6, 0, 2, 5)
    values, vectors = decompose(matrix)
    assert (values >= 0.0).all()
    np.testing.assert_allclose((vectors * values) @ vectors.T, matrix, atol=1e-12)
