"""Targets other than the level: forecasts come back as levels, and an infinite penalty leaves the naive ones."""

from typing import Any

import numpy as np
import pytest

from ngrc import NGRC
from ngrc._types import FloatArray
from tests.readout.twins import slow_design, slow_ridge

SIZE = 240
TIME = np.arange(SIZE)
SERIES = (
    1e3 / 3.0 + 7.0 * np.sin(2 * np.pi * TIME / 12) + np.random.default_rng(31).standard_normal(SIZE).cumsum()
)
SPIKED = SERIES.copy()
SPIKED[[150, 151, 199, SIZE - 1]] = [1e5, -1e5, 3e4, -2e4]

MAPS: list[dict[str, Any]] = [
    {"lags": 4},
    {"lags": (1, 3, 13), "degree": 3, "product_lags": 2},
    {"lags": 3, "clock_lags": 2, "seasonal": 2, "half_lives": (4,)},
    {"lags": 3, "intercept": "none"},
    {"lags": 3, "intercept": "penalised", "columns": "raw"},
]


def base_step(target: str, period: float, horizon: int) -> int:
    """Steps from the target back to what the naive forecast repeats."""
    if target == "increment":
        return horizon
    cycles = 1
    while cycles * period < horizon or round(cycles * period) < horizon:
        cycles += 1
    return round(cycles * period)


@pytest.mark.parametrize("settings", MAPS)
@pytest.mark.parametrize("y", [SERIES, SPIKED], ids=["calm", "spiked"])
@pytest.mark.parametrize("clip", [None, 0.1])
@pytest.mark.parametrize(("target", "period"), [("increment", 12), ("seasonal", 12), ("seasonal", 7.5)])
@pytest.mark.parametrize("horizon", [1, 12, 30])
def test_an_infinite_penalty_is_the_naive_forecast_to_the_bit(
    settings: dict[str, Any], y: FloatArray, clip: float | None, target: Any, period: float, horizon: int
) -> None:
    model = NGRC(**settings, target=target, periods=(period,), horizon=horizon, clip=clip, ridge=np.inf)
    model.fit(SERIES[:180])
    step = base_step(target, period, horizon)
    forecasts = model.predict(y)
    assert model.first_target >= step
    np.testing.assert_array_equal(forecasts[model.first_target :], y[model.first_target - step : SIZE - step])
    assert np.isnan(forecasts[: model.first_target]).all()
    np.testing.assert_array_equal(model.forecast(y), [y[SIZE + ahead - step] for ahead in range(horizon)])
    assert model.d_eff_ == 0.0
    assert (model.leverage(y)[model.first_target :] == 0.0).all()


@pytest.mark.parametrize("settings", MAPS)
@pytest.mark.parametrize("clip", [None, 0.1])
@pytest.mark.parametrize(("target", "period"), [("increment", 12), ("seasonal", 5), ("seasonal", 7.5)])
@pytest.mark.parametrize("chosen", [False, True])
def test_so_is_every_horizon_of_a_path(
    settings: dict[str, Any], clip: float | None, target: Any, period: float, chosen: bool
) -> None:
    penalty: dict[str, Any] = {"ridges": (np.inf,)} if chosen else {"ridge": np.inf}
    model = NGRC(**settings, target=target, periods=(period,), horizon=9, path=True, clip=clip, **penalty)
    paths, coming = model.fit(SERIES[:180]).predict_path(SPIKED), model.forecast(SPIKED)
    for horizon in range(1, 10):
        step = base_step(target, period, horizon)
        column = paths[:, horizon - 1]
        seen = np.flatnonzero(np.isfinite(column))
        assert seen[0] <= model.first_target
        np.testing.assert_array_equal(column[seen], SPIKED[seen - step])
        assert coming[horizon - 1] == SPIKED[SIZE + horizon - 1 - step]
    assert (model.ridge_ == np.inf).all()


@pytest.mark.parametrize("horizon", [1, 6])
def test_a_vector_is_repeated_channel_by_channel(horizon: int) -> None:
    y = np.stack((SERIES, 1e4 - 3.0 * SERIES**1.1), axis=1)
    for path in (False, True):
        model = NGRC(3, target="increment", horizon=horizon, path=path, ridge=np.inf).fit(y[:150])
        start = model.first_target
        np.testing.assert_array_equal(model.predict(y)[start:], y[start - horizon : -horizon])
        expected = np.repeat(y[-1:], horizon, axis=0) if path else y[-horizon:]
        np.testing.assert_array_equal(model.forecast(y), expected)


def test_an_infinite_penalty_on_levels_is_the_mean() -> None:
    for intercept, mean in (("free", SERIES[5:200].mean()), ("penalised", None), ("none", None)):
        model = NGRC(4, horizon=2, ridge=np.inf, intercept=intercept).fit(SERIES[:200])  # type: ignore[arg-type]
        wanted = SERIES[:200].mean() if mean is None else mean
        np.testing.assert_allclose(model.predict(SERIES)[5:], wanted, rtol=1e-13)


def test_an_infinite_penalty_may_be_chosen() -> None:
    walk = np.random.default_rng(32).standard_normal(600).cumsum()
    model = NGRC(8, target="increment", ridges=(1e-6, np.inf)).fit(walk)
    assert model.ridge_ == np.inf
    np.testing.assert_array_equal(model.predict(walk)[8:], walk[7:-1])
    line = NGRC(2, degree=1, target="increment", ridges=(1e-6, np.inf)).fit(
        SERIES + 100.0 * np.sin(0.3 * TIME)
    )
    assert line.ridge_ == 1e-6


@pytest.mark.parametrize("target", ["increment", "seasonal"])
@pytest.mark.parametrize("horizon", [1, 3, 17])
@pytest.mark.parametrize("intercept", ["free", "penalised"])
def test_forecasts_are_levels_from_a_ridge_on_differences(target: Any, horizon: int, intercept: Any) -> None:
    settings: dict[str, Any] = {"lags": 3, "periods": (12,), "harmonics": 1, "half_lives": (6,)}
    model = NGRC(**settings, horizon=horizon, target=target, ridge=0.01, intercept=intercept).fit(
        SERIES[:180]
    )
    mean, std = SERIES[:180].mean(), SERIES[:180].std()
    x = (SERIES - mean) / std
    step = base_step(target, 12, horizon)
    start = model.first_target
    assert start == max(2 + horizon, step)
    design = slow_design(model, x, horizon)[start - 2 - horizon :]
    differences = x[start:] - x[start - step : SIZE - step]
    twin = slow_ridge(design[: 180 - start], differences[: 180 - start], 0.01, intercept)
    wanted = SERIES[start - step : SIZE - step] + std * twin.predict(design)
    np.testing.assert_allclose(model.predict(SERIES)[start:], wanted, atol=1e-8)
    assert model.d_eff_ == pytest.approx(twin.d_eff, rel=1e-8)
    residuals = differences[: 180 - start] - twin.predict(design[: 180 - start])
    assert model.fit_scale_ == pytest.approx(std * np.sqrt(np.mean(residuals**2)), rel=1e-9)


def test_the_equation_says_what_is_added_to() -> None:
    model = NGRC(1, degree=1, target="increment", horizon=2, ridge=0.1).fit(SERIES)
    assert model.equation().startswith("x[t+2] - x[t] = ")


def test_bad_targets_are_refused_in_fit() -> None:
    with pytest.raises(
        ValueError, match="target must be one of level, increment, seasonal, both, got 'difference'"
    ):
        NGRC(3, target="difference").fit(SERIES)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="a seasonal target needs a period, got none; give periods"):
        NGRC(3, target="seasonal").fit(SERIES)
    with pytest.raises(ValueError, match="periods must be a sequence of numbers, got 24"):
        NGRC(3, target="seasonal", periods=24).fit(SERIES)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="each value of periods"):
        NGRC(3, target="seasonal", periods=(0,), harmonics=0).fit(SERIES)
