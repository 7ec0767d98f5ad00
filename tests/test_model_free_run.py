"""Free running against a plain loop: forecast one step, append it, forecast again."""

from typing import Any

import numpy as np
import pandas as pd
import pytest

from ngrc import NGRC
from ngrc._types import FloatArray
from ngrc.features import Clock, ClockProducts, Delays, Memory, Products, Seasonal

SIZE = 160
TIME = np.arange(SIZE)
RNG = np.random.default_rng(51)
SCALAR = 30.0 + 5.0 * np.sin(2 * np.pi * TIME / 12) + RNG.standard_normal(SIZE)
VECTOR = np.stack((SCALAR, -2.0 + np.cos(0.3 * TIME) + 0.1 * RNG.standard_normal(SIZE)), axis=1)

SETTINGS: dict[str, dict[str, Any]] = {
    "quadratic": {"lags": 3},
    "lag set, cubic": {"lags": (1, 2, 7), "degree": 3},
    "few products": {"lags": 5, "product_lags": 2, "spacing": 2},
    "memory": {"lags": 2, "half_lives": (3, 20)},
    "seasonal": {"lags": 2, "periods": (12,), "seasonal": 2},
    "seasonal of half a step": {"lags": (1, 4), "periods": (7.5,), "seasonal": 1, "harmonics": 1},
    "clock products": {"lags": 3, "periods": (12, 5), "harmonics": 1, "clock_lags": 2},
    "increments": {"lags": 2, "target": "increment", "half_lives": (4,)},
    "seasonal increments": {"lags": 2, "target": "seasonal", "periods": (12,), "seasonal": 1},
    "clipped": {"lags": 2, "clip": 0.0, "half_lives": (4,)},
    "clipped increments": {"lags": 2, "clip": 0.0, "target": "increment", "seasonal": 1, "periods": (6,)},
    "no intercept": {"lags": 2, "intercept": "none"},
    "raw, with a constant": {"lags": 2, "intercept": "penalised", "columns": "raw", "periods": (12,)},
}
MAPS: dict[str, Any] = {
    "any order": (Clock((12,)), Memory((5,)), Seasonal((12,)), Products((Delays(2),), 3), Delays((3, 1))),
    "no delays": (Seasonal((12,), cycles=1, width=0), ClockProducts(Delays((2,)), Clock((12,)))),
    "the clock alone": (Clock((12,), 3),),
}


def slow_run(model: NGRC, y: FloatArray, steps: int, start: int = 0) -> FloatArray:
    grown = y
    for _ in range(steps):
        grown = np.concatenate((grown, model.forecast(grown, start=start)))
    return grown[len(y) :]


@pytest.mark.parametrize("y", [SCALAR, VECTOR], ids=["scalar", "vector"])
@pytest.mark.parametrize("name", SETTINGS)
def test_every_step_is_the_forecast_of_the_grown_series(name: str, y: FloatArray) -> None:
    model = NGRC(**SETTINGS[name], ridge=0.1).fit(y[:130])
    run = model.free_run(y[:140], 30)
    assert run.shape == (30, *y.shape[1:])
    np.testing.assert_allclose(run, slow_run(model, y[:140], 30), rtol=1e-9)
    later = model.free_run(y[60:140], 15, start=60)
    np.testing.assert_allclose(later, slow_run(model, y[60:140], 15, start=60), rtol=1e-9)


@pytest.mark.parametrize("name", MAPS)
def test_any_map_runs(name: str) -> None:
    model = NGRC(map=MAPS[name], ridge=0.1).fit(SCALAR[:130])
    np.testing.assert_allclose(model.free_run(SCALAR[:140], 25), slow_run(model, SCALAR[:140], 25), rtol=1e-9)


def test_products_within_channels_and_across() -> None:
    for across in (True, False):
        model = NGRC(2, across=across, ridge=0.1).fit(VECTOR)
        np.testing.assert_allclose(model.free_run(VECTOR, 20), slow_run(model, VECTOR, 20), rtol=1e-9)


def test_what_the_run_says_is_clipped_before_it_is_read_again() -> None:
    """Levels that grow without end are read at the limit, and the run goes on as the limit says."""
    growing = np.linspace(1.0, 100.0, 120)
    model = NGRC(1, degree=1, clip=0.0, target="increment", ridge=1e-9).fit(growing)
    run = model.free_run(growing, 200)
    np.testing.assert_allclose(run, slow_run(model, growing, 200), rtol=1e-9)
    assert run[-1] > 200.0


@pytest.mark.parametrize("transform", [None, "root", "log"])
@pytest.mark.parametrize("target", ["level", "increment"])
@pytest.mark.parametrize("clip", [None, 0.0])
def test_what_is_fed_back_keeps_to_the_bounds(transform: Any, target: Any, clip: float | None) -> None:
    low, high = (0.0 if transform == "log" else 27.0), 33.0
    held = np.clip(SCALAR, 27.0, high)
    model = NGRC(
        3,
        degree=1,
        periods=(12,),
        lower=low,
        upper=high,
        transform=transform,
        target=target,
        clip=clip,
        ridge=1e-4,
    ).fit(held)
    run = model.free_run(held, 40)
    np.testing.assert_allclose(run, slow_run(model, held, 40), rtol=1e-9)
    assert run.max() == high


def test_a_calendar_goes_on_with_the_clock() -> None:
    times = pd.date_range("2024-01-01", periods=SIZE, freq="h").to_numpy()
    model = NGRC(2, calendar=("hour",), ridge=0.1).fit(SCALAR, times=times)
    run = model.free_run(SCALAR, 10, times=times)
    grown = SCALAR
    for _ in range(10):
        clock = pd.date_range("2024-01-01", periods=len(grown), freq="h").to_numpy()
        grown = np.append(grown, model.forecast(grown, times=clock))
    np.testing.assert_allclose(run, grown[SIZE:], rtol=1e-9)


def test_what_cannot_run_says_so() -> None:
    beside = NGRC(2, ridge=0.1).fit(SCALAR, exog={"wind": RNG.standard_normal(SIZE)})
    with pytest.raises(ValueError, match="cannot continue wind beside the series"):
        beside.free_run(SCALAR, 3)
    with pytest.raises(ValueError, match="horizon 1, this one has 4"):
        NGRC(2, horizon=4, path=True, ridge=0.1).fit(SCALAR).free_run(SCALAR, 3)
    with pytest.raises(ValueError, match="at least 13 observations, got 12"):
        NGRC(2, periods=(12,), seasonal=1, ridge=0.1).fit(SCALAR).free_run(SCALAR[:12], 3)
