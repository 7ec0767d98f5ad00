"""From tasks and a penalty, or a grid of them, to one readout per task."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ngrc._types import FloatArray
from ngrc.readout.banded import Banded
from ngrc.readout.bordered import Bordered, decompose
from ngrc.readout.convention import Convention
from ngrc.readout.fitted import Solver
from ngrc.readout.gram import Gram
from ngrc.readout.penalty import NARROW, Validation, inner_rows
from ngrc.readout.refine import TOLERANCE, hopeless, needs_refinement
from ngrc.readout.tasks.choice import choose_penalties
from ngrc.readout.tasks.fitted import TaskReadout
from ngrc.readout.tasks.forecast import forecast_tasks
from ngrc.readout.tasks.moments import task_grams
from ngrc.readout.tasks.orthogonal import task_spectra
from ngrc.readout.tasks.refine import Problem, refine_tasks
from ngrc.readout.tasks.value import Tasks

Inverse = Bordered | Banded


def fit_tasks(
    tasks: Tasks, ridges: Sequence[float], convention: Convention, fixed: float | None = None
) -> tuple[list[TaskReadout], list[Validation] | None]:
    """Fit every task; the penalty is `fixed`, or one per task is chosen among `ridges`.

    Equal to fitting each task by itself on the same rows, up to rounding far below 1e-8 of the series' scale.
    """
    grams = task_grams(tasks, convention)
    if fixed is not None:
        return SolvedTasks.of(tasks, grams, [fixed] * len(grams), convention, True).readouts(tasks), None
    validations = validate_tasks(tasks, ridges, convention)
    penalties = [found.best for found in validations]
    return SolvedTasks.of(tasks, grams, penalties, convention, True).readouts(tasks), validations


def validate_tasks(tasks: Tasks, ridges: Sequence[float], convention: Convention) -> list[Validation]:
    """Errors of every penalty, by task, as of `choose_penalty`."""
    count = inner_rows(tasks.count, max(tasks.horizons))
    inner = task_grams(tasks.part(0, count), convention)
    return choose_penalties(tasks, count, ridges, convention, inner, _inverses(inner, tasks.fixed_count))


def _inverses(grams: Sequence[Gram], size: int) -> list[Bordered]:
    """By task: the common block decomposed once, and its border where the task has one."""
    values, vectors = decompose(grams[0].matrix[:size, :size])
    known: dict[int, Bordered] = {}
    for gram in grams:
        if id(gram.matrix) not in known:
            border = vectors.T @ gram.matrix[:size, size:]
            known[id(gram.matrix)] = Bordered(values, vectors, border, gram.matrix[size:, size:])
    return [known[id(gram.matrix)] for gram in grams]


@dataclass(frozen=True, slots=True)
class SolvedTasks:
    """Readouts of all tasks as far as their forecasts need them, by task.

    Parameters
    ----------
    grams, penalties, convention
        What was solved.
    inverses, solvers
        The decompositions, and which they are.
    intercepts, coefficients
        On the raw columns, moving ones last.
    """

    grams: Sequence[Gram]
    penalties: Sequence[float]
    convention: Convention
    inverses: Sequence[Inverse]
    solvers: Sequence[Solver]
    intercepts: Sequence[float]
    coefficients: Sequence[FloatArray]

    @classmethod
    def of(
        cls,
        tasks: Tasks,
        grams: Sequence[Gram],
        penalties: Sequence[float],
        convention: Convention,
        whole: bool = False,
    ) -> "SolvedTasks":
        """Solve every task at its own penalty, from moments that are known already.

        `whole` says that readouts will be asked for, so that the decomposition may be theirs at once.
        """
        inverses = _cheapest(grams, tasks.fixed_count, whole)
        solvers, weights = _solve(tasks, grams, penalties, inverses)
        coefficients = [weight / gram.scales for weight, gram in zip(weights, grams, strict=True)]
        intercepts = [
            gram.target_mean * convention.share(penalty) - float(gram.means @ raw)
            for gram, raw, penalty in zip(grams, coefficients, penalties, strict=True)
        ]
        return cls(grams, penalties, convention, inverses, solvers, intercepts, coefficients)

    def forecasts(self, tasks: Tasks) -> list[FloatArray]:
        """What they say of every task's rows, each of shape (n,)."""
        said = forecast_tasks(
            tasks,
            [np.array([constant]) for constant in self.intercepts],
            [raw[:, None] for raw in self.coefficients],
        )
        return [part[:, 0] for part in said]

    def readouts(self, tasks: Tasks) -> list[TaskReadout]:
        """The whole readouts, from the rows that were solved."""
        shares = [self.convention.share(penalty) for penalty in self.penalties]
        inverses = self._with_vectors(tasks.fixed_count)
        return [
            TaskReadout(
                penalty=penalty,
                intercept=self.intercepts[place],
                coefficients=self.coefficients[place],
                d_eff=shares[place] + inverses[place].dimension(penalty),
                fit_scale=float(np.sqrt(np.mean(np.square(row.target - said)))),
                solver=self.solvers[place],
                intercept_penalty=self.convention.intercept_penalty(penalty),
                gram=self.grams[place],
                inverse=inverses[place],
            )
            for place, (row, said, penalty) in enumerate(
                zip(tasks.rows, self.forecasts(tasks), self.penalties, strict=True)
            )
        ]

    def _with_vectors(self, size: int) -> list[Bordered]:
        """The decompositions, those without eigenvectors made anew: a leverage wants them."""
        lacking = any(isinstance(one, Banded) for one in self.inverses)
        anew = _inverses(self.grams, size) if lacking else []
        return [anew[place] if isinstance(one, Banded) else one for place, one in enumerate(self.inverses)]


def _solve(
    tasks: Tasks, grams: Sequence[Gram], penalties: Sequence[float], inverses: list[Inverse]
) -> tuple[list[Solver], list[FloatArray]]:
    """By task: which decomposition it took, and weights on the standardised columns.

    Where it took the design's own, that replaces the one in `inverses`.
    """
    weights = [np.zeros_like(gram.cross) for gram in grams]
    solvers: list[Solver] = ["gram"] * len(grams)
    solvable: dict[int, list[int]] = {}
    for place, (gram, penalty) in enumerate(zip(grams, penalties, strict=True)):
        if np.isfinite(penalty) and (penalty == 0.0 or hopeless(gram, penalty)):
            solvers[place] = "svd"
        elif np.isfinite(penalty):
            solvable.setdefault(id(inverses[place]), []).append(place)
    for places in solvable.values():
        # Tasks of the same columns in one call, each with its own penalty.
        right = np.stack([grams[place].cross for place in places], axis=1)
        own = inverses[places[0]].solve(right, np.array([penalties[place] for place in places]))
        for place, found in zip(places, own.T, strict=True):
            weights[place] = found
            # Not positive definite after all, to rounding.
            solvers[place] = "gram" if np.all(np.isfinite(found)) else "svd"
    doubtful = [
        Problem(place, penalties[place], weights[place])
        for places in solvable.values()
        for place in places
        if solvers[place] == "gram" and needs_refinement(grams[place], weights[place], penalties[place])
    ]
    refined = refine_tasks(tasks, grams, inverses, doubtful)
    for problem, (better, change) in zip(doubtful, refined, strict=True):
        weights[problem.task] = better
        if not change <= TOLERANCE:  # a NaN is not settled either
            solvers[problem.task] = "svd"
    spectra = task_spectra(tasks, grams, [place for place, solver in enumerate(solvers) if solver == "svd"])
    for place, spectrum in spectra.items():
        weights[place] = spectrum.path(np.array([penalties[place]]))[:, 0]
        empty = np.empty((spectrum.values.size, 0))
        inverses[place] = Bordered(spectrum.values, spectrum.vectors, empty, np.empty((0, 0)))
    return solvers, weights


def _cheapest(grams: Sequence[Gram], size: int, whole: bool) -> list[Inverse]:
    """By task, what solves it for least: no eigenvectors where all have the same columns, and readouts can wait."""
    matrix = grams[0].matrix
    if not whole and size > NARROW and all(gram.matrix is matrix for gram in grams):
        return [Banded.of(matrix)] * len(grams)
    return list(_inverses(grams, size))
