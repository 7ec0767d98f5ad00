"""Experiment 3: signals and trials against plain twins, and the reading of the temporal design."""

import numpy as np
import pytest

from ngrc.study.harness.estimate import estimate
from ngrc.study.harness.printed import printed
from ngrc.study.harness.target import Settings
from ngrc.study.quadratic import cells
from ngrc.study.quadratic.target import DIFFUSENESS_PRINTED, WIDTHS_PRINTED, run
from ngrc.study.simulated import trial as trials
from ngrc.study.simulated.windows import (
    ar1_windows,
    quadratic_coordinates,
    quadratic_covariance,
    window_correlation,
)
from ngrc.theory import quadratic_map

Z = 1.959963984540054


@pytest.mark.parametrize("dimension", [3, 8])
def test_readouts_are_the_stated_quadratic_forms(dimension: int) -> None:
    G = np.random.default_rng(0).standard_normal((20, dimension))
    truths = trials.quadratic_truths(dimension)
    for truth, M in zip(truths.T, trials.generating_matrices(dimension), strict=True):
        signal = np.einsum("ij,jk,ik->i", G, M, G) - np.trace(M)
        np.testing.assert_allclose(quadratic_map(G, linear=False) @ truth, signal, atol=1e-12)
        assert truth @ truth == pytest.approx(4.0)
        assert np.sum(M**2) == pytest.approx(2.0)
    assert np.sum(cells.linear_truths(7) ** 2, axis=0) == pytest.approx([4.0, 4.0])


def test_a_trial_is_plain_ridge_and_traces() -> None:
    rng = np.random.default_rng(9)
    covariance = np.diag(np.linspace(0.5, 1.5, 10))
    truths = rng.standard_normal((10, 2))
    _, found = trials.trial(lambda rows: rng.standard_normal((rows, 10)), truths, covariance, rng=rng)
    rng = np.random.default_rng(9)
    rng.standard_normal((10, 2))
    R, C, T = (rng.standard_normal((rows, 10)) for rows in (20, 20, trials.TEST))
    fit, calibration, test = (0.25 * rng.standard_normal(rows) for rows in (20, 20, trials.TEST))
    S, w0 = R.T @ R / 20, truths[:, 1]
    A = np.linalg.inv(S + 0.5 * np.eye(10))
    w = A @ R.T @ (R @ w0 + fit) / 20
    radius = Z * 0.25 * np.sqrt(1 + np.einsum("ij,jk,ik->i", T, A, T) / 20)
    q = np.sort(np.abs(C @ (w0 - w) + calibration))[20 - 1]
    residual = T @ (w0 - w) + test
    error = 0.25 * w0 @ A @ covariance @ A @ w0 + 0.0625 * (1 + np.trace(covariance @ A @ S @ A) / 20)
    posterior = 0.0625 * (1 + np.trace(covariance @ A) / 20)
    expected = [2 * radius.mean(), 2 * Z * np.sqrt(posterior), 2 * q, 2 * Z * np.sqrt(error)]
    expected += [np.mean(np.abs(residual) <= radius), np.mean(np.abs(residual) <= q)]
    np.testing.assert_allclose(found[1, :6], expected, rtol=1e-9)


def test_transformed_direction_is_the_operator_norm_of_the_bias() -> None:
    found = cells.diffuseness_replication(np.random.default_rng(2))
    assert found.shape == (5, 2, 8)
    rng = np.random.default_rng(2)
    G = rng.standard_normal((72, 8))
    R = quadratic_map(G, linear=False)
    bias = 0.5 * np.linalg.inv(R.T @ R / 72 + 0.5 * np.eye(36)) @ trials.quadratic_truths(8)
    for j in range(2):
        matrix = np.zeros((8, 8))
        upper = np.triu_indices(8)
        matrix[upper] = bias[:, j] * np.where(upper[0] == upper[1], 1.0, np.sqrt(0.5))
        matrix = matrix + np.triu(matrix, 1).T
        assert found[0, j, -1] == pytest.approx(np.abs(np.linalg.eigvalsh(matrix)).max(), rel=1e-9)


def population_features(rng: np.random.Generator) -> trials.Features:
    correlation = window_correlation(24, 0.8)
    return lambda rows: quadratic_coordinates(ar1_windows(rows, 24, 1, 0.8, rng=rng), correlation)


@pytest.mark.slow
def test_only_block_moments_give_the_printed_residual_distance() -> None:
    paper = printed(WIDTHS_PRINTED["Temporal quadratic", "Diffuse"].split()[-1])
    assert paper.spread == 0.001
    truths, covariance = trials.quadratic_truths(24)[:, 1:], quadratic_covariance(window_correlation(24, 0.8))
    own, population = [], []
    for stream in np.random.SeedSequence(11).spawn(32):
        rng = np.random.default_rng(stream)
        own.append(trials.trial(cells._temporal(24, rng), truths, "test", rng=rng)[1][0, 6])
        population.append(trials.trial(population_features(rng), truths, covariance, rng=rng)[1][0, 6])
    block, other = estimate(np.array(own)), estimate(np.array(population))
    assert abs(block.mean - paper.value) < 3 * np.hypot(block.error, paper.spread) + 0.0005
    assert other.mean - block.mean > 2 * np.hypot(block.error, other.error)


def test_a_small_run_fills_both_tables_and_compares_every_printed_cell() -> None:
    outcome = run(Settings(reps=3, seed=2))
    assert outcome.tables["diffuseness"].height == len(DIFFUSENESS_PRINTED) == 10
    assert outcome.tables["widths"].height == len(WIDTHS_PRINTED) == 6
    assert len(outcome.checks) == 10 * 3 + 6 * 7 + 1
    assert len({(check.table, check.cell) for check in outcome.checks}) == len(outcome.checks)
    assert all(check.verdict == "match" for check in outcome.checks if check.kind == "exact")
    different = [check.cell for check in outcome.checks if check.verdict == "different"]
    assert len(different) <= 2, different
    table = outcome.tables["diffuseness"]
    concentrated, diffuse = (
        table.filter(table["signal"] == name)["D_op"].to_numpy() for name in cells.SIGNALS
    )
    assert np.all(concentrated > 1.5 * diffuse)
