"""One window: fit, training error, free run; and the same over many windows of one trajectory."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Self

import numpy as np

from ngrc._types import FloatArray
from ngrc.model import NGRC
from ngrc.study.dynamics.models import continued, fit, forecaster
from ngrc.study.dynamics.scores import (
    normalised_errors,
    nrmse,
    pooled_variance,
    total_variance,
    valid_steps,
)
from ngrc.study.dynamics.settings import LONGEST, LORENZ, MACKEY_GLASS, THRESHOLD, Case
from ngrc.study.dynamics.trajectories import drawn_mackey_glass

Variance = Callable[[FloatArray], float]


@dataclass(frozen=True, slots=True)
class Run:
    """What one window gave.

    Parameters
    ----------
    features
        Weights of the fitted model per channel.
    training
        NRMSE of the one-step forecasts of the fitted targets.
    free
        NRMSE of the free run over the published time, its start included; infinite where it diverged.
    errors
        Normalised error of the free run at every step up to `LONGEST` Lyapunov times.
    valid
        Lyapunov times until one exceeds `THRESHOLD`; `LONGEST` where none does.
    """

    features: int
    training: float
    free: float
    errors: FloatArray
    valid: float


@dataclass(frozen=True, slots=True)
class Runs:
    """Every window of one case, each measure by window."""

    case: Case
    features: int
    training: FloatArray
    free: FloatArray
    errors: FloatArray
    valid: FloatArray

    @classmethod
    def of(cls, case: Case, runs: Iterable[Run]) -> Self:
        """Put windows together."""
        listed = list(runs)
        names = ("training", "free", "errors", "valid")
        measures = (np.array([getattr(run, name) for run in listed]) for name in names)
        return cls(case, listed[0].features, *measures)

    @property
    def diverged(self) -> int:
        """Windows whose free run left every bound within the time that is scored."""
        return int(np.sum(np.isinf(self.free)))


def published_variance(case: Case) -> Variance:
    """What the published code divides by: for Lorenz63 the one variance of all its numbers, else the channels' sum."""
    return pooled_variance if case.title == LORENZ.title else total_variance


def window(case: Case, states: FloatArray, start: int, variance: float, size: float) -> Run:
    """Fit the rows whose targets are start..start+train-1 and run on from the last of them.

    Parameters
    ----------
    case
        The system.
    states
        Its trajectory, shape (n, channels).
    start
        First fitted target.
    variance, size
        What published scores are divided by, and the total variance, by which validity is judged.
    """
    stop = start + case.train
    model, training = fitted(case, states, start, variance)
    run = continued(model, states[:stop][-case.reach - 1 :], case.steps(LONGEST))
    truth = states[stop : stop + len(run)]
    # The published score counts the start of the run, whose error is nil, as its first step.
    scored = case.steps(case.scored) - 1
    start_row = np.zeros((1, states.shape[1]))
    free = nrmse(np.vstack((start_row, run[:scored] - truth[:scored])), variance)
    errors = normalised_errors(run, truth, size)
    valid = valid_steps(errors, THRESHOLD) * case.spacing / case.lyapunov
    return Run(len(model.coefficients().values), training, free, errors, min(valid, LONGEST))


def fitted(case: Case, states: FloatArray, start: int, variance: float) -> tuple[NGRC, float]:
    """The model of one window, and its training NRMSE."""
    block = states[start - case.reach - 1 : start + case.train]
    model = fit(forecaster(case), block)
    errors = (model.predict(block) - block)[-case.train :]
    return model, nrmse(errors, variance)


def over_windows(case: Case, states: FloatArray, windows: int) -> Runs:
    """Consecutive windows of one trajectory, each with a model of its own."""
    variance, size = published_variance(case)(states), total_variance(states)
    starts = (case.warm + i * case.train for i in range(windows))
    return Runs.of(case, (window(case, states, start, variance, size) for start in starts))


def drawn_window(rng: np.random.Generator) -> Run:
    """The one window of a Mackey-Glass path that sets out from a past of its own."""
    case = MACKEY_GLASS
    states = drawn_mackey_glass(case.length(1), rng)
    size = total_variance(states)
    return window(case, states, case.warm, size, size)
