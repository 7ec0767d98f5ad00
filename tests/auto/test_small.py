"""Short and odd series: always a fit, always finite forecasts, and never a silent NaN."""

from typing import Any

import numpy as np
import pytest

from ngrc import AutoNGRC
from ngrc._types import FloatArray


def check(model: AutoNGRC, y: Any) -> FloatArray:
    """Everything that a fitted model says is finite, and has a word for people."""
    forecast = model.forecast(y)
    assert forecast.shape == (model.horizon,)
    assert np.isfinite(forecast).all()
    assert np.isfinite(model.forecast_leverage(y)).all()
    assert np.isfinite(model.fit_scale_).all()
    assert np.isfinite(model.d_eff_).all()
    assert model.report()
    assert model.equation()
    assert model.facts().fit_scale is not None
    said = model.predict(y)
    known = np.flatnonzero(np.isfinite(said))
    # NaN stands for "no forecast" before the first one, and nowhere after it.
    assert known.size == 0 or np.isfinite(said[known[0] :]).all()
    return forecast


@pytest.mark.parametrize("horizon", [1, 3, 12])
@pytest.mark.parametrize("kind", ["walk", "positive"])
def test_every_length_is_fitted_and_forecast(horizon: int, kind: str) -> None:
    rng = np.random.default_rng(horizon)
    for size in (*range(1, 9), 11, 13, 16, 21, 25, 29, 37, 48, 59, 60):
        y = np.cumsum(rng.normal(size=size)) if kind == "walk" else np.exp(rng.normal(size=size))
        check(AutoNGRC(horizon, path=True).fit(y), y)


@pytest.mark.parametrize("horizon", [1, 3, 12])
def test_one_horizon_alone_is_fitted_at_every_length(horizon: int) -> None:
    rng = np.random.default_rng(7)
    for size in (*range(1, 9), 12, 17, 25, 48, 60):
        y = np.cumsum(rng.normal(size=size))
        model = AutoNGRC(horizon).fit(y)
        said = model.predict(y)
        assert said.shape == y.shape
        reach = model.fitted_[0].reach(horizon)
        assert np.isfinite(said[reach + horizon :]).all()
        if size >= reach + horizon:
            assert np.isfinite(model.forecast(y)).all()
        else:
            with pytest.raises(
                ValueError, match=f"needs at least {reach + horizon} observations, got {size}"
            ):
                model.forecast(y)


@pytest.mark.parametrize("monthly", [False, True])
def test_short_series_with_times(monthly: bool) -> None:
    rng = np.random.default_rng(0)
    for size in (2, 4, 7, 13, 20, 26, 31, 45):
        months = np.datetime64("2020-01") + np.arange(size)
        times = months.astype("M8[D]") if monthly else np.datetime64("2020-01-01") + np.arange(size)
        y = 50 + np.cumsum(rng.normal(size=size))
        model = AutoNGRC(12, path=True).fit(y, times=times)
        assert np.isfinite(model.forecast(y, times=times)).all()


ODD: dict[str, Any] = {
    "constant": lambda n, w: np.full(n, 3.7),
    "zeros": lambda n, w: np.zeros(n),
    "spike": lambda n, w: np.where(np.arange(n) == n // 2, 1e12, w),
    "spike at the end": lambda n, w: np.where(np.arange(n) == n - 1, 1e12, w),
    "two values": lambda n, w: np.where(w > 0, 1.0, 0.0),
    "one other value": lambda n, w: np.where(np.arange(n) == n - 1, 1.0, 0.0),
    "tiny": lambda n, w: 1e-140 * w,
    "huge": lambda n, w: 1e140 * w,
    "huge and positive": lambda n, w: 1e140 * (w + 9.0),
    "far from zero": lambda n, w: 1e9 + 1e-3 * w,
    "integers": lambda n, w: np.round(20 * w).astype(int),
    "single precision": lambda n, w: w.astype(np.float32),
    "runs": lambda n, w: np.repeat(w, 9)[:n],
    "mostly zero": lambda n, w: np.where(np.abs(w) > 2.0, np.abs(w), 0.0),
    "step": lambda n, w: np.where(np.arange(n) > n // 2, 1.0, 0.0),
    "exponential": lambda n, w: np.exp(0.3 * np.arange(n)),
    "list": lambda n, w: w.tolist(),
}


@pytest.mark.parametrize("size", [6, 30, 200])
@pytest.mark.parametrize("name", ODD)
def test_odd_series(name: str, size: int) -> None:
    y = ODD[name](size, np.random.default_rng(size).normal(size=size))
    for horizon in (1, 5):
        check(AutoNGRC(horizon, path=True).fit(y), y)


@pytest.mark.parametrize("value", [0.0, 3.7, -1e9, 1e200])
def test_a_constant_goes_on(value: float) -> None:
    for size in (1, 5, 50, 300):
        y = np.full(size, value)
        np.testing.assert_array_equal(AutoNGRC(4, path=True).fit(y).forecast(y), np.full(4, value))


@pytest.mark.parametrize("size", [8, 30, 100, 400])
def test_a_line_goes_on(size: int) -> None:
    y = 5.0 + 2.0 * np.arange(size + 6)
    forecast = AutoNGRC(6, path=True).fit(y[:size]).forecast(y[:size])
    np.testing.assert_allclose(forecast, y[size:], rtol=1e-6)


@pytest.mark.parametrize("scale", [1e-160, 1e160])
def test_sizes_whose_squares_are_no_numbers_are_refused(scale: float) -> None:
    y = scale * np.random.default_rng(0).normal(size=50)
    with pytest.raises(ValueError, match="cannot be squared safely; rescale it"):
        AutoNGRC().fit(y)


def test_growth_beyond_the_floating_point_numbers_is_left_out_without_a_warning() -> None:
    """Smoothings of a transformed series that overflow on the way back have no weight in the bank."""
    rng = np.random.default_rng(0)
    time = np.arange(1000)
    y = np.exp(0.0032 * time + 0.4 * np.sin(2 * np.pi * time / 12) + rng.normal(0, 0.05, 1000))
    check(AutoNGRC(12, path=True).fit(y), y)


def test_a_late_spike_does_not_carry_forecasts_away() -> None:
    rng = np.random.default_rng(1)
    y = rng.normal(size=400)
    y[390] = 1e6
    model = AutoNGRC(5, path=True).fit(y[:380])
    # Products and clock products read it within the range of the fit block.
    assert np.nanmax(np.abs(model.predict_path(y)[:, 0])) < 1.1e6


def test_bounds_are_kept() -> None:
    rng = np.random.default_rng(2)
    y = np.abs(rng.normal(size=200)) * np.linspace(1, 0.01, 200)
    model = AutoNGRC(6, path=True, lower=0.0, upper=2.9).fit(np.minimum(y, 2.9))
    said = model.predict_path(np.minimum(y, 2.9))
    assert np.nanmin(said) >= 0.0
    assert np.nanmax(said) <= 2.9
    with pytest.raises(ValueError, match="lower"):
        AutoNGRC(lower=1.0).fit(y)
