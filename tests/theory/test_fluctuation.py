import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import linalg

from ngrc._types import FloatArray
from ngrc.theory import (
    decompose,
    diffuseness,
    direction_bound,
    error_variance,
    quadratic_map,
    spectrum,
    split_direction,
)

RIDGE, NOISE = 0.4, 0.7


def _covariance(p: int) -> FloatArray:
    return linalg.toeplitz(0.6 ** np.arange(p)) * np.linspace(0.5, 1.5, p) + np.diag(np.ones(p))


def _symmetric(p: int) -> FloatArray:
    matrix = _covariance(p)
    return (matrix + matrix.T) / 2


@pytest.mark.parametrize("shape", [(30, 8), (12, 20)])
@pytest.mark.parametrize("weighted", [False, True])
def test_variance_of_the_realised_error(shape: tuple[int, int], weighted: bool) -> None:
    n, p = shape
    rng = np.random.default_rng(p)
    R, w0 = rng.standard_normal((n, p)), rng.standard_normal(p)
    Sigma = _symmetric(p) if weighted else np.eye(p)
    found = error_variance(R, w0, RIDGE, NOISE, Sigma if weighted else None)
    # the same from explicit matrices
    A = np.linalg.inv(R.T @ R / n + RIDGE * np.eye(p))
    C = NOISE**2 / n * A @ (R.T @ R / n) @ A
    b = RIDGE * A @ w0
    assert found.quadratic == pytest.approx(2 * np.trace(Sigma @ C @ Sigma @ C), rel=1e-9)
    assert found.linear == pytest.approx(4 * b @ Sigma @ C @ Sigma @ b, rel=1e-9)
    # and from fits to new noise
    draws = 4000
    noise = NOISE * rng.standard_normal((draws, n))
    errors = (A @ R.T @ (R @ w0 + noise).T / n).T - w0
    realised = np.einsum("ij,jk,ik->i", errors, Sigma, errors)
    centred = (realised - realised.mean()) ** 2
    # the error of a sample variance, from the fourth moment
    error = centred.std() / np.sqrt(draws)
    assert centred.mean() == pytest.approx(found.total, abs=4 * error)
    parts = decompose(R, w0, RIDGE, NOISE, Sigma)
    mean_error = realised.std() / np.sqrt(draws)
    assert realised.mean() == pytest.approx(parts.bias + parts.variance, abs=4 * mean_error)


@given(
    n=st.integers(2, 30),
    p=st.integers(1, 30),
    ridge=st.floats(1e-3, 10.0),
    noise=st.floats(0.05, 3.0),
    seed=st.integers(0, 99),
)
@settings(deadline=None, max_examples=60)
def test_the_bound_is_never_below_the_variance(n: int, p: int, ridge: float, noise: float, seed: int) -> None:
    rng = np.random.default_rng(seed)
    R, w0 = rng.standard_normal((n, p)), 2 * rng.standard_normal(p)
    root = rng.standard_normal((p, p))
    for covariance in (None, root @ root.T / p):
        found = error_variance(spectrum(R), w0, ridge, noise, covariance)
        assert found.total <= found.bound * (1 + 1e-9)


def test_the_bound_is_reached_where_every_direction_is_the_worst_one() -> None:
    # S = lambda I makes ||A S A|| = 1/(4 lambda) in every direction: the first term is exact
    n, ridge = 50, 0.3
    R = np.sqrt(n * ridge) * np.eye(n)
    found = error_variance(R, np.zeros(n), ridge, NOISE)
    assert found.total == pytest.approx(found.bound, rel=1e-12)


@pytest.mark.parametrize("linear", [True, False])
@pytest.mark.parametrize("signal", [0.0, 2.0])
def test_the_largest_quadratic_direction_stays_below_its_bound(linear: bool, signal: float) -> None:
    d, failure, draws = 6, 0.5, 200
    p = d * (d + 3) // 2 if linear else d * (d + 1) // 2
    n = 2 * p
    rng = np.random.default_rng(p)
    bound = direction_bound(d, n, RIDGE, signal, NOISE, failure=failure, linear=linear)
    norms = []
    for _ in range(draws):
        R = quadratic_map(rng.standard_normal((n, d)), linear=linear)
        w0 = signal / np.sqrt(p) * rng.standard_normal(p)
        y = R @ w0 + NOISE * rng.standard_normal(n)
        error = w0 - np.linalg.solve(R.T @ R / n + RIDGE * np.eye(p), R.T @ y / n)
        norms.append(np.linalg.norm(split_direction(error)[1], 2))
    exceeded = np.mean(np.array(norms) > bound)
    assert exceeded <= failure + 3 * np.sqrt(failure * (1 - failure) / draws)
    # it is a bound of the right order, not any large number: the net loses a factor of a few
    assert bound / 8 < np.mean(norms) < bound


def test_a_direction_bound_covers_a_covariance_and_adds_to_the_bias() -> None:
    d, n, draws = 5, 60, 150
    p = d * (d + 3) // 2
    rng = np.random.default_rng(1)
    Sigma = _symmetric(p)
    root = np.real(linalg.sqrtm(Sigma))
    largest = float(np.linalg.norm(Sigma, 2))
    w0 = np.ones(p) / np.sqrt(p)
    bound = direction_bound(d, n, RIDGE, 0.0, NOISE, failure=0.2, covariance_norm=largest)
    missed = 0
    for _ in range(draws):
        R = quadratic_map(rng.standard_normal((n, d))) @ root
        y = R @ w0 + NOISE * rng.standard_normal(n)
        error = w0 - np.linalg.solve(R.T @ R / n + RIDGE * np.eye(p), R.T @ y / n)
        norm = np.linalg.norm(split_direction(root @ error)[1], 2)
        missed += int(norm > diffuseness(R, w0, RIDGE, Sigma) + bound)
    assert missed / draws <= 0.2 + 3 * np.sqrt(0.16 / draws)


@pytest.mark.parametrize("linear", [True, False])
def test_the_direction_bound_is_a_union_over_the_quarter_net(linear: bool) -> None:
    """9^d Gaussian forms of variance at most L c_n, twice the largest of which bounds the norm: 2 exp(-t) in all."""
    d, n, failure, largest = 6, 90, 0.1, 1.7
    p = d * (d + 3) // 2 if linear else d * (d + 1) // 2
    bound = direction_bound(d, n, RIDGE, 2.0, NOISE, failure=failure, covariance_norm=largest, linear=linear)
    variance = largest * (4.0 / p + NOISE**2 / (4 * n * RIDGE))
    # P(||B|| > x) <= 9^d P(2 |N(0, variance)| > x) <= 2 9^d exp(-x^2 / (8 variance)), which is the failure here.
    assert np.log(2) + d * np.log(9) - bound**2 / (8 * variance) == pytest.approx(np.log(failure), rel=1e-10)


def test_the_direction_bound_shrinks_as_a_fourth_root() -> None:
    def at(d: int) -> float:
        return direction_bound(d, d * (d + 3), 0.5, 2.0, 0.5)

    # p/n fixed: sqrt(d/n) with d of order sqrt(n), so sixteen times the rows halve it
    assert at(4000) / at(1000) == pytest.approx(0.5, rel=0.01)


def test_bad_input_is_refused() -> None:
    with pytest.raises(ValueError, match="2 columns, got 3"):
        error_variance(np.eye(2), np.ones(3), 0.1, 1.0)
    with pytest.raises(ValueError, match="ridge"):
        error_variance(np.eye(2), np.ones(2), 0.0, 1.0)
    for bad in (0.0, 1.0, np.nan):
        with pytest.raises(ValueError, match="failure"):
            direction_bound(3, 20, 0.1, 1.0, 1.0, failure=bad)
    with pytest.raises(ValueError, match="dimension"):
        direction_bound(0, 20, 0.1, 1.0, 1.0)
    with pytest.raises(ValueError, match="signal"):
        direction_bound(3, 20, 0.1, -1.0, 1.0)
