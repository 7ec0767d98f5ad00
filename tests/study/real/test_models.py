"""Four pipelines: any forecaster under the contract, a missing library, forecasts kept from an earlier run."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ngrc.backtesting.entry import backtest
from ngrc.forecasters import SeasonalNaive
from ngrc.intervals import ResCP
from ngrc.study.harness.output import render
from ngrc.study.harness.target import Settings
from ngrc.study.real import pipelines
from ngrc.study.real.pipelines import Pipeline
from ngrc.study.real.sources import sources
from ngrc.study.real.targets import models
from ngrc.study.registry import find

from .conftest import made_up

QUICK = Settings(quick=True, seed=2)


def absent(lookback: int) -> Any:
    raise ImportError('GRU needs torch, which is not installed; run: pip install "ngrc[neural]"')


@pytest.fixture
def builders(small: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A naive forecaster in ARIMA's place, no torch, and a cache of our own."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(pipelines, "QUICK", ("arima", "gru"))
    replaced = {"arima": lambda lookback: SeasonalNaive(lookback), "gru": absent, "transformer": absent}
    monkeypatch.setattr(pipelines, "BUILDERS", replaced)


def test_a_pipeline_is_a_backtest_of_that_forecaster(builders: None) -> None:
    found = pipelines.pipelines(sources(QUICK), QUICK)["exchange", "arima"]
    assert found.point is not None
    assert found.scores is not None
    (run,) = backtest(made_up(), SeasonalNaive(14), methods=[ResCP(sampler="stochastic", seed=2)]).runs
    band = run.band("rescp")
    assert found.point.rmse == pytest.approx(run.rmse / run.scale[1])
    assert found.scores == pytest.approx(
        (band.coverage, band.width / run.scale[1], band.winkler / run.scale[1])
    )
    np.testing.assert_array_equal(found.point.stream.residuals, run.blocks.stream(run.residuals).residuals)


def test_without_torch_the_others_are_done_and_the_install_is_said(builders: None) -> None:
    outcome = find("real-models").run(QUICK)
    assert any('pip install "ngrc[neural]"' in note for note in outcome.notes)
    verdicts = {check.cell: check for check in outcome.checks}
    assert verdicts["Exchange returns, gru, rmse"].verdict == "not comparable"
    assert verdicts["Exchange returns, gru, rmse"].ours is None
    assert "ngrc[neural]" in verdicts["Exchange returns, gru, rmse"].reason
    assert verdicts["Exchange returns, transformer, rmse"].reason == "left out of a quick run"
    assert verdicts["Exchange returns, arima, rmse"].ours is not None
    assert verdicts["Exchange returns, ngrc, seconds"].verdict == "not comparable"
    files = render(find("real-models"), outcome)
    assert files["models.png"].startswith(b"\x89PNG")


def test_a_second_run_reads_the_forecasts(builders: None) -> None:
    first = pipelines.pipelines(sources(QUICK), QUICK)["exchange", "arima"]
    again = pipelines.pipelines(sources(QUICK), QUICK)["exchange", "arima"]
    assert first.point is not None
    assert again.point is not None
    assert (first.point.kept, again.point.kept) == (False, True)
    assert again.point.seconds == first.point.seconds
    assert again.scores == first.scores
    notes = list(models._notes({("exchange", "arima"): again}))
    assert "1 of 1 trained forecasts were read from an earlier run" in notes[0]
    fits = models._fits(sources(QUICK), {("exchange", name): again for name in models.TITLES})
    assert fits["earlier_run"].to_list() == ["yes"] * 4


def test_nothing_is_scored_where_nothing_was_forecast() -> None:
    empty = Pipeline(None, None, "why")
    assert empty.scores is None
    assert empty.seconds is None
    assert models._measures(empty) == {}


def test_the_four_models_are_the_paper_s() -> None:
    built = {name: build(14) for name, build in pipelines.BUILDERS.items()}
    assert built["arima"].get_params()["order"] == (3, 1, 3)
    assert built["gru"].get_params()["hidden"] == 32
    parameters = built["transformer"].get_params()
    assert [parameters[name] for name in ("width", "heads", "feedforward", "layers", "dropout")] == [
        32,
        2,
        64,
        3,
        0.1,
    ]
    assert {model.first_target for model in built.values()} == {14}


@pytest.mark.paper
def test_exchange_arima_and_ngrc(data_folder: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    checks = {check.cell: check for check in find("real-models").run(Settings(quick=True)).checks}
    assert checks["Exchange returns, ngrc, rmse"].verdict == "match"
    assert checks["Exchange returns, arima, rmse"].verdict in ("match", "within")
