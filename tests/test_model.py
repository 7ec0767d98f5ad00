from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.base import clone

from ngrc import NGRC
from ngrc.features import Rows, Scale
from ngrc.readout import PAPER_RIDGES
from tests.readout.twins import example_series, rows_of, slow_design, slow_ridge

SERIES = 5.0 + 3.0 * example_series("season", 400)
SETTINGS: list[dict[str, Any]] = [
    {"lags": 4, "ridge": 0.01},
    {"lags": 3, "spacing": 4, "horizon": 5, "ridge": 1e-6},
    {"lags": 3, "degree": 1, "horizon": 2, "ridge": 0.1, "intercept": "penalised"},
    {"lags": 2, "degree": 3, "ridge": 0.1},
    {"lags": 3, "periods": (24,), "harmonics": 1, "half_lives": (6,), "ridge": 0.001, "horizon": 3},
]


@pytest.mark.parametrize("settings", SETTINGS)
@pytest.mark.parametrize("first", [0, 60])
@pytest.mark.parametrize("scale", [None, (4.0, 2.5)])
def test_fit_and_predict_equal_the_twin(
    settings: dict[str, Any], first: int, scale: tuple[float, float] | None
) -> None:
    model = NGRC(**settings).fit(SERIES[:300], first=first, scale=scale)
    mean, std = scale or (SERIES[:300].mean(), SERIES[:300].std())
    x = (SERIES - mean) / std
    start = model.first_target
    design = slow_design(model, x, model.horizon)
    begin = max(first, start)
    fit_rows = slice(begin - start, 300 - start)
    intercept = settings.get("intercept", "free")
    twin = slow_ridge(design[fit_rows], x[begin:300], settings["ridge"], intercept)
    forecasts = model.predict(SERIES)
    assert forecasts.shape == (400,)
    assert np.isnan(forecasts[:start]).all()
    np.testing.assert_allclose(forecasts[start:], mean + std * twin.predict(design), atol=1e-8)
    leverage = model.leverage(SERIES)
    assert np.isnan(leverage[:start]).all()
    np.testing.assert_allclose(leverage[start:], twin.leverage(design), rtol=1e-7)
    residuals = x[begin:300] - twin.predict(design[fit_rows])
    assert model.fit_scale_ == pytest.approx(std * np.sqrt(np.mean(residuals**2)))
    assert model.d_eff_ == pytest.approx(twin.d_eff, rel=1e-8)
    assert model.n_rows_ == 300 - begin
    assert model.n_features_ == design.shape[1] + 1
    assert model.ridge_ == settings["ridge"]
    assert model.validation_ is None


@pytest.mark.parametrize("settings", SETTINGS)
def test_forecast_continues_predict(settings: dict[str, Any]) -> None:
    model = NGRC(**settings).fit(SERIES)
    horizon = model.horizon
    coming = model.forecast(SERIES[:350])
    assert coming.shape == (horizon,)
    np.testing.assert_allclose(coming, model.predict(SERIES)[350 : 350 + horizon], rtol=1e-12)


def test_predictions_never_read_the_future() -> None:
    model = NGRC(3, horizon=4, half_lives=(5,), ridge=0.1).fit(SERIES)
    changed = SERIES.copy()
    changed[200:] = -7.0
    np.testing.assert_array_equal(model.predict(SERIES)[:204], model.predict(changed)[:204])
    assert not np.array_equal(model.predict(SERIES)[204:], model.predict(changed)[204:])


def test_start_sets_the_seasons_phase() -> None:
    model = NGRC(2, periods=(24,), ridge=1e-3).fit(SERIES)
    whole, piece = model.predict(SERIES), model.predict(SERIES[100:], start=100)
    np.testing.assert_allclose(piece[model.first_target :], whole[100 + model.first_target :], rtol=1e-12)
    wrong = model.predict(SERIES[100:], start=107)
    assert np.nanmax(np.abs(wrong - piece)) > 0.1
    np.testing.assert_allclose(
        model.leverage(SERIES[100:], start=100)[5:], model.leverage(SERIES)[105:], rtol=1e-9
    )
    np.testing.assert_allclose(model.forecast(SERIES[100:], start=100), model.forecast(SERIES), rtol=1e-12)


def test_penalty_is_chosen_from_the_grid() -> None:
    model = NGRC(4, ridges=PAPER_RIDGES).fit(SERIES)
    assert model.validation_ is not None
    assert model.validation_.ridges == PAPER_RIDGES
    assert model.ridge_ == PAPER_RIDGES[int(np.argmin(model.validation_.scores))]
    fixed = NGRC(4, ridge=model.ridge_).fit(SERIES)
    np.testing.assert_allclose(model.predict(SERIES)[4:], fixed.predict(SERIES)[4:], rtol=1e-10)


@pytest.mark.parametrize("wrap", [list, tuple, pd.Series, pl.Series, np.float32])
def test_any_one_dimensional_numbers(wrap: Any) -> None:
    model = NGRC(3, ridge=0.1).fit(wrap(SERIES))
    expected = NGRC(3, ridge=0.1).fit(SERIES).predict(SERIES)
    np.testing.assert_allclose(model.predict(wrap(SERIES))[3:], expected[3:], rtol=1e-4)


@pytest.mark.parametrize("value", [0.0, 0.1, -3e9])
@pytest.mark.parametrize("ridge", [None, 0.0, 1.0])
def test_a_constant_series_is_forecast_by_its_value(value: float, ridge: float | None) -> None:
    y = np.full(60, value)
    model = NGRC(3, periods=(7,), half_lives=(4,), ridge=ridge).fit(y)
    np.testing.assert_allclose(model.predict(y)[3:], value)
    assert model.fit_scale_ == pytest.approx(0.0, abs=1e-12)
    assert model.scale_.std == 1.0


def test_a_deterministic_map_is_learned_and_run() -> None:
    values = [0.3]
    for _ in range(500):
        values.append(3.7 * values[-1] * (1.0 - values[-1]))
    y = np.array(values)
    model = NGRC(1, ridge=1e-12).fit(y[:300])
    np.testing.assert_allclose(model.predict(y)[1:], y[1:], atol=1e-9)
    np.testing.assert_allclose(model.free_run(y[:300], 15), y[300:315], atol=1e-6)
    weights = model.coefficients().to_dict()
    mean, std = model.scale_.mean, model.scale_.std
    assert weights["x[t]^2"] == pytest.approx(-3.7 * std, rel=1e-6)
    assert weights["x[t]"] == pytest.approx(3.7 * (1.0 - 2.0 * mean), rel=1e-6)
    assert model.equation(terms=1).startswith("x[t+1] = ")


def test_coefficients_make_the_forecast() -> None:
    model = NGRC(3, spacing=2, periods=(24,), half_lives=(9,), horizon=2, ridge=0.01).fit(SERIES)
    weights = model.coefficients()
    assert weights.names == model.feature_map.names(2)
    row = rows_of(model.feature_map, model.scale_.standardise(SERIES), 2).design[-1]
    forecast = weights.values[0] + row @ weights.values[1:]
    assert model.scale_.restore(forecast) == pytest.approx(model.predict(SERIES)[-1])
    assert "x[t+2] = " in model.equation()


def test_free_run_errors() -> None:
    model = NGRC(3, ridge=0.1).fit(SERIES)
    with pytest.raises(ValueError, match="steps must be at least 1"):
        model.free_run(SERIES, 0)
    with pytest.raises(ValueError, match="at least 3 observations, got 2"):
        model.free_run(SERIES[:2], 5)
    with pytest.raises(ValueError, match="horizon 1, this one has 2"):
        NGRC(3, ridge=0.1, horizon=2).fit(SERIES).free_run(SERIES, 5)
    growing = NGRC(1, ridge=1e-9).fit(1.5 ** (2.0 ** np.linspace(0.0, 3.0, 30)))
    with pytest.raises(ValueError, match="diverged at step"):
        growing.free_run([1e6], 60)


@pytest.mark.parametrize(
    ("settings", "size", "message"),
    [
        ({"lags": 5, "ridge": 1.0}, 5, "at least 6 observations, got 5"),
        ({"lags": 5, "spacing": 3, "horizon": 2, "ridge": 1.0}, 14, "at least 15 observations, got 14"),
        ({"lags": 5}, 6, "at least 7 observations, got 6"),
        ({"lags": 1, "horizon": 3}, 13, "at least 14 observations, got 13"),
    ],
)
def test_too_short_says_how_many_are_needed(settings: dict[str, Any], size: int, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        NGRC(**settings).fit(SERIES[:size])
    NGRC(**settings).fit(SERIES[: size + 1])


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"lags": 0}, "lags"),
        ({"horizon": 0}, "horizon must be at least 1"),
        ({"spacing": 1.5}, "spacing"),
        ({"ridge": -1.0}, "zero or above"),
        ({"ridges": ()}, "at least one candidate"),
        ({"ridges": (0.1, 0.0)}, "above zero"),
        ({"intercept": "all"}, "intercept must be 'free', 'penalised' or 'none', got 'all'"),
        ({"periods": 24}, "sequence"),
    ],
)
def test_bad_parameters_are_refused_in_fit(settings: dict[str, Any], message: str) -> None:
    model = NGRC(**settings)
    with pytest.raises(ValueError, match=message):
        model.fit(SERIES)


@pytest.mark.parametrize(
    ("y", "message"),
    [
        ([1.0, float("nan")] * 20, "finite, got nan at position 1"),
        ([1.0, float("inf")] * 20, "finite, got inf at position 1"),
        (np.ones((20, 2, 2)), "one-dimensional"),
        (["a"] * 20, "must hold numbers"),
    ],
)
def test_bad_series_are_refused(y: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        NGRC(2).fit(y)
    with pytest.raises(ValueError, match=message):
        NGRC(2, ridge=1.0).fit(SERIES).predict(y)


def test_other_refusals() -> None:
    with pytest.raises(ValueError, match="not fitted yet"):
        NGRC().predict(SERIES)
    with pytest.raises(ValueError, match="not fitted yet"):
        NGRC().coefficients()
    for std in (-1.0, 0.0):
        with pytest.raises(ValueError, match=r"scale must be \(mean, std\) with std above zero"):
            NGRC(2).fit(SERIES, scale=(0.0, std))
    with pytest.raises(ValueError, match="not fitted yet"):
        NGRC().facts()
    with pytest.raises(ValueError, match="first must be at least 0"):
        NGRC(2).fit(SERIES, first=-1)
    with pytest.raises(ValueError, match="at least 4 observations, got 3"):
        NGRC(3, horizon=2, ridge=1.0).fit(SERIES).forecast(SERIES[:3])


def test_a_short_series_gets_no_forecasts() -> None:
    model = NGRC(5, ridge=1.0).fit(SERIES)
    assert np.isnan(model.predict(SERIES[:5])).all()
    assert np.isnan(model.leverage(SERIES[:3])).all()
    assert model.predict([]).shape == (0,)


def test_scikit_learn_conventions() -> None:
    model = NGRC(7, spacing=2, ridges=(0.1, 1.0), periods=[24])
    twin = clone(model)
    assert twin is not model
    assert twin.get_params() == model.get_params()
    assert repr(model) == "NGRC(lags=7, spacing=2, periods=[24], ridges=(0.1, 1.0))"
    model.fit(SERIES)
    assert not hasattr(clone(model), "readout_")
    before = model.predict(SERIES)
    model.set_params(lags=2, horizon=3)
    np.testing.assert_array_equal(model.predict(SERIES), before)
    assert np.isnan(model.fit(SERIES).predict(SERIES)[: model.first_target]).all()


def test_a_fixed_penalty_never_makes_the_design(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = NGRC(6, periods=(24,), ridge=1e-8).fit(SERIES).predict(SERIES)

    def refuse(self: Rows) -> None:
        raise AssertionError("the design was asked for")

    monkeypatch.setattr(Rows, "design", property(refuse))
    again = NGRC(6, periods=(24,), ridge=1e-8).fit(SERIES).predict(SERIES)
    np.testing.assert_array_equal(again, expected)


def test_too_many_features_are_refused_before_memory_runs_out() -> None:
    with pytest.raises(ValueError, match=r"31,625 columns over 11,750 fit rows .*use fewer lags"):
        NGRC(lags=250).fit(np.arange(12_000.0))


def test_inputs_that_are_not_plain_numbers_are_refused() -> None:
    from ngrc import as_series

    masked = np.ma.masked_array(np.arange(100.0), mask=np.arange(100) % 9 == 0)
    for wrong in (
        masked,
        np.arange(100) > 3,
        np.arange(100) + 1j,
        np.arange(100).astype("M8[D]"),
        ["1"] * 100,
    ):
        with pytest.raises(ValueError, match="y must"):
            NGRC(lags=2).fit(wrong)
    wave = np.sin(np.arange(100.0))
    np.testing.assert_array_equal(
        NGRC(lags=2).fit(as_series(wave)).forecast(wave), NGRC(lags=2).fit(wave).forecast(wave)
    )


def test_facts_are_those_of_the_fit_and_not_of_later_parameters() -> None:
    model = NGRC(3, ridge=0.2).fit(SERIES)
    model.set_params(lags=9)
    facts = model.facts()
    assert (facts.lags, facts.features, facts.ridge) == (3, 10, 0.2)
    assert (facts.d_eff, facts.fit_scale) == (model.d_eff_, model.fit_scale_)
    assert str(facts) == f"3 lags, 10 features, ridge 0.2, effective dimension {model.d_eff_:.1f}"


def test_a_scale_and_its_pair_are_the_same_to_fit() -> None:
    pair = NGRC(2, ridge=0.1).fit(SERIES, scale=(1.0, 2.0)).predict(SERIES)
    np.testing.assert_array_equal(NGRC(2, ridge=0.1).fit(SERIES, scale=Scale(1.0, 2.0)).predict(SERIES), pair)
