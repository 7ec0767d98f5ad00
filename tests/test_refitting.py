"""Refits of an NGRC against direct fits of the same rows, at the same scale and penalty."""

from typing import Any

import numpy as np
import pandas as pd
import pytest

from ngrc import NGRC
from ngrc.features import rows
from ngrc.features.scaling import Scale
from ngrc.forecasters.beside import Beside
from ngrc.forecasters.walking import Refittable, Walker, walk

HOURS = pd.date_range("2024-01-01", periods=400, freq="h").to_numpy()


@pytest.fixture(autouse=True, params=[0, rows.SMALL], ids=["structured", "held"])
def small(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every test with columns that are held, and with none."""
    monkeypatch.setattr(rows, "SMALL", request.param)


def wave(n: int = 400, seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return 30 + 5 * np.sin(np.arange(n) / 4) + np.cumsum(rng.normal(0, 0.2, n)) + rng.normal(0, 1, n)


MODELS: dict[str, dict[str, Any]] = {
    "quadratic": {"lags": 4},
    "linear": {"lags": 6, "degree": 1, "intercept": "none"},
    "penalised": {"lags": 3, "intercept": "penalised", "columns": "raw"},
    "cubic": {"lags": 2, "degree": 3},
    "seasonal": {"lags": 3, "periods": (24,), "seasonal": 1, "clock_lags": 1, "target": "seasonal"},
    "memory": {"lags": 3, "half_lives": (5, 40), "target": "increment", "lower": 0.0},
    "spaced": {"lags": 3, "spacing": 2, "horizon": 3},
    "path": {"lags": 3, "horizon": 4, "path": True, "periods": (24,), "seasonal": 1},
    "calendar": {"lags": 2, "horizon": 3, "path": True, "calendar": ("hour",), "degree": 1},
}


@pytest.mark.parametrize("window", [None, 150])
@pytest.mark.parametrize("name", MODELS)
def test_a_refit_is_a_fit_of_the_same_rows(name: str, window: int | None) -> None:
    y, ends = wave(), (160, 161, 230, 300, 400)
    arguments: dict[str, Any] = {"times": HOURS} if name == "calendar" else {}
    model = NGRC(**MODELS[name], ridge=1e-3)
    scale = Scale.of(y[:160])
    fits = list(model.fits(y, ends, scale=scale, window=window, first=20, **arguments))
    assert not hasattr(model, "fitted_")
    for end, refitted in zip(ends, fits, strict=True):
        cut: dict[str, Any] = {key: value[:end] for key, value in arguments.items()}
        first = 20 if window is None else max(20, end - window)
        twin = NGRC(**MODELS[name], ridge=1e-3).fit(y[:end], first=first, scale=scale, **cut)
        assert refitted.n_rows_ == twin.n_rows_
        np.testing.assert_allclose(refitted.fit_scale_, twin.fit_scale_, rtol=1e-8)
        np.testing.assert_allclose(refitted.d_eff_, twin.d_eff_, rtol=1e-8)
        for horizon in refitted.fitted_.horizons:
            ours, theirs = refitted.coefficients(horizon), twin.coefficients(horizon)
            assert ours.names == theirs.names
            np.testing.assert_allclose(ours.values, theirs.values, atol=1e-8)
        np.testing.assert_allclose(
            refitted.forecast_leverage(y[:end], **cut), twin.forecast_leverage(y[:end], **cut), atol=1e-8
        )


def test_channels_and_vectors_are_refitted_too() -> None:
    y, wind, heat = wave(), wave(seed=1), wave(seed=2)
    both, frame = np.stack([y, wind], axis=1), pd.DataFrame({"heat": heat})
    scales = tuple(Scale.of(column[:200]) for column in both.T)
    model = NGRC(2, degree=1, known=("heat",), ridge=1e-3)
    *_, last = model.fits(both, (200, 260, 400), exog=frame, scale=scales)
    twin = NGRC(2, degree=1, known=("heat",), ridge=1e-3).fit(both, exog=frame, scale=scales)
    np.testing.assert_allclose(last.predict(both, exog=frame), twin.predict(both, exog=frame), rtol=1e-8)


def test_the_penalty_is_chosen_at_the_first_fit_and_at_doublings() -> None:
    y = wave(900)
    ends = (100, 150, 190, 210, 300, 420, 900)
    fits = list(NGRC(lags=4).fits(y, ends))
    chosen = {end: fits[ends.index(end)].validation_ for end in ends}
    rows = {end: None if found is None else found.rows for end, found in chosen.items()}
    # Rows double at 210 (from 96 to 206) and at 420; the validation block of a choice is a fifth of its rows.
    assert [rows[end] for end in ends] == [20, 20, 20, 42, 42, 84, 180]
    direct = NGRC(lags=4).fit(y[:420], scale=Scale.of(y[:100]))
    assert fits[5].ridge_ == direct.ridge_
    np.testing.assert_allclose(fits[5].predict(y[:420]), direct.predict(y[:420]), rtol=1e-10)


@pytest.mark.parametrize("arguments", [{"clip": 0.1}, {"transform": "boxcox"}, {"solver": "dual"}])
def test_what_the_fit_block_settles_is_settled_anew(arguments: dict[str, Any]) -> None:
    y, ends = wave(), (150, 250, 400)
    scale = Scale.of(y[:150])
    for end, refitted in zip(ends, NGRC(lags=3, **arguments).fits(y, ends), strict=True):
        twin = NGRC(lags=3, **arguments).fit(y[:end], scale=scale)
        np.testing.assert_array_equal(refitted.predict(y), twin.predict(y))
        assert refitted.ridge_ == twin.ridge_


def test_no_fit_knows_what_comes_after_its_end() -> None:
    y, ends = wave(), (150, 210, 330, 400)
    models = [NGRC(lags=3, half_lives=(9,)), NGRC(lags=3, horizon=3, path=True, periods=(24,), seasonal=1)]
    for model in models:
        plain = list(model.fits(y, ends))
        changed = y.copy()
        changed[330:] **= 2
        after = list(model.fits(changed, ends))
        for one, other in zip(plain[:3], after[:3], strict=True):
            np.testing.assert_array_equal(one.forecast(y[:330]), other.forecast(y[:330]))
            np.testing.assert_array_equal(one.coefficients().values, other.coefficients().values)
        assert not np.array_equal(plain[3].coefficients().values, after[3].coefficients().values)


@pytest.mark.parametrize("window", [None, 150])
@pytest.mark.parametrize("name", MODELS)
def test_a_stop_says_what_its_fitted_model_would(name: str, window: int | None) -> None:
    y, ends = wave(), (160, 161, 230, 300, 400)
    arguments: dict[str, Any] = {"times": HOURS} if name == "calendar" else {}
    model = NGRC(**{**MODELS[name], "path": True})
    stops = model.stops(y, ends, window=window, **arguments)
    for stop, end, later in zip(stops, ends, (*ends[1:], None), strict=True):
        whole = model.at(stop)
        assert whole.fitted_.readouts
        origins = range(end - 1, y.size if later is None else later - 1)
        said = np.full((y.size, model.horizon, 1), np.nan)
        stop.fill(said, origins)
        twin = whole.predict_path(y, **arguments)
        for step in range(1, model.horizon + 1):
            # Forecasts of other origins are neither made nor touched.
            targets = slice(end - 1 + step, min(origins.stop + step, y.size))
            expected = np.full(y.size, np.nan)
            expected[targets] = twin[targets, step - 1]
            np.testing.assert_allclose(said[:, step - 1, 0], expected, rtol=1e-11)


def test_a_broken_bound_and_a_window_too_short_are_one_line() -> None:
    y = wave()
    y[250] = -1.0
    fits = NGRC(lags=2, ridge=0.1, lower=0.0).fits(y, (150, 200, 300))
    assert next(fits).n_rows_ == 148
    assert next(fits).n_rows_ == 198
    with pytest.raises(ValueError, match="lower=0, but 1 of the 300 values"):
        next(fits)
    with pytest.raises(ValueError, match="need at least"):
        list(NGRC(lags=2, horizon=4).fits(y, (150, 200), window=10))


class Counting(NGRC):
    """Keeps what it chose; `fits` is hidden, as of a model that has `refit` alone."""

    fits = None  # type: ignore[assignment]
    parent_: Any = None

    def refit(self, y: Any, *, exog: Any = None, times: Any = None, first: int = 0, scale: Any = None) -> Any:
        fresh = Counting(**{**self.get_params(deep=False), "ridge": self.ridge_})
        fresh.fit(y, exog=exog, times=times, first=first, scale=scale)
        fresh.parent_ = self
        return fresh


def test_a_model_with_refit_is_refitted_by_it() -> None:
    y = wave()
    model = Counting(lags=3)
    assert isinstance(model, Refittable)
    assert isinstance(NGRC(), Walker)
    one, two, three = walk(model, y, (150, 200, 300), scale=Scale.of(y[:150]), beside=Beside(), window=120)
    assert (two.parent_, three.parent_) == (one, two)
    assert one.ridge_ == two.ridge_ == three.ridge_
    assert [fitted.n_rows_ for fitted in (one, two, three)] == [120, 120, 120]
