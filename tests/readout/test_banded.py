import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ngrc._kernels.models import banded_reduce, banded_solutions
from ngrc._types import FloatArray
from ngrc.readout import DEFAULT_RIDGES, choose_penalty
from ngrc.readout import penalty as penalty_module
from ngrc.readout.banded import Banded
from tests.readout.twins import example_rows, paper_map

RIDGES = np.array([*DEFAULT_RIDGES, np.inf])
# Around whole blocks of eight columns and whole tiles of four rows, and the sizes at which one more is reflected.
SIZES = [1, 2, 3, 7, 8, 9, 10, 11, 16, 17, 18, 19, 24, 30, 33, 90]


def matrix(size: int, seed: int = 0) -> FloatArray:
    columns = np.random.default_rng(seed).normal(size=(3 * size, size)) * np.geomspace(1.0, 0.01, size)
    return columns.T @ columns / len(columns)


def whole_band(band: FloatArray) -> FloatArray:
    """B from its nine diagonals."""
    size = len(band)
    whole = np.zeros((size, size))
    for row in range(size):
        for place in range(9):
            column = row - 8 + place
            if column >= 0:
                whole[row, column] = whole[column, row] = band[row, place]
            else:
                assert band[row, place] == 0.0
    return whole


def whole_reflection(found: Banded) -> FloatArray:
    """Q, block by block: I - V T V' of the rows from 8 (k + 1) on."""
    size = len(found.band)
    product, used = np.eye(size), 0
    for block in range(len(found.factors) // 8):
        first = 8 * (block + 1)
        v = np.zeros((size, 8))
        v[first:] = found.reflections[used : used + size - first]
        used += size - first
        product = product @ (np.eye(size) - v @ found.factors[8 * block : 8 * block + 8] @ v.T)
    assert used == len(found.reflections)
    return product


@pytest.mark.parametrize("size", SIZES)
def test_the_matrix_is_q_b_q_and_stays_as_it_is(size: int) -> None:
    moments = matrix(size)
    before, found = moments.copy(), Banded.of(moments)
    q, b = whole_reflection(found), whole_band(found.band)
    np.testing.assert_allclose(q @ q.T, np.eye(size), atol=3e-14)
    np.testing.assert_allclose(q @ b @ q.T, moments, atol=3e-14)
    np.testing.assert_array_equal(moments, before)


@pytest.mark.parametrize("size", SIZES)
def test_only_the_lower_half_is_read(size: int) -> None:
    moments = matrix(size)
    ours, twin = banded_reduce(np.tril(moments)), banded_reduce(moments)
    assert all(np.array_equal(one, other) for one, other in zip(ours, twin, strict=True))


@pytest.mark.parametrize("size", SIZES)
def test_every_penalty_solves_its_own_equations(size: int) -> None:
    moments, right = matrix(size), np.random.default_rng(1).normal(size=(size, RIDGES.size))
    found = Banded.of(moments)
    one, each = found.path(right[:, 0], RIDGES), found.solve(right, RIDGES)
    for place, penalty in enumerate(RIDGES[:-1]):
        shifted = moments + penalty * np.eye(size)
        np.testing.assert_allclose(one[:, place], np.linalg.solve(shifted, right[:, 0]), rtol=1e-8)
        np.testing.assert_allclose(each[:, place], np.linalg.solve(shifted, right[:, place]), rtol=1e-8)
    assert not one[:, -1].any()
    assert not each[:, -1].any()


def test_a_penalty_is_solved_alike_alone_and_among_others() -> None:
    found, right = Banded.of(matrix(40)), np.random.default_rng(3).normal(size=(40, RIDGES.size))
    each = found.solve(right, RIDGES)
    for place in range(RIDGES.size):
        alone = found.solve(right[:, [place]], RIDGES[[place]])
        np.testing.assert_array_equal(alone[:, 0], each[:, place])


@settings(deadline=None, max_examples=30)
@given(st.integers(2, 40), st.integers(0, 40), st.integers(0, 1000))
def test_columns_that_repeat_or_vanish(size: int, zeros: int, seed: int) -> None:
    """Nothing is left to reflect in some columns: their reflections are the identity."""
    rng = np.random.default_rng(seed)
    columns = rng.integers(-1, 2, size=(size // 2 + 1, size)).astype(float)
    columns[:, :zeros] = 0.0
    moments, right = columns.T @ columns / size, rng.normal(size=size)
    ours = Banded.of(moments).path(right, np.array([0.5]))[:, 0]
    np.testing.assert_allclose(ours, np.linalg.solve(moments + 0.5 * np.eye(size), right), atol=1e-12)


@pytest.mark.parametrize("size", [3, 12, 40])
def test_what_is_not_positive_definite_is_told(size: int) -> None:
    weights = Banded.of(-np.eye(size)).path(np.ones(size), np.array([0.5, 2.0]))
    assert np.isnan(weights[:, 0]).all()
    np.testing.assert_allclose(weights[:, 1], 1.0)
    # One negative direction among many.
    q, _ = np.linalg.qr(np.random.default_rng(4).normal(size=(size, size)))
    moments = (q * np.append(np.ones(size - 1), -1.0)) @ q.T
    weights = Banded.of(moments).path(np.ones(size), np.array([0.9, 1.1]))
    assert np.isnan(weights[:, 0]).all()
    np.testing.assert_allclose(weights[:, 1], np.linalg.solve(moments + 1.1 * np.eye(size), np.ones(size)))


def test_no_penalty_has_no_solution() -> None:
    band, reflections, factors = banded_reduce(matrix(12))
    assert banded_solutions(band, reflections, factors, np.ones((12, 1)), np.empty(0)).shape == (12, 0)


@pytest.mark.parametrize("kind", ["noise", "walk", "sine", "zeros"])
def test_a_choice_is_that_of_eigenvectors(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = example_rows(paper_map(8), kind, 400)
    monkeypatch.setattr(penalty_module, "NARROW", 1)
    ours = choose_penalty(rows, DEFAULT_RIDGES)
    monkeypatch.setattr(penalty_module, "NARROW", 1000)
    twin = choose_penalty(rows, DEFAULT_RIDGES)
    assert ours.best == twin.best
    np.testing.assert_allclose(ours.scores, twin.scores, rtol=1e-9, atol=1e-12)
