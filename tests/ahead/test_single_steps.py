"""`look_ahead` around forecasters of one horizon: one copy per step, calibrated like any model of paths."""

from typing import Any

import numpy as np
import pytest
from sklearn.linear_model import LinearRegression, Ridge

from ngrc import NGRC, backtest, look_ahead
from ngrc.forecasters import LagRegressor, SeasonalNaive

RNG = np.random.default_rng(0)
WAVE = 10 + np.sin(np.arange(240) / 5) + RNG.normal(0, 0.2, 240)


def test_the_last_value_is_repeated_and_its_errors_calibrate() -> None:
    outlook = look_ahead(WAVE, SeasonalNaive(), steps=4, method="split", level=0.9)
    assert outlook.forecast.tolist() == [WAVE[-1]] * 4
    # The first fit ends at 30 % of the rows after the first target; forecasts from there on are out of sample.
    end = 4 + int(0.3 * (240 - 4))
    for step in (1, 4):
        scores = np.sort(np.abs(WAVE[end - 1 + step :] - WAVE[end - 1 : -step]))
        rank = int(np.ceil((scores.size + 1) * 0.9))
        half = 0.5 * (outlook.upper - outlook.lower)[step - 1]
        assert half == pytest.approx(scores[rank - 1], rel=1e-12)


def test_every_step_is_the_forecast_of_its_own_fit() -> None:
    # Least squares, which no scale of the series changes: a walk keeps that of its first fit.
    model = LagRegressor(LinearRegression(), lags=6)
    outlook = look_ahead(WAVE, model, steps=3, method="adaptive")
    for step in (1, 2, 3):
        single = LagRegressor(LinearRegression(), lags=6, horizon=step).fit(WAVE)
        longer = np.concatenate([WAVE, np.full(step, -1e6)])
        assert outlook.forecast[step - 1] == pytest.approx(single.predict(longer)[-1], rel=1e-9)


def test_a_model_of_paths_that_hides_it_says_the_same_of_one_step() -> None:
    class Plain:
        """NGRC without its paths."""

        def __init__(self, horizon: int = 1) -> None:
            self.horizon = horizon
            self.inner = NGRC(lags=4, degree=1, ridge=1e-3, horizon=horizon)

        @property
        def first_target(self) -> int:
            return self.inner.first_target

        def get_params(self, deep: bool = True) -> dict[str, Any]:
            return {"horizon": self.horizon}

        def fit(self, y: Any, *, first: int = 0, scale: Any = None) -> "Plain":
            self.inner.fit(y, first=first, scale=scale)
            return self

        def predict(self, y: Any) -> Any:
            return self.inner.predict(y)

    ours = look_ahead(WAVE, NGRC(lags=4, degree=1, ridge=1e-3), steps=1, method="split")
    theirs = look_ahead(WAVE, Plain(), steps=1, method="split")
    np.testing.assert_allclose(theirs.forecast, ours.forecast, rtol=1e-9)
    np.testing.assert_allclose(theirs.lower, ours.lower, rtol=1e-9)
    assert "ridge" not in theirs.selected[0]
    assert "ridge" in ours.selected[0]


def test_the_usual_method_and_quantiles_work_around_it() -> None:
    outlook = look_ahead(WAVE, SeasonalNaive(), steps=2, level=[0.5, 0.9])
    assert np.all(outlook.bands[0.9][1] >= outlook.bands[0.5][1])
    assert outlook.quantiles([0.1, 0.9]).shape == (2, 2)


def test_what_it_cannot_do_is_one_line() -> None:
    with pytest.raises(ValueError, match=r"bayes needs a forecaster with leverage\(\)"):
        look_ahead(WAVE, SeasonalNaive(), method="bayes")
    with pytest.raises(ValueError, match="exog is for NGRC and AutoNGRC, got SeasonalNaive"):
        look_ahead(WAVE, SeasonalNaive(), exog={"a": WAVE})
    with pytest.raises(ValueError, match="model must be an unfitted forecaster"):
        look_ahead(WAVE, object())  # type: ignore[arg-type]


def test_whatever_backtest_takes_look_ahead_takes() -> None:
    for model in (SeasonalNaive(period=12), LagRegressor(Ridge(), lags=3), NGRC(lags=3)):
        assert backtest(WAVE, model, methods=["split"]).table.height == 1
        assert look_ahead(WAVE, model, steps=2, method="split").forecast.shape == (2,)
