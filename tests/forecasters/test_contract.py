"""Every forecaster through the same checks."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.linear_model import Ridge

from ngrc._types import FloatArray
from ngrc.forecasters import ARIMA, GRU, LagRegressor, SeasonalNaive, Training, Transformer
from ngrc.model import NGRC

SHORT = Training(epochs=2, batch=16, seed=5)

MAKERS: dict[str, Callable[[int], Any]] = {
    "NGRC": lambda horizon: NGRC(3, horizon=horizon, ridge=0.1),
    "naive": lambda horizon: SeasonalNaive(2, horizon=horizon),
    "regressor": lambda horizon: LagRegressor(Ridge(), 3, spacing=2, horizon=horizon),
    "ARIMA": lambda horizon: ARIMA((1, 1, 0), lookback=4, horizon=horizon),
    "GRU": lambda horizon: GRU(4, hidden=5, horizon=horizon, training=SHORT),
    "Transformer": lambda horizon: Transformer(
        4, width=4, feedforward=6, layers=2, horizon=horizon, training=SHORT
    ),
}


def series(size: int = 120) -> FloatArray:
    noise = np.random.default_rng(7).normal(size=size)
    values = np.zeros(size)
    for time in range(2, size):
        values[time] = 1.2 * values[time - 1] - 0.5 * values[time - 2] + noise[time]
    return 20.0 + 3.0 * values


@pytest.fixture(params=list(MAKERS))
def make(request: pytest.FixtureRequest) -> Callable[[int], Any]:
    needs = {"GRU": "torch", "Transformer": "torch", "ARIMA": "statsmodels"}
    if request.param in needs:
        pytest.importorskip(needs[request.param], reason=f"{request.param} needs {needs[request.param]}")
    return MAKERS[request.param]


@pytest.mark.parametrize("horizon", [1, 3])
def test_forecasts_start_at_the_first_target(make: Callable[[int], Any], horizon: int) -> None:
    y = series()
    model = make(horizon)
    forecasts = model.fit(y[:80]).predict(y)
    assert forecasts.shape == y.shape
    assert model.horizon == horizon
    assert np.isnan(forecasts[: model.first_target]).all()
    assert np.isfinite(forecasts[model.first_target :]).all()


@pytest.mark.parametrize("horizon", [1, 3])
def test_no_forecast_sees_past_its_origin(make: Callable[[int], Any], horizon: int) -> None:
    y = series()
    model = make(horizon).fit(y[:80])
    changed = y.copy()
    changed[100:] += np.linspace(5.0, 9.0, 20)
    before, after = model.predict(y), model.predict(changed)
    assert np.array_equal(before[: 100 + horizon], after[: 100 + horizon], equal_nan=True)
    assert not np.allclose(before[100 + horizon :], after[100 + horizon :])


def test_a_longer_series_does_not_change_earlier_forecasts(make: Callable[[int], Any]) -> None:
    y = series()
    model = make(1).fit(y[:80])
    assert np.allclose(model.predict(y)[:90], model.predict(y[:90]), rtol=1e-6, equal_nan=True)


def test_forecasts_move_with_the_units(make: Callable[[int], Any]) -> None:
    y = series()
    plain = make(1).fit(y[:80]).predict(y)
    moved = make(1).fit(100.0 + 4.0 * y[:80]).predict(100.0 + 4.0 * y)
    assert np.allclose(moved, 100.0 + 4.0 * plain, rtol=1e-5, equal_nan=True)


def test_scale_defaults_to_that_of_the_fit_prefix(make: Callable[[int], Any]) -> None:
    y = series()
    own = make(1).fit(y[:80]).predict(y)
    given = make(1).fit(y[:80], scale=(float(y[:80].mean()), float(y[:80].std()))).predict(y)
    assert np.array_equal(own, given, equal_nan=True)


def test_clone_and_refit_give_the_same_forecasts(make: Callable[[int], Any]) -> None:
    y = series()
    model = make(2)
    copy = clone(model)
    assert type(copy) is type(model)
    assert copy.get_params(deep=False).keys() == model.get_params(deep=False).keys()
    assert copy.horizon == 2
    first, second = model.fit(y[:80]).predict(y), copy.fit(y[:80]).predict(y)
    assert np.array_equal(first, second, equal_nan=True)
    assert np.array_equal(first, model.fit(y[:80]).predict(y), equal_nan=True)


def test_set_params_changes_the_horizon(make: Callable[[int], Any]) -> None:
    y = series()
    changed = make(1).set_params(horizon=3).fit(y[:80]).predict(y)
    assert np.array_equal(changed, make(3).fit(y[:80]).predict(y), equal_nan=True)
    with pytest.raises(ValueError, match="no parameter 'nonsense'"):
        make(1).set_params(nonsense=1)


def test_the_input_stays_as_it_was(make: Callable[[int], Any]) -> None:
    y = series()
    kept = y.copy()
    make(1).fit(y).predict(y)
    assert np.array_equal(y, kept)


def test_a_series_too_short_to_forecast_gives_nan_only(make: Callable[[int], Any]) -> None:
    model = make(3).fit(series())
    assert np.isnan(model.predict(series()[: model.first_target])).all()
    assert model.predict(series()[: model.first_target]).size == model.first_target


@pytest.mark.parametrize(
    ("y", "words"),
    [
        ([1.0, np.nan, 2.0] * 30, "y must be finite"),
        ([[1.0, 2.0]] * 30, "one-dimensional"),
        ([[[1.0, 2.0]]] * 30, "one-dimensional"),
        (["a"] * 30, "must hold numbers"),
    ],
)
def test_bad_series_are_refused(make: Callable[[int], Any], y: Any, words: str) -> None:
    if np.ndim(y) == 2 and isinstance(make(1), NGRC):
        pytest.skip("NGRC alone takes a vector of series")
    with pytest.raises(ValueError, match=words):
        make(1).fit(y)
    with pytest.raises(ValueError, match=words):
        make(1).fit(series()).predict(y)


@pytest.mark.parametrize("horizon", [0, -1, 1.5, True])
def test_bad_horizons_are_refused(make: Callable[[int], Any], horizon: Any) -> None:
    with pytest.raises(ValueError, match="horizon must be"):
        make(horizon).fit(series())


def test_a_negative_first_target_is_refused(make: Callable[[int], Any]) -> None:
    with pytest.raises(ValueError, match="first must be at least 0"):
        make(1).fit(series(), first=-1)
