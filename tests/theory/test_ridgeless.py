import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ngrc.theory import limiting_risk, limiting_training_scale, phase, resolvent_limits, ridgeless

RATIOS = st.one_of(st.floats(0.05, 0.9), st.floats(1.1, 8.0))


@given(gamma=RATIOS, signal=st.floats(0.0, 5.0), noise=st.floats(0.1, 3.0))
@settings(deadline=None)
def test_it_is_the_limit_of_a_vanishing_penalty(gamma: float, signal: float, noise: float) -> None:
    limit, penalty = ridgeless(gamma, signal, noise), 1e-10
    # the first correction is of order lambda/(1 - gamma)^3, at most 1e-7 here
    assert limiting_risk(gamma, penalty, signal, noise) == pytest.approx(limit.v_conformal, rel=1e-6)
    training = limiting_training_scale(gamma, penalty, signal, noise)
    assert training == pytest.approx(limit.training, rel=1e-6, abs=1e-6)
    near = phase(gamma, penalty, signal, noise, 0.9)
    assert near.coverage_bayes == pytest.approx(limit.coverage_bayes(0.9), abs=1e-4)
    assert near.width_conformal == pytest.approx(limit.widths(0.9).conformal, rel=1e-6)
    if gamma < 1:
        assert near.v_bayes == pytest.approx(limit.v_bayes, rel=1e-6)
        assert limit.ordering == "equal"
    else:
        assert penalty * near.v_bayes == pytest.approx(noise**2 * (gamma - 1), rel=1e-6)
        assert (limit.v_bayes, limit.widths(0.9).bayes, limit.ordering) == (np.inf, np.inf, "bayes wider")
        limits = resolvent_limits(gamma, penalty)
        assert penalty * limits.I1 == pytest.approx(1 - 1 / gamma, rel=1e-6)


@pytest.mark.parametrize("p", [30, 90, 240, 600])
def test_least_squares_of_least_norm_has_this_risk(p: int) -> None:
    n, signal, noise, draws = 120, 1.5, 0.8, 60
    rng = np.random.default_rng(p)
    risks, residuals = np.empty(draws), np.empty(draws)
    for draw in range(draws):
        R = rng.standard_normal((n, p))
        w0 = rng.standard_normal(p)
        w0 *= signal / np.linalg.norm(w0)
        y = R @ w0 + noise * rng.standard_normal(n)
        weights = np.linalg.pinv(R) @ y
        risks[draw] = noise**2 + np.sum((weights - w0) ** 2)
        residuals[draw] = np.mean((y - R @ weights) ** 2)
    limit = ridgeless(p / n, signal, noise)
    # E tr (R'R)^-1 of a Gaussian design is p/(n - p - 1), and n/(p - n - 1) the other way round: what n = 120 adds
    finite = noise**2 * (p / (n - p - 1) if p < n else n / (p - n - 1)) - limit.variance
    for values, wanted in ((risks, limit.v_conformal + finite), (residuals, limit.training)):
        error = np.std(values, ddof=1) / np.sqrt(draws)
        assert np.mean(values) == pytest.approx(wanted, abs=4 * error + 1e-12)


def test_the_finite_share_vanishes() -> None:
    n = 10**7
    assert 0.5 * n / (0.5 * n - 1) == pytest.approx(ridgeless(0.5, 1.0, 1.0).variance, rel=1e-6)
    assert n / (n - 1) == pytest.approx(ridgeless(2.0, 1.0, 1.0).variance, rel=1e-6)


def test_bad_input_is_refused() -> None:
    with pytest.raises(ValueError, match="gamma must not be 1: at p = n"):
        ridgeless(1.0, 1.0, 1.0)
    for bad in (0.0, -1.0, np.nan, np.inf):
        with pytest.raises(ValueError, match="gamma"):
            ridgeless(bad, 1.0, 1.0)
        with pytest.raises(ValueError, match="noise"):
            ridgeless(0.5, 1.0, bad)
    with pytest.raises(ValueError, match="signal"):
        ridgeless(0.5, -1.0, 1.0)
