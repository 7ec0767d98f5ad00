from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.ensemble import RandomForestRegressor
from sklearn.linear_model import LinearRegression, Ridge
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from ngrc._types import FloatArray
from ngrc.forecasters import LagRegressor


def noise(size: int, seed: int = 0) -> FloatArray:
    return np.random.default_rng(seed).normal(2.0, 3.0, size=size)


@settings(deadline=None, max_examples=40)
@given(lags=st.integers(1, 4), spacing=st.integers(1, 3), horizon=st.integers(1, 4), first=st.integers(0, 30))
def test_equals_least_squares_on_rows_built_one_by_one(
    lags: int, spacing: int, horizon: int, first: int
) -> None:
    y = noise(70)
    model = LagRegressor(LinearRegression(), lags, spacing=spacing, horizon=horizon).fit(y[:60], first=first)
    begin = (lags - 1) * spacing + horizon
    assert model.first_target == begin

    def row(target: int) -> list[float]:
        return [1.0] + [float(y[target - horizon - lag * spacing]) for lag in range(lags)]

    fit = range(max(begin, first), 60)
    weights = np.linalg.lstsq(np.array([row(t) for t in fit]), y[fit.start : 60], rcond=None)[0]
    expected = np.array([row(t) for t in range(begin, 70)]) @ weights
    assert np.allclose(model.predict(y)[begin:], expected, atol=1e-9)


def test_the_penalty_acts_on_the_standardised_series() -> None:
    y = noise(60)
    z = (y - 2.0) / 3.0
    twin = LagRegressor(Ridge(7.0), 2).fit(z, scale=(0.0, 1.0)).predict(z)
    assert np.allclose(
        LagRegressor(Ridge(7.0), 2).fit(y, scale=(2.0, 3.0)).predict(y), 2.0 + 3.0 * twin, equal_nan=True
    )


def test_the_regressor_given_is_not_touched() -> None:
    given_regressor = Ridge()
    model = LagRegressor(given_regressor, 2).fit(noise(30))
    assert not hasattr(given_regressor, "coef_")
    assert model.regressor_.coef_.shape == (2,)
    assert model.get_params()["regressor"] is given_regressor


@pytest.mark.parametrize(
    "regressor", [RandomForestRegressor(5, random_state=1), make_pipeline(StandardScaler(), Ridge())]
)
def test_other_regressors_come_in(regressor: Any) -> None:
    y = noise(40)
    assert np.isfinite(LagRegressor(regressor, 3).fit(y).predict(y)[3:]).all()


def test_a_column_of_predictions_is_flattened() -> None:
    class Column:
        def fit(self, X: FloatArray, y: FloatArray) -> None: ...

        def predict(self, X: FloatArray) -> FloatArray:
            return X[:, :1]

    y = noise(20)
    assert np.allclose(LagRegressor(Column(), 1).fit(y).predict(y)[1:], y[:-1])


def test_regressors_that_cannot_forecast_are_refused() -> None:
    class Broken:
        def fit(self, X: FloatArray, y: FloatArray) -> None: ...

        def predict(self, X: FloatArray) -> FloatArray:
            return np.full(len(X), np.nan)

    for wrong in (Ridge, None, 3):
        with pytest.raises(ValueError, match="regressor must be an object with fit"):
            LagRegressor(wrong, 2).fit(noise(20))
    with pytest.raises(ValueError, match=r"18 finite values, got shape .18,. with 18"):
        LagRegressor(Broken(), 2).fit(noise(20)).predict(noise(20))


@pytest.mark.parametrize(("lags", "spacing"), [(0, 1), (1, 0), (2.5, 1)])
def test_bad_delays_are_refused(lags: Any, spacing: Any) -> None:
    with pytest.raises(ValueError, match=r"(lags|spacing) must be"):
        LagRegressor(Ridge(), lags, spacing=spacing).fit(noise(20))
