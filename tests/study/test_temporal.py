"""Temporal transfer: cases, distances and the deterministic penalties."""

import numpy as np
import pytest

from ngrc.study.harness.estimate import Estimate
from ngrc.study.harness.target import Settings
from ngrc.study.simulated.transfer import CASES, simulate_transfer, transfer_replication, width_distances
from ngrc.study.simulated.trial import MEASURES
from ngrc.study.temporal.cells import penalty_table
from ngrc.study.temporal.findings import findings
from ngrc.study.temporal.target import PRINTED, TARGET, _coverage_checks, run


def test_every_separation_and_the_benchmark_are_simulated() -> None:
    found = transfer_replication(np.random.default_rng(1))
    assert found.shape == (len(CASES), len(MEASURES)) == (5, 7)
    assert np.all(np.isfinite(found))
    assert len(np.unique(found[:, 2])) == 5


def test_width_distances_compare_with_the_last_case() -> None:
    samples = np.zeros((6, 5, 7))
    samples[:, :, 2] = np.arange(6)[:, None]
    samples[:, 0, 2] += 100.0
    samples[:, 1, 2] += 2.5
    found = width_distances(samples, seed=0)
    assert [round(one.mean, 12) for one in found] == [1.0, 0.5, 0.0, 0.0]
    assert isinstance(found[0], Estimate)
    assert found[0].error == 0.0
    assert found[1].error > 0.0


def test_penalties_are_those_of_the_text() -> None:
    rows = {row["separation"]: row for row in penalty_table().iter_rows(named=True)}
    assert rows[20]["lag"] == 1
    assert rows[20]["beta"] == pytest.approx(0.38556, abs=5e-6)
    assert rows[29]["beta"] == pytest.approx(0.03447, abs=5e-6)
    assert rows[64]["width_correction"] == pytest.approx(839 * 1.3864e-5, rel=1e-4)
    assert rows[64]["miscoverage_bound"] == pytest.approx(0.05 + 840 * 1.3864e-5, rel=1e-4)
    assert rows[44]["width_correction"] > 1 > rows[45]["width_correction"]
    assert rows[30]["width_bound"] == rows[30]["miscoverage_bound"] == 1.0


def test_a_small_run_compares_every_number_of_the_text() -> None:
    settings = Settings(reps=4, seed=5)
    outcome = run(settings)
    assert outcome.tables["transfer"]["separation"].to_list() == list(CASES)
    assert outcome.tables["transfer"]["width_ks"].null_count() == 1
    kinds = [check.kind for check in outcome.checks]
    assert kinds.count("printed") == sum(map(len, PRINTED.values())) + 4 + 9 + 1
    assert (kinds.count("formula"), kinds.count("claim")) == (1, len(CASES) + 1)
    assert len({(check.table, check.cell) for check in outcome.checks}) == len(outcome.checks)
    exact = [
        check for check in outcome.checks if check.kind == "printed" and check.rule in ("digits", "equal")
    ]
    assert len(exact) == 9
    # 839 beta(45) = 0.01163 rounds to one unit below the printed 0.0117; so does the bound made from it.
    assert [check.verdict for check in exact] == ["match", "within", "within", *["match"] * 6]
    samples = simulate_transfer(settings)
    means = samples[:, :, MEASURES.index("W_C")].mean(axis=0)
    np.testing.assert_array_equal(outcome.tables["transfer"]["W_C"].to_numpy(), means)


def test_words_and_the_bound_follow_the_numbers() -> None:
    samples = np.full((4, 5, 7), 0.95)
    samples += 1e-4 * np.random.default_rng(0).standard_normal(samples.shape)
    distances = [Estimate(value, 0.01, 4) for value in (0.5, 0.25, 0.125, 0.0625)]
    told = " ".join(findings(samples, distances, []))
    assert "lies 0.500, 0.250, 0.125 and 0.062 from that of independent windows" in told
    assert "at 64 it allows a miscoverage of 0.062, where 0.050 is seen" in told
    assert _coverage_checks(samples)[-1].verdict == "match"
    samples[:, 3, MEASURES.index("split_coverage")] -= 0.05
    assert "where 0.100 is seen" in " ".join(findings(samples, distances, []))
    assert _coverage_checks(samples)[-1].verdict == "different"
    samples[:, 0, MEASURES.index("W_C")] *= 1.3
    assert "differ by at most 30." in " ".join(findings(samples, distances, []))
    assert "0.050" not in TARGET.shows
