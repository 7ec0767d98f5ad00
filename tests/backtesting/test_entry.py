"""The backtest against a plain re-computation, and its promises: tidy, honest, blind to the future."""

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import ngrc
from ngrc import NGRC, backtest
from ngrc.forecasters import SeasonalNaive
from ngrc.intervals import Adaptive, Bayes, Rolling, Split
from ngrc.intervals.defaults import COMPARED
from ngrc.splits import FixedOrigin, ShiftedWindows

QUICK = ["bayes", "split", "asymmetric", "rolling", "gaussian", "adaptive", "weighted"]


def series(n: int = 500, seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return 50 + 10 * np.sin(np.arange(n) / 6) + rng.normal(0, 1.5, n)


def test_all_eight_methods_by_default() -> None:
    result = backtest(series(300), NGRC(lags=3))
    assert result.table["method"].to_list() == list(COMPARED)
    assert np.isfinite(result.table["winkler"].to_numpy()).all()


@pytest.mark.parametrize("horizon", [1, 3])
def test_split_band_is_what_a_plain_computation_gives(horizon: int) -> None:
    y = series()
    lags, level = 4, 0.9
    run = backtest(
        y, NGRC(lags=lags, ridge=0.1, horizon=horizon), level=level, methods=["split"], split=FixedOrigin()
    ).runs[0]
    rows = y.size - (lags - 1) - horizon
    fit = int(0.4 * rows)
    first = lags - 1 + horizon
    scale = (y[: int(0.4 * y.size)].mean(), y[: int(0.4 * y.size)].std())
    model = NGRC(lags=lags, ridge=0.1, horizon=horizon).fit(y[: first + fit], scale=scale)
    residuals = y - model.predict(y)
    usable = np.abs(residuals[first + fit + horizon - 1 : first + 2 * fit - horizon + 1])
    quantile = np.sort(usable)[int(np.ceil((usable.size + 1) * level)) - 1]
    band = run.band("split")
    centre = model.predict(y)[first + 2 * fit :]
    np.testing.assert_allclose(band.upper, centre + quantile, rtol=1e-12)
    np.testing.assert_allclose(band.lower, centre - quantile, rtol=1e-12)
    assert band.coverage == np.mean(np.abs(residuals[first + 2 * fit :]) <= quantile)
    assert run.diagnostics[level].q_cal == pytest.approx(quantile)


def test_diagnostics_factor_and_block_scales() -> None:
    run = backtest(series(), NGRC(lags=4, ridge=0.1), methods=["split"], split=FixedOrigin()).runs[0]
    shown = run.diagnostics[0.95]
    assert shown.rho_q == pytest.approx(shown.shape * shown.scale)
    test = run.residuals[run.blocks.test]
    assert shown.tau_test == pytest.approx(np.sqrt(np.mean(test**2))) == run.rmse
    assert shown.p_over_n == pytest.approx(15 / run.blocks.fit_rows)


def test_units_do_not_matter() -> None:
    y = series()
    one = backtest(y, NGRC(lags=4), methods=QUICK)
    other = backtest(1000 * y + 7, NGRC(lags=4), methods=QUICK)
    np.testing.assert_allclose(other.table["width"], 1000 * one.table["width"].to_numpy(), rtol=1e-6)
    np.testing.assert_allclose(other.table["coverage"], one.table["coverage"])


@pytest.mark.parametrize("horizon", [1, 3])
def test_the_future_changes_nothing_before_it(horizon: int) -> None:
    y = series()
    changed = y.copy()
    cut = y.size - 40
    changed[cut:] += np.random.default_rng(1).normal(0, 30, 40)
    methods = [*QUICK, "rescp"]
    before = backtest(y, NGRC(lags=4, horizon=horizon), methods=methods).runs[0]
    after = backtest(changed, NGRC(lags=4, horizon=horizon), methods=methods).runs[0]
    # The interval for target t uses observations through t - H, so targets before cut + H are untouched.
    same = cut + horizon - before.blocks.test.start
    for name in methods:
        assert before.band(name).selected == after.band(name).selected
        np.testing.assert_array_equal(before.band(name).upper[:same], after.band(name).upper[:same])
        np.testing.assert_array_equal(before.band(name).lower[:same], after.band(name).lower[:same])
        if name not in ("split", "asymmetric", "bayes"):
            assert (before.band(name).upper[same:] != after.band(name).upper[same:]).any()


@pytest.mark.parametrize("horizon", [1, 3])
def test_a_noise_estimate_sees_the_fit_rows_alone(horizon: int) -> None:
    y = series()
    methods = {"gcv": Bayes(noise="gcv"), "evidence": Bayes(noise="evidence"), "given": Bayes(noise=0.4)}
    model = NGRC(lags=4, horizon=horizon)
    before = backtest(y, model, methods=methods, split=FixedOrigin()).runs[0]
    changed = y.copy()
    changed[before.blocks.fit.stop :] += np.random.default_rng(1).normal(
        0, 30, y.size - before.blocks.fit.stop
    )
    after = backtest(changed, model, methods=methods, split=FixedOrigin()).runs[0]
    # Only the leverage of a row reaches beyond the fit block, and that of the first test row by its own delays.
    for name in methods:
        scales = []
        for run in (before, after):
            assert run.leverage is not None
            band, spread = run.band(name), np.sqrt(1 + run.leverage[run.blocks.test])
            scales.append((band.upper - band.lower) / spread)
            assert scales[-1] == pytest.approx(scales[-1][0], rel=1e-12)
        assert scales[0][0] == pytest.approx(scales[1][0], rel=1e-12)
        assert before.band(name).selected == {"noise": methods[name].noise}


def test_a_noise_estimate_is_asked_of_models_that_give_one() -> None:
    with pytest.raises(
        ValueError, match=r"noise='gcv' needs a forecaster with noise_scale\(\).*got SeasonalNaive"
    ):
        backtest(series(200), SeasonalNaive(7), methods=[Bayes(noise="gcv")])


def test_many_horizons_levels_windows_make_a_tidy_table() -> None:
    result = backtest(
        series(600),
        NGRC(lags=2),
        horizon=[1, 2],
        level=[0.8, 0.9],
        methods=["split", "gaussian"],
        split=ShiftedWindows(),
    )
    table = result.table
    assert table.height == 3 * 2 * 2 * 2
    assert table.select("window", "horizon", "level", "method").is_unique().all()
    wide = table.filter(pl.col("level") == 0.9)["width"].to_numpy()
    assert (wide > table.filter(pl.col("level") == 0.8)["width"].to_numpy()).all()
    assert result.run(horizon=2, window=1).blocks.horizon == 2
    assert (table["total_seconds"] >= table["seconds"]).all()


def test_the_table_comes_in_the_users_library() -> None:
    assert isinstance(backtest(pd.Series(series(200)), NGRC(lags=2), methods=["split"]).table, pd.DataFrame)
    assert isinstance(backtest(pl.Series(series(200)), NGRC(lags=2), methods=["split"]).table, pl.DataFrame)


def test_the_callers_model_is_left_alone() -> None:
    model = NGRC(lags=2)
    backtest(series(200), model, horizon=3, methods=["split"])
    assert model.horizon == 1
    assert not hasattr(model, "readout_")


def test_labels_and_own_parameters() -> None:
    chosen = {"slow": Adaptive(rate=0.001), "fast": Adaptive(rate=0.05), "plain": Split()}
    run = backtest(series(), NGRC(lags=3), methods=chosen).runs[0]
    assert [band.method for band in run.bands] == ["slow", "fast", "plain"]
    assert run.band("fast").selected == {"rate": 0.05}
    with pytest.raises(ValueError, match="given twice"):
        backtest(series(), NGRC(lags=3), methods=[Adaptive(rate=0.001), Adaptive(rate=0.05)])
    with pytest.raises(ValueError, match="at least one interval method"):
        backtest(series(), NGRC(lags=3), methods=[])


def test_a_constant_series_is_said_to_be_one_and_has_width_zero() -> None:
    result = backtest(np.full(200, 3.0), NGRC(lags=2))
    np.testing.assert_allclose(result.runs[0].forecasts[5:], 3.0)
    assert (result.table["width"] == 0).all()
    assert any("constant" in note for note in result.series.notes)


def test_too_little_calibration_gives_an_infinite_interval_that_is_counted() -> None:
    run = backtest(series(100), NGRC(lags=1), level=0.99, methods=["split", "asymmetric"]).runs[0]
    for band in run.bands:
        assert band.infinite == band.lower.size
        assert band.width == np.inf


def test_shares_can_be_chosen() -> None:
    run = backtest(series(500), NGRC(lags=2), methods=["split"], split=FixedOrigin(0.6, 0.2)).runs[0]
    assert run.blocks.fit_rows == int(0.6 * 498)
    assert run.blocks.calibration_rows == int(0.2 * 498)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"horizon": 0}, "horizon must be at least 1, got 0"),
        ({"level": 1.5}, "level must be in"),
        ({"level": []}, "empty"),
        ({"methods": ["nonsense"]}, "nonsense"),
        ({"methods": [Split()], "split": FixedOrigin(0.9, 0.2)}, "leave room for the test block"),
    ],
)
def test_bad_arguments(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        backtest(series(), NGRC(lags=2), **arguments)  # type: ignore[arg-type]


def test_public_names_are_listed() -> None:
    for name in ngrc.__all__:
        assert getattr(ngrc, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        ngrc.nonsense


def test_a_window_may_be_as_long_as_the_history_and_no_longer() -> None:
    result = backtest(series(900), NGRC(lags=2), methods=[Rolling(window=300)])
    assert result.runs[0].band("rolling").selected == {"window": 300}
    with pytest.raises(ValueError, match="window"):
        backtest(series(900), NGRC(lags=2), methods=[Rolling(window=800)])


def test_the_intervals_as_a_table_with_times() -> None:
    days = pd.date_range("2020-01-01", periods=300, freq="D")
    result = backtest(pd.Series(series(300), index=days), NGRC(lags=2), level=[0.8, 0.9], methods="split")
    table = result.intervals("split", level=90)
    assert list(table.columns) == ["time", "y", "forecast", "lower", "upper"]
    assert str(table["time"].iloc[-1])[:10] == "2020-10-26"
    assert ((table["upper"] - table["lower"]) > 0).all()
    with pytest.raises(ValueError, match="several bands"):
        result.runs[0].band("split")
    assert len(repr(result)) < 3000


def test_what_is_no_forecaster_is_refused() -> None:
    for wrong in (NGRC, "ngrc", object()):
        with pytest.raises(ValueError, match="model must be an unfitted forecaster"):
            backtest(series(), wrong)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="got 'abc'"):
        backtest(series(), NGRC(lags=2), level="abc")  # type: ignore[arg-type]


def test_every_shifted_window_keeps_its_own_model() -> None:
    result = backtest(series(700, seed=4), NGRC(lags=3), methods=["bayes"], split=ShiftedWindows())
    values = result.series.values
    for run in result.runs:
        assert isinstance(run.model, NGRC)
        np.testing.assert_array_equal(run.model.predict(values[: run.blocks.test.stop]), run.forecasts)
        assert run.model.n_rows_ == run.blocks.fit_rows


def test_block_scales_leave_guards_and_pending_out() -> None:
    y, horizon, level = series(400, seed=2), 4, 0.8
    run = backtest(y, NGRC(lags=2, ridge=0.1, horizon=horizon), level=level, methods=["split"]).runs[0]
    cal, shown = run.blocks.calibration, run.diagnostics[level]
    usable = run.residuals[cal.start + horizon - 1 : cal.stop - horizon + 1]
    whole = run.residuals[cal]
    assert shown.tau_cal == pytest.approx(np.sqrt(np.mean(usable**2)), rel=1e-12)
    assert shown.tau_cal != pytest.approx(np.sqrt(np.mean(whole**2)), rel=1e-6)
    assert shown.q_cal == np.sort(np.abs(usable))[int(np.ceil((usable.size + 1) * level)) - 1]


@pytest.mark.parametrize("split", ["fixed", FixedOrigin, 3])
def test_what_is_no_splitter_is_refused_in_one_line(split: Any) -> None:
    with pytest.raises(
        ValueError, match=r"split must be a splitter such as FixedOrigin\(\) or WalkForward\(\), got"
    ):
        backtest(np.arange(50.0), NGRC(lags=2), split=split)
