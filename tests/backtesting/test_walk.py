"""Walking forward: against a loop over targets, honest at every origin, and the fixed origin as it ever was."""

from typing import Any

import numpy as np
import pytest
from sklearn.linear_model import Ridge

from ngrc import NGRC, FixedOrigin, WalkForward, backtest, diagnose
from ngrc.backtesting.window import prefix_scale
from ngrc.features import Scale
from ngrc.forecasters import LagRegressor, SeasonalNaive
from ngrc.splits import Blocks

METHODS = ["bayes", "split", "asymmetric", "rolling", "gaussian", "adaptive", "weighted", "rescp"]


def series(n: int = 240, seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return 50 + 10 * np.sin(np.arange(n) / 6) + np.cumsum(rng.normal(0, 0.3, n)) + rng.normal(0, 1.5, n)


def copy(model: Any, horizon: int) -> Any:
    return type(model)(**{**model.get_params(deep=False), "horizon": horizon})


MODELS: dict[str, Any] = {
    "NGRC": NGRC(lags=3, ridge=0.1),
    "clipped": NGRC(lags=3, ridge=0.1, clip=0.1, target="increment"),
    "regressor": LagRegressor(Ridge(), 4),
    "naive": SeasonalNaive(7),
}


@pytest.mark.parametrize("window", [None, 60])
@pytest.mark.parametrize("horizon", [1, 3, 7])
@pytest.mark.parametrize("name", MODELS)
def test_every_target_is_forecast_by_the_last_model_before_its_origin(
    name: str, horizon: int, window: int | None
) -> None:
    y, model = series(), MODELS[name]
    run = backtest(y, model, horizon=horizon, methods=["split"], window=window).runs[0]
    blocks, every = run.blocks, (run.blocks.fit.stop, *run.blocks.ends)
    assert run.refits == len(blocks.ends) == 12
    fresh = {}
    for end in every:
        first = blocks.start if window is None else max(blocks.start, end - window)
        fresh[end] = copy(model, horizon).fit(y[:end], first=first, scale=Scale.of(y[: blocks.fit.stop]))
    for target in range(blocks.history.start, y.size):
        end = max(end for end in every if end <= target - horizon + 1)
        expected = fresh[end].predict(y[: target + 1])[target]
        assert run.forecasts[target] == pytest.approx(expected, abs=1e-8 * np.std(y)), target
    assert run.rmse == pytest.approx(np.sqrt(np.mean((y - run.forecasts)[blocks.test] ** 2)))


def test_refits_help_where_the_series_changes() -> None:
    rng = np.random.default_rng(5)
    y = np.zeros(1200)
    for t in range(1, y.size):
        y[t] = (0.9 if t < 500 else -0.6) * y[t - 1] + rng.normal()
    model = NGRC(lags=2, degree=1)
    fixed, grown, recent = (
        backtest(y, model, methods=["split"], **arguments).runs[0].rmse
        for arguments in ({"split": FixedOrigin()}, {}, {"window": 300})
    )
    # After the change the best error is 1, and the old coefficient's about sqrt(1 + 1.5^2 / (1 - 0.36)) = 2.1.
    assert fixed > 1.7
    assert grown < 0.9 * fixed
    assert recent < 1.1


def test_the_test_block_is_that_of_the_fixed_origin_and_the_table_counts_the_refits() -> None:
    y = series(400)
    walked = backtest(y, NGRC(lags=3), methods=["split"], horizon=[1, 3])
    fixed = backtest(y, NGRC(lags=3), methods=["split"], horizon=[1, 3], split=FixedOrigin())
    assert walked.table["refits"].to_list() == [12, 12]
    assert fixed.table["refits"].to_list() == [0, 0]
    assert [run.blocks.test for run in walked.runs] == [run.blocks.test for run in fixed.runs]
    every = backtest(y, NGRC(lags=3, ridge=0.1), methods=["split"], refit_every=10)
    blocks = every.runs[0].blocks
    assert every.runs[0].refits == len(range(blocks.fit.stop + 10, y.size, 10))
    assert np.diff((blocks.fit.stop, *blocks.ends)).tolist() == [10] * len(blocks.ends)


def test_the_kept_model_is_the_one_that_issues_the_first_test_interval() -> None:
    y = series(400)
    run = backtest(y, NGRC(lags=3, ridge=0.1, horizon=3), methods=["split"]).runs[0]
    assert run.blocks.fitted.stop == run.blocks.test.start - 2 == run.blocks.ends[7]
    model: Any = run.model
    assert model.n_rows_ == run.blocks.fitted.stop - run.blocks.fitted.start
    assert run.diagnostics[0.95].tau_fit == pytest.approx(model.fit_scale_)
    regression = backtest(y, LagRegressor(Ridge(), 4), methods=["split"]).runs[0]
    stop = regression.blocks.fitted.stop
    inside = (y[:stop] - regression.model.predict(y[:stop]))[regression.blocks.fitted]
    assert regression.diagnostics[0.95].tau_fit == pytest.approx(np.sqrt(np.mean(inside**2)))


@pytest.mark.parametrize("window", [None, 80])
@pytest.mark.parametrize("horizon", [1, 3, 7])
@pytest.mark.parametrize("name", MODELS)
def test_the_future_changes_nothing_before_it(name: str, horizon: int, window: int | None) -> None:
    y = series()
    methods = METHODS if name in ("NGRC", "clipped") else METHODS[1:]
    run = backtest(y, MODELS[name], horizon=horizon, methods=methods, window=window).runs[0]
    test = run.blocks.test
    for cut in (run.blocks.ends[2], run.blocks.ends[9] - 1):
        changed = y.copy()
        changed[cut:] += np.random.default_rng(cut).normal(0, 30, y.size - cut)
        after = backtest(changed, MODELS[name], horizon=horizon, methods=methods, window=window).runs[0]
        # A forecast of target t is made at t - H, from what is observed before cut where t - H < cut.
        same = cut + horizon
        np.testing.assert_array_equal(run.forecasts[:same], after.forecasts[:same])
        if run.leverage is not None and after.leverage is not None:
            np.testing.assert_array_equal(run.leverage[:same], after.leverage[:same])
        assert not np.array_equal(run.forecasts[same:], after.forecasts[same:])
        issued = same - test.start
        for method in methods if issued > 0 else ():
            before, later = run.band(method), after.band(method)
            assert before.selected == later.selected
            np.testing.assert_array_equal(before.upper[:issued], later.upper[:issued])
            np.testing.assert_array_equal(before.lower[:issued], later.lower[:issued])


def test_a_walk_without_ends_is_the_fixed_origin_to_the_bit() -> None:
    y = series(400)
    plain = backtest(y, NGRC(lags=3), methods=METHODS, split=FixedOrigin()).runs[0]

    class Same:
        def splits(self, n: int, first_target: int, horizon: int) -> tuple[Blocks, ...]:
            (blocks,) = FixedOrigin().splits(n, first_target, horizon)
            sizes = blocks.fit_rows, blocks.calibration_rows, blocks.test_rows
            return (Blocks(blocks.start, *sizes, horizon, blocks.scale_end, (), n),)

    walked = backtest(y, NGRC(lags=3), methods=METHODS, split=Same()).runs[0]
    model = NGRC(lags=3).fit(
        y[: plain.blocks.fit.stop], first=plain.blocks.start, scale=prefix_scale(y, plain.blocks)
    )
    np.testing.assert_array_equal(plain.forecasts, model.predict(y))
    for run in (plain, walked):
        np.testing.assert_array_equal(run.forecasts, plain.forecasts)
        for method in METHODS:
            np.testing.assert_array_equal(run.band(method).upper, plain.band(method).upper)


def test_short_series_are_walked_and_too_short_ones_told() -> None:
    rng = np.random.default_rng(2)
    for n in range(8, 40):
        run = backtest(rng.normal(size=n), SeasonalNaive(), methods=["split", "adaptive"], level=0.5).runs[0]
        assert run.blocks.history_rows >= 4
        assert run.blocks.test_rows >= 1
        assert np.isfinite(run.rmse)
        assert run.refits <= 12
    with pytest.raises(ValueError, match="too short: 8 observations are needed"):
        backtest(rng.normal(size=7), SeasonalNaive(), methods=["split"])
    with pytest.raises(ValueError, match="lags 2, spacing 1, horizon 3 and first target 4 need at least 15"):
        backtest(rng.normal(size=18), NGRC(lags=2, horizon=3), methods=["split"])


def test_refits_and_a_split_contradict_each_other() -> None:
    wrong: list[dict[str, Any]] = [{"refit_every": 5}, {"window": 50}]
    for arguments in wrong:
        with pytest.raises(ValueError, match="refit_every and window belong to a walk forward"):
            backtest(series(), NGRC(lags=2), split=FixedOrigin(), **arguments)
    with pytest.raises(ValueError, match="refit_every must be at least 1, got 0"):
        backtest(series(), NGRC(lags=2), refit_every=0)
    with pytest.raises(ValueError, match="window must be at least 1, got 0"):
        backtest(series(), NGRC(lags=2), window=0)
    with pytest.raises(ValueError, match="need at least"):
        backtest(series(), NGRC(lags=2), window=1, methods=["split"])


def test_a_diagnosis_walks_too() -> None:
    y = series(600)
    found = diagnose(y, NGRC(lags=3, degree=1), refit_every=50)
    assert found.run.refits == len(found.run.blocks.ends) > 5
    assert diagnose(y, NGRC(lags=3, degree=1), split=FixedOrigin()).run.refits == 0
    assert diagnose(y, NGRC(lags=3, degree=1), split=WalkForward(refits=(2, 0))).run.refits == 2


@pytest.mark.parametrize("horizon", [1, 3])
def test_columns_beside_the_series_are_read_no_further_than_allowed(horizon: int) -> None:
    y = series(300)
    heat, wind = series(300, seed=3), series(300, seed=4)
    model = NGRC(lags=2, degree=1, ridge=0.1, known=("heat",), exog=("wind",), horizon=horizon)

    def forecasts(heat: np.ndarray, wind: np.ndarray) -> np.ndarray:
        frame = {"heat": heat, "wind": wind}
        return backtest(y, model, exog=frame, methods=["split"]).runs[0].forecasts

    before, cut = forecasts(heat, wind), 200
    later = np.where(np.arange(300) >= cut, 50.0, 0.0)
    # A known input is read at the target's own time, another through the origin.
    warmer, stormier = forecasts(heat + later, wind), forecasts(heat, wind + later)
    np.testing.assert_array_equal(before[:cut], warmer[:cut])
    assert before[cut] != warmer[cut]
    np.testing.assert_array_equal(before[: cut + horizon], stormier[: cut + horizon])
    assert before[cut + horizon] != stormier[cut + horizon]
