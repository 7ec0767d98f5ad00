"""Experiment 5: nested samples against a plain twin, and what the text says of them."""

import numpy as np

from ngrc.study.budget.cells import BUDGET, MEASURES, NOISE, RATIOS, RIDGE, SHARES, TEST, _dimension
from ngrc.study.budget.target import run
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
