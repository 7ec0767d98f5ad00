"""Scores per series, and frames that evaluation packages read as they are."""

from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from utilsforecast import losses
from utilsforecast.evaluation import evaluate

import ngrc
from ngrc.backtesting.accuracy import accuracies
from ngrc.panel import backtest, cross_validation, cross_validations
from tests.panel.panels import MODEL, QUICK, SIZE, panel, values

DAYS = pl.date_range(pl.date(2024, 1, 1), pl.date(2024, 7, 18), eager=True)


def test_scores_are_those_of_a_backtest_of_the_series_alone() -> None:
    table = backtest(panel(size=200), 2, level=[80, 95], model=MODEL, methods=["split", "adaptive"])
    assert table.height == 3 * 2 * 2
    alone = ngrc.backtest(values(1, 200), MODEL, horizon=2, level=[80, 95], methods=["split", "adaptive"])
    mine = table.filter(pl.col("unique_id") == "b")
    names = [
        "horizon",
        "level",
        "method",
        "refits",
        "rmse",
        "coverage",
        "coverage_error",
        "width",
        "winkler",
        "infinite",
    ]
    for name in names:
        assert mine[name].to_list() == alone.table[name].to_list()
    assert mine["rows"].to_list() == [41] * 4


def test_point_scores_against_plain_sums() -> None:
    y = values(0, 200)
    frame = panel(names=["a"], size=200, times=DAYS)
    row = backtest(frame, 2, model=MODEL, methods="split", season=7).row(0, named=True)
    run = ngrc.backtest(y, MODEL, horizon=2, methods=["split"]).run()
    targets = np.arange(159, 200)
    errors = y[targets] - run.forecasts[targets]
    scale = np.mean([abs(y[t] - y[t - 7]) for t in range(7, run.blocks.fit.stop)])
    assert row["season"] == 7
    assert row["mae"] == pytest.approx(np.mean(np.abs(errors)), rel=1e-14)
    assert row["mase"] == pytest.approx(np.mean(np.abs(errors)) / scale, rel=1e-14)
    assert row["naive_rmse"] == pytest.approx(np.sqrt(np.mean((y[targets] - y[targets - 2]) ** 2)), rel=1e-14)
    assert row["seasonal_rmse"] == pytest.approx(
        np.sqrt(np.mean((y[targets] - y[targets - 7]) ** 2)), rel=1e-14
    )


def test_errors_are_those_of_compare_and_of_the_report() -> None:
    y = values(0, 200)
    row = backtest(panel(names=["a"], size=200), 2, model=MODEL, methods="split").row(0, named=True)
    result = ngrc.backtest(y, MODEL, horizon=2, methods=["split"])
    found = accuracies(result, result.run())
    assert (row["season"], row["rmse"], row["mase"]) == (found.season, found.rows[0].rmse, found.rows[0].mase)


def test_missing_outcomes_are_not_scored() -> None:
    y = values(0, 200)
    y[[170, 190]] = np.nan
    row = backtest(panel(names=["a"], size=200).with_columns(y=y), model=MODEL, methods="split").row(
        0, named=True
    )
    run = ngrc.backtest(y, MODEL, methods=["split"]).run()
    targets = np.setdiff1d(np.arange(*run.blocks.test.indices(200)), [170, 190])
    assert row["rows"] == targets.size
    assert row["mae"] == pytest.approx(np.mean(np.abs(y[targets] - run.forecasts[targets])), rel=1e-14)
    assert row["rmse"] == pytest.approx(
        np.sqrt(np.mean((y[targets] - run.forecasts[targets]) ** 2)), rel=1e-14
    )


def test_seasons() -> None:
    table = backtest(panel(names=["a"], size=200), model=MODEL, methods="split", season=10)
    assert table["season"].to_list() == [10]
    # Longer than what comes before the test block: nothing to repeat, and nothing to divide by.
    row = backtest(panel(names=["a"], size=200), model=MODEL, methods="split", season=190).row(0, named=True)
    assert row["mase"] is None or np.isnan(row["mase"])
    assert row["seasonal_rmse"] is None or np.isnan(row["seasonal_rmse"])
    assert row["rmse"] > 0


@pytest.mark.parametrize(("options", "words"), [({"season": 0}, "season"), ({"methods": []}, "at least one")])
def test_wrong_options_are_refused(options: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        backtest(panel(), model=MODEL, **options)


@pytest.fixture(params=["pandas", "polars"])
def evaluated(request: pytest.FixtureRequest) -> tuple[Any, Any]:
    """A cross-validation, and the rows before its cutoffs."""
    frame: Any = panel(size=100, times=DAYS[:100])
    if request.param == "pandas":
        frame = frame.to_pandas()
    return cross_validation(frame, 4, windows=3, level=[80, 95], **QUICK), frame


def test_utilsforecast_reads_a_cross_validation_as_it_is(evaluated: tuple[Any, Any]) -> None:
    frame, rows = evaluated
    metrics = [losses.rmse, losses.coverage, losses.scaled_crps, partial(losses.mase, seasonality=7)]
    table = evaluate(frame, metrics, level=[80, 95], train_df=rows)
    assert type(table) is type(rows)
    assert len(table) == 3 * 3 * 5
    text = pl.DataFrame(table) if isinstance(table, pl.DataFrame) else pl.from_pandas(table)
    assert text["NGRC"].is_finite().all()
    ours = frame if isinstance(frame, pl.DataFrame) else pl.from_pandas(frame)
    inside = (ours["y"] >= ours["NGRC-lo-80"]) & (ours["y"] <= ours["NGRC-hi-80"])
    assert text.filter(pl.col("metric") == "coverage_level80")["NGRC"].mean() == pytest.approx(inside.mean())


def test_a_cross_validation_is_a_forecast_from_each_cutoff() -> None:
    frame = cross_validation(panel(), 2, windows=3, step=5, **QUICK)
    assert frame.columns == ["unique_id", "ds", "cutoff", "y", "NGRC", "NGRC-lo-95", "NGRC-hi-95"]
    assert frame.filter(pl.col("unique_id") == "c")["cutoff"].to_list() == [47, 47, 52, 52, 57, 57]
    for cutoff in (47, 52, 57):
        mine = frame.filter((pl.col("unique_id") == "c") & (pl.col("cutoff") == cutoff))
        alone = ngrc.look_ahead(values(2)[: cutoff + 1], steps=2, **QUICK)
        np.testing.assert_array_equal(mine["NGRC"], alone.forecast)
        np.testing.assert_array_equal(mine["y"], values(2)[cutoff + 1 : cutoff + 3])


def test_steps_without_an_outcome_are_left_out() -> None:
    frame = panel(names=["a"]).with_columns(y=pl.when(pl.col("ds") == SIZE - 2).then(None).otherwise("y"))
    assert cross_validation(frame, 3, **QUICK)["ds"].to_list() == [SIZE - 3, SIZE - 1]


def test_too_many_cutoffs_are_the_failure_of_a_short_series() -> None:
    answer = cross_validations(panel(), 2, windows=40, **QUICK)
    assert answer.failures["error"][0].startswith("the series is too short for 40 cutoffs: 60 rows")


def test_zones_survive_a_cross_validation() -> None:
    days = pd.date_range("2024-02-01", periods=SIZE, tz="Europe/Berlin", freq="D")
    frame = pd.DataFrame({"unique_id": "a", "ds": days, "y": values(0)})
    answer = cross_validation(frame, 2, **QUICK)
    assert answer["ds"].to_list() == list(days[-2:])
    assert answer["cutoff"].to_list() == [days[-3]] * 2
