"""Every target from settings to page: on made-up data all of it, on Exchange the printed digits."""

from pathlib import Path

import polars as pl
import pytest

from ngrc.study.harness.output import render
from ngrc.study.harness.record import tally
from ngrc.study.harness.target import Outcome, Settings
from ngrc.study.real.targets import levels
from ngrc.study.registry import MODULES, expand, find

NAMES = [name for name in MODULES if name.startswith("real-")]
FAST = [name for name in NAMES if name != "real-models"]
"""Those of printed tables; `rescp` compares nothing that another does not."""
QUICK = Settings(quick=True)


def test_the_names_of_the_issue_are_there() -> None:
    wanted = ["main", "horizons", "windows", "levels", "features", "seeds", "models"]
    assert [f"real-{name}" for name in wanted] == NAMES
    assert set(NAMES) < set(expand(["all"]))
    for name in NAMES:
        assert find(name).name == name


@pytest.mark.parametrize("name", [*FAST, "rescp"])
def test_a_target_on_made_up_data(name: str, small: None) -> None:
    target = find(name)
    outcome = target.run(QUICK)
    assert outcome.findings
    assert all(finding.endswith(".") for finding in outcome.findings)
    assert all(table.height for table in outcome.tables.values())
    assert all(check.target == name for check in outcome.checks)
    assert len({(check.table, check.cell) for check in outcome.checks}) == len(outcome.checks)
    # Nothing of the paper can come out of made-up data; and its printed numbers are counted once.
    assert (tally(outcome.checks)["different"] > 0) == (name != "rescp")
    assert {check.kind for check in outcome.checks} <= {"printed", "claim"}
    for check in outcome.checks:
        assert check.reason or check.verdict != "different" or check.rule in ("digits", "equal"), check.cell
    files = render(target, outcome)
    for figure in outcome.figures:
        assert files[f"{figure}.png"].startswith(b"\x89PNG")
    assert b"<svg" in files[f"{next(iter(outcome.figures))}.svg"]
    assert "Not run: LA ozone, Solar, Beijing PM10." in outcome.notes


def test_all_four_datasets_and_the_stand_in(long: None) -> None:
    outcome = find("real-features").run(Settings())
    ozone = [check for check in outcome.checks if "ozone" in check.cell]
    assert len(ozone) == 42
    assert {check.verdict for check in ozone} == {"not comparable"}
    assert outcome.tables["features"].height == 24
    assert render(find("real-features"), outcome)["features.png"].startswith(b"\x89PNG")


def test_the_largest_error_of_each_method() -> None:
    errors = {"adaptive": (0.3, -0.4), "split": (5.0, -1.0), "bayes": (0.1, -7.0)}
    table = pl.DataFrame(
        [
            {"dataset": dataset, "level": 0.8, "method": method, "error": error}
            for method, pair in errors.items()
            for dataset, error in zip(("solar", "exchange"), pair, strict=True)
        ]
    )
    worst = levels.worst_errors(table)
    assert worst["method"].to_list() == ["adaptive", "split", "bayes"]
    assert worst["error"].to_list() == [-0.4, 5.0, -7.0]
    assert worst["dataset"].to_list() == ["exchange", "solar", "exchange"]
    assert "adaptive, at most 0.4 points off" in levels._claim(worst)
    assert "5.0 to 7.0 points" in levels._claim(worst)


@pytest.fixture(scope="module")
def outcomes(data_folder: Path) -> dict[str, Outcome]:
    """The quick targets on the real Exchange series, one process."""
    return {name: find(name).run(QUICK) for name in FAST}


@pytest.mark.paper
@pytest.mark.parametrize("name", FAST)
def test_exchange_has_the_printed_digits(name: str, outcomes: dict[str, Outcome]) -> None:
    checks = outcomes[name].checks
    judged = [check for check in checks if "ResCP" not in check.cell]
    assert {check.verdict for check in judged} <= {"match", "within", "not comparable"}
    assert tally(checks)["match"] >= {"real-levels": 5, "real-seeds": 0}.get(name, 25)
    # Every digit that is off is off for a reason that was tried.
    off = [check for check in checks if check.rule == "digits" and check.verdict == "within"]
    assert all(check.reason for check in off)


@pytest.mark.paper
def test_plain_sums_give_the_printed_digits_of_the_time_weighted_windows(
    outcomes: dict[str, Outcome],
) -> None:
    off = [
        check
        for check in outcomes["real-windows"].checks
        if "weighted" in check.cell and check.verdict == "within"
    ]
    assert len(off) == 4
    assert all("the printed digits" in check.reason and "either" not in check.reason for check in off)


@pytest.mark.paper
def test_the_best_printed_cell_rests_on_two_days(outcomes: dict[str, Outcome]) -> None:
    outcome = outcomes["real-main"]
    table = outcome.tables["exchange_spikes"]
    weighted = table.filter(pl.col("method") == "Time-weighted CP").row(0, named=True)
    assert weighted["winkler"] == pytest.approx(6.242, abs=0.001)
    assert table.sort("winkler").row(0, named=True)["method"] == "Time-weighted CP"
    assert table.sort("winkler_without_spikes").row(0, named=True)["method"] == "Adaptive CP"
    assert "6619 (+" in outcome.findings[-1]
    assert "Time-weighted CP, the best with them, is no longer the best (Adaptive CP" in outcome.findings[-1]
