"""The table of rules on simulated cases where the right answer is known."""

from collections.abc import Callable

import numpy as np
import pytest

from ngrc import NGRC
from ngrc._types import FloatArray
from ngrc.diagnosis import RULES, Diagnosis, diagnose

Noise = Callable[[np.random.Generator, int], FloatArray]
LENGTH = 3000


def autoregression(noise: Noise, seed: int) -> FloatArray:
    shocks = noise(np.random.default_rng(seed), LENGTH)
    y = np.zeros(LENGTH)
    for t in range(1, LENGTH):
        y[t] = 0.7 * y[t - 1] + shocks[t]
    return y


def examine(noise: Noise, seed: int) -> Diagnosis:
    return diagnose(autoregression(noise, seed), NGRC(lags=4, degree=1))


def late_change(rng: np.random.Generator, n: int) -> FloatArray:
    return rng.normal(size=n) * np.where(np.arange(n) < 0.55 * n, 1.0, 2.0)


def early_change(rng: np.random.Generator, n: int) -> FloatArray:
    return rng.normal(size=n) * np.where(np.arange(n) < 0.38 * n, 1.0, 2.0)


def storms(rng: np.random.Generator, n: int) -> FloatArray:
    return rng.normal(size=n) * np.exp(0.7 * np.sin(np.arange(n) / 25))


CASES: dict[str, tuple[Noise, str, str]] = {
    "Gaussian and steady": (lambda rng, n: rng.normal(size=n), "bayes", "Gaussian and steady"),
    "Laplace": (lambda rng, n: rng.laplace(size=n), "split", "heavy tails"),
    "Student t with 4 degrees": (lambda rng, n: rng.standard_t(4, size=n), "split", "heavy tails"),
    "exponential": (lambda rng, n: rng.exponential(size=n) - 1, "asymmetric", "skew"),
    "variance change": (late_change, "adaptive", "drifting scale"),
    "variance change at the fit block's end": (early_change, "adaptive", "changed scale"),
    "calm and stormy stretches": (storms, "adaptive", "clustered scale"),
    "uniform": (lambda rng, n: rng.uniform(-1, 1, size=n), "split", "other shape"),
}


@pytest.mark.parametrize("case", CASES)
def test_known_cases(case: str) -> None:
    noise, method, rule = CASES[case]
    found = [examine(noise, seed).advice for seed in range(10)]
    # At most one seed in ten may fall on the other side of a threshold: each stands three errors out.
    assert sum(advice.by_rules == method for advice in found) >= 9
    assert sum(rule in advice.rules for advice in found) >= 9
    assert all(advice.reasons and advice.changes for advice in found)


def linear_process(signal: float, seed: int, lags: int = 60, n: int = 750) -> FloatArray:
    """An autoregression of long memory whose lags are nearly isotropic features."""
    rng = np.random.default_rng(seed)
    weights = np.random.default_rng(0).normal(size=lags)
    weights *= signal / np.linalg.norm(weights)
    y = rng.normal(size=n + lags)
    for t in range(lags, n + lags):
        y[t] = weights @ y[t - lags : t] + rng.normal()
    return y[lags:]


@pytest.mark.parametrize(
    ("signal", "ridge", "ordering"), [(0.5, 0.8, "conformal wider"), (0.05, 0.3, "bayes wider")]
)
def test_high_dimension_tells_the_side_of_the_boundary(signal: float, ridge: float, ordering: str) -> None:
    found = [
        diagnose(linear_process(signal, seed), NGRC(lags=60, degree=1, ridge=ridge)) for seed in range(8)
    ]
    for diagnosis in found:
        assert diagnosis.dimension is not None
        assert diagnosis.diagnostics.p_over_n > 0.1
        assert "high dimension" in diagnosis.advice.rules
        # Without signal to shrink away, overfitting makes the raw scale too small.
        assert signal > 0.1 or diagnosis.dimension.raw_noise < diagnosis.dimension.noise
    assert sum(diagnosis.dimension.ordering == ordering for diagnosis in found if diagnosis.dimension) >= 7
    assert sum(diagnosis.advice.by_rules == "split" for diagnosis in found) >= 7


def test_the_noise_estimate_is_the_noise() -> None:
    estimates = []
    for seed in range(8):
        model = NGRC(lags=60, degree=1, ridge=0.3)
        diagnosis = diagnose(linear_process(0.5, seed), model)
        assert diagnosis.dimension is not None
        estimates.append(diagnosis.dimension.noise * diagnosis.run.scale[1])
    error = np.std(estimates, ddof=1) / np.sqrt(len(estimates))
    # Three Monte-Carlo errors, and two per cent for the bias of the estimator at p/n = 0.2.
    assert abs(np.mean(estimates) - 1.0) < 3 * error + 0.02


def test_too_few_residuals_for_the_level() -> None:
    y = np.random.default_rng(0).normal(size=150)
    advice = diagnose(y, NGRC(lags=1, degree=1), level=0.99).advice
    assert advice.rules[0] == "too little calibration"
    assert advice.by_rules == "student"


def test_advice_never_looks_at_the_test_block() -> None:
    y = autoregression(lambda rng, n: rng.normal(size=n), 3)
    changed = y.copy()
    changed[-500:] *= 20
    one, other = (diagnose(values, NGRC(lags=4, degree=1)) for values in (y, changed))
    assert one.advice == other.advice
    assert one.shape == other.shape
    assert one.predicted_coverage == other.predicted_coverage
    assert one.observed_coverage != other.observed_coverage


def test_predicted_coverage_meets_the_observed_one_on_steady_series() -> None:
    gaps = []
    for seed in range(12):
        found = examine(lambda rng, n: rng.laplace(size=n), seed)
        gaps.append(found.predicted_coverage - found.observed_coverage)
    assert abs(np.mean(gaps)) < 3 * np.std(gaps, ddof=1) / np.sqrt(len(gaps))


def test_every_rule_states_its_threshold_and_a_known_method() -> None:
    from ngrc.intervals import METHODS

    assert len({rule.name for rule in RULES}) == len(RULES)
    for rule in RULES:
        assert rule.threshold
        assert rule.method in METHODS
