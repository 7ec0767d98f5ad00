"""Experiment 1: one replication against a plain twin, and the limits it must come near."""

import numpy as np
import pytest

from ngrc.study.fixed_shape.cells import (
    CALIBRATION,
    FIT,
    LAWS,
    LEVELS,
    READOUT,
    RIDGE,
    TEST,
    replication,
)
from ngrc.study.fixed_shape.target import run
from ngrc.study.harness.target import Settings
from ngrc.theory import fixed_dimension, residual_law


def test_a_replication_is_plain_ridge_and_order_statistics() -> None:
    found = replication(np.random.default_rng(8))
    rng = np.random.default_rng(8)
    R, C, T = (rng.standard_normal((rows, 5)) for rows in (FIT, CALIBRATION, TEST))
    inverse = np.linalg.inv(R.T @ R + FIT * RIDGE * np.eye(5))
    for i, law in enumerate(LAWS):
        fit, calibration, test = (
            residual_law(law).sample(rows, rng=rng) for rows in (FIT, CALIBRATION, TEST)
        )
        y = R @ READOUT + fit
        w = inverse @ R.T @ y
        scale = np.sqrt(np.mean((y - R @ w) ** 2))
        scores = np.sort(np.abs(C @ READOUT + calibration - C @ w))
        errors = np.abs(T @ READOUT + test - T @ w)
        z, q = 2.5758293035489004, scores[793 - 1]
        radius = z * scale * np.sqrt(1 + np.einsum("ij,jk,ik->i", T, inverse, T))
        expected = [2 * radius.mean() - 2 * q, np.mean(errors <= radius), np.mean(errors <= q)]
        np.testing.assert_allclose(found[i, 0], expected, rtol=1e-9)


def test_a_small_run_tabulates_every_law_and_level() -> None:
    outcome = run(Settings(reps=8, seed=3))
    table = outcome.tables["fixed_shape"]
    assert table.height == len(LAWS) * len(LEVELS)
    limits = [fixed_dimension(law, level).difference for law in LAWS for level in LEVELS]
    np.testing.assert_allclose(table["width_difference_limit"].to_numpy(), limits)
    assert len(outcome.checks) == 3 * table.height
    # 48 comparisons at the 0.27 % of three standard errors: two failures have a chance below 1 %.
    assert sum(check.verdict == "different" for check in outcome.checks) <= 1
    at95 = {row["residuals"]: row for row in table.iter_rows(named=True) if row["level"] == 0.95}
    assert abs(at95["Gaussian"]["bayes_coverage"] - 0.95) < 0.006
    assert at95["Laplace"]["bayes_coverage"] < 0.945
    assert at95["Laplace"]["width_difference"] == pytest.approx(-0.3167, abs=0.3)
