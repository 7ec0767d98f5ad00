"""Experiment 2: a cell against a plain twin, and the cells on both sides of the boundary."""

import numpy as np

from ngrc.study.harness.target import Settings
from ngrc.study.phase.cells import CALIBRATION, FIT, MEASURES, RATIOS, RIDGES, SNRS, TEST, _aspect
from ngrc.study.phase.target import run, table

Z = 1.959963984540054


def test_a_design_is_plain_ridge_and_traces() -> None:
    columns = 500
    found = _aspect(columns, np.random.default_rng(5))
    rng = np.random.default_rng(5)
    R, C, T = (rng.standard_normal((rows, columns)) for rows in (FIT, CALIBRATION, TEST))
    fit, calibration, test = (rng.standard_normal(rows) for rows in (FIT, CALIBRATION, TEST))
    i, k = 1, 2
    w0 = np.full(columns, np.sqrt(SNRS[k] / columns))
    A = np.linalg.inv(R.T @ R / FIT + RIDGES[i] * np.eye(columns))
    w = A @ R.T @ (R @ w0 + fit) / FIT
    q = np.sort(np.abs(C @ w0 + calibration - C @ w))[381 - 1]
    variance = 1 + np.einsum("ij,jk,ik->i", T, A, T) / FIT
    error = np.abs(T @ w0 + test - T @ w)
    bias, posterior = RIDGES[i] ** 2 * w0 @ A @ A @ w0, np.trace(A) / FIT
    expected = [
        4 * Z**2 * variance.mean(),
        4 * q**2,
        4 * Z**2 * (1 + posterior),
        4 * Z**2 * (1 + bias + np.trace(A @ (R.T @ R / FIT) @ A) / FIT),
        np.mean(error <= Z * np.sqrt(variance)),
        np.mean(error <= q),
    ]
    np.testing.assert_allclose(found[i, k], expected, rtol=1e-8)


def test_a_small_run_has_one_row_per_cell_and_the_predicted_signs() -> None:
    outcome = run(Settings(reps=3, seed=1))
    frame = outcome.tables["phase"]
    assert frame.height == len(RATIOS) * len(RIDGES) * len(SNRS)
    cells = {(row["gamma"], row["lambda"], row["snr"]): row for row in frame.iter_rows(named=True)}
    assert cells[1.0, 1.0, 1.0]["ordering"] == "equal"
    assert cells[1.0, 1.0, 1.0]["bayes_coverage_limit"] == 0.95
    assert cells[1.5, 0.05, 0.25]["difference"] > 100
    assert cells[0.25, 1.0, 4.0]["difference"] < -10
    assert cells[0.25, 1.0, 4.0]["bayes_coverage"] < 0.88
    different = [check.cell for check in outcome.checks if check.verdict == "different"]
    assert len(outcome.checks) == 54 * 3 + 18 + 3
    assert len(different) <= 4, different


def test_the_table_holds_differences_of_squared_widths() -> None:
    samples = np.random.default_rng(0).uniform(1, 2, (5, len(RATIOS), len(RIDGES), len(SNRS), len(MEASURES)))
    frame = table(samples)
    np.testing.assert_allclose(frame["difference"], frame["bayes"] - frame["split"])
    pairs = samples[:, 0, 0, 0, 0] - samples[:, 0, 0, 0, 1]
    np.testing.assert_allclose(frame["difference_se"][0], pairs.std(ddof=1) / np.sqrt(5))
