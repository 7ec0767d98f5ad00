"""What Experiment 5 showed, in words made from its numbers."""

from collections.abc import Sequence

import numpy as np

from ngrc._types import FloatArray
from ngrc.study.budget.cells import BUDGET, DIMENSIONS, MEASURES, RATIOS
from ngrc.study.budget.formulas import BAYES, SAME
from ngrc.study.harness.record import Check
from ngrc.study.simulated.words import chance


def findings(samples: FloatArray, checks: Sequence[Check]) -> tuple[str, ...]:
    """Sentences on equal and on unequal budgets."""
    mean = samples.mean(axis=0)
    equal = [_equal(columns, mean[i]) for i, columns in enumerate(DIMENSIONS)]
    return (" ".join(equal), _unequal(mean[-1]), chance(checks))


def _equal(columns: int, mean: FloatArray) -> str:
    """Split conformal relative to Bayes on the same rows, over the fitting shares."""
    ratios = mean[:BAYES, 1:] / mean[SAME, 1:]
    told = [
        f"{name} {ratio.min():.2f} to {ratio.max():.2f} times"
        for name, ratio in zip(MEASURES[1:], ratios.T, strict=True)
    ]
    covered = mean[:BAYES, 0]
    return (
        f"With {columns} features and equal budgets, split conformal has {', '.join(told)} that of Bayesian ridge, "
        f"over the fitting shares; it covers {covered.min():.3f} to {covered.max():.3f}, "
        f"Bayesian ridge {mean[SAME, 0]:.3f}."
    )


def _unequal(mean: FloatArray) -> str:
    columns = DIMENSIONS[-1]
    few = [BAYES + j for j, ratio in enumerate(RATIOS) if round(ratio * BUDGET) <= columns]
    many = [BAYES + j for j, ratio in enumerate(RATIOS) if round(ratio * BUDGET) > columns]
    rmse, width = MEASURES.index("rmse"), MEASURES.index("width")

    def span(fits: list[int], measure: int) -> str:
        values = mean[fits, measure]
        return f"{values.min():.3g} to {values.max():.3g}"

    best = np.min(mean[:BAYES, rmse])
    return (
        f"Bayesian ridge with at most as many rows as its {columns} features: coverage {span(few, 0)}, width "
        f"{span(few, width)}, RMSE {span(few, rmse)}; with more rows: coverage {span(many, 0)}, width "
        f"{span(many, width)}, RMSE {span(many, rmse)}, where the best split-conformal RMSE is {best:.3g}."
    )
