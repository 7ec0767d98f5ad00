"""Experiment 4: the recovery rule by hand, the pairing, and a small run beside the printed table."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from ngrc.intervals import Adaptive, ResCP, Split
from ngrc.intervals.base import History
from ngrc.intervals.rescp.reservoir import Recurrence
from ngrc.metrics import winkler
from ngrc.study.harness.record import Cell, Check
from ngrc.study.harness.replicate import replicate
from ngrc.study.harness.target import Outcome, Settings
from ngrc.study.volterra import cells, selection, settings
from ngrc.study.volterra.cells import MEASURES, STATES, latent_path, recovery_delay, replication, rows, stream
from ngrc.study.volterra.checks import claim_checks, condition_checks, recovery_checks, response_checks
from ngrc.study.volterra.halving import Paired, halving_checks, largest_changes, resampled_errors
from ngrc.study.volterra.memory import likeness
from ngrc.study.volterra.pilot import (
    APPENDIX,
    TEMPERATURES,
    TENTH,
    Scores,
    candidates,
    pilot,
    reservoirs,
    score,
    validation,
)
from ngrc.study.volterra.printed import ROWS, TITLES
from ngrc.study.volterra.recurrences import FIXED, POLICIES, Variant, nearest, recurrence_table
from ngrc.study.volterra.settings import CHANGE, LOW
from ngrc.study.volterra.target import run

FROZEN = {"split": Split(), "adaptive": Adaptive(rate=0.01)}


def trailing(tail: list[float]) -> np.ndarray:
    """A trailing-coverage curve that is 0.5 until the change and then ends as given."""
    return np.concatenate([np.full(CHANGE, 0.5), np.array(tail)])


def test_recovery_counts_from_the_change_to_the_last_entry() -> None:
    assert recovery_delay(trailing([0.5, 0.94, 0.9, 0.93, 0.95, 0.97]), closed=True) == 3
    assert recovery_delay(trailing([0.95, 0.95]), closed=True) == 0


def test_the_upper_end_belongs_to_the_closed_band_only() -> None:
    # 97 of 100 as a running mean gives it, a rounding above 0.97.
    curve = trailing([0.5, 0.95, 0.97 + 1e-16, 0.95])
    assert recovery_delay(curve, closed=True) == 1
    assert recovery_delay(curve, closed=False) == 3


def test_never_settling_is_not_a_delay() -> None:
    assert np.isnan(recovery_delay(trailing([0.95, 0.95, 0.5]), closed=True))


def test_conditions_are_paired() -> None:
    one = replication(np.random.default_rng(5), methods=FROZEN)
    assert one.measures.shape == (2, 5)
    # Before the change both conditions see the same data, so the frozen quantile is the same throughout.
    assert one.measures[0, 1] == pytest.approx(one.measures[0, 4])
    assert one.curves.shape == (2, 2, 800)
    again = replication(np.random.default_rng(5), methods=FROZEN)
    np.testing.assert_array_equal(one.measures, again.measures)
    innovations = np.random.default_rng(5).standard_normal(STATES)[-800:]
    np.testing.assert_allclose(one.noise[:160], 0.15 * innovations[:160], atol=1e-12)
    np.testing.assert_allclose(one.noise[160:], 0.35 * innovations[160:], atol=1e-12)


@pytest.mark.parametrize(
    ("shift", "verdict"), [(0, "match"), (1, "different"), (5, "different"), (-5, "different")]
)
def test_a_moved_change_is_noticed(monkeypatch: pytest.MonkeyPatch, shift: int, verdict: str) -> None:
    monkeypatch.setattr(cells, "CHANGE", CHANGE + shift)
    ones = [replication(np.random.default_rng(seed), methods={"split": Split()}) for seed in range(2)]
    check = condition_checks(ones)[0]
    assert (check.ours, check.expected, check.verdict) == (160 + shift, 160, verdict)


@pytest.mark.parametrize("name", ["LOW", "HIGH"])
def test_a_wrong_noise_is_noticed(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    def verdicts() -> list[str]:
        rng = np.random.default_rng(1)
        ones = [replication(rng, methods={"split": Split()}) for _ in range(12)]
        return [check.verdict for check in condition_checks(ones)[1:]]

    assert verdicts() == ["within", "within"]
    # A quarter more in scale is half more in variance, beyond five standard errors on either side.
    monkeypatch.setattr(cells, name, 1.25 * getattr(settings, name))
    assert verdicts().count("different") >= 1


def test_the_pilot_is_independent_of_the_evaluation_and_fitted_the_same_way() -> None:
    residuals = pilot(np.random.default_rng(3))
    innovations = np.random.default_rng(3).standard_normal(STATES)
    np.testing.assert_array_equal(residuals, stream(latent_path()[:STATES] + LOW * innovations).residuals)
    assert residuals.size == 1600
    starts = {name: (validation(residuals, name).start, validation(residuals, name).steps) for name in
              ("last 10 %", "last 40 %", "800 more")}  # fmt: skip
    assert starts == {"last 10 %": (720, 80), "last 40 %": (480, 320), "800 more": (800, 800)}


def test_the_pilots_temperature_is_the_library_s_own_choice() -> None:
    """`ResCP.tuned` selects on the last 10 % too; two codes, one choice."""
    small = replace(APPENDIX, size=64)
    rng = np.random.default_rng(8)
    histories = [rng.standard_normal(800) * (1 + (np.arange(800) // (40 + 20 * i)) % 2) for i in range(4)]
    scores = score([small], [validation(each, TENTH) for each in histories], 1)
    ours = [candidates([small])[scores.best(i)].temperature for i in range(4)]
    theirs = [small.tuned(History(each), 0.95).temperature for each in histories]
    assert ours == theirs
    assert len(set(ours)) > 1


def test_scores_are_winkler_scores_by_candidate_and_sequence() -> None:
    grid = [replace(APPENDIX, size=16, connectivity=1.0, spectral_radius=radius) for radius in (0.5, 1.0)]
    rng = np.random.default_rng(0)
    streams = [validation(rng.standard_normal(800), TENTH) for _ in range(2)]
    scores = score(grid, streams, 1)
    assert scores.winkler.shape == (8, 2)
    method = candidates(grid)[5]
    assert (method.spectral_radius, method.temperature) == (1.0, TEMPERATURES[1])
    band = method.run(streams[1], 0.95)
    expected = winkler(streams[1].residuals[720:], band.lower, band.upper, 0.95)
    assert scores.winkler[5, 1] == expected


def test_ties_go_to_the_smaller_coverage_error_then_the_order() -> None:
    winklers = np.array([[2.0], [1.0], [1.0], [1.0]])
    assert Scores(winklers, np.array([[0.0], [0.02], [0.01], [0.01]])).best(0) == 2


def test_the_grid_holds_the_appendix_s_reservoir() -> None:
    grid = reservoirs("code")
    assert APPENDIX in grid
    assert len(set(grid)) == len(grid) == 24
    assert all(one.recurrence == "paper" for one in reservoirs("paper"))


def test_the_path_has_the_papers_length_and_halving_changes_little() -> None:
    coarse, fine = latent_path(), latent_path(0.0025, 40)
    assert coarse.size == 3221 == STATES + 1
    assert np.abs(coarse - fine).max() == pytest.approx(1.26e-3, abs=5e-6)
    assert np.sqrt(np.mean((coarse - fine) ** 2)) == pytest.approx(8.86e-4, abs=5e-7)


def test_a_full_selection_tunes_the_reservoir_on_the_first_pilot(monkeypatch: pytest.MonkeyPatch) -> None:
    small = replace(APPENDIX, size=16, connectivity=1.0)
    monkeypatch.setattr(selection, "APPENDIX", small)
    monkeypatch.setattr(selection, "PILOTS", 3)

    def two(recurrence: Recurrence) -> tuple[ResCP, ...]:
        return tuple(replace(small, recurrence=recurrence, spectral_radius=radius) for radius in (0.5, 0.8))

    monkeypatch.setattr(selection, "reservoirs", two)
    made = selection.select(Settings(seed=2))
    assert {name: method.recurrence for name, method in made.settled.items()} == {
        "code": "code",
        "paper": "paper",
    }
    sizes = [
        (each.recurrence, each.tuned, len(each.chosen)) for each in made.choices if each.validation == TENTH
    ]
    whole = "reservoir and temperature"
    assert sizes == [
        ("code", "temperature", 3),
        ("code", whole, 3),
        ("paper", "temperature", 3),
        ("paper", whole, 1),
    ]
    # What is evaluated is the first pilot's choice, and it beats every other candidate of the whole grid there.
    residuals = replicate(pilot, 3, name="volterra-pilot", seed=2)[0]
    grid = two("code")
    scores = score(grid, [validation(residuals, TENTH)], 1)
    assert made.settled["code"] == candidates(grid)[int(scores.winkler[:, 0].argmin())]
    assert made.settled["code"].spectral_radius in (0.5, 0.8)
    # Three pilots of the temperature and one of the whole grid were repeated with the step halved.
    assert len(made.repeated) == 4


def paired(shift: float = 0.0, moved: float = 0.0, reps: int = 100) -> tuple[Paired, Paired]:
    rng = np.random.default_rng(4)
    measures, delays = rng.normal(0.9, 0.01, (reps, 8, 5)), rng.normal(580.0, 50.0, (reps, 8))
    delays[:, :2] = np.nan
    changes = rng.normal(0, 1e-4, (reps, 8, 5))
    changes[:, 3, 0] += shift
    after = delays.copy()
    after[:, 4] += moved
    return Paired(measures, delays), Paired(measures + changes, after)


def test_largest_changes_are_of_means_and_say_whose() -> None:
    full, half = paired(5e-4, 2.0)
    changes = largest_changes(full, half)
    expected = abs((half.measures - full.measures).mean(axis=0)[3, 0])
    assert [changes[name][1] for name in ("coverage", "delay")] == [TITLES["gaussian"], TITLES["adaptive"]]
    assert changes["coverage"][0] == pytest.approx(expected)
    assert changes["delay"][0] == pytest.approx(2.0)
    assert changes["width"][0] < 5e-5


def test_the_error_of_a_largest_change_is_that_of_its_mean_when_one_stands_out() -> None:
    full, half = paired(5e-3)
    error = resampled_errors(full, half)["coverage"]
    # One column decides the maximum, so the error is that of its mean; 1000 resamples know it to 2.2 %.
    expected = (half.measures - full.measures)[:, 3, 0].std() / 10
    assert error == pytest.approx(expected, rel=4 * 0.022)


@pytest.mark.parametrize(("shift", "verdict"), [(3.6e-4, "within"), (5e-3, "different")])
def test_halving_is_judged_at_the_papers_replications(shift: float, verdict: str) -> None:
    where = Cell("volterra", "app", "")
    checks = halving_checks(*paired(shift, 2.2), where)
    assert checks[0].verdict in {verdict, "match" if verdict == "within" else verdict}
    assert checks[3].verdict == "match"
    few = halving_checks(*paired(shift, reps=10), where)
    assert [check.verdict for check in few[:3]] == ["not comparable"] * 3


def test_rows_without_rescp_must_stay_below_the_print() -> None:
    where = Cell("volterra", "app", "")
    assert halving_checks(*paired(0.0, 2.0), where)[-1].verdict == "match"
    # Beyond the print by far more than three errors of 1e-5.
    check = halving_checks(*paired(2e-3, 2.0), where)[-1]
    assert (check.ours, check.expected, check.verdict) == (2, 3, "different")


def test_a_large_spectral_radius_forgets_nothing() -> None:
    """The echo-state property: below one, states that began alike stay alike; far above, they part."""
    residuals = np.random.default_rng(2).standard_normal(1600)
    moved = residuals + 1e-3
    small, large = (
        likeness(replace(APPENDIX, size=128, spectral_radius=r), residuals, moved) for r in (0.8, 2.0)
    )
    assert small > 0.9999
    assert large < 0.99


def test_a_lost_recovery_is_named() -> None:
    full, half = paired()
    half.delays[0, 5] = np.nan
    check = halving_checks(full, half, Cell("volterra", "app", ""), "because")[3]
    assert (check.ours, check.verdict) == (7, "different")
    assert check.reason == "Time-weighted CP 100 to 99; because"


def as_printed(offset: float = 0.0, reps: int = 100) -> np.ndarray:
    """Measures whose means and standard errors are nearly the printed ones, moved by `offset` standard errors."""
    pattern = np.where(np.arange(reps) % 2, 1.0, -1.0)
    table = []
    for row in ROWS.values():
        numbers = [tuple(float(part) for part in text.split("±")) for text in row.measures]
        table.append([mean + max(error, 5e-4) * (offset + 10 * pattern) for mean, error in numbers])
    return np.moveaxis(np.array(table), 2, 0)


def fixed_variants(measures: np.ndarray) -> list[Variant]:
    """Both recurrences at the fixed setting, with these measures of the last two rows."""
    methods = [replace(APPENDIX, temperature=0.1, recurrence=recurrence) for recurrence in ("code", "paper")]
    return [
        Variant(method, FIXED, policy, measures[:, place], np.full(len(measures), np.nan))
        for method in methods
        for place, policy in zip((-2, -1), POLICIES, strict=True)
    ]


@pytest.mark.parametrize(("offset", "different"), [(0.0, 0), (3.5, 0), (7.0, 40)])
def test_every_row_is_judged_by_three_errors_and_rescp_s_too(offset: float, different: int) -> None:
    """Three combined errors are 4.2 of one side's, and half a printed unit."""
    measures = as_printed(offset)
    checks = response_checks(measures, fixed_variants(measures))
    assert len(checks) == 40
    assert sum(check.verdict == "different" for check in checks) == different
    assert all(check.rule == "errors" for check in checks)
    assert all(("0.10" in check.reason) == ("ResCP" in check.cell) for check in checks)


def test_recoveries_of_rescp_are_compared() -> None:
    delays = np.full((100, 8), np.nan)
    checks = recovery_checks(delays, fixed_variants(as_printed()))
    verdicts = {check.cell: check.verdict for check in checks}
    assert verdicts["SCP (frozen quantile), recovery fraction"] == "match"
    assert verdicts["ResCP (all history), recovery fraction"] == "different"
    assert verdicts["ResCP (all history), recovery delay"] == "not comparable"
    delays[:11, 6] = np.linspace(550, 670, 11)
    again = {check.cell: check.verdict for check in recovery_checks(delays, fixed_variants(as_printed()))}
    assert again["ResCP (all history), recovery fraction"] == "match"
    assert again["ResCP (all history), recovery delay"] in ("match", "within")


def test_claims_can_fail() -> None:
    measures, delays = as_printed(), np.full((100, 8), np.nan)
    for i, row in enumerate(ROWS.values()):
        delays[: row.recovered, i] = 600.0
    assert [check.verdict for check in claim_checks(measures, delays)] == ["match"] * 4
    swapped = [0, 1, 5, 3, 2, 4, 7, 6]
    assert [check.verdict for check in claim_checks(measures[:, swapped], delays[:, swapped])] == [
        "match", "match", "different", "different"]  # fmt: skip
    few = claim_checks(measures[:8], delays[:8])
    assert [check.verdict for check in few][2:] == ["not comparable"] * 2


def test_the_nearest_variant_is_judged_by_its_worst_row() -> None:
    near, far = fixed_variants(as_printed())[:2], fixed_variants(as_printed(9.0))[2:]
    assert nearest([*far, *near]) == tuple(near)
    table = recurrence_table([*near, *far])
    assert table.height == 6
    assert table["farthest_in_errors"].to_list()[4:] == pytest.approx([9.0 / 2**0.5] * 2, rel=0.15)


@cache
def small_run() -> Outcome:
    return run(Settings(reps=6, seed=1, quick=True))


@pytest.mark.slow
def test_a_small_run_lies_near_the_printed_table() -> None:
    outcome = small_run()
    assert list(TITLES) == list(ROWS) == list(rows(replace(APPENDIX, temperature=0.1)))

    def different(checks: list[Check]) -> int:
        return sum(check.verdict == "different" for check in checks)

    plain = [check for check in outcome.checks if check.kind == "printed" and "ResCP" not in check.cell]
    assert different(plain) == 0
    assert sum(check.rule == "digits" and check.verdict == "match" for check in plain) == 6
    assert outcome.tables["volterra"].height == 8
    assert (
        set(outcome.tables) == {"volterra", "pilot", "recurrences", "step_halving"} == set(outcome.captions)
    )
    assert any(check.cell.startswith("pilots that choose the same") for check in outcome.checks)


@pytest.mark.slow
def test_findings_say_what_the_tables_say() -> None:
    outcome = small_run()
    table = outcome.tables["volterra"]
    coverage = table["high_noise_coverage"].to_list()
    response, pilots, distance = outcome.findings
    assert f"cover {min(coverage[:2]):.3f} to {max(coverage[:2]):.3f} at a nominal" in response
    assert f"ResCP covers {min(coverage[6:]):.3f} to {max(coverage[6:]):.3f}" in response
    chosen = outcome.tables["pilot"].row(0, named=True)
    assert f"temperature {chosen['first_temperature']:.2f}" in pilots
    assert f"{chosen['chose_0.10']} chose 0.10" in pilots
    farthest = outcome.tables["recurrences"]["farthest_in_errors"].to_list()
    assert f"lies {max(farthest[2:4]):.1f} standard errors" in distance
    assert len(MEASURES) == 5
