"""ResCP's grid against the print: distances, what is reached, and the words for it."""

from math import inf

import numpy as np
import pytest

from ngrc.intervals import ResCP
from ngrc.intervals.base import Stream
from ngrc.study.harness.compare import monte_carlo
from ngrc.study.harness.estimate import Estimate
from ngrc.study.harness.printed import printed
from ngrc.study.harness.record import Cell
from ngrc.study.real.cases import Scores
from ngrc.study.real.reached import Pair, explained, scan_findings, scan_table, within
from ngrc.study.real.scan import Grid, Scan, Setting, distance, grid

PAPER = {"coverage": printed("0.950"), "width": printed("2.000"), "winkler": printed("3.000")}
NEAR, FAR = Setting("code", 0.1, "all"), Setting("code", 0.25, 100)
NEAR_PAPER, FAR_PAPER = NEAR._replace(recurrence="paper"), FAR._replace(recurrence="paper")


def made_scan(away: float, seeds: int = 4) -> Scan:
    """The near setting lies `away` deviations from the print in its width, all others forty."""
    shifts = np.array([-1.0, 1.0] * (seeds // 2)) * np.sqrt((seeds - 1) / seeds)  # deviation 1

    def row(offset: float, shift: float) -> Scores:
        return Scores(0.95 + 0.01 * shift, 2.0 + 0.1 * (offset + shift), 3.0 + 0.1 * shift)

    code = [Grid({NEAR: row(away, s), FAR: row(40.0, s)}, FAR) for s in shifts]
    paper = [Grid({NEAR_PAPER: row(40.0, s), FAR_PAPER: row(40.0, s)}, NEAR_PAPER) for s in shifts]
    return Scan({"code": tuple(code), "paper": tuple(paper)})


@pytest.mark.parametrize("away", [0.0, 10.2, 10.4, 15.0])
def test_the_distance_has_the_verdict_of_the_rows(away: float) -> None:
    scan = made_scan(away)
    best = scan.reach(PAPER)[0]
    assert best.setting == NEAR
    # Half a printed unit is free; the print is one run, hence the root.
    expected = max(0.1 * away - 0.0005, 0.0) / (0.1 * np.sqrt(1 + 1 / 4))
    assert best.distance == pytest.approx(expected)
    rows = [monte_carlo(Cell("a", "b", name), ours, PAPER[name], 1) for name, ours in scan.at(NEAR).items()]
    assert bool(within([best], scan.allowed)) == all(row.verdict != "different" for row in rows)


def test_few_seeds_allow_more_errors() -> None:
    assert made_scan(0.0).allowed == pytest.approx(9.22, abs=0.01)  # Student's with three degrees of freedom
    few = made_scan(15.0, seeds=2)
    assert few.allowed > 200
    assert explained(few, PAPER).startswith("a choice of T and W would do")
    (sentence,) = scan_findings(
        [Pair("Solar", "ARIMA", made_scan(0.0), PAPER), Pair("Solar", "GRU", few, PAPER)]
    )
    assert sentence.endswith("up to 236 standard errors are allowed: a row that can be had says little then.")


def test_seeds_of_one_training_are_one_value() -> None:
    scan = made_scan(0.0, seeds=4)
    two = Scan(scan.grids, trainings=2)
    assert two.allowed > 200
    alone = [grid.scores[NEAR].width for grid in scan.grids["code"]]
    assert two.at(NEAR)["width"].count == 2
    assert two.at(NEAR)["width"].mean == pytest.approx(np.mean(alone))
    means = [(alone[0] + alone[2]) / 2, (alone[1] + alone[3]) / 2]
    assert two.at(NEAR)["width"].error == pytest.approx(np.std(means, ddof=1) / np.sqrt(2))


def test_without_spread_only_the_same_digits_are_close() -> None:
    ours = {name: Estimate(PAPER[name].value, 0.0, 3) for name in Scores._fields}
    assert distance(ours, PAPER) == 0.0
    assert distance(ours | {"width": Estimate(2.001, 0.0, 3)}, PAPER) == inf


def test_the_words_follow_the_scan() -> None:
    reached, beyond = made_scan(1.0), made_scan(15.0)
    assert explained(reached, PAPER).startswith("a choice of T and W would do: 1 of 4 settings")
    assert "T = 0.1, window all, recurrence code" in explained(reached, PAPER)
    assert explained(beyond, PAPER).startswith("no choice of T and W would do: none of 4 settings")
    assert "at 13.4 standard errors" in explained(beyond, PAPER)
    (sentence,) = scan_findings([Pair("Solar", "GRU", beyond, PAPER), Pair("Solar", "ARIMA", reached, PAPER)])
    assert "Of 2 rows, 1 can be had" in sentence
    assert "Solar with ARIMA (1 of 4 settings)" in sentence
    assert "Not by any: Solar with GRU (13.4 standard errors" in sentence
    assert scan_findings([]) == ()


def test_the_table_has_a_row_per_recurrence() -> None:
    table = scan_table([Pair("Solar", "GRU", made_scan(1.0), PAPER)])
    code, paper = table.iter_rows(named=True)
    assert (code["give_the_print"], paper["give_the_print"]) == (1, 0)
    assert (code["closest"], code["selected"], paper["selected"]) == (
        "0.1 all",
        "0.25 100 (4)",
        "0.1 all (4)",
    )
    assert code["selected_distance"] > 30
    assert code["width"] == pytest.approx(2.1)


def test_a_grid_has_the_scores_of_single_runs() -> None:
    residuals = np.random.default_rng(5).standard_t(4, 400)
    method = ResCP(sampler="stochastic", recurrence="paper", seed=3)
    found = grid(Stream(residuals, start=300), 2.0, method)
    assert {setting.window for setting in found.scores} == {100, 250, "all"}
    tuned = method.tuned(Stream(residuals, start=300).history, 0.95)
    assert found.selected == Setting("paper", tuned.temperature or 0.0, tuned.window or "all")
    offsets = tuned.run(Stream(residuals, start=300), 0.95)
    inside = (residuals[300:] >= offsets.lower) & (residuals[300:] <= offsets.upper)
    assert found.scores[found.selected].coverage == pytest.approx(inside.mean())
    assert found.scores[found.selected].width == pytest.approx((offsets.upper - offsets.lower).mean() / 2.0)
