"""Iterative refinement of many tasks at once; see `ngrc.readout.refine`."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ngrc._types import FloatArray
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
    tasks: Tasks, grams: Sequence[Gram], inverses: Sequence[Bordered], problems: Sequence[Problem]
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
    tasks: Tasks, grams: Sequence[Gram], inverses: Sequence[Bordered], problems: Sequence[Problem]
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
    used = sorted(set(places))
    chosen = Tasks(tuple(tasks.rows[place] for place in used), tasks.fixed)
    groups = [[number for number, place in enumerate(places) if place == task] for task in used]
    coefficients = [
        np.stack([weights[number] / grams[task].scales for number in group], axis=1)
        for task, group in zip(used, groups, strict=True)
    ]
    intercepts = [
        grams[task].target_mean - grams[task].means @ raw
        for task, raw in zip(used, coefficients, strict=True)
    ]
    forecasts = forecast_tasks(chosen, intercepts, coefficients)
    residuals = [row.target[:, None] - forecast for row, forecast in zip(chosen.rows, forecasts, strict=True)]
    size = tasks.fixed_count
    joined = np.hstack(residuals)
    fixed = centred_products(tasks.fixed, grams[used[0]].means[:size], joined)
    result: list[FloatArray] = [np.empty(0)] * len(places)
    column = 0
    for place, (task, group) in enumerate(zip(used, groups, strict=True)):
        gram = grams[task]
        moving = chosen.moving(chosen.rows[place].horizon) - gram.means[size:]
        thin = moving.T @ residuals[place]
        for offset, number in enumerate(group):
            products = np.concatenate((fixed[:, column], thin[:, offset]))
            result[number] = products / gram.scales / tasks.count
            column += 1
    return result
