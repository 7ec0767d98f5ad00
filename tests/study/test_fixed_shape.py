"""Experiment 1: one replication against a plain twin, planted errors that its rows must find, words from numbers."""

from functools import lru_cache

import numpy as np
import pytest

from ngrc._types import FloatArray
from ngrc.study.fixed_shape import cells
from ngrc.study.fixed_shape.cells import (
    CALIBRATION,
    FIT,
    LAWS,
    LEVELS,
    READOUT,
    REPS,
    RIDGE,
    SCALE_RATIO,
    TEST,
    replication,
)
from ngrc.study.fixed_shape.checks import checks, clear_sides
from ngrc.study.fixed_shape.findings import findings
from ngrc.study.fixed_shape.target import TARGET, run
from ngrc.study.harness.record import Check
from ngrc.study.harness.replicate import replicate
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
        np.testing.assert_allclose(found[i, 0], [*expected, scale**2 / np.mean(fit**2)], rtol=1e-9)


def simulate(reps: int = REPS) -> FloatArray:
    return np.array(replicate(replication, reps, name="planted", seed=12))


@lru_cache(maxsize=1)
def unharmed() -> FloatArray:
    return simulate()


def different(samples: FloatArray) -> list[str]:
    return [check.cell for check in checks(samples) if check.verdict == "different"]


def test_right_code_passes_its_formulas() -> None:
    # Of 52 rows at the 0.27 % of three standard errors, two failures have a chance below 1 %.
    failed = [
        check for check in checks(unharmed()) if check.verdict == "different" and check.kind == "formula"
    ]
    assert len(failed) <= 1, failed


def test_a_rank_without_the_plus_one_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def short(scores: FloatArray, level: float) -> float:
        return float(np.sort(scores)[int(np.ceil(scores.size * level - 1e-9)) - 1])

    monkeypatch.setattr(cells, "conformal_quantile", short)
    found = different(simulate())
    # One rank of 801 is 5.5 standard errors at 99 %.
    assert {f"{law}, level 0.99, split coverage" for law in LAWS} <= set(found)


def test_degrees_of_freedom_in_the_scale_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def corrected(residuals: FloatArray) -> float:
        return float(np.sqrt(np.sum(residuals**2) / (residuals.size - READOUT.size)))

    monkeypatch.setattr(cells, "training_scale", corrected)
    found = different(simulate())
    assert {f"{law}, training mean square over the noise's own" for law in LAWS} <= set(found)


def test_a_small_run_tabulates_every_law_and_level() -> None:
    outcome = run(Settings(reps=8, seed=3))
    table = outcome.tables["fixed_shape"]
    assert table.height == len(LAWS) * len(LEVELS)
    limits = [fixed_dimension(law, level).difference for law in LAWS for level in LEVELS]
    np.testing.assert_allclose(table["width_difference_limit"].to_numpy(), limits)
    kinds = [check.kind for check in outcome.checks]
    # Three formulas per cell and one per law; nominal levels of split, and of Bayes for one law; one on all cells.
    assert (kinds.count("formula"), kinds.count("claim")) == (3 * 16 + 4, 16 + 4 + 1)
    assert sum(check.verdict == "different" for check in outcome.checks) <= 1
    assert all(check.reason for check in outcome.checks)
    assert len({check.cell for check in outcome.checks}) == len(outcome.checks)


def test_formulas_do_not_move_with_the_samples() -> None:
    def right_sides(rows: list[Check]) -> list[float | None]:
        return [check.expected for check in rows if check.kind == "formula"]

    samples = np.random.default_rng(0).uniform(0.1, 0.9, (9, len(LAWS), len(LEVELS), 4))
    assert right_sides(checks(samples)) == right_sides(checks(2.0 * samples))


def test_words_follow_the_numbers() -> None:
    samples = np.zeros((4, len(LAWS), len(LEVELS), 4))
    samples[..., 1:3] = np.array(LEVELS)[:, None]
    samples += 1e-4 * np.random.default_rng(1).standard_normal(samples.shape)
    samples[..., SCALE_RATIO] = 1.0
    samples[:, 1, 0, 0] -= 1.0
    samples[:, 1, 0, 1] = 0.91
    assert clear_sides(samples, 0)[1, 0] == -1
    told = " ".join(findings(samples, checks(samples)))
    assert (
        "Laplace residuals: the Bayesian interval is narrower than the conformal one at 99% (covering 91.0%)."
        in told
    )
    samples[:, 1, 0, 0] += 2.0
    assert "Laplace residuals: the Bayesian interval is wider than the conformal one at 99%" in " ".join(
        findings(samples, checks(samples))
    )
    # A wider interval that covers less is against the text.
    assert checks(samples)[-1].verdict == "different"
    assert "narrow" not in TARGET.shows
