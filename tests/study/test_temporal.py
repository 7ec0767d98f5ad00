"""Temporal transfer: cases, distances and the deterministic penalties."""

import numpy as np
import pytest

from ngrc.study.harness.estimate import Estimate
from ngrc.study.harness.target import Settings
from ngrc.study.simulated.transfer import CASES, simulate_transfer, transfer_replication, width_distances
from ngrc.study.simulated.trial import MEASURES
from ngrc.study.temporal.cells import penalty_table
from ngrc.study.temporal.target import PRINTED, run


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
    assert len(outcome.checks) == sum(map(len, PRINTED.values())) + 4 + 7 + 1
    exact = [check for check in outcome.checks if check.kind == "exact"]
    assert len(exact) == 7
    assert {check.verdict for check in exact} == {"match"}
    samples = simulate_transfer(settings)
    means = samples[:, :, MEASURES.index("W_C")].mean(axis=0)
    np.testing.assert_array_equal(outcome.tables["transfer"]["W_C"].to_numpy(), means)
