"""Numbers of the tables, computed again from backtests."""

from dataclasses import replace
from math import isnan
from statistics import mean, stdev

import numpy as np
import polars as pl
import pytest

from ngrc.backtesting.entry import backtest
from ngrc.intervals import ResCP
from ngrc.model import NGRC
from ngrc.presets import paper_model
from ngrc.splits import FixedOrigin, ShiftedWindows
from ngrc.study.harness.record import Check
from ngrc.study.harness.target import Outcome, Settings
from ngrc.study.real.origin import Origin, fixed_origin
from ngrc.study.real.printed.main import DECOMPOSED, DIAGNOSED, SPLIT
from ngrc.study.real.selections import Picks
from ngrc.study.real.targets.features import LONG, MEDIUM, SHORT
from ngrc.study.real.targets.main import checks as main_checks
from ngrc.study.real.targets.main import protocol
from ngrc.study.real.targets.main import tables as main_tables
from ngrc.study.registry import find

from .conftest import made_up

QUICK = Settings(quick=True)
PICKS: Picks = {
    ("exchange", 1): [(0.15, "all"), (0.15, 1500)],
    ("exchange", 3): [(0.15, "all")] * 20,
    ("exchange", 7): [(0.15, 1000)],
}


def outcome(name: str, settings: Settings = QUICK) -> Outcome:
    return find(name).run(settings)


@pytest.fixture
def origin(small: None) -> Origin:
    return fixed_origin(QUICK, (1, 3, 7), seeded=(1,))


def test_windows_are_means_and_sample_deviations(small: None) -> None:
    found = outcome("real-windows")
    table, checks = found.tables["windows"], {check.cell: check for check in found.checks}
    runs = backtest(
        made_up(), paper_model("exchange"), methods=["split", "weighted"], split=ShiftedWindows()
    ).runs
    for method, title in (("split", "SCP"), ("weighted", "Time-weighted CP")):
        row = table.filter(pl.col("method") == title).row(0, named=True)
        widths = [run.band(method).width / run.scale[1] for run in runs]
        coverages = [run.band(method).coverage for run in runs]
        assert row["width"] == pytest.approx(mean(widths))
        assert row["width_sd"] == pytest.approx(stdev(widths))
        assert checks[f"Exchange returns, {method}, width"].ours == pytest.approx(mean(widths))
        assert checks[f"Exchange returns, {method}, width, deviation"].ours == pytest.approx(stdev(widths))
        assert row["coverage_sd"] == pytest.approx(stdev(coverages))
        assert row["rmse_sd"] == pytest.approx(stdev([run.rmse / run.scale[1] for run in runs]))
    assert (row["width_paper"], row["width_sd_paper"]) == (4.591, 1.468)


def test_windows_of_rescp_select_anew_with_every_seed(small: None) -> None:
    outcome_ = outcome("real-windows", Settings(quick=True, reps=2, seed=3))
    row = outcome_.tables["windows"].filter(pl.col("method") == "ResCP").row(0, named=True)
    methods = {str(seed): ResCP(sampler="stochastic", seed=seed) for seed in (3, 4)}
    runs = backtest(made_up(), paper_model("exchange"), methods=methods, split=ShiftedWindows()).runs
    widths = [[run.band(name).width / run.scale[1] for run in runs] for name in methods]
    assert row["width"] == pytest.approx(np.mean(widths))
    assert row["width_sd"] == pytest.approx(mean(map(stdev, widths)))
    checks = {check.cell: check for check in outcome_.checks}
    assert checks["Exchange returns, rescp, width"].ours == pytest.approx(np.mean(widths))
    assert checks["Exchange returns, rescp, width, deviation"].ours == pytest.approx(row["width_sd"])


def test_seeds_are_means_and_sample_deviations(small: None) -> None:
    found = outcome("real-seeds", Settings(quick=True, reps=3, seed=4))
    methods = {str(seed): ResCP(0.25, window=100, sampler="stochastic", seed=seed) for seed in (4, 5, 6)}
    run = backtest(made_up(), paper_model("exchange", 3), methods=methods, split=FixedOrigin()).runs[0]
    coverages = [band.coverage for band in run.bands]
    row = (
        found.tables["seeds"]
        .filter((pl.col("horizon") == 3) & (pl.col("sampler") == "stochastic"))
        .row(0, named=True)
    )
    assert row["coverage"] == pytest.approx(mean(coverages))
    assert row["coverage_sd"] == pytest.approx(stdev(coverages))
    assert (row["least_coverage"], row["largest_coverage"]) == (min(coverages), max(coverages))
    single = found.tables["single_seeds"].filter(
        (pl.col("horizon") == 3) & (pl.col("sampler") == "stochastic")
    )
    assert single["seed"].to_list() == [4, 5, 6]
    assert single["coverage"].to_list() == pytest.approx(coverages)


def test_features_are_the_named_maps(small: None) -> None:
    table = outcome("real-features").tables["features"]
    preset = paper_model("exchange")
    lives = [float(np.log(2) / -np.log(decay)) for decay in (SHORT, MEDIUM, LONG)]
    expected = {
        "Linear lags": NGRC(14, degree=1, ridges=preset.ridges),
        "Medium memory": NGRC(14, half_lives=lives[1:2], ridges=preset.ridges),
        "Multi-scale memory": NGRC(14, half_lives=lives, ridges=preset.ridges),
    }
    for title, model in expected.items():
        run = backtest(made_up(), model, methods=["bayes", "split"], split=FixedOrigin()).runs[0]
        row = table.filter(pl.col("features") == title).row(0, named=True)
        assert row["rmse"] == pytest.approx(run.rmse / run.scale[1])
        assert row["bayes_width"] == pytest.approx(run.band("bayes").width / run.scale[1])
        assert row["split_winkler"] == pytest.approx(run.band("split").winkler / run.scale[1])


def test_levels_are_those_of_the_backtest(small: None) -> None:
    table = outcome("real-levels").tables["levels"]
    run = backtest(
        made_up(), paper_model("exchange"), methods=["adaptive"], level=0.975, split=FixedOrigin()
    ).runs[0]
    row = table.filter((pl.col("method") == "Adaptive CP") & (pl.col("level") == 0.975)).row(0, named=True)
    assert row["coverage"] == run.bands[0].coverage
    assert row["error"] == pytest.approx(run.bands[0].coverage_error)


def test_main_table_has_a_row_of_the_own_choice(origin: Origin) -> None:
    table = main_tables.main_table(origin)
    own = table.row(-1, named=True)
    band, run = origin.own["exchange", 1], origin.runs["exchange", 1]
    assert own["method"] == "ResCP, own choice"
    assert own["coverage"] == band.coverage
    assert own["winkler"] == band.winkler / run.scale[1]
    assert own["coverage_paper"] is None
    split = table.filter(pl.col("method") == "SCP").row(0, named=True)
    assert split["coverage_paper"] == 0.983
    assert split["error"] == pytest.approx(100 * (split["coverage"] - 0.95))


def test_diagnostics_are_standardised(origin: Origin) -> None:
    run = origin.runs["exchange", 1]
    row = main_tables.diagnostics(origin).row(0, named=True)
    assert row["tau_test"] == pytest.approx(run.rmse / run.scale[1])
    assert row["p_over_n"] == pytest.approx(120 / run.blocks.fit_rows)
    parts = main_tables.decomposition(origin).row(0, named=True)
    assert parts["shape"] * parts["scale"] == pytest.approx(parts["rho_q"])
    assert not isnan(parts["shape"])


@pytest.mark.parametrize("dataset", ["ozone", "solar", "beijing", "exchange"])
def test_the_printed_decomposition_comes_from_rounded_entries(dataset: str) -> None:
    """The claim behind the reason given for four cells that differ."""
    rounded, printed = main_tables.from_rounded(DIAGNOSED[dataset,]), DECOMPOSED[dataset,]
    assert rounded["shape"] == pytest.approx(printed["shape"].value, abs=0.0006)
    assert rounded["scale"] == pytest.approx(printed["scale"].value, abs=0.0006)


def checked(origin: Origin, picks: Picks) -> dict[tuple[str, str], Check]:
    checks = main_checks.main_checks("real-main", origin, picks, QUICK)
    return {(check.table, check.cell): check for check in checks}


def test_a_reason_shows_the_quotient(origin: Origin) -> None:
    checks = checked(origin, PICKS)
    scale = checks["tab:real_diagnostic_decomposition", "Exchange returns, scale"]
    assert scale.verdict == "different"
    assert "1.445 / 0.993 = 1.455" in scale.reason
    assert (
        "2.704 / (1.96 x 1.445) = 0.955"
        in checks["tab:real_diagnostic_decomposition", "Exchange returns, shape"].reason
    )


def test_sizes_and_selections(origin: Origin) -> None:
    sizes = main_tables.sizes(origin)
    run = origin.runs["exchange", 7]
    last = sizes.row(-1, named=True)
    assert (last["horizon"], last["test"], last["test_paper"]) == (7, run.blocks.test_rows, 1515)
    chosen = main_tables.selected(origin).row(-1, named=True)
    assert chosen["rate"] == run.band("adaptive").selected["rate"]
    assert (chosen["window_paper"], chosen["temperature_paper"]) == ("1000", 0.15)


def test_an_all_window_is_compared_by_its_size(origin: Origin) -> None:
    key = ("exchange", 3)
    whole = replace(origin.own[key], selected={"temperature": 0.25, "window": "all"})
    same = replace(origin, own={**origin.own, key: whole})
    checks = checked(same, PICKS)
    window = checks["tab:real_selected_hyperparameters", "Exchange returns, H=3, ResCP window"]
    assert (window.ours, window.expected) == (origin.runs[key].blocks.history_rows, 100.0)
    assert (window.kind, window.rule, window.verdict) == ("printed", "equal", "different")
    assert "is selected in 0 of 20 seeds" in window.reason
    temperature = checks["tab:real_selected_hyperparameters", "Exchange returns, H=3, ResCP temperature"]
    assert (temperature.verdict, temperature.reason) == ("match", "")


@pytest.mark.parametrize("horizon", [1, 3, 7])
def test_the_rows_of_each_tuning_follow_from_the_printed_sizes(horizon: int) -> None:
    """Shares of the fit rows and of the known residuals, the guards taken off."""
    sizes = SPLIT["exchange", str(horizon)]
    fit, calibration = (int(sizes[name].value) for name in ("fit", "calibration"))
    known = calibration - 2 * (horizon - 1)
    rows = [count for count, _ in protocol._expected(fit, calibration, horizon)]
    inner, history, local = (
        int(np.floor(share * n + 1e-9)) for share, n in ((0.8, fit), (0.6, known), (0.9, known))
    )
    assert rows == [fit - inner - (horizon - 1), known - history, known - local]
