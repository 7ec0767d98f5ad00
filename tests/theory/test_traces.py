import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from ngrc.theory import decompose, spectrum, training_scale
from tests.theory.twins import random_covariance, resolvent

SHAPES = [(40, 15), (15, 15), (15, 40), (1, 4)]


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("ridge", [0.01, 0.7, 30.0])
@pytest.mark.parametrize("weighted", [False, True])
def test_decomposition_against_explicit_inverses(
    shape: tuple[int, int], ridge: float, weighted: bool
) -> None:
    rng = np.random.default_rng(7)
    (n, p), noise = shape, 1.3
    R, w0 = rng.standard_normal(shape), rng.standard_normal(p)
    covariance = random_covariance(p, rng) if weighted else None
    sigma = np.eye(p) if covariance is None else covariance
    S, A = resolvent(R, ridge)
    bias = ridge**2 * w0 @ A @ sigma @ A @ w0
    variance = noise**2 / n * np.trace(sigma @ A @ S @ A)
    posterior = noise**2 / n * np.trace(sigma @ A)
    found = decompose(R, w0, ridge, noise, covariance)
    assert found.bias == pytest.approx(bias, rel=1e-8)
    assert found.variance == pytest.approx(variance, rel=1e-8)
    assert found.posterior == pytest.approx(posterior, rel=1e-8)
    assert found.gap == pytest.approx(posterior - variance - bias, rel=1e-7, abs=1e-9)
    assert found.bayes == pytest.approx(noise**2 + posterior, rel=1e-8)
    assert found.conformal == pytest.approx(noise**2 + bias + variance, rel=1e-8)


@given(
    n=st.integers(1, 25),
    p=st.integers(1, 25),
    ridge=st.floats(1e-3, 1e2),
    noise=st.floats(0.05, 5.0),
    seed=st.integers(0, 2**32 - 1),
)
@settings(deadline=None, max_examples=60)
def test_the_gap_is_posterior_minus_variance_minus_bias(
    n: int, p: int, ridge: float, noise: float, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    R, w0 = rng.standard_normal((n, p)), rng.standard_normal(p)
    found = decompose(R, w0, ridge, noise, random_covariance(p, rng))
    size = found.posterior + found.variance + found.bias
    assert found.gap == pytest.approx(found.posterior - found.variance - found.bias, abs=1e-10 * size)
    assert found.posterior >= found.variance > 0
    assert decompose(R, np.zeros(p), ridge, noise).gap > 0


def test_prediction_error_is_noise_plus_bias_plus_variance() -> None:
    rng = np.random.default_rng(2)
    n, p, ridge, noise, draws = 20, 30, 0.3, 0.8, 20_000
    R, w0 = rng.standard_normal((n, p)), rng.standard_normal(p) / 3
    covariance = random_covariance(p, rng)
    _, A = resolvent(R, ridge)
    y = R @ w0 + noise * rng.standard_normal((draws, n))
    fitted = y @ R @ A / n
    features = rng.standard_normal((draws, p)) @ np.linalg.cholesky(covariance).T
    errors = np.einsum("ij,ij->i", features, w0 - fitted) + noise * rng.standard_normal(draws)
    squared = errors**2
    found = decompose(R, w0, ridge, noise, covariance)
    assert found.conformal == pytest.approx(squared.mean(), abs=4 * squared.std() / np.sqrt(draws))
    leverage = noise**2 / n * np.sum((features @ A) * features, axis=1)
    assert found.posterior == pytest.approx(leverage.mean(), abs=4 * leverage.std() / np.sqrt(draws))


def test_widths_at_a_level() -> None:
    found = decompose(np.eye(3), np.ones(3), 0.2, 0.5)
    z = stats.norm.ppf(0.95)
    widths, squared = found.widths(0.9), found.squared_widths(90)
    assert widths.bayes == pytest.approx(2 * z * np.sqrt(0.25 + found.posterior))
    assert widths.conformal == pytest.approx(2 * z * np.sqrt(0.25 + found.bias + found.variance))
    assert squared.bayes == pytest.approx(widths.bayes**2)
    assert squared.bayes - squared.conformal == pytest.approx(4 * z**2 * found.gap)


def test_one_factorisation_serves_every_penalty_and_signal() -> None:
    rng = np.random.default_rng(4)
    R = rng.standard_normal((9, 14))
    shared = spectrum(R)
    for ridge in (0.05, 1.0):
        w0 = rng.standard_normal(14)
        assert decompose(shared, w0, ridge, 0.5) == decompose(R, w0, ridge, 0.5)
        assert training_scale(shared, w0, ridge, 0.5) == training_scale(R, w0, ridge, 0.5)


def test_finite_trace_widths_are_what_split_conformal_gives() -> None:
    """One anisotropic design with p/n = 1.5: empirical squared widths within the theorem's own error."""
    rng = np.random.default_rng(9)
    n, p, ridge, noise, m, level = 200, 300, 0.5, 1.0, 20_000, 0.9
    scales = np.linspace(0.5, 2.0, p)
    covariance, w0 = np.diag(scales**2), rng.standard_normal(p) / np.sqrt(p)
    R = rng.standard_normal((n, p)) * scales
    S, A = resolvent(R, ridge)
    w = A @ R.T @ (R @ w0 + noise * rng.standard_normal(n)) / n
    features = rng.standard_normal((m, p)) * scales
    residuals = features @ (w0 - w) + noise * rng.standard_normal(m)
    found, z = decompose(R, w0, ridge, noise, covariance), stats.norm.ppf((1 + level) / 2)
    # Var(Q_n | R) of the proof: 2 tr{(Sigma C)^2} + 4 b' Sigma C Sigma b
    C, b = noise**2 / n * A @ S @ A, ridge * A @ w0
    fitted = 2 * np.trace(covariance @ C @ covariance @ C) + 4 * b @ covariance @ C @ covariance @ b
    quantile = 2 * found.conformal / z * np.sqrt(level * (1 - level) / m) / (2 * stats.norm.pdf(z))
    empirical = (np.quantile(np.abs(residuals), level) / z) ** 2
    assert empirical == pytest.approx(found.conformal, abs=4 * np.sqrt(fitted + quantile**2))
    bayes = noise**2 * (1 + np.sum((features @ A) * features, axis=1) / n)
    assert bayes.mean() == pytest.approx(found.bayes, abs=4 * bayes.std() / np.sqrt(m))


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("ridge", [0.02, 1.5])
def test_training_scale_against_the_hat_matrix(shape: tuple[int, int], ridge: float) -> None:
    rng = np.random.default_rng(8)
    (n, p), noise = shape, 0.6
    R, w0 = rng.standard_normal(shape), rng.standard_normal(p)
    S, A = resolvent(R, ridge)
    keep = np.eye(n) - R @ A @ R.T / n
    found = training_scale(R, w0, ridge, noise)
    assert found.shrinkage == pytest.approx(ridge**2 * w0 @ A @ S @ A @ w0, rel=1e-8)
    assert found.shrinkage == pytest.approx(np.sum((keep @ R @ w0) ** 2) / n, rel=1e-8)
    assert found.leverage == pytest.approx(noise**2 / n * np.trace(keep @ keep), rel=1e-8)
    y = R @ w0 + noise * rng.standard_normal((20_000, n))
    squares = np.mean((y @ keep) ** 2, axis=1)
    assert found.total == pytest.approx(squares.mean(), abs=4 * squares.std() / np.sqrt(20_000))


def test_bad_input_is_refused() -> None:
    R = np.eye(3)
    with pytest.raises(ValueError, match="3 columns"):
        decompose(R, np.ones(2), 1.0, 1.0)
    with pytest.raises(ValueError, match="3 columns"):
        training_scale(R, np.ones(4), 1.0, 1.0)
    with pytest.raises(ValueError, match="ridge"):
        decompose(R, np.ones(3), 0.0, 1.0)
    with pytest.raises(ValueError, match="noise"):
        decompose(R, np.ones(3), 1.0, -1.0)
    with pytest.raises(ValueError, match="symmetric"):
        decompose(R, np.ones(3), 1.0, 1.0, np.triu(np.ones((3, 3))))
    with pytest.raises(ValueError, match=r"shape \(3, 3\)"):
        decompose(R, np.ones(3), 1.0, 1.0, np.eye(2))
    with pytest.raises(ValueError, match="negative variance"):
        decompose(R, np.ones(3), 1.0, 1.0, -np.eye(3))
    with pytest.raises(ValueError, match="finite"):
        decompose(R, np.array([1.0, np.nan, 0.0]), 1.0, 1.0)
