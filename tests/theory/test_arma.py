import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import signal

from ngrc._types import FloatArray
from ngrc.theory import arma_from_kernel

COEFFICIENTS = st.lists(st.floats(-0.4, 0.4), min_size=0, max_size=3)


def _memory_path(A: FloatArray, B: FloatArray, C: FloatArray, noise: FloatArray) -> FloatArray:
    """x with A(L) x = m + e and C(L) m = B(L) x, the memory m stepped as a state; B_0 = 0."""
    steps = noise.size
    x, memory = np.zeros(steps), np.zeros(steps)
    for t in range(steps):
        for j in range(1, B.size):
            memory[t] += B[j] * x[t - j] if t >= j else 0.0
        for j in range(1, C.size):
            memory[t] -= C[j] * memory[t - j] if t >= j else 0.0
        memory[t] /= C[0]
        x[t] = memory[t] + noise[t]
        for j in range(1, A.size):
            x[t] -= A[j] * x[t - j] if t >= j else 0.0
        x[t] /= A[0]
    return x


@given(a=COEFFICIENTS, b=COEFFICIENTS, c=COEFFICIENTS, lead=st.sampled_from([1.0, -2.0, 0.5]))
@settings(deadline=None, max_examples=60)
def test_memory_system_and_arma_recursion_give_the_same_path(
    a: list[float], b: list[float], c: list[float], lead: float
) -> None:
    A, B, C = np.array([1.5, *a]), np.array([0.0, *b]), np.array([lead, *c])
    noise = np.random.default_rng(0).standard_normal(40)
    model = arma_from_kernel(A, B, C)
    path = signal.lfilter(model.theta, model.phi, model.innovation_scale * noise)
    np.testing.assert_allclose(path, _memory_path(A, B, C, noise), rtol=1e-8, atol=1e-8)


@given(a=COEFFICIENTS, b=COEFFICIENTS, c=COEFFICIENTS)
@settings(deadline=None, max_examples=40)
def test_polynomials_satisfy_their_definition(a: list[float], b: list[float], c: list[float]) -> None:
    A, B, C = np.array([1.0, *a]), np.array([0.3, *b]), np.array([2.0, *c])
    model = arma_from_kernel(A, B, C)
    value = np.polynomial.polynomial.polyval
    for z in (0.7, -1.1, 0.4 + 0.9j):
        wanted = value(z, C) * value(z, A) - value(z, B)
        assert value(z, model.phi) * (2.0 - 0.3) == pytest.approx(wanted, rel=1e-10, abs=1e-10)
        assert value(z, model.theta) * 2.0 == pytest.approx(value(z, C), rel=1e-12)
    assert model.phi[0] == model.theta[0] == 1.0
    assert model.innovation_scale == pytest.approx(2.0 / 1.7)


def test_a_finite_kernel_enlarges_the_autoregression_only() -> None:
    model = arma_from_kernel([1.0, -0.5], [0.0, 0.1, 0.2, 0.05], [1.0])
    assert model.moving_average.size == 0
    np.testing.assert_allclose(model.autoregressive, [0.6, 0.2, 0.05])


def test_degrees_are_those_of_the_polynomials() -> None:
    model = arma_from_kernel([1.0, -0.5, 0.0], [0.0], [1.0, 0.3, 0.0, 0.0])
    assert model.phi.size == 3
    assert model.theta.size == 2


def test_stationary_and_invertible() -> None:
    calm = arma_from_kernel([1.0, -0.5], [0.0, 0.1], [1.0, -0.6])
    assert calm.stationary
    assert calm.invertible
    wild = arma_from_kernel([1.0, -0.95], [0.0, 0.3], [1.0, -1.2])
    assert not wild.stationary
    assert not wild.invertible
    # eigenvalues of the companion matrix must agree
    companion = np.vstack([calm.autoregressive, np.eye(1, 2)])
    assert np.abs(np.linalg.eigvals(companion)).max() < 1
    assert arma_from_kernel([1.0], [0.0], [1.0]).stationary


def test_bad_input_is_refused() -> None:
    with pytest.raises(ValueError, match="differ from zero"):
        arma_from_kernel([1.0], [0.5], [0.0, 1.0])
    with pytest.raises(ValueError, match="differ from zero"):
        arma_from_kernel([1.0], [1.0], [1.0])
    with pytest.raises(ValueError, match="at least one coefficient"):
        arma_from_kernel([1.0], [], [1.0])
    with pytest.raises(ValueError, match="finite"):
        arma_from_kernel([1.0, np.nan], [0.0], [1.0])
