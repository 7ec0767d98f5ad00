"""A forecaster says at its start what `look_ahead` says, to the bit."""

from typing import Any

import numpy as np
import pytest

from ngrc import NGRC, AutoNGRC, OnlineForecaster, look_ahead
from ngrc.intervals import METHODS, Adaptive
from tests.live.starts import BEGIN, LEVELS, SERIES, fresh, service_of


def _same(live: OnlineForecaster, history: Any, model: Any, method: Any) -> None:
    outlook = look_ahead(
        history, model, steps=live.horizon, method=method, level=live.levels, smooth=False, seed=live.seed
    )
    coming = live.next()
    np.testing.assert_array_equal(coming.mean, outlook.forecast)
    for level in live.levels:
        np.testing.assert_array_equal(coming.lower[level], outlook.bands[level][0])
        np.testing.assert_array_equal(coming.upper[level], outlook.bands[level][1])
    if outlook.times is not None:
        np.testing.assert_array_equal(coming.targets, outlook.times)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("horizon", [1, 3])
def test_every_method(method: str, horizon: int) -> None:
    live = fresh(method, horizon)
    _same(live, SERIES[:BEGIN], NGRC(lags=3), method)
    assert live.next() is live.next()
    assert (live.count, live.origin, live.started) == (BEGIN, BEGIN - 1, True)
    assert live.next().targets.tolist() == list(range(BEGIN, BEGIN + horizon))


ROOT = {"lags": 3, "transform": "root"}
LOG = {"lags": 3, "transform": "log", "lower": 1.0}
BOUNDED = {"lags": 3, "lower": 2.8}


@pytest.mark.parametrize("method", ["adaptive", "auto", "student", "asymmetric"])
@pytest.mark.parametrize("parameters", [ROOT, LOG, BOUNDED])
def test_transforms_and_bounds(method: str, parameters: dict[str, Any]) -> None:
    # A third of the values lie on their bound, which `auto` finds by itself.
    values = np.maximum(SERIES[:BEGIN], 2.8)
    live = OnlineForecaster(NGRC(**parameters), method, LEVELS, horizon=2).start(values)
    _same(live, values, NGRC(**parameters), method)
    assert live.next().lower[0.9].min() >= parameters.get("lower", 0.0)


def test_the_model_that_chooses_its_own_columns() -> None:
    live = OnlineForecaster(None, "auto", LEVELS, horizon=2).start(SERIES[:150])
    _same(live, SERIES[:150], AutoNGRC(), "auto")
    service = service_of(live)
    for value in SERIES[150:156]:
        live.observe(value)
    expected = service.point.model.forecast(SERIES[:156])
    np.testing.assert_allclose(live.next().mean, expected, rtol=1e-12)


def test_student_goes_on_from_the_scales_of_all_steps_together() -> None:
    """At its start `look_ahead`'s ends, then each step's own residuals join its pooled variance."""
    live = OnlineForecaster(None, "student", LEVELS, horizon=6).start(SERIES[:40])
    _same(live, SERIES[:40], AutoNGRC(), "student")
    outlook = look_ahead(SERIES[:40], AutoNGRC(), steps=6, method="student")
    assert outlook._calibrated is not None
    variances = outlook._calibrated.pooled_variances()
    trackers: list[Any] = [row[0] for row in service_of(live).calibration.trackers]
    np.testing.assert_allclose([one.total / one.count for one in trackers], variances)
    counts = [one.count for one in trackers]
    mean = live.next().mean[0]
    live.observe(SERIES[40])
    assert [one.count for one in trackers] == [count + 1 for count in counts]
    added = trackers[0].total - counts[0] * variances[0]
    np.testing.assert_allclose(added, (SERIES[40] - mean) ** 2)
    widths = live.next().upper[0.9] - live.next().mean
    assert np.all(np.diff(widths) >= -1e-12)


@pytest.mark.parametrize("method", ["split", "adaptive", "student", "auto", "dtaci", "saocp"])
def test_steps_with_too_few_residuals_borrow_them(method: str) -> None:
    # Nine residuals of the nearest step, and one fewer for each step beyond.
    live = OnlineForecaster(NGRC(lags=2, ridge=0.1), method, 0.8, horizon=20).start(SERIES[:130])
    forecasts = []
    for value in SERIES[130:175]:
        forecasts.append(live.next())
        matured = live.observe(value)
        assert len({one.step for one in matured}) == len(matured) <= 20
    assert len(matured) == 20
    assert all(np.all(one.lower[0.8] <= one.upper[0.8]) for one in forecasts)
    assert np.isfinite(forecasts[-1].mean).all()


def test_a_found_bound_stands_until_it_is_crossed() -> None:
    values = np.maximum(SERIES[:BEGIN], 2.8)
    live = OnlineForecaster(NGRC(lags=3), "auto", 0.9).start(values)
    assert service_of(live).calibration.bounds.lower == 2.8
    assert min(float(live.next().lower[0.9][0]), 2.8) == 2.8
    live.observe(2.8)
    assert service_of(live).calibration.bounds.lower == 2.8
    live.observe(1.5)
    assert service_of(live).calibration.bounds.lower is None


def test_a_method_and_its_parameters() -> None:
    method = Adaptive(rate=0.02)
    live = OnlineForecaster(NGRC(lags=3), method, 90, horizon=2).start(SERIES[:BEGIN])
    assert live.levels == (0.9,)
    _same(live, SERIES[:BEGIN], NGRC(lags=3), method)
    assert (
        repr(live) == "OnlineForecaster(NGRC, adaptive, level 0.9, horizon 2: 240 observations, origin 239)"
    )
