import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from ngrc.theory import (
    CentredExponential,
    Gaussian,
    Laplace,
    StudentT,
    effective_dimension,
    effective_dimension_correction,
    fixed_dimension,
)

LEVELS = [0.80, 0.90, 0.95, 0.99]


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("name", ["gaussian", "laplace", "t5", "exponential"])
def test_limits_against_scipy(name: str, level: float) -> None:
    twin = {
        "gaussian": stats.norm(),
        "laplace": stats.laplace(scale=np.sqrt(0.5)),
        "t5": stats.t(5, scale=np.sqrt(0.6)),
        "exponential": stats.expon(loc=-1),
    }[name]
    found = fixed_dimension(name, level)
    z = stats.norm.ppf((1 + level) / 2)
    assert found.width_bayes == pytest.approx(2 * z, rel=1e-12)
    assert found.coverage_bayes == pytest.approx(twin.cdf(z) - twin.cdf(-z), rel=1e-12)
    half = found.width_conformal / 2
    assert twin.cdf(half) - twin.cdf(-half) == pytest.approx(level, rel=1e-11)
    assert found.difference == pytest.approx(found.width_bayes - found.width_conformal, abs=1e-12)
    assert found.coverage_conformal == level


@pytest.mark.parametrize("level", LEVELS)
def test_gaussian_residuals_agree_at_every_level(level: float) -> None:
    found = fixed_dimension(Gaussian(2.5), level)
    assert found.difference == pytest.approx(0.0, abs=1e-14)
    assert found.coverage_bayes == pytest.approx(level, rel=1e-13)


@pytest.mark.parametrize("law", [Laplace(), StudentT(5.0), CentredExponential()])
@given(level=st.floats(0.5, 0.999), scale=st.floats(1e-3, 1e3))
@settings(deadline=None, max_examples=30)
def test_widths_scale_and_coverage_does_not(
    law: Laplace | StudentT | CentredExponential, level: float, scale: float
) -> None:
    base = fixed_dimension(law, level)
    args = (law.df, scale) if isinstance(law, StudentT) else (scale,)
    scaled = fixed_dimension(type(law)(*args), level)
    assert scaled.width_bayes == pytest.approx(scale * base.width_bayes, rel=1e-10)
    assert scaled.width_conformal == pytest.approx(scale * base.width_conformal, rel=1e-10)
    assert scaled.coverage_bayes == pytest.approx(base.coverage_bayes, rel=1e-10)
    # The wider interval covers more: both signs come from one mismatch.
    assert np.sign(base.difference) == np.sign(base.coverage_bayes - level) or abs(base.difference) < 1e-9


def test_heavy_tails_change_sign_with_the_level() -> None:
    assert fixed_dimension("laplace", 0.80).difference > 0 > fixed_dimension("laplace", 0.99).difference


def test_sample_approaches_its_law() -> None:
    size = 40_000
    law = StudentT(5.0)
    sample = law.sample(size, rng=np.random.default_rng(11))
    found, limit = fixed_dimension(sample, 0.9), fixed_dimension(law, 0.9)
    density = 2 * stats.t(5, scale=np.sqrt(0.6)).pdf(limit.quantile)
    assert found.quantile == pytest.approx(limit.quantile, abs=4 * np.sqrt(0.09 / size) / density)
    # Var(e^2) of a standardised t5 is kurtosis - 1 = 8, heavy itself: 5 standard errors
    assert found.rms**2 == pytest.approx(1.0, abs=5 * np.sqrt(8 / size))
    assert found.coverage_bayes == pytest.approx(limit.coverage_bayes, abs=0.01)


def test_theorem_holds_for_a_misspecified_singular_design() -> None:
    """A nonlinear truth and a duplicated column: only the projection error's law may matter."""
    rng = np.random.default_rng(3)
    n, level = 60_000, 0.99
    base = rng.standard_normal((2 * n, 2))
    R = np.column_stack([base, base[:, 0]])
    # x^2 - 1 is uncorrelated with both features: all of it is projection error
    error = 0.5 * (base[:, 1] ** 2 - 1) + Laplace(0.8).sample(2 * n, rng=rng)
    y = base @ np.array([1.0, -0.5]) + error
    A = np.linalg.inv(R[:n].T @ R[:n] / n + 1e-6 * np.eye(3))
    w = A @ R[:n].T @ y[:n] / n
    fitted, calibrated = y[:n] - R[:n] @ w, np.abs(y[n:] - R[n:] @ w)
    z = stats.norm.ppf(0.995)
    bayes = 2 * z * np.sqrt(np.mean(fitted**2) * (1 + R[0] @ A @ R[0] / n))
    conformal = 2 * np.quantile(calibrated, level)
    truth = fixed_dimension(
        0.5 * (rng.standard_normal(10**6) ** 2 - 1) + Laplace(0.8).sample(10**6, rng=rng), level
    )
    blocks = [2 * np.quantile(block, level) for block in np.split(calibrated, 40)]
    spread = np.std(blocks) / np.sqrt(40)
    assert bayes - conformal == pytest.approx(truth.difference, abs=5 * spread)
    assert truth.difference < -20 * spread
    covered = np.mean(calibrated <= bayes / 2)
    assert covered == pytest.approx(truth.coverage_bayes, abs=5 * np.sqrt(0.02 / n))


@given(
    n=st.integers(2, 30), p=st.integers(1, 30), ridge=st.floats(1e-4, 10.0), seed=st.integers(0, 2**32 - 1)
)
@settings(deadline=None, max_examples=40)
def test_effective_dimension_correction_is_the_mean_squared_width(
    n: int, p: int, ridge: float, seed: int
) -> None:
    R = np.random.default_rng(seed).standard_normal((n, p))
    A = np.linalg.inv(R.T @ R / n + ridge * np.eye(p))
    squared = 1 + np.sum((R @ A) * R, axis=1) / n
    found = effective_dimension_correction(effective_dimension(R, ridge), n)
    assert found.squared_factor == pytest.approx(squared.mean(), rel=1e-9)
    assert found.width_factor**2 == pytest.approx(found.squared_factor)
    assert found.ratio == pytest.approx(found.squared_factor - 1)


def test_per_cent_is_a_level() -> None:
    assert fixed_dimension("t5", 95) == fixed_dimension("t5", 0.95)


def test_bad_input_is_refused() -> None:
    with pytest.raises(ValueError, match="level"):
        fixed_dimension("gaussian", 1.0)
    with pytest.raises(ValueError, match="must not exceed"):
        effective_dimension_correction(11.0, 10)
    with pytest.raises(ValueError, match="at least zero"):
        effective_dimension_correction(-1.0, 10)
    with pytest.raises(ValueError, match="rows"):
        effective_dimension_correction(1.0, 0)
