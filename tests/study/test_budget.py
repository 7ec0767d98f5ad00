"""Experiment 5: nested samples against a plain twin, and what the text says of them."""

import numpy as np
import pytest

from ngrc._types import FloatArray
from ngrc.order import conformal_quantile
from ngrc.study.budget import cells
from ngrc.study.budget.cells import BUDGET, MEASURES, NOISE, RATIOS, RIDGE, SHARES, TEST, _dimension
from ngrc.study.budget.findings import findings
from ngrc.study.budget.formulas import coverage_checks, expected_square
from ngrc.study.budget.target import TARGET, run
from ngrc.study.harness.replicate import replicate
from ngrc.study.harness.target import Settings

Z = 1.959963984540054


def test_one_nested_sample_serves_both_methods() -> None:
    p = 12
    found = _dimension(p, np.random.default_rng(6))
    rng = np.random.default_rng(6)
    X, e = rng.standard_normal((800 + TEST, p)), NOISE * rng.standard_normal(800 + TEST)
    truth = np.full(p, 1 / np.sqrt(p))
    y = X @ truth + e
    T, outcome = X[800:], y[800:]
    for index, rows in ((1, 240), (len(SHARES) + 1, 300)):
        inverse = np.linalg.inv(X[:rows].T @ X[:rows] + rows * RIDGE * np.eye(p))
        w = inverse @ X[:rows].T @ y[:rows]
        error = outcome - T @ w
        if index == 1:
            scores = np.sort(np.abs(y[rows:BUDGET] - X[rows:BUDGET] @ w))
            radius = np.full(TEST, scores[153 - 1])
        else:
            radius = Z * NOISE * np.sqrt(1 + np.einsum("ij,jk,ik->i", T, inverse, T))
        miss = np.maximum(np.abs(error) - radius, 0)
        expected = [
            np.mean(miss == 0),
            2 * radius.mean(),
            np.mean(2 * radius + 40 * miss),
            np.sqrt(np.mean(error**2)),
        ]
        np.testing.assert_allclose(found[index], expected, rtol=1e-9)


def test_equal_rows_give_equal_forecasts() -> None:
    found = _dimension(20, np.random.default_rng(0))
    # Split conformal with half the budget and Bayes with half of it fit the same rows.
    assert found[0, MEASURES.index("rmse")] == found[len(SHARES), MEASURES.index("rmse")]


def test_a_small_run_orders_the_methods_in_high_dimension() -> None:
    outcome = run(Settings(reps=3, seed=4))
    table = outcome.tables["budget"]
    assert table.height == 2 * (len(SHARES) + len(RATIOS))
    high = table.filter(table["p"] == 300)
    split, bayes = (high.filter(high["method"] == name) for name in ("split", "bayes"))
    assert np.all(split["width"].to_numpy() > bayes["width"].to_numpy()[2])
    assert bayes["width"].to_numpy()[0] > 10
    assert bayes["coverage"].to_numpy()[0] == 1.0
    verdicts = {check.verdict for check in outcome.checks if "larger" in check.cell or "steps" in check.cell}
    assert verdicts == {"not comparable"}
    assert all(
        "200 replications" in check.reason for check in outcome.checks if check.verdict == "not comparable"
    )


def test_the_full_number_of_replications_judges_orderings() -> None:
    from ngrc.study.budget.target import _ordering_checks

    samples = np.ones((200, 2, len(SHARES) + len(RATIOS), len(MEASURES)))
    samples[:, :, : len(SHARES)] += np.arange(len(SHARES), 0, -1)[:, None]
    samples[:, :, len(SHARES) :, 1:] -= 0.1 * np.arange(len(RATIOS))[:, None]
    checks = _ordering_checks(samples)
    assert {check.verdict for check in checks} == {"match"}
    samples[:, 1, 0, 1] = 0.0
    assert [check.verdict for check in _ordering_checks(samples)].count("different") == 2


def test_a_small_run_has_every_formula() -> None:
    outcome = run(Settings(reps=4, seed=2))
    kinds = [check.kind for check in outcome.checks]
    # Split coverages per share; squared errors at five budgets of 10 features and three of 300.
    assert (kinds.count("printed"), kinds.count("formula"), kinds.count("claim")) == (5, 8 + 8, 10 + 13)
    assert len({(check.table, check.cell) for check in outcome.checks}) == len(outcome.checks)
    assert sum(check.verdict == "different" for check in outcome.checks) <= 1


def test_expected_squares_are_those_simulated() -> None:
    rng, squares = np.random.default_rng(7), []
    n, p = 60, 45
    truth = np.full(p, 1 / np.sqrt(p))
    for _ in range(3000):
        X = rng.standard_normal((n, p))
        A = np.linalg.inv(X.T @ X / n + RIDGE * np.eye(p))
        bias = RIDGE * A @ truth
        squares.append(NOISE**2 * (1 + np.trace(A @ (X.T @ X / n) @ A) / n) + bias @ bias)
    error = np.std(squares) / np.sqrt(len(squares))
    # With n - p - 1 = 14 for n - p = 15 the next order is 1/15 of the shift itself.
    limit = NOISE**2 / (1 - p / n)
    assert abs(np.mean(squares) - expected_square(n, p)) < 4 * error + abs(np.mean(squares) - limit) / 5


def test_calibration_on_fitted_rows_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def optimistic(scores: FloatArray, level: float) -> float:
        return 0.9 * conformal_quantile(scores, level)

    monkeypatch.setattr(cells, "conformal_quantile", optimistic)
    samples = np.array(replicate(cells.replication, 12, name="planted", seed=1))
    verdicts = [check.verdict for check in coverage_checks(samples) if check.kind == "formula"]
    assert verdicts.count("different") >= 4


def test_words_follow_the_numbers() -> None:
    samples = np.ones((3, 2, len(SHARES) + len(RATIOS), len(MEASURES)))
    told = " ".join(findings(samples, []))
    assert "With 300 features and equal budgets, split conformal has width 1.00 to 1.00 times" in told
    samples[:, 1, 0, MEASURES.index("width")] = 3.0
    samples[:, 1, len(SHARES), 0] = 0.5
    told = " ".join(findings(samples, []))
    assert "With 300 features and equal budgets, split conformal has width 1.00 to 3.00 times" in told
    assert "at most as many rows as its 300 features: coverage 0.5 to 1" in told
    assert "near-nominal" not in TARGET.shows
