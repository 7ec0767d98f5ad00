"""The noise scale of a fitted model, from its readout alone, against the design it was fitted on."""

from typing import Any, Literal

import numpy as np
import pytest

from ngrc import NGRC, FixedOrigin, backtest, look_ahead
from ngrc._types import FloatArray
from ngrc.intervals import Bayes
from ngrc.readout import Readout
from ngrc.theory import noise_scale
from tests.readout.twins import rows_of

Estimate = Literal["gcv", "evidence"]
SETTINGS: list[dict[str, Any]] = [
    {"lags": 4, "ridge": 0.01},
    {"lags": 8, "ridge": 1e-9},
    {"lags": 3, "degree": 1, "horizon": 2, "ridge": 10.0},
    {"lags": 3, "degree": 1, "horizon": 2, "ridge": 0.1, "intercept": "penalised"},
    {"lags": 4, "ridge": 0.0},
    {"lags": 2, "degree": 3, "periods": (24,), "ridge": 0.1},
]


def series(n: int, seed: int = 0) -> FloatArray:
    rng = np.random.default_rng(seed)
    return 40.0 + 5.0 * np.sin(np.arange(n) / 4) + rng.normal(0, 2.0, n)


def design_and_target(model: NGRC, y: FloatArray) -> tuple[FloatArray, FloatArray]:
    rows = rows_of(model.feature_map, model.scale_.standardise(y), model.horizon)
    readout = model.readout_
    assert isinstance(readout, Readout)
    return (rows.design - readout.means) / readout.scales, rows.target


@pytest.mark.parametrize("settings", SETTINGS)
@pytest.mark.parametrize("method", ["gcv", "evidence"])
def test_the_readout_knows_what_the_design_says(settings: dict[str, Any], method: Estimate) -> None:
    y = series(260)
    model = NGRC(**settings).fit(y)
    design, target = design_and_target(model, y)
    free = model.intercept == "free"
    columns = design if free else np.column_stack([np.ones(len(design)), design])
    wanted = noise_scale(columns, target, method, intercept=free)
    found = model.noise_scale(method)
    assert found.edge == wanted.edge
    assert found.scale == pytest.approx(wanted.scale * model.scale_.std, rel=1e-7)
    assert found.error == pytest.approx(wanted.error * model.scale_.std, rel=1e-4)
    assert found.effective_dimension == pytest.approx(wanted.effective_dimension, rel=1e-4)


@pytest.mark.parametrize("ridge", [1e-10, 1e-3, 1.0])
def test_more_columns_than_rows(ridge: float) -> None:
    y = series(80, seed=3)
    model = NGRC(lags=12, ridge=ridge).fit(y)
    assert model.n_features_ > model.n_rows_
    wanted = noise_scale(*design_and_target(model, y), "evidence", intercept=True)
    assert model.noise_scale("evidence").scale == pytest.approx(wanted.scale * model.scale_.std, rel=1e-5)


def test_a_noise_free_series_has_no_noise() -> None:
    wave = np.sin(0.3 * np.arange(300))
    model = NGRC(lags=4, degree=1, ridge=1e-12).fit(wave)
    assert model.noise_scale().scale < 1e-9


@pytest.mark.parametrize("method", ["gcv", "evidence"])
def test_the_interval_has_the_level_where_the_fit_scale_has_not(method: Estimate) -> None:
    # Independent noise and 60 lags on 160 fit rows: the fit's own scale is low by sqrt(1 - d_eff/n), 0.6 to 0.8.
    covered: dict[str, list[float]] = {"fit": [], method: []}
    for seed in range(12):
        y = np.random.default_rng(seed).normal(size=460)
        methods = {"fit": Bayes(), method: Bayes(noise=method)}
        run = backtest(
            y, NGRC(lags=60, degree=1, ridge=0.1), methods=methods, level=0.9, split=FixedOrigin()
        ).runs[0]
        for name in covered:
            covered[name].append(run.band(name).coverage)
    errors = {name: np.std(shares, ddof=1) / np.sqrt(12) for name, shares in covered.items()}
    assert np.mean(covered["fit"]) < 0.9 - 4 * errors["fit"]
    # The posterior's spread is the prior's too: where there is no signal at all the interval is somewhat wide.
    assert np.mean(covered[method]) > 0.9 - 3 * errors[method]
    assert np.mean(covered[method]) < 0.95 + 3 * errors[method]


def test_the_coming_interval_uses_the_fit_share_alone() -> None:
    y = series(300)
    outlook = look_ahead(y, NGRC(lags=3, ridge=0.1), method=Bayes(noise="gcv"), fit=0.5, level=0.95)
    model = NGRC(lags=3, ridge=0.1).fit(y[: 3 + (300 - 3) // 2])
    spread = np.sqrt(1 + model.forecast_leverage(y)[-1])
    width = 2 * 1.959963984540054 * model.noise_scale().scale * spread
    assert outlook.upper[0] - outlook.lower[0] == pytest.approx(width, rel=1e-9)
    assert outlook.selected[0]["noise"] == "gcv"


def test_what_cannot_be_had_is_refused() -> None:
    with pytest.raises(ValueError, match="not fitted"):
        NGRC().noise_scale()
    with pytest.raises(ValueError, match="method must be"):
        NGRC(lags=2, ridge=0.1).fit(series(50)).noise_scale("loo")  # type: ignore[arg-type]
    # an exact map and as many columns as rows: interpolation, and nothing to estimate from
    for size in (40, 50):
        values = [0.3]
        while len(values) < size:
            values.append(3.9 * values[-1] * (1 - values[-1]))
        with pytest.raises(ValueError, match=f"interpolate all {size - 8} rows"):
            NGRC(lags=8, ridge=1e-6).fit(values).noise_scale()
