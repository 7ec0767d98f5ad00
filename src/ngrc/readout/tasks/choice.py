"""One penalty per task, chosen in the same pass by chronological validation."""

from collections.abc import Sequence

import numpy as np

from ngrc._types import FloatArray
from ngrc.readout.bordered import Bordered
from ngrc.readout.convention import Convention
from ngrc.readout.gram import Gram
from ngrc.readout.penalty import Validation, doubtful_choices
from ngrc.readout.refine import TOLERANCE, error_bounds, hopeless
from ngrc.readout.tasks.forecast import forecast_tasks
from ngrc.readout.tasks.orthogonal import task_spectra
from ngrc.readout.tasks.refine import Problem, refine_tasks
from ngrc.readout.tasks.value import Tasks

# Tasks scored in one pass: with 21 penalties their forecasts of 6,000 validation rows are 65 MB.
TOGETHER = 64


def choose_penalties(
    tasks: Tasks,
    inner: int,
    ridges: Sequence[float],
    convention: Convention,
    grams: Sequence[Gram],
    inverses: Sequence[Bordered],
) -> list[Validation]:
    """Score every penalty of every task on the rows after the first `inner`, as `choose_penalty` does for one task.

    Parameters
    ----------
    tasks
        All fit rows.
    inner
        How many of them the inner fits use.
    ridges
        Candidate penalties.
    convention
        Intercept and scaling of the columns.
    grams, inverses
        Of the inner rows, by task.
    """
    scored = []
    for start in range(0, len(tasks.rows), TOGETHER):
        chosen = range(start, min(start + TOGETHER, len(tasks.rows)))
        some = tasks.only(chosen)
        own = [grams[place] for place in chosen], [inverses[place] for place in chosen]
        scored += _choose(some, inner, ridges, convention, *own)
    return scored


def _choose(
    tasks: Tasks,
    inner: int,
    ridges: Sequence[float],
    convention: Convention,
    grams: Sequence[Gram],
    inverses: Sequence[Bordered],
) -> list[Validation]:
    penalties = np.array(ridges, dtype=np.float64)
    weights = [inverse.path(gram.cross, penalties) for inverse, gram in zip(inverses, grams, strict=True)]
    rest = tasks.part(inner, tasks.count)
    scores = validation_scores(rest, grams, weights, [penalties] * len(grams), convention)
    doubts = [
        doubtful_choices(score, error_bounds(gram, weight, penalties))
        for score, gram, weight in zip(scores, grams, weights, strict=True)
    ]
    problems = [
        Problem(task, float(penalties[place]), weights[task][:, place])
        for task, doubt in enumerate(doubts)
        for place in np.flatnonzero(doubt)
    ]
    if problems:
        improved = _accurate(tasks.part(0, inner), grams, inverses, problems)
        for task, doubt in enumerate(doubts):
            own = [better for problem, better in zip(problems, improved, strict=True) if problem.task == task]
            if own:
                chosen = rest.only([task])
                scores[task][doubt] = validation_scores(
                    chosen, [grams[task]], [np.stack(own, axis=1)], [penalties[doubt]], convention
                )[0]
    return [
        Validation(tuple(ridges), score, rest.count - (row.horizon - 1))
        for score, row in zip(scores, rest.rows, strict=True)
    ]


def _accurate(
    inner: Tasks, grams: Sequence[Gram], inverses: Sequence[Bordered], problems: Sequence[Problem]
) -> list[FloatArray]:
    """Coefficients free of the moments' rounding: refined, or else from the design itself."""
    # Refinement would not converge where rounding is near the penalty: those go to the design at once.
    hopeful = [problem for problem in problems if not hopeless(grams[problem.task], problem.penalty)]
    refined = refine_tasks(inner, grams, inverses, hopeful)
    # Not `change > TOLERANCE`: a NaN is unsettled too.
    settled = {
        (problem.task, problem.penalty): weights
        for problem, (weights, change) in zip(hopeful, refined, strict=True)
        if change <= TOLERANCE
    }
    rest = [problem.task for problem in problems if (problem.task, problem.penalty) not in settled]
    spectra = task_spectra(inner, grams, rest)
    return [
        settled[problem.task, problem.penalty]
        if (problem.task, problem.penalty) in settled
        else spectra[problem.task].path(np.array([problem.penalty]))[:, 0]
        for problem in problems
    ]


def validation_scores(
    rest: Tasks,
    grams: Sequence[Gram],
    weights: Sequence[FloatArray],
    penalties: Sequence[FloatArray],
    convention: Convention,
) -> list[FloatArray]:
    """By task, the RMSE of every column of its weights over the rows after the guards, shape (m,)."""
    coefficients = [weight / gram.scales[:, None] for weight, gram in zip(weights, grams, strict=True)]
    intercepts = [
        gram.target_mean * convention.shares(penalty) - gram.means @ raw
        for gram, raw, penalty in zip(grams, coefficients, penalties, strict=True)
    ]
    forecasts = forecast_tasks(rest, intercepts, coefficients)
    # The first H - 1 targets after the inner rows have origins before the last inner target: they are guards.
    return [
        np.sqrt(np.mean(np.square((row.target[:, None] - forecast)[row.horizon - 1 :]), axis=0))
        for row, forecast in zip(rest.rows, forecasts, strict=True)
    ]
