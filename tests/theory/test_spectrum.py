import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ngrc.theory import effective_dimension, spectrum
from tests.theory.twins import random_covariance, resolvent

SHAPES = [(12, 5), (7, 7), (5, 12), (1, 3), (3, 1)]


@pytest.mark.parametrize("shape", SHAPES)
def test_spectrum_rebuilds_the_second_moment_matrix(shape: tuple[int, int]) -> None:
    R = np.random.default_rng(0).standard_normal(shape)
    found = spectrum(R)
    assert (found.rows, found.columns) == shape
    assert found.vectors.shape == (shape[1], min(shape))
    np.testing.assert_allclose(
        (found.vectors * found.values) @ found.vectors.T, R.T @ R / shape[0], atol=1e-12
    )
    np.testing.assert_allclose(found.vectors.T @ found.vectors, np.eye(min(shape)), atol=1e-12)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("ridge", [1e-3, 0.4, 50.0])
@pytest.mark.parametrize("weighted", [False, True])
def test_traces_and_shrinkage_against_the_explicit_inverse(
    shape: tuple[int, int], ridge: float, weighted: bool
) -> None:
    rng = np.random.default_rng(1)
    R, w = rng.standard_normal(shape), rng.standard_normal(shape[1])
    covariance = random_covariance(shape[1], rng) if weighted else None
    sigma = np.eye(shape[1]) if covariance is None else covariance
    S, A = resolvent(R, ridge)
    found = spectrum(R)
    traces = found.traces(ridge, covariance)
    assert traces.resolvent == pytest.approx(np.trace(sigma @ A), rel=1e-9)
    assert traces.sandwich == pytest.approx(np.trace(sigma @ A @ S @ A), rel=1e-9)
    assert traces.squared == pytest.approx(np.trace(sigma @ A @ A), rel=1e-9)
    np.testing.assert_allclose(found.shrunk(w, ridge), ridge * A @ w, atol=1e-9)


@given(n=st.integers(1, 20), p=st.integers(1, 20), ridge=st.floats(1e-6, 1e3), seed=st.integers(0, 2**32 - 1))
@settings(deadline=None, max_examples=40)
def test_effective_dimension_is_the_trace_of_the_hat_matrix(n: int, p: int, ridge: float, seed: int) -> None:
    R = np.random.default_rng(seed).standard_normal((n, p))
    hat = R @ np.linalg.solve(R.T @ R / n + ridge * np.eye(p), R.T) / n
    found = effective_dimension(R, ridge)
    assert found == pytest.approx(np.trace(hat), rel=1e-6)
    assert 0 < found < min(n, p)
    assert effective_dimension(spectrum(R), ridge) == found


def test_full_rank_shrinkage_keeps_its_digits_at_a_tiny_penalty() -> None:
    R = np.diag([2.0, 1.0, 0.5])
    removed = spectrum(R).shrunk(np.ones(3), 1e-12)
    np.testing.assert_allclose(removed, 1e-12 / (np.diag(R) ** 2 / 3 + 1e-12), rtol=1e-10)


def test_bad_designs_are_refused() -> None:
    with pytest.raises(ValueError, match="shape"):
        spectrum(np.ones(3))
    with pytest.raises(ValueError, match="row 1, column 0"):
        spectrum(np.array([[1.0, 2.0], [np.inf, 0.0]]))
    with pytest.raises(ValueError, match="shape"):
        spectrum(np.empty((0, 2)))
    with pytest.raises(ValueError, match="ridge"):
        effective_dimension(np.eye(2), 0.0)
    with pytest.raises(ValueError, match="numbers"):
        spectrum(np.array([["a"]], dtype=object))
