"""All horizons from one decomposition: each is the single-horizon fit on the same rows."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import pytest

from ngrc import NGRC
from ngrc._types import FloatArray
from ngrc.features import Clock, Delays, Seasonal
from ngrc.observed import observe
from ngrc.readout import PAPER_RIDGES, fit_readout

SIZE, FIT = 330, 260
TIME = np.arange(SIZE)
NOISE = np.random.default_rng(21).standard_normal(SIZE)
SERIES = 20.0 + 4.0 * np.sin(2 * np.pi * TIME / 12) + np.cumsum(0.2 * NOISE) + 0.5 * NOISE
SINE = 3.0 + np.sin(0.2 * TIME)
SCALE = (19.0, 3.5)

MAPS: dict[str, dict[str, Any]] = {
    "quadratic": {"lags": 4},
    "spaced, few products": {"lags": 6, "spacing": 2, "product_lags": 2},
    "linear": {"lags": 5, "degree": 1},
    "cubic": {"lags": 2, "degree": 3},
    "lag set": {"lags": (1, 2, 5, 12)},
    "everything": {"lags": 4, "periods": (12,), "seasonal": 1, "clock_lags": 2, "half_lives": (5, 30)},
    "two periods": {"lags": (1, 3), "periods": (12, 7.5), "seasonal": 2, "harmonics": 1, "clock_lags": 1},
    "seasonal delays that the lags hold": {"lags": 12, "degree": 1, "periods": (4,), "harmonics": 0, "seasonal": 1},
    "seasonal delays held at some horizons": {
        "lags": 3, "degree": 1, "periods": (4,), "harmonics": 0, "seasonal": 1,
    },
    "raw columns": {"lags": 3, "columns": "raw"},
    "raw columns and a penalised constant": {"lags": 3, "columns": "raw", "intercept": "penalised", "periods": (12,)},
    "no intercept": {"lags": 3, "intercept": "none", "half_lives": (4,)},
    "no intercept, moving columns": {"lags": 3, "intercept": "none", "periods": (12,), "seasonal": 1},
    "penalised intercept": {"lags": 3, "intercept": "penalised", "periods": (12,)},
    "increments": {"lags": 3, "target": "increment", "periods": (12,)},
    "seasonal increments": {"lags": 3, "target": "seasonal", "periods": (5,), "seasonal": 2},
    "increments without intercept": {"lags": 3, "target": "increment", "intercept": "none"},
    "moving columns alone": {"map": (Seasonal((12,)), Clock((12,)))},
    "delays last": {"map": (Clock((12,)), Delays(3))},
    "clipped": {"lags": 3, "clip": 0.2, "half_lives": (4,)},
}  # fmt: skip


def single(settings: dict[str, Any], model: NGRC, y: FloatArray, horizon: int, **data: Any) -> NGRC:
    """The single-horizon model on the rows that the path gave this horizon."""
    longest = model.horizon
    start = max(model.first_target, data.pop("first", 0))
    alone = NGRC(**settings, horizon=horizon)
    # Same origins: the targets lie longest - horizon steps earlier, at both ends.
    return alone.fit(
        y[: y.size - (longest - horizon)], first=start - (longest - horizon), scale=SCALE, **data
    )


def assert_each_is_its_single_fit(
    settings: dict[str, Any],
    y: FloatArray,
    longest: int,
    first: int = 0,
    tolerance: float = 1e-8,
    horizons: Sequence[int] = (),
) -> NGRC:
    model = NGRC(**settings, horizon=longest, path=True).fit(y[:FIT], first=first, scale=SCALE)
    paths, coming = model.predict_path(y), model.forecast(y)
    assert paths.shape == (SIZE, longest)
    assert coming.shape == (longest,)
    leverages = model.forecast_leverage(y)
    for horizon in horizons or range(1, longest + 1):
        alone = single(settings, model, y[:FIT], horizon, first=first)
        place = horizon - 1
        np.testing.assert_allclose(paths[:, place], alone.predict(y), atol=tolerance * SCALE[1], rtol=0)
        # The last of its H values is the one that is made at the last observation.
        assert coming[place] == pytest.approx(alone.forecast(y)[-1], abs=tolerance * SCALE[1])
        assert model.ridge_[place] == alone.ridge_
        if alone.validation_ is not None:
            assert model.fitted_.validations is not None
            found = model.fitted_.validations[place]
            assert found.rows == alone.validation_.rows
            np.testing.assert_allclose(found.scores, alone.validation_.scores, rtol=1e-5)
        assert model.d_eff_[place] == pytest.approx(alone.d_eff_, rel=1e-6)
        assert model.fit_scale_[place] == pytest.approx(alone.fit_scale_, rel=1e-7, abs=tolerance * SCALE[1])
        assert leverages[place] == pytest.approx(alone.forecast_leverage(y)[-1], rel=1e-6)
        assert model.n_rows_ == alone.n_rows_
    last = single(settings, model, y[:FIT], longest, first=first)
    np.testing.assert_allclose(model.predict(y), last.predict(y), atol=tolerance * SCALE[1], rtol=0)
    np.testing.assert_allclose(model.leverage(y), last.leverage(y), rtol=1e-6)
    assert model.n_features_ == last.n_features_
    return model


@pytest.mark.parametrize("name", MAPS)
def test_with_a_penalty_that_is_chosen(name: str) -> None:
    assert_each_is_its_single_fit({"ridges": PAPER_RIDGES, **MAPS[name]}, SERIES, 7)


@pytest.mark.parametrize("name", MAPS)
@pytest.mark.parametrize(("ridge", "horizons"), [(1e-6, range(1, 15)), (0.3, (1, 12, 13, 14))])
def test_with_a_fixed_penalty_beyond_the_period(name: str, ridge: float, horizons: Sequence[int]) -> None:
    settings = {**MAPS[name], "ridge": ridge}
    assert_each_is_its_single_fit(settings, SERIES, 14, first=40, horizons=horizons)


@pytest.mark.parametrize("name", ["quadratic", "everything", "raw columns", "no intercept", "increments"])
def test_with_the_whole_grid(name: str) -> None:
    assert_each_is_its_single_fit(MAPS[name], SERIES, 4)


SMOOTH: list[dict[str, Any]] = [
    {"lags": 8, "ridge": 1e-9},
    {"lags": 8, "ridge": 1e-9, "periods": (12,), "seasonal": 1, "clock_lags": 2},
    {"lags": 6, "degree": 1, "ridge": 1e-13},
    {"lags": (1, 2, 3, 9), "ridge": 1e-9, "target": "increment"},
    {"lags": 5, "ridge": 1e-10, "intercept": "none"},
    {"lags": 6, "degree": 1},
]


@pytest.mark.parametrize("settings", SMOOTH)
def test_a_smooth_series_that_costs_the_moments_their_digits(settings: dict[str, Any]) -> None:
    model = NGRC(**settings, horizon=5, path=True).fit(SINE[:FIT], scale=SCALE)
    paths = model.predict_path(SINE)
    for horizon in range(1, 6):
        alone = single(settings, model, SINE[:FIT], horizon)
        np.testing.assert_allclose(paths[:, horizon - 1], alone.predict(SINE), atol=1e-8 * SCALE[1], rtol=0)
        assert model.ridge_[horizon - 1] == alone.ridge_
        assert np.isfinite(model.d_eff_).all()
        # Eigenvalues at rounding level count by chance where the penalty is as small.
        assert model.d_eff_[horizon - 1] == pytest.approx(alone.d_eff_, rel=1e-3)


@pytest.mark.parametrize("degree", [1, 2])
@pytest.mark.parametrize("y", [SERIES, SINE], ids=["noisy", "singular"])
def test_no_penalty_at_all(y: FloatArray, degree: int) -> None:
    settings: dict[str, Any] = {"lags": 4, "degree": degree, "ridge": 0.0}
    model = NGRC(**settings, horizon=3, path=True).fit(y[:FIT], scale=SCALE)
    for horizon in (1, 2, 3):
        alone = single(settings, model, y[:FIT], horizon)
        np.testing.assert_allclose(
            model.predict_path(y)[:, horizon - 1], alone.predict(y), atol=1e-7 * SCALE[1], rtol=0
        )
        assert model.d_eff_[horizon - 1] == pytest.approx(alone.d_eff_, rel=1e-6)
        assert model.forecast_leverage(y)[horizon - 1] == pytest.approx(
            alone.forecast_leverage(y)[-1], rel=1e-5
        )


def test_more_columns_than_rows() -> None:
    settings: dict[str, Any] = {"lags": 12, "ridge": 1e-3}
    y = SERIES[:70]
    model = NGRC(**settings, horizon=3, path=True).fit(y, scale=SCALE)
    assert model.n_features_ > model.n_rows_
    for horizon in (1, 2, 3):
        alone = single(settings, model, y, horizon)
        np.testing.assert_allclose(
            model.predict_path(SERIES)[:, horizon - 1], alone.predict(SERIES), atol=1e-8 * SCALE[1], rtol=0
        )


def test_a_path_of_one_is_the_single_fit() -> None:
    path = NGRC(3, horizon=1, path=True, ridge=0.1).fit(SERIES)
    alone = NGRC(3, ridge=0.1).fit(SERIES)
    np.testing.assert_allclose(path.predict_path(SERIES)[:, 0], alone.predict(SERIES), rtol=1e-13)
    np.testing.assert_array_equal(path.forecast(SERIES), alone.forecast(SERIES))
    assert path.ridge_ == alone.ridge_


def test_calendar_columns_move_with_the_target() -> None:
    times = pd.date_range("2024-02-26 05:00", periods=SIZE, freq="h").to_numpy()
    settings: dict[str, Any] = {"lags": 3, "calendar": ("hour", "weekday"), "ridge": 0.01}
    model = NGRC(**settings, horizon=4, path=True).fit(SERIES[:FIT], times=times[:FIT], scale=SCALE)
    paths = model.predict_path(SERIES, times=times)
    for horizon in range(1, 5):
        alone = single(settings, model, SERIES[:FIT], horizon, times=times[: FIT - (4 - horizon)])
        np.testing.assert_allclose(
            paths[:, horizon - 1], alone.predict(SERIES, times=times), atol=1e-8 * SCALE[1], rtol=0
        )
        assert model.forecast(SERIES, times=times)[horizon - 1] == pytest.approx(
            alone.forecast(SERIES, times=times)[-1], abs=1e-8 * SCALE[1]
        )


def test_inputs_beside_the_series() -> None:
    rng = np.random.default_rng(22)
    exog = {"wind": rng.standard_normal(SIZE + 4), "sun": rng.standard_normal(SIZE + 4)}
    exog["sun"][: SIZE - 1] += 0.5 * SERIES[1:]
    model = NGRC(3, exog=("wind",), known=("sun",), ridge=0.01, horizon=4, path=True)
    model.fit(SERIES, exog=exog, scale=SCALE)
    paths = model.predict_path(SERIES, exog=exog)
    sight = model.fitted_.see(observe(SERIES, exog, names=("wind",), known=("sun",), ahead=4))
    for horizon in range(1, 5):
        # Origins 2 to n - 5, from which every horizon has an outcome.
        rows = sight.rows(horizon, first=2 + horizon, stop=SIZE - 4 + horizon)
        readout = fit_readout(rows, 0.01)
        wanted = SCALE[0] + SCALE[1] * readout.predict(sight.rows(horizon).design)
        np.testing.assert_allclose(paths[2 + horizon :, horizon - 1], wanted, atol=1e-8 * SCALE[1], rtol=0)
        coming = readout.predict(sight.rows(horizon, first=SIZE, stop=SIZE + horizon).design)[-1]
        found = model.forecast(SERIES, exog=exog)[horizon - 1]
        assert found == pytest.approx(SCALE[0] + SCALE[1] * coming, abs=1e-8 * SCALE[1])


def test_rows_and_readouts_by_horizon() -> None:
    model = NGRC(3, horizon=4, path=True, ridges=PAPER_RIDGES, periods=(12,)).fit(SERIES)
    assert [validation.rows for validation in model.fitted_.validations or ()] == [
        # A fifth of the rows, less the h - 1 guards of each horizon.
        model.n_rows_ - model.n_rows_ * 4 // 5 - (horizon - 1)
        for horizon in range(1, 5)
    ]
    assert model.ridge_.shape == model.d_eff_.shape == model.fit_scale_.shape == (4,)
    for horizon in range(1, 5):
        weights = model.coefficients(horizon)
        assert len(weights.names) == model.n_features_
        assert f"x[t+{horizon}] = " in weights.equation()
    with pytest.raises(ValueError, match="there is no readout of horizon 5 and channel 0"):
        model.coefficients(5)
    with pytest.raises(
        ValueError, match="there is no readout of horizon 5 and channel 0; the model has the horizons 1"
    ):
        model.noise_scale("gcv", 5)


def test_the_shortest_history_is_enough_for_all_horizons() -> None:
    model = NGRC(3, horizon=5, path=True, ridge=0.1, target="increment").fit(SERIES)
    np.testing.assert_allclose(model.forecast(SERIES[97:100]), model.forecast(SERIES[:100]), rtol=1e-12)
    assert model.forecast_leverage(SERIES[97:100]).shape == (5,)
    with pytest.raises(
        ValueError, match="forecasting needs at least 3 observations, got 2; give a longer history"
    ):
        model.forecast(SERIES[98:100])


def test_a_path_must_be_asked_for() -> None:
    with pytest.raises(
        ValueError, match=r"predict_path needs a model of all horizons; fit NGRC\(horizon=H, path=True\)"
    ):
        NGRC(3, horizon=4, ridge=0.1).fit(SERIES).predict_path(SERIES)


def test_origins_that_are_not_asked_for_are_left_out_and_change_no_other() -> None:
    model = NGRC(lags=4, horizon=3, path=True, periods=(12,)).fit(SERIES[:FIT])
    whole, first, stop = model.predict_path(SERIES), 280, 300
    some = model.predict_path(SERIES, since=first + 1, before=stop)
    for step in (1, 2, 3):
        column = some[:, step - 1]
        known = np.zeros(SIZE, dtype=bool)
        known[first + step : stop + step] = True
        assert np.isnan(column[~known]).all()
        np.testing.assert_allclose(column[known], whole[known, step - 1], rtol=0, atol=1e-12)
    beyond = model.predict_path(SERIES, since=first + 1, before=SIZE + 9)
    np.testing.assert_array_equal(beyond, model.predict_path(SERIES, since=first + 1))
