from decimal import Decimal, localcontext
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import optimize, stats

from ngrc.theory import (
    ResolventLimits,
    decompose,
    limiting_risk,
    limiting_risk_derivative,
    limiting_training_scale,
    optimal_ridge,
    phase,
    resolvent_limits,
    ridgeless,
    spectrum,
    training_scale,
)
from tests.theory.twins import marchenko_pastur

GAMMAS = [0.1, 0.5, 0.9, 1.0, 1.25, 3.0]
RIDGES = [0.05, 0.2, 1.0, 8.0]
GAMMA = st.floats(-6, 6).map(lambda power: 10.0**power)
RIDGE = st.floats(-12, 6).map(lambda power: 10.0**power)


def _triple(limits: ResolventLimits) -> list[float]:
    return [limits.I1, limits.I2, limits.J]


@pytest.mark.parametrize("gamma", GAMMAS)
@pytest.mark.parametrize("ridge", RIDGES)
def test_limits_against_quadrature_of_the_density(gamma: float, ridge: float) -> None:
    integrals = [
        marchenko_pastur(lambda x: 1 / (x + ridge), gamma),
        marchenko_pastur(lambda x: 1 / (x + ridge) ** 2, gamma),
        marchenko_pastur(lambda x: x / (x + ridge) ** 2, gamma),
    ]
    assert marchenko_pastur(lambda x: 1.0, gamma) == pytest.approx(1.0, rel=1e-10)
    np.testing.assert_allclose(_triple(resolvent_limits(gamma, ridge)), integrals, rtol=1e-8)


def _exact(gamma: float, ridge: float) -> list[float]:
    """The root of the quadratic, its numerical derivative and their plain difference, in 150 digits."""

    def first(penalty: Decimal) -> Decimal:
        b = 1 - g + penalty
        return ((b * b + 4 * g * penalty).sqrt() - b) / (2 * g * penalty)

    with localcontext(prec=150):
        g, r = Decimal(gamma), Decimal(ridge)
        step = r.scaleb(-40)
        second = (first(r - step) - first(r + step)) / (2 * step)
        return [float(first(r)), float(second), float(first(r) - r * second)]


@given(gamma=GAMMA, ridge=RIDGE)
@settings(deadline=None, max_examples=200)
def test_limits_keep_their_digits_everywhere(gamma: float, ridge: float) -> None:
    np.testing.assert_allclose(
        _triple(resolvent_limits(gamma, ridge)), _exact(gamma, ridge), rtol=2e-14, atol=0.0
    )


@pytest.mark.parametrize("gamma", [1e-9, 1 - 1e-13, 1.0, 1 + 1e-13, 1 + 1e-6, 2.0, 1e9])
@pytest.mark.parametrize("ridge", [1e-12, 1e-6, 1.0, 1e6])
def test_limits_at_the_edges(gamma: float, ridge: float) -> None:
    np.testing.assert_allclose(
        _triple(resolvent_limits(gamma, ridge)), _exact(gamma, ridge), rtol=2e-14, atol=0.0
    )


@pytest.mark.parametrize(("gamma", "ridge"), [(1.0, 1e-12), (2.0, 1e-12), (0.5, 1e6), (1.0, 1e6)])
def test_extremes_against_quadrature_with_many_digits(gamma: float, ridge: float) -> None:
    mp = pytest.importorskip("mpmath")
    with mp.workdps(40):
        g, r = mp.mpf(gamma), mp.mpf(ridge)
        low, span = (1 - mp.sqrt(g)) ** 2, 4 * mp.sqrt(g)

        def weighted(angle: Any) -> Any:
            # x = low + span sin^2(angle): the square-root edges of the density become smooth
            x = low + span * mp.sin(angle) ** 2
            return span**2 * (mp.sin(angle) * mp.cos(angle)) ** 2 / (mp.pi * g * (x + r) ** 2)

        turns = [turn for turn in (mp.mpf(0), mp.sqrt(r) / 2, mp.mpf(1) / 10) if turn < 1]
        exact = float(mp.quad(weighted, [*turns, mp.pi / 2]))
    np.testing.assert_allclose(resolvent_limits(gamma, ridge).J, exact, rtol=1e-13)


@given(gamma=GAMMA, ridge=RIDGE)
@settings(deadline=None, max_examples=80)
def test_nonzero_spectrum_is_shared_with_the_transposed_design(gamma: float, ridge: float) -> None:
    """R'R/n and RR'/n share it: J(gamma, lambda) = J(1/gamma, lambda/gamma)/gamma^2."""
    found, other = resolvent_limits(gamma, ridge), resolvent_limits(1 / gamma, ridge / gamma)
    # Near gamma = 1 the rounding of 1/gamma itself is amplified by 1/D.
    root = np.hypot(1 - gamma + ridge, 2 * np.sqrt(gamma * ridge))
    rounding = 8 * np.finfo(float).eps * max(gamma, 1.0) / root
    np.testing.assert_allclose(found.J, other.J / gamma**2, rtol=1e-12 + rounding)
    np.testing.assert_allclose(found.I1 - ridge * found.I2, found.J, atol=1e-13 * found.I1)
    assert 0 < found.I1 < 1 / ridge * (1 + 1e-15)
    assert found.I1**2 <= found.I2 * (1 + 1e-14)


@pytest.mark.parametrize("gamma", [0.5, 1.0, 2.0])
def test_limits_against_simulated_designs(gamma: float) -> None:
    rng = np.random.default_rng(0)
    n, ridge, draws = 150, 0.2, 12
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
    n, p, ridge, signal, noise, draws = 200, 300, 0.2, 2.0, 1.0, 10
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
    ridge, signal, noise, n = 0.2, 1.5, 0.8, 150
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


def test_a_vanishing_ratio_alone_leaves_the_ridge_bias() -> None:
    signal, noise, ridge = 2.0, 0.5, 0.3
    # S tends to I: every coefficient is shrunk by 1/(1 + lambda), and s^2 lambda^2/(1 + lambda)^2 stays
    bias = (signal * ridge / (1 + ridge)) ** 2
    assert limiting_risk(1e-9, ridge, signal, noise) == pytest.approx(noise**2 + bias, rel=1e-6)
    near = phase(1e-9, ridge, signal, noise, 0.9)
    assert near.v_bayes == pytest.approx(noise**2, rel=1e-6)
    assert near.coverage_bayes < 0.9
    # the two limits do not exchange their roles: without the penalty nothing but the noise is left
    assert limiting_risk(1e-9, 1e-9, signal, noise) == pytest.approx(noise**2, rel=1e-6)
    assert ridgeless(1e-9, signal, noise).v_conformal == pytest.approx(noise**2, rel=1e-6)


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
