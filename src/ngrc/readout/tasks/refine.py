"""Iterative refinement of many tasks at once; see `ngrc.readout.refine`."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ngrc._types import FloatArray
from ngrc.readout.banded import Banded
from ngrc.readout.bordered import Bordered
from ngrc.readout.gram import Gram
from ngrc.readout.refine import OUTSIDE, ROUNDS, TOLERANCE, centred_products
from ngrc.readout.tasks.forecast import forecast_tasks
from ngrc.readout.tasks.value import Tasks

# Columns refined in one pass: their residuals are 25 MB for 50,000 rows.
TOGETHER = 64


@dataclass(frozen=True, slots=True)
class Problem:
    """One task at one penalty, and its approximate coefficients on the standardised columns, shape (p - 1,)."""

    task: int
    penalty: float
    weights: FloatArray


def refine_tasks(
    tasks: Tasks,
    grams: Sequence[Gram],
    inverses: Sequence[Bordered | Banded],
    problems: Sequence[Problem],
) -> list[tuple[FloatArray, float]]:
    """Improve approximate coefficients until forecasts stand still.

    Parameters
    ----------
    tasks, grams, inverses
        Rows, and by task their moments and decomposition.
    problems
        What to refine.

    Returns
    -------
    list of (weights, change)
        By problem; the change is by how much the last round moved forecasts, as in `ngrc.readout.refine.refine`.
    """
    done: list[tuple[FloatArray, float]] = []
    for start in range(0, len(problems), TOGETHER):
        done += _refine(tasks, grams, inverses, problems[start : start + TOGETHER])
    return done


def _refine(
    tasks: Tasks,
    grams: Sequence[Gram],
    inverses: Sequence[Bordered | Banded],
    problems: Sequence[Problem],
) -> list[tuple[FloatArray, float]]:
    weights = [problem.weights for problem in problems]
    changes = [np.inf] * len(problems)
    places = [problem.task for problem in problems]
    for _ in range(ROUNDS):
        gradients = _gradients(tasks, grams, places, weights)
        for number, (problem, gradient) in enumerate(zip(problems, gradients, strict=True)):
            right = gradient - problem.penalty * weights[number]
            step = inverses[problem.task].solve(right[:, None], np.array([problem.penalty]))[:, 0]
            weights[number] = weights[number] + step
            inside = np.sqrt(max(float(step @ grams[problem.task].matrix @ step), 0.0))
            changes[number] = inside + OUTSIDE * float(np.linalg.norm(step))
        if all(change <= TOLERANCE for change in changes):
            break
    return list(zip(weights, changes, strict=True))


def _gradients(
    tasks: Tasks, grams: Sequence[Gram], places: Sequence[int], weights: Sequence[FloatArray]
) -> list[FloatArray]:
    """Z'(y - mean(y) - Zw)/n from the rows, one per problem."""
    chosen = tasks.only(places)
    coefficients = [
        (weight / grams[place].scales)[:, None] for place, weight in zip(places, weights, strict=True)
    ]
    intercepts = [
        grams[place].target_mean - grams[place].means @ raw
        for place, raw in zip(places, coefficients, strict=True)
    ]
    residuals = chosen.targets - np.hstack(forecast_tasks(chosen, intercepts, coefficients))
    # Products with the raw columns of the union, and after them each task's own means taken off.
    products = centred_products(tasks.union, np.zeros(tasks.union_count), residuals)
    sums = residuals.sum(axis=0)
    gradients = []
    for number, (place, task) in enumerate(zip(places, chosen.rows, strict=True)):
        own = tasks.gather(task.horizon, products[:, number : number + 1])[:, 0]
        gradients.append((own - grams[place].means * sums[number]) / grams[place].scales / tasks.count)
    return gradients
