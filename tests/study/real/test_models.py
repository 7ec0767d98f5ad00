"""Four pipelines: any forecaster under the contract, a missing library, forecasts kept, trainings and verdicts."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ngrc.backtesting.entry import backtest
from ngrc.forecasters import GRU, SeasonalNaive, Training
from ngrc.intervals import ResCP
from ngrc.splits import FixedOrigin
from ngrc.study.harness.compare import errors_allowed
from ngrc.study.harness.output import render
from ngrc.study.harness.target import Settings
from ngrc.study.real import pipelines
from ngrc.study.real.pipelines import Pipeline, Point
from ngrc.study.real.sources import Source, sources
from ngrc.study.real.targets import models
from ngrc.study.registry import find

from .conftest import made_up

QUICK = Settings(quick=True, seed=2)


def absent(lookback: int, training: Training) -> Any:
    raise ImportError('GRU needs torch, which is not installed; run: pip install "ngrc[neural]"')


def naive(lookback: int, training: Training) -> SeasonalNaive:
    return SeasonalNaive(lookback)


def moved_by_seed(lookback: int, training: Training) -> SeasonalNaive:
    """Stands for a network: another training, other forecasts."""
    return SeasonalNaive(lookback - (training.seed - pipelines.FIRST_TRAINING))


@pytest.fixture
def builders(small: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A naive forecaster in ARIMA's place, no torch, and a cache of our own."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(pipelines, "QUICK", ("arima", "gru"))
    monkeypatch.setattr(pipelines, "BUILDERS", {"arima": naive, "gru": absent, "transformer": absent})


@pytest.fixture
def networks(builders: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """The GRU is there as well, and moves with its training."""
    replaced = {"arima": naive, "gru": moved_by_seed, "transformer": absent}
    monkeypatch.setattr(pipelines, "BUILDERS", replaced)


def test_a_pipeline_is_a_backtest_of_that_forecaster(builders: None) -> None:
    found = pipelines.pipelines(sources(QUICK), QUICK)["exchange", "arima"]
    (run,) = backtest(
        made_up(), SeasonalNaive(14), methods=[ResCP(sampler="stochastic", seed=2)], split=FixedOrigin()
    ).runs
    band, unit = run.band("rescp"), run.scale[1]
    (point,) = found.points
    assert point.rmse == pytest.approx(run.rmse / unit)
    assert found.scan is not None
    first, *_ = found.scan.grids["code"]
    scores = first.scores[first.selected]
    assert scores == pytest.approx((band.coverage, band.width / unit, band.winkler / unit), rel=1e-6)
    assert {"temperature": first.selected.temperature, "window": first.selected.window} == band.selected
    np.testing.assert_array_equal(point.stream.residuals, run.blocks.stream(run.residuals).residuals)


def test_without_torch_the_others_are_done_and_the_install_is_said(builders: None) -> None:
    outcome = find("real-models").run(QUICK)
    assert any('pip install "ngrc[neural]"' in note for note in outcome.notes)
    verdicts = {check.cell: check for check in outcome.checks}
    assert verdicts["Exchange returns, gru, rmse"].verdict == "not comparable"
    assert verdicts["Exchange returns, gru, rmse"].ours is None
    assert "ngrc[neural]" in verdicts["Exchange returns, gru, rmse"].reason
    assert verdicts["Exchange returns, transformer, rmse"].reason == "left out of a quick run"
    assert verdicts["Exchange returns, arima, rmse"].rule == "digits"
    assert verdicts["Exchange returns, ngrc, seconds"].verdict == "not comparable"
    assert outcome.tables["scan"].height == 4  # two models, two recurrences
    assert "of 2" in outcome.findings[-1]
    files = render(find("real-models"), outcome)
    assert files["models.png"].startswith(b"\x89PNG")


def test_a_network_is_judged_by_the_spread_over_its_trainings(networks: None) -> None:
    settings = Settings(quick=True, reps=3)
    outcome = find("real-models").run(settings)
    check = {check.cell: check for check in outcome.checks}["Exchange returns, gru, rmse"]
    fits = outcome.tables["fits"].filter(model="GRU")
    assert fits["seconds"].is_null().to_list() == [False, True, True]  # only the first runs alone
    errors = fits["rmse"].to_numpy()
    assert np.unique(errors).size == 3
    assert check.ours == pytest.approx(errors.mean())
    # One printed training: the error is s sqrt(1 + 1/n), three of them and half a printed unit.
    error = errors.std(ddof=1) * np.sqrt(1 + 1 / 3)
    assert check.tolerance == pytest.approx(errors_allowed(3) * error + 0.0005)
    # Found in nine runs of ten: beyond the tolerance by 1.28 errors.
    assert check.detects == pytest.approx((errors_allowed(3) + 1.2816) * error + 0.001, rel=1e-4)
    if check.verdict == "different":
        assert "3 trainings lie between" in check.reason
    assert any("RMSE moves with the training's seed" in finding for finding in outcome.findings)


def test_a_network_without_a_measured_spread_is_not_judged(builders: None) -> None:
    source = Source("exchange", "Exchange returns", made_up())
    point = pipelines.trained(source, "arima")
    assert isinstance(point, Point)
    settings = Settings(quick=True)
    scan = pipelines._scans({("exchange", "gru"): (point,)}, {}, settings)["exchange", "gru"]
    band = pipelines._layer(ResCP(temperature=0.1, window="all"), point.stream)
    empty = Pipeline((), missing="why")
    results = {("exchange", name): empty for name in models.TITLES}
    results["exchange", "gru"] = Pipeline((point,), band, scan)
    checks = [check for check in models._checks(source, results) if ", gru, " in check.cell]
    assert {check.verdict for check in checks} == {"not comparable"}
    assert all(check.ours is not None for check in checks)
    assert sum(check.reason == models.ONE_TRAINING for check in checks) == 4


def test_a_row_that_differs_says_what_the_scan_found(builders: None) -> None:
    outcome = find("real-models").run(Settings(quick=True, reps=10))
    different = [check for check in outcome.checks if check.rule == "errors" and check.verdict == "different"]
    assert different  # nothing of the paper can come out of made-up data
    assert all("choice of T and W would do" in check.reason for check in different)


def test_solar_in_the_paper_s_words(networks: None, long: None) -> None:
    data = tuple(source for source in sources(Settings()) if source.key == "solar")
    results = pipelines.pipelines(data, Settings(reps=2))
    rmse, coverage = models._claims(data[0], results)
    assert rmse.kind == coverage.kind == "claim"
    points = {name: results["solar", name].points for name in ("arima", "gru", "ngrc")}
    mean = {name: np.mean([point.rmse for point in group]) for name, group in points.items()}
    assert rmse.ours == sum(mean[name] < mean["ngrc"] for name in ("arima", "gru"))
    assert rmse.expected == 2
    without = dict(results) | {("solar", "gru"): Pipeline((), missing="no torch")}
    assert [check.reason for check in models._claims(data[0], without)] == ["no torch"] * 2


def test_a_second_run_reads_the_forecasts(builders: None) -> None:
    first = pipelines.pipelines(sources(QUICK), QUICK)["exchange", "arima"]
    again = pipelines.pipelines(sources(QUICK), QUICK)["exchange", "arima"]
    assert [point.kept for point in (*first.points, *again.points)] == [False, True]
    assert again.points[0].seconds == first.points[0].seconds
    assert again.scan == first.scan
    notes = list(models._notes({("exchange", "arima"): again}))
    assert "1 of 1 trained forecasts were read from an earlier run" in notes[-1]
    fits = models._fits(sources(QUICK), {("exchange", name): again for name in models.TITLES})
    assert fits["earlier_run"].to_list() == ["yes"] * 4


def test_nothing_is_scored_where_nothing_was_forecast() -> None:
    empty = Pipeline((), missing="why")
    assert empty.seconds is None
    assert models._measures(empty, "exchange", "gru") == {}


def test_the_four_models_are_the_paper_s() -> None:
    built = {name: build(14, Training()) for name, build in pipelines.BUILDERS.items()}
    assert pipelines.FIRST_TRAINING == 123
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


def test_the_training_s_seed_reaches_the_network(builders: None, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("torch", reason="neural forecasters need torch")

    def short(lookback: int, training: Training) -> GRU:
        return GRU(lookback, hidden=4, training=Training(epochs=2, seed=training.seed))

    monkeypatch.setitem(pipelines.BUILDERS, "gru", short)
    twice = Settings(quick=True, seed=2, reps=2)
    found = pipelines.pipelines(sources(twice), twice)["exchange", "gru"]
    one, two = found.points
    assert one.rmse != two.rmse
    assert found.scan is not None
    assert found.scan.seeds == 2


@pytest.mark.paper
def test_exchange_arima_and_ngrc(data_folder: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    checks = {check.cell: check for check in find("real-models").run(Settings(quick=True)).checks}
    assert checks["Exchange returns, ngrc, rmse"].verdict == "match"
    assert checks["Exchange returns, arima, rmse"].verdict in ("match", "within")
