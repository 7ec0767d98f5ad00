"""Experiment 3: signals and trials against plain twins, and the reading of the temporal design."""

from dataclasses import replace

import numpy as np
import pytest

from ngrc._types import FloatArray
from ngrc.study.harness.estimate import estimate
from ngrc.study.harness.printed import printed
from ngrc.study.harness.replicate import replicate
from ngrc.study.harness.target import Settings
from ngrc.study.quadratic import cells
from ngrc.study.quadratic import identities as identity
from ngrc.study.quadratic.figure import TRACE, WIDTH
from ngrc.study.quadratic.findings import findings
from ngrc.study.quadratic.formulas import formula_checks
from ngrc.study.quadratic.identities import identity_checks, identity_replication
from ngrc.study.quadratic.target import DIFFUSENESS_PRINTED, TARGET, WIDTHS_PRINTED, run
from ngrc.study.simulated import trial as trials
from ngrc.study.simulated.trial import MEASURES
from ngrc.study.simulated.windows import (
    ar1_windows,
    quadratic_coordinates,
    quadratic_covariance,
    window_correlation,
)
from ngrc.theory import KolmogorovBound, kolmogorov_bound, quadratic_map

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
    done = trials.trial(lambda rows: rng.standard_normal((rows, 10)), truths, covariance, rng=rng)
    found = done.measures
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
    np.testing.assert_allclose(done.missing[:, 1], w0 - w, atol=1e-12)
    np.testing.assert_allclose(done.residuals[:, 1], residual, atol=1e-12)


def test_transformed_direction_is_the_operator_norm_of_the_bias() -> None:
    found = cells.diffuseness_replication(np.random.default_rng(2))
    assert found.shape == (5, 2, len(cells.COLUMNS)) == (5, 2, 10)
    rng = np.random.default_rng(2)
    G = rng.standard_normal((72, 8))
    R = quadratic_map(G, linear=False)
    bias = 0.5 * np.linalg.inv(R.T @ R / 72 + 0.5 * np.eye(36)) @ trials.quadratic_truths(8)
    for j in range(2):
        matrix = np.zeros((8, 8))
        upper = np.triu_indices(8)
        matrix[upper] = bias[:, j] * np.where(upper[0] == upper[1], 1.0, np.sqrt(0.5))
        matrix = matrix + np.triu(matrix, 1).T
        assert found[0, j, cells.DIFFUSENESS] == pytest.approx(
            np.abs(np.linalg.eigvalsh(matrix)).max(), rel=1e-9
        )


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
        own.append(trials.trial(cells._temporal(24, rng), truths, "test", rng=rng).measures[0, 6])
        population.append(trials.trial(population_features(rng), truths, covariance, rng=rng).measures[0, 6])
    block, other = estimate(np.array(own)), estimate(np.array(population))
    assert abs(block.mean - paper.value) < 3 * np.hypot(block.error, paper.spread) + 0.0005
    assert other.mean - block.mean > 2 * np.hypot(block.error, other.error)


def test_a_small_run_fills_both_tables_and_compares_every_printed_cell() -> None:
    outcome = run(Settings(reps=3, seed=2))
    assert outcome.tables["diffuseness"].height == len(DIFFUSENESS_PRINTED) == 10
    assert outcome.tables["widths"].height == len(WIDTHS_PRINTED) == 6
    kinds = [check.kind for check in outcome.checks]
    assert kinds.count("printed") == 10 * 3 + 6 * 7 + 1
    # Coverages of six exchangeable designs, Gaussian widths, limits by dimension, identities.
    assert kinds.count("formula") == 12 + 5 + 5 + 6
    assert kinds.count("claim") == 1 + 4 + 6
    assert len({(check.table, check.cell) for check in outcome.checks}) == len(outcome.checks)
    assert all(check.verdict == "match" for check in outcome.checks if check.rule == "digits")
    assert all(check.reason for check in outcome.checks if check.kind != "printed")
    different = [check.cell for check in outcome.checks if check.verdict == "different"]
    assert len(different) <= 2, different
    table = outcome.tables["diffuseness"]
    concentrated, diffuse = (
        table.filter(table["signal"] == name)["D_op"].to_numpy() for name in cells.SIGNALS
    )
    assert np.all(concentrated > 1.5 * diffuse)


def wrong(samples: FloatArray) -> list[str]:
    return [check.cell for check in identity_checks(samples) if check.verdict == "different"]


def identities(reps: int = 30) -> FloatArray:
    return np.array(replicate(identity_replication, reps, name="identities", seed=6))


def test_identities_hold() -> None:
    assert wrong(identities()) == []


def test_svec_without_its_root_of_two_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(identity, "svec", lambda matrix: matrix[np.triu_indices(len(matrix))])
    assert wrong(identities()) == ["d 24, svec(Q)'psi(G) times its quadratic form, Q off the diagonal"]


def test_squares_left_at_variance_two_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def unscaled(G: FloatArray, *, linear: bool) -> FloatArray:
        rows, columns = np.triu_indices(G.shape[1])
        return np.asarray(G[:, rows] * G[:, columns] - (rows == columns), dtype=np.float64)

    monkeypatch.setattr(identity, "quadratic_map", unscaled)
    assert "d 24, mean square of the squares' coordinates" in wrong(identities())


@pytest.mark.parametrize(
    ("cross", "trace", "cells_found"),
    [(4.0, 2.0, ["linear and square"]), (4.5, 1.0, ["concentrated", "diffuse"])],
)
def test_a_wrong_constant_of_the_kolmogorov_bound_is_found(
    monkeypatch: pytest.MonkeyPatch, cross: float, trace: float, cells_found: list[str]
) -> None:
    def mistaken(a: FloatArray, B: FloatArray, noise: float) -> KolmogorovBound:
        right, squared = kolmogorov_bound(a, B, noise), B @ B
        sharp = np.sqrt(cross * np.sum((B @ a) ** 2) + trace * np.sum(squared**2)) / right.variance
        return replace(right, sharp=float(sharp))

    monkeypatch.setattr(identity, "kolmogorov_bound", mistaken)
    found = wrong(identities(100))
    assert {f"d 24, variance of Stein's kernel, {name}" for name in cells_found} <= set(found)


def test_the_kernel_has_the_mean_that_stein_gives() -> None:
    rng = np.random.default_rng(3)
    a, B = rng.standard_normal(4), rng.standard_normal((4, 4))
    B = B + B.T
    kernel = identity.stein_kernel(rng.standard_normal((200_000, 4)), a, B)
    error = kernel.std() / np.sqrt(kernel.size)
    assert kernel.mean() == pytest.approx(kolmogorov_bound(a, B, trials.NOISE).variance, abs=4 * error)


def doctored() -> tuple[FloatArray, FloatArray]:
    rng = np.random.default_rng(0)
    independent, designs = np.full((9, 5, 2, 10), 0.95), np.full((9, 3, 2, 7), 0.95)
    return independent + 1e-3 * rng.standard_normal(independent.shape), designs


def test_a_distance_above_the_bound_is_counted() -> None:
    independent, designs = doctored()
    designs = designs + 1e-3 * np.random.default_rng(1).standard_normal(designs.shape)

    def counted() -> tuple[float | None, str]:
        (row,) = [check for check in formula_checks(independent, designs) if "Stein" in check.cell]
        return row.ours, row.verdict

    independent[..., cells.BOUND] = 1.0
    assert counted() == (90, "match")
    independent[2, 3, 1, cells.BOUND] = 0.1
    assert counted() == (89, "different")


def test_words_follow_the_numbers() -> None:
    independent, designs = doctored()
    independent[:, 0, 0, WIDTH], independent[:, 0, 0, TRACE] = 5.18, 4.21
    told = " ".join(findings(independent, designs, []))
    assert (
        "by at most 23.0%, 5.18 against 4.21 (independent quadratic features, d = 8, concentrated signal)"
        in told
    )
    independent[:, 0, 0, WIDTH] = 4.21
    assert "23.0%" not in " ".join(findings(independent, designs, []))
    designs[:, 2, 1, MEASURES.index("split_coverage")] = 0.7
    told = " ".join(findings(independent, designs, []))
    assert (
        "split conformal covers between 0.700 and 0.950, furthest from 0.95 for Temporal quadratic, diffuse"
        in told
    )
    assert "accurate" not in TARGET.shows
