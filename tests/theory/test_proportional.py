import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import optimize, stats

from ngrc.theory import (
    decompose,
    limiting_risk,
    limiting_risk_derivative,
    limiting_training_scale,
    optimal_ridge,
    phase,
    resolvent_limits,
    spectrum,
    training_scale,
)
from tests.theory.twins import marchenko_pastur

GAMMAS = [0.1, 0.5, 0.9, 1.0, 1.25, 3.0]
RIDGES = [0.05, 0.2, 1.0, 8.0]
GAMMA = st.floats(-6, 6).map(lambda power: 10.0**power)
RIDGE = st.floats(-12, 6).map(lambda power: 10.0**power)


@pytest.mark.parametrize("gamma", GAMMAS)
@pytest.mark.parametrize("ridge", RIDGES)
def test_limits_against_quadrature_of_the_density(gamma: float, ridge: float) -> None:
    found = resolvent_limits(gamma, ridge)
    assert marchenko_pastur(lambda x: 1.0, gamma) == pytest.approx(1.0, rel=1e-10)
    assert found.I1 == pytest.approx(marchenko_pastur(lambda x: 1 / (x + ridge), gamma), rel=1e-8)
    assert found.I2 == pytest.approx(marchenko_pastur(lambda x: 1 / (x + ridge) ** 2, gamma), rel=1e-8)
    assert found.J == pytest.approx(marchenko_pastur(lambda x: x / (x + ridge) ** 2, gamma), rel=1e-8)


def _exact(gamma: float, ridge: float) -> tuple[mpmath.mpf, mpmath.mpf, mpmath.mpf]:
    """The root of the quadratic, its derivative and the plain difference, with 120 digits."""

    def first(penalty: mpmath.mpf) -> mpmath.mpf:
        b = 1 - g + penalty
        return (mpmath.sqrt(b * b + 4 * g * penalty) - b) / (2 * g * penalty)

    with mpmath.workdps(120):
        g, r = mpmath.mpf(gamma), mpmath.mpf(ridge)
        step = r * mpmath.mpf(10) ** -40
        second = (first(r - step) - first(r + step)) / (2 * step)
        return first(r), second, first(r) - r * second


@given(gamma=GAMMA, ridge=RIDGE)
@settings(deadline=None, max_examples=150)
def test_limits_keep_their_digits_everywhere(gamma: float, ridge: float) -> None:
    found, exact = resolvent_limits(gamma, ridge), _exact(gamma, ridge)
    assert found.I1 == pytest.approx(float(exact[0]), rel=2e-14)
    assert found.I2 == pytest.approx(float(exact[1]), rel=5e-14)
    assert found.J == pytest.approx(float(exact[2]), rel=2e-14)


@pytest.mark.parametrize("gamma", [1e-9, 1 - 1e-13, 1.0, 1 + 1e-13, 1 + 1e-6, 2.0, 1e9])
@pytest.mark.parametrize("ridge", [1e-12, 1e-6, 1.0, 1e6])
def test_limits_at_the_edges(gamma: float, ridge: float) -> None:
    found, exact = resolvent_limits(gamma, ridge), _exact(gamma, ridge)
    np.testing.assert_allclose([found.I1, found.I2, found.J], [float(x) for x in exact], rtol=5e-14)


@pytest.mark.parametrize(("gamma", "ridge"), [(1.0, 1e-12), (2.0, 1e-12), (0.5, 1e6), (1.0, 1e6)])
def test_extremes_against_quadrature_with_many_digits(gamma: float, ridge: float) -> None:
    with mpmath.workdps(40):
        g, r = mpmath.mpf(gamma), mpmath.mpf(ridge)
        low, high = (1 - mpmath.sqrt(g)) ** 2, (1 + mpmath.sqrt(g)) ** 2

        def weighted(angle: mpmath.mpf) -> mpmath.mpf:
            # x = low + (high - low) sin^2; at gamma = 1 one factor sin^2 cancels against x
            x = low + (high - low) * mpmath.sin(angle) ** 2
            density = 2 * (high - low) ** 2 * (mpmath.sin(angle) * mpmath.cos(angle)) ** 2
            return x / (x + r) ** 2 * density / (2 * mpmath.pi * g * x)

        turns = sorted({mpmath.mpf(0), mpmath.sqrt(r) / 2, mpmath.mpf(1) / 10, mpmath.pi / 2})
        exact = mpmath.quad(weighted, [turn for turn in turns if turn <= mpmath.pi / 2])
    assert resolvent_limits(gamma, ridge).J == pytest.approx(float(exact), rel=1e-12)


@given(gamma=GAMMA, ridge=RIDGE)
@settings(deadline=None, max_examples=80)
def test_nonzero_spectrum_is_shared_with_the_transposed_design(gamma: float, ridge: float) -> None:
    """R'R/n and RR'/n: J(gamma, lambda) = J(1/gamma, lambda/gamma)/gamma^2, and the identity J = I1 - lambda I2."""
    found, other = resolvent_limits(gamma, ridge), resolvent_limits(1 / gamma, ridge / gamma)
    assert found.J == pytest.approx(other.J / gamma**2, rel=1e-12)
    assert found.J == pytest.approx(found.I1 - ridge * found.I2, abs=1e-13 * found.I1)
    assert 0 < found.I1 < 1 / ridge * (1 + 1e-15)
    assert found.I1**2 <= found.I2 * (1 + 1e-14)


@pytest.mark.parametrize("gamma", [0.5, 1.0, 2.0])
def test_limits_against_simulated_designs(gamma: float) -> None:
    rng = np.random.default_rng(0)
    n, ridge, draws = 300, 0.2, 12
    p = round(gamma * n)
    rows = []
    for _ in range(draws):
        traces = spectrum(rng.standard_normal((n, p))).traces(ridge)
        rows.append([traces.resolvent / p, traces.squared / p, traces.sandwich / p])
    mean, error = np.mean(rows, axis=0), np.std(rows, axis=0, ddof=1) / np.sqrt(draws)
    limits = resolvent_limits(gamma, ridge)
    wanted = np.array([limits.I1, limits.I2, limits.J])
    # 4 Monte-Carlo errors, and a bias of order 1/n for real Gaussian entries
    np.testing.assert_array_less(np.abs(mean - wanted), 4 * error + 5 * wanted / n)


@pytest.mark.parametrize("gamma", [0.25, 1.0, 1.5])
@pytest.mark.parametrize("ridge", [0.05, 1.0])
@pytest.mark.parametrize("signal", [0.0, 0.5, 2.0])
def test_phase_fields_follow_the_corollary(gamma: float, ridge: float, signal: float) -> None:
    noise, level = 1.3, 0.9
    found, limits = phase(gamma, ridge, signal, noise, level), resolvent_limits(gamma, ridge)
    v_b = noise**2 * (1 + gamma * limits.I1)
    v_c = noise**2 * (1 + gamma * limits.J) + signal**2 * ridge**2 * limits.I2
    z = stats.norm.ppf(0.95)
    assert found.v_bayes == pytest.approx(v_b)
    assert found.v_conformal == pytest.approx(v_c)
    assert found.gap == pytest.approx(v_b - v_c, abs=1e-12)
    assert found.coverage_bayes == pytest.approx(2 * stats.norm.cdf(z * np.sqrt(v_b / v_c)) - 1)
    assert found.width_bayes == pytest.approx(2 * z * np.sqrt(v_b))
    assert found.width_conformal == pytest.approx(2 * z * np.sqrt(v_c))
    wider = "bayes wider" if signal**2 * ridge < noise**2 * gamma else "conformal wider"
    assert found.ordering == wider
    assert (found.coverage_bayes > level) == (wider == "bayes wider")


@given(
    gamma=GAMMA,
    signal=st.floats(0.01, 100),
    noise=st.floats(0.01, 100),
    level=st.floats(0.5, 0.99),
)
@settings(deadline=None, max_examples=60)
def test_boundary_is_the_optimal_penalty(gamma: float, signal: float, noise: float, level: float) -> None:
    ridge = optimal_ridge(gamma, signal, noise)
    found = phase(gamma, ridge, signal, noise, level)
    assert found.ordering == "equal"
    assert found.v_bayes == pytest.approx(found.v_conformal, rel=1e-12)
    assert found.coverage_bayes == pytest.approx(level, rel=1e-11)
    assert phase(gamma, ridge * 1.01, signal, noise, level).ordering == "conformal wider"
    assert phase(gamma, ridge / 1.01, signal, noise, level).ordering == "bayes wider"
    here = limiting_risk(gamma, ridge, signal, noise)
    assert here <= limiting_risk(gamma, ridge * 1.3, signal, noise) * (1 + 1e-14)
    assert here <= limiting_risk(gamma, ridge / 1.3, signal, noise) * (1 + 1e-14)


def test_phase_is_the_limit_of_finite_designs() -> None:
    rng = np.random.default_rng(1)
    n, p, ridge, signal, noise, draws = 300, 450, 0.2, 2.0, 1.0, 10
    direction = np.ones(p) * signal / np.sqrt(p)
    finite = [decompose(rng.standard_normal((n, p)), direction, ridge, noise) for _ in range(draws)]
    found = phase(p / n, ridge, signal, noise, 0.95)
    for values, wanted in (
        ([item.bayes for item in finite], found.v_bayes),
        ([item.conformal for item in finite], found.v_conformal),
        ([item.gap for item in finite], found.gap),
    ):
        error = np.std(values, ddof=1) / np.sqrt(draws)
        assert np.mean(values) == pytest.approx(wanted, abs=4 * error + 3 * abs(wanted) / n)


@pytest.mark.parametrize("gamma", GAMMAS)
@pytest.mark.parametrize(("signal", "noise"), [(2.0, 1.0), (0.3, 0.7)])
def test_risk_and_its_derivative(gamma: float, signal: float, noise: float) -> None:
    ridge = 0.3
    risk = noise**2 + marchenko_pastur(
        lambda x: (signal**2 * ridge**2 + noise**2 * gamma * x) / (x + ridge) ** 2, gamma
    )
    assert limiting_risk(gamma, ridge, signal, noise) == pytest.approx(risk, rel=1e-8)
    slope = 2 * (signal**2 * ridge - noise**2 * gamma)
    slope *= marchenko_pastur(lambda x: x / (x + ridge) ** 3, gamma)
    assert limiting_risk_derivative(gamma, ridge, signal, noise) == pytest.approx(slope, rel=1e-8)
    found = optimize.minimize_scalar(
        lambda t: limiting_risk(gamma, float(np.exp(t)), signal, noise), bracket=(-3.0, 0.0), tol=1e-10
    )
    assert np.exp(found.x) == pytest.approx(optimal_ridge(gamma, signal, noise), rel=1e-3)


@pytest.mark.parametrize("gamma", [0.4, 1.0, 2.5])
def test_training_scale_limit(gamma: float) -> None:
    ridge, signal, noise, n = 0.2, 1.5, 0.8, 300
    limits = resolvent_limits(gamma, ridge)
    plain = (signal * ridge) ** 2 * limits.J + noise**2 * (1 - gamma + gamma * ridge**2 * limits.I2)
    found = limiting_training_scale(gamma, ridge, signal, noise)
    assert found == pytest.approx(plain, rel=1e-12)
    rng, p = np.random.default_rng(2), round(gamma * n)
    w0 = np.full(p, signal / np.sqrt(p))
    finite = [training_scale(rng.standard_normal((n, p)), w0, ridge, noise).total for _ in range(12)]
    assert found == pytest.approx(np.mean(finite), abs=4 * np.std(finite) / np.sqrt(12) + 3 * found / n)
    assert abs(found - noise**2) > 0.05


def test_training_scale_without_penalty_loses_one_share_per_feature() -> None:
    assert limiting_training_scale(0.4, 1e-12, 0.0, 1.0) == pytest.approx(0.6, rel=1e-9)
    # beyond interpolation the residual vanishes as lambda^2, a digit-for-digit zero of the plain formula
    assert limiting_training_scale(2.0, 1e-9, 0.0, 1.0) == pytest.approx(1e-18, rel=1e-6)


@pytest.mark.parametrize("bad", [0.0, -1.0, np.nan, np.inf])
def test_bad_input_is_refused(bad: float) -> None:
    with pytest.raises(ValueError, match="gamma"):
        resolvent_limits(bad, 1.0)
    with pytest.raises(ValueError, match="ridge"):
        resolvent_limits(1.0, bad)
    with pytest.raises(ValueError, match="noise"):
        phase(1.0, 1.0, 1.0, bad, 0.9)
    with pytest.raises(ValueError, match="signal"):
        optimal_ridge(1.0, bad, 1.0)
    with pytest.raises(ValueError, match="gamma"):
        limiting_risk_derivative(bad, 1.0, 1.0, 1.0)
    with pytest.raises(ValueError, match="level"):
        phase(1.0, 1.0, 1.0, 1.0, bad)


def test_negative_signal_is_refused() -> None:
    with pytest.raises(ValueError, match="signal"):
        phase(1.0, 1.0, -1.0, 1.0, 0.9)
