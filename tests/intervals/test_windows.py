"""Rolling split conformal and updated Gaussian intervals."""

from statistics import NormalDist

import numpy as np
import pytest

from ngrc.intervals import Gaussian, History, Rolling, Stream
from tests import twins


def changing(size: int, start: int, horizon: int, seed: int = 0) -> Stream:
    rng = np.random.default_rng(seed)
    residuals = rng.standard_t(5, size) * np.where(np.arange(size) > start + 30, 3.0, 1.0)
    return Stream(np.round(residuals, 1), start, horizon)


@pytest.mark.parametrize("horizon", [1, 3, 7])
@pytest.mark.parametrize("window", [5, 20, 64, 100])
@pytest.mark.parametrize("level", [0.8, 0.95])
def test_rolling_equals_sorting_every_window(horizon: int, window: int, level: float) -> None:
    stream = changing(240, 120, horizon)
    offsets = Rolling(window).run(stream, level)
    assert offsets.upper.tolist() == twins.rolling(stream, window, level)
    assert np.array_equal(offsets.lower, -offsets.upper)


@pytest.mark.parametrize("horizon", [1, 3, 7])
@pytest.mark.parametrize("window", [1, 20, 114])
def test_gaussian_equals_exact_sums(horizon: int, window: int) -> None:
    stream = changing(240, 120, horizon, seed=window)
    factor = NormalDist().inv_cdf(0.95)
    offsets = Gaussian(window).run(stream, 0.9)
    assert np.allclose(offsets.upper, factor * np.array(twins.root_mean_square(stream, window)), rtol=1e-12)
    assert np.array_equal(offsets.lower, -offsets.upper)


def test_a_window_too_small_for_the_level_is_infinite() -> None:
    stream = changing(60, 40, 1)
    assert np.isinf(Rolling(18).run(stream, 0.95).upper).all()
    assert np.isfinite(Rolling(19).run(stream, 0.95).upper).all()


@pytest.mark.parametrize("method", [Rolling(41), Gaussian(41)])
def test_a_window_larger_than_the_history(method: Rolling | Gaussian) -> None:
    stream = changing(60, 40, 1)
    with pytest.raises(ValueError, match="a window larger than the history: window 41, 40 known"):
        method.run(stream, 0.9)
    with pytest.raises(ValueError, match="a window larger than the history"):
        method.begin(stream.history, 0.9)


@pytest.mark.parametrize("window", [0, -3, 2.5, True])
def test_bad_windows(window: int) -> None:
    with pytest.raises(ValueError, match="window must be"):
        Rolling(window)
    with pytest.raises(ValueError, match="window must be"):
        Gaussian(window)


def test_windows_report_themselves() -> None:
    assert Rolling(31).selected == Gaussian(31).selected == {"window": 31}


def test_gaussian_recovers_at_once_after_a_spike_has_left_the_window() -> None:
    tracker = Gaussian(3).begin(History(np.array([1e12, 1.0, 1.0])), 0.9)
    tracker.observe(1.0, None)
    assert tracker.issue()[1] == pytest.approx(NormalDist().inv_cdf(0.95), rel=1e-14)
