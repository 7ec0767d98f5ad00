"""Sentences change with the results they are made of."""

from dataclasses import replace

import pytest

from ngrc.study.harness.compare import equal, exact
from ngrc.study.harness.estimate import Estimate
from ngrc.study.harness.printed import printed
from ngrc.study.harness.record import Cell, Check
from ngrc.study.harness.target import Settings
from ngrc.study.real.origin import Origin, fixed_origin
from ngrc.study.real.recurrence import tried
from ngrc.study.real.selections import Pair, selection_reason, selection_table
from ngrc.study.real.targets import features, horizons
from ngrc.study.real.targets.main import target as main
from ngrc.study.real.words import best_sentence, coverage_sentence, digits_sentence

from .test_compare import OURS

QUICK = Settings(quick=True)


def cell(text: str, ours: float) -> Check:
    return exact(Cell("real-main", "tab:x", text), ours, printed("0.950"))


def test_digits_are_counted_by_method() -> None:
    same = [cell("Solar, split, coverage", 0.95), cell("Solar, bayes, width", 0.95)]
    assert digits_sentence(same) == "Of 2 printed cells of the deterministic methods 2 agree to the digit."
    off = [*same, cell("Solar, weighted, width", 0.951), cell("Solar, H=3, weighted, winkler", 0.949)]
    told = digits_sentence(off)
    assert "Of 4" in told
    assert "2 agree to the digit, 2 are one unit off in the last place (Time-weighted CP 2)" in told
    assert "1 are further off (SCP 1)" in digits_sentence([*off, cell("Solar, split, width", 0.96)])
    # Diagnostics, ResCP and choices are no scores of a deterministic method.
    others = [cell("Solar, tau_fit", 0.9), cell("Solar, rescp, width", 0.9)]
    chosen = equal(Cell("real-main", "tab:x", "Solar, split, rows"), 1, 2, kind="printed")
    assert digits_sentence([*same, *others, chosen]) == digits_sentence(same)


def test_coverage_and_score_name_whoever_it_is() -> None:
    coverage = {("Solar", "split"): 0.94, ("Solar", "adaptive"): 0.951, ("Exchange", "adaptive"): 0.945}
    assert "Nearest to 95 % in the worst case is Adaptive CP (at most 0.5 points off, on Exchange)" in (
        coverage_sentence(coverage)
    )
    assert "is SCP (at most 1.0" in coverage_sentence(coverage | {("Exchange", "adaptive"): 0.99})
    assert best_sentence({("Solar", "split"): 1.0, ("Solar", "rescp"): 2.0}).endswith("SCP on Solar.")


@pytest.fixture
def origin(small: None) -> Origin:
    return fixed_origin(QUICK, (1, 3, 7), seeded=(1, 3, 7))


def test_main_and_horizons_speak_of_their_own_run(origin: Origin) -> None:
    before = main.findings(origin, ())
    key = ("exchange", 1)
    bands = tuple(
        replace(band, coverage=0.5, width=1e9) if band.method == "split" else band
        for band in origin.runs[key].bands
    )
    doctored = replace(origin, runs=origin.runs | {key: replace(origin.runs[key], bands=bands)})
    after = main.findings(doctored, ())
    assert before != after
    assert "farthest SCP (45.0, on Exchange returns)" in after[1]
    assert "on 1 of 1 series" in (before[3] + after[3])
    assert "on 0 of 1 series (none)" in (before[3] + after[3])
    assert "farthest SCP (45.0, on Exchange returns at H = 1)" in horizons.findings(doctored, ())[1]


def test_features_count_the_maps() -> None:
    results = {
        ("solar", name): {"rmse": 1.0, "bayes_winkler": 1.0, "split_winkler": 2.0} for name in features.MAPS
    }
    assert (
        "under 6 of 6 maps; the lowest RMSE is that of linear lags" in features._findings((OURS,), results)[0]
    )
    results["solar", "long"] = {"rmse": 0.5, "bayes_winkler": 3.0, "split_winkler": 2.0}
    assert (
        "under 5 of 6 maps; the lowest RMSE is that of long memory" in features._findings((OURS,), results)[0]
    )


def test_the_reason_of_a_selection_is_its_count() -> None:
    never: list[Pair] = [*[(0.15, "all")] * 12, *[(0.15, 1000)] * 8]  # type: ignore[list-item]
    told = selection_reason("exchange", 3, never)
    assert "T = 0.25 with W = 100 is selected in 0 of 20 seeds, T = 0.15 with W = all in 12" in told
    assert "at most 14 % of seeds" in told
    assert "moves with the seed" not in told
    assert "in 1 of 21 seeds" in selection_reason("exchange", 3, [*never, (0.25, 100)])
    assert selection_reason("exchange", 3, [*never, (0.25, 100)]).endswith("moves with the seed")
    assert "at most 63 %" in selection_reason("exchange", 3, never[:3])
    table = selection_table([replace(OURS, key="exchange")], {("exchange", 3): [*never, (0.25, 100)]})
    assert table["seeds"].to_list() == [12, 8, 1]
    assert table["the_paper's"].to_list() == ["", "", "yes"]


def test_the_other_recurrence_is_tried_and_its_distance_told() -> None:
    paper = printed("3.830±0.030")
    told = tried(Estimate(3.63, 0.04, 10), paper, lambda: Estimate(3.80, 0.04, 10))
    assert "-4.0 combined standard errors from the print" in told
    assert "it is 3.8, -0.6 errors from the print and so within the 4.1 allowed" in told
    assert "so beyond the 4.1" in tried(Estimate(3.63, 0.04, 10), paper, lambda: Estimate(4.3, 0.04, 10))
