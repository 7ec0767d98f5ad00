import numpy as np
import pytest
from scipy.linalg.lapack import dptsv

from ngrc._kernels.models import tridiagonal_solutions
from ngrc._types import FloatArray
from ngrc.readout import DEFAULT_RIDGES, choose_penalty
from ngrc.readout import penalty as penalty_module
from ngrc.readout.tridiagonal import Tridiagonal
from tests.readout.twins import example_rows, paper_map

RIDGES = np.array([*DEFAULT_RIDGES, np.inf])


def matrix(size: int, seed: int = 0) -> FloatArray:
    columns = np.random.default_rng(seed).normal(size=(3 * size, size)) * np.geomspace(1.0, 0.01, size)
    return columns.T @ columns / len(columns)


@pytest.mark.parametrize("size", [2, 3, 30, 90])
def test_the_kernel_does_what_lapack_does(size: int) -> None:
    found, right = Tridiagonal.of(matrix(size)), np.random.default_rng(2).normal(size=size)
    ours = tridiagonal_solutions(found.diagonal, found.beside, right[None], RIDGES)
    for penalty, one in zip(RIDGES[:-1].tolist(), ours, strict=False):
        *_, theirs, failed = dptsv(found.diagonal + penalty, found.beside, right)
        assert not failed
        # LAPACK may be compiled with fused operations, which round once less per step.
        np.testing.assert_allclose(one, theirs, rtol=1e-11)
    indefinite = tridiagonal_solutions(found.diagonal - 10.0, found.beside, right[None], RIDGES[:1])
    assert dptsv(found.diagonal - 10.0, found.beside, right)[-1]
    assert np.isnan(indefinite).all()


@pytest.mark.parametrize("size", [2, 3, 30, 90])
def test_every_penalty_solves_its_own_equations(size: int) -> None:
    moments, right = matrix(size), np.random.default_rng(1).normal(size=(size, RIDGES.size))
    found = Tridiagonal.of(moments)
    one, each = found.path(right[:, 0], RIDGES), found.solve(right, RIDGES)
    for place, penalty in enumerate(RIDGES[:-1]):
        shifted = moments + penalty * np.eye(size)
        np.testing.assert_allclose(one[:, place], np.linalg.solve(shifted, right[:, 0]), rtol=1e-8)
        np.testing.assert_allclose(each[:, place], np.linalg.solve(shifted, right[:, place]), rtol=1e-8)
    assert not one[:, -1].any()
    assert not each[:, -1].any()


def test_the_matrix_is_q_t_q_and_stays_as_it_is() -> None:
    moments = matrix(12)
    before, found = moments.copy(), Tridiagonal.of(moments)
    q = found._turned(np.asfortranarray(np.eye(12)), "N")
    t = np.diag(found.diagonal) + np.diag(found.beside, 1) + np.diag(found.beside, -1)
    np.testing.assert_allclose(q @ q.T, np.eye(12), atol=1e-14)
    np.testing.assert_allclose(q @ t @ q.T, moments, atol=1e-14)
    np.testing.assert_array_equal(moments, before)


def test_what_is_not_positive_definite_is_told() -> None:
    weights = Tridiagonal.of(-np.eye(3)).path(np.ones(3), np.array([0.5, 2.0]))
    assert np.isnan(weights[:, 0]).all()
    np.testing.assert_allclose(weights[:, 1], 1.0)


@pytest.mark.parametrize("kind", ["noise", "walk", "sine", "zeros"])
def test_a_choice_is_that_of_eigenvectors(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = example_rows(paper_map(8), kind, 400)
    monkeypatch.setattr(penalty_module, "NARROW", 1)
    ours = choose_penalty(rows, DEFAULT_RIDGES)
    monkeypatch.setattr(penalty_module, "NARROW", 1000)
    twin = choose_penalty(rows, DEFAULT_RIDGES)
    assert ours.best == twin.best
    np.testing.assert_allclose(ours.scores, twin.scores, rtol=1e-9, atol=1e-12)
