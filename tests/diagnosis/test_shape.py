"""Residual summaries against closed forms, each within a stated multiple of its sampling error."""

import numpy as np
import pytest

from ngrc.diagnosis import residual_shape
from ngrc.diagnosis.shape import correlation

N = 40_000


def test_gaussian_summaries_are_near_zero() -> None:
    shape = residual_shape(np.random.default_rng(0).normal(size=N), 0.95)
    assert abs(shape.excess_kurtosis) < 4 * np.sqrt(24 / N)
    assert abs(shape.skew) < 4 * shape.skew_error
    assert abs(shape.autocorrelation) < 4 * shape.correlation_error
    assert abs(shape.clustering) < 4 * shape.correlation_error
    assert 1.0 <= shape.drift < np.exp(6 * shape.drift_error)


def test_skew_of_the_exponential_has_its_closed_form() -> None:
    shape = residual_shape(np.random.default_rng(1).exponential(size=N), 0.9)
    low, middle, high = -np.log([0.95, 0.5, 0.05])
    assert shape.skew == pytest.approx((high + low - 2 * middle) / (high - low), abs=0.02)


def test_the_stated_skew_error_is_the_sampling_error() -> None:
    draws = np.random.default_rng(2).normal(size=(2000, 400))
    skews = [residual_shape(draw, 0.9) for draw in draws]
    spread = np.std([shape.skew for shape in skews])
    # Quantiles at 5 % of 400 values: the asymptotic error is right to about a tenth.
    assert spread == pytest.approx(skews[0].skew_error, rel=0.15)


def test_autocorrelation_of_an_autoregression() -> None:
    rng = np.random.default_rng(3)
    y = np.zeros(N)
    for t in range(1, N):
        y[t] = 0.6 * y[t - 1] + rng.normal()
    assert residual_shape(y, 0.95).autocorrelation == pytest.approx(0.6, abs=4 * np.sqrt((1 - 0.36) / N))
    assert correlation(y, 2) == pytest.approx(0.36, abs=0.03)


def test_drift_is_the_ratio_of_the_extreme_stretches() -> None:
    steps = np.repeat([1.0, 1.0, 1.0, 3.0, 1.0, 1.0, 1.0, 1.0], 50)
    signs = np.where(np.arange(400) % 2, 1.0, -1.0)
    assert residual_shape(steps * signs, 0.95).drift == pytest.approx(3.0)


def test_too_few_or_constant_residuals_have_no_shape() -> None:
    for residuals in (np.zeros(100), np.arange(5.0)):
        assert np.isnan(residual_shape(residuals, 0.95).excess_kurtosis)
