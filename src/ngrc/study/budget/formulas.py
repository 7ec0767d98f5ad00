"""Experiment 5 against closed forms, and against the coverage its text calls near nominal."""

from ngrc._types import FloatArray
from ngrc.study.budget.cells import BUDGET, DIMENSIONS, LEVEL, MEASURES, NOISE, RATIOS, RIDGE, SHARES
from ngrc.study.harness.compare import against_formula, nominal
from ngrc.study.harness.estimate import estimate
from ngrc.study.harness.record import Cell, Check
from ngrc.study.simulated.finite import expected_coverage
from ngrc.study.simulated.marchenko_pastur import finite_traces

NAME = "budget"
EQUAL, UNEQUAL = "fig:sim_budget_allocation", "fig:sim_budget_unequal"
BAYES = len(SHARES)
"""Index of the first Bayesian budget among the fits of a replication."""
SAME = BAYES + RATIOS.index(1.0)
LARGEST_ASPECT = 0.8
"""Nearer the interpolation threshold the term of order 1/n no longer carries the formula: the penalty is too small."""


def coverage_checks(samples: FloatArray) -> list[Check]:
    """Under equal budgets: exact for split conformal, near nominal by the text for both."""
    rows = []
    for i, columns in enumerate(DIMENSIONS):
        for j, share in enumerate(SHARES):
            scores = BUDGET - round(share * BUDGET)
            cell = Cell(NAME, EQUAL, f"p = {columns}, split, share {share:g}, coverage of exchangeable rows")
            reason = f"k/(m + 1) of the k-th of m = {scores} scores"
            ours, value = estimate(samples[:, i, j, 0]), expected_coverage(scores, LEVEL)
            rows.append(against_formula(cell, ours, value, reason))
        for name, j in [*((f"split, share {share:g}", j) for j, share in enumerate(SHARES)), ("Bayes", SAME)]:
            cell = Cell(NAME, EQUAL, f"p = {columns}, {name}, coverage is nominal")
            rows.append(nominal(cell, estimate(samples[:, i, j, 0]), LEVEL, "text: near nominal"))
    return rows


def expected_square(rows: int, columns: int) -> float:
    """sigma^2 (1 + tr(ASA)/n) + lambda^2 tr(A^2)/p: mean squared error of a unit signal, traces of a finite design."""
    traces = finite_traces(rows, columns, RIDGE)
    sandwich = traces.first - RIDGE * traces.second
    return NOISE**2 * (1.0 + sandwich / rows) + RIDGE**2 * traces.second / columns


def error_checks(samples: FloatArray) -> list[Check]:
    """Mean squared errors of Bayesian ridge at every budget well above the number of features."""
    checks = []
    for i, columns in enumerate(DIMENSIONS):
        for j, ratio in enumerate(RATIOS):
            rows = round(ratio * BUDGET)
            if columns > LARGEST_ASPECT * rows:
                continue
            cell = Cell(NAME, UNEQUAL, f"p = {columns}, N_B = {rows}, mean squared error")
            ours = estimate(samples[:, i, BAYES + j, MEASURES.index("rmse")] ** 2)
            reason = "risk in proportional dimension with its term of order 1/n"
            checks.append(against_formula(cell, ours, expected_square(rows, columns), reason))
    return checks
