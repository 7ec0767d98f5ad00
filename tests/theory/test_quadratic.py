import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ngrc._types import FloatArray
from ngrc.theory import quadratic_map, smat, split_direction, svec
from tests.theory.twins import gaussian_expectation


def _symmetric(size: int, seed: int) -> FloatArray:
    root = np.random.default_rng(seed).standard_normal((size, size))
    return np.asarray(root + root.T)


@given(size=st.integers(1, 12), seed=st.integers(0, 2**32 - 1))
@settings(deadline=None, max_examples=40)
def test_svec_is_an_isometry_with_inverse_smat(size: int, seed: int) -> None:
    A, B = _symmetric(size, seed), _symmetric(size, seed + 1)
    assert svec(A).shape == (size * (size + 1) // 2,)
    assert svec(A) @ svec(B) == pytest.approx(np.trace(A @ B), rel=1e-10, abs=1e-10)
    np.testing.assert_allclose(smat(svec(A)), A, rtol=1e-14)
    np.testing.assert_allclose(svec(smat(svec(B))), svec(B), rtol=1e-14)


def test_svec_walks_the_upper_triangle_by_rows() -> None:
    matrix = np.array([[1.0, 2.0, 3.0], [2.0, 4.0, 5.0], [3.0, 5.0, 6.0]])
    root = np.sqrt(2)
    np.testing.assert_allclose(svec(matrix), [1, 2 * root, 3 * root, 4, 5 * root, 6])


@pytest.mark.parametrize("linear", [True, False])
def test_features_are_centred_and_isotropic(linear: bool) -> None:
    """Exact moments: the products have degree 4, three Gauss-Hermite nodes integrate degree 5."""

    def feature(point: FloatArray) -> FloatArray:
        return quadratic_map(point[None, :], linear=linear).ravel()

    d = 3
    p = d * (d + 3) // 2 if linear else d * (d + 1) // 2
    np.testing.assert_allclose(gaussian_expectation(feature, d, 3), np.zeros(p), atol=1e-12)
    second = gaussian_expectation(lambda point: np.outer(feature(point), feature(point)), d, 3)
    np.testing.assert_allclose(second, np.eye(p), atol=1e-12)


def test_features_are_the_stacked_outer_product() -> None:
    G = np.random.default_rng(0).standard_normal((5, 4))
    full, only = quadratic_map(G), quadratic_map(G, linear=False)
    np.testing.assert_array_equal(full[:, :4], G)
    np.testing.assert_array_equal(full[:, 4:], only)
    for row, feature in zip(G, only, strict=True):
        np.testing.assert_allclose(feature, svec((np.outer(row, row) - np.eye(4)) / np.sqrt(2)), rtol=1e-12)
    # squared norm (S_G^2 + d)/2 of the concentration lemma
    np.testing.assert_allclose(np.sum(full**2, axis=1), (np.sum(G**2, axis=1) ** 2 + 4) / 2, rtol=1e-12)


@given(d=st.integers(1, 8), linear=st.booleans(), seed=st.integers(0, 2**32 - 1))
@settings(deadline=None, max_examples=40)
def test_a_direction_is_a_linear_plus_quadratic_functional(d: int, linear: bool, seed: int) -> None:
    rng = np.random.default_rng(seed)
    G = rng.standard_normal((6, d))
    features = quadratic_map(G, linear=linear)
    v = rng.standard_normal(int(features.shape[1]))
    a, Q = split_direction(v)
    assert a.shape == (d,)
    assert Q.shape == (d, d)
    value = G @ a + (np.einsum("ij,jk,ik->i", G, Q, G) - np.trace(Q)) / np.sqrt(2)
    np.testing.assert_allclose(features @ v, value, atol=1e-10)
    if not linear:
        np.testing.assert_array_equal(a, 0.0)


def test_generating_matrix_of_experiment_three() -> None:
    """G'MG - tr M = w0'psi(G) with Q_d(w0) = sqrt(2) M, and ||w0|| = 2 for both signals."""
    d = 8
    G = np.random.default_rng(1).standard_normal((4, d))
    corner = np.zeros((d, d))
    corner[0, 0] = np.sqrt(2)
    for M, norm in ((corner, 1.414), (np.sqrt(2 / d) * np.eye(d), 0.5)):
        w0 = svec(np.sqrt(2) * M)
        assert np.linalg.norm(w0) == pytest.approx(2.0)
        assert np.linalg.norm(M, 2) == pytest.approx(norm, abs=5e-4)
        signal = np.einsum("ij,jk,ik->i", G, M, G) - np.trace(M)
        np.testing.assert_allclose(quadratic_map(G, linear=False) @ w0, signal, rtol=1e-10)


def test_bad_input_is_refused() -> None:
    with pytest.raises(ValueError, match="symmetric"):
        svec(np.array([[0.0, 1.0], [0.0, 0.0]]))
    with pytest.raises(ValueError, match="shape"):
        svec(np.ones((2, 3)))
    for size in (2, 4, 5):
        with pytest.raises(ValueError, match=r"d\(d\+1\)/2"):
            smat(np.ones(size))
    for size in (0, 4, 7, 8):
        with pytest.raises(ValueError, match="for some d"):
            split_direction(np.ones(size))
    with pytest.raises(ValueError, match="matrix"):
        quadratic_map(np.ones(3))
    with pytest.raises(ValueError, match="finite"):
        quadratic_map(np.array([[np.nan]]))
