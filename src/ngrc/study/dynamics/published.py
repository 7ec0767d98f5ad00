"""The published way to fit and run: explicit features, and a pseudo-inverse of their moments.

It stands beside `NGRC` on the same windows, so that what differs from the print can be told from what the method does.
"""

from dataclasses import dataclass
from itertools import combinations_with_replacement

import numpy as np

from ngrc._types import FloatArray, IntArray
from ngrc.study.dynamics.scores import nrmse
from ngrc.study.dynamics.settings import Case


@dataclass(frozen=True, slots=True)
class Peer:
    """Training and free-run NRMSE of the published solver, by window."""

    training: FloatArray
    free: FloatArray


def delays_at(case: Case, states: FloatArray, origins: IntArray) -> FloatArray:
    """All channels at the newest lag, then all at the next, shape (origins, lags x channels)."""
    return np.column_stack([states[origins + 1 - lag] for lag in case.lags])


def features(delays: FloatArray, powers: tuple[int, int], *, constant: bool) -> FloatArray:
    """Perhaps a constant, the delays of shape (n, k), and their products of the degrees powers[0]..powers[1]."""
    columns = [np.ones((len(delays), 1))] if constant else []
    columns.append(delays)
    for power in range(powers[0], powers[1] + 1):
        chosen = combinations_with_replacement(range(delays.shape[1]), power)
        columns += [np.prod(delays[:, factors], axis=1, keepdims=True) for factors in chosen]
    return np.hstack(columns)


def pseudo_inverse(columns: FloatArray, targets: FloatArray, alpha: float) -> FloatArray:
    """((Y'F)(F'F + alpha I)^+)', shape (features, targets)."""
    moments = columns.T @ columns + alpha * np.identity(columns.shape[1])
    return np.asarray((targets.T @ columns @ np.linalg.pinv(moments)).T)


def free_error(case: Case, weights: FloatArray, states: FloatArray, stop: int, variance: float) -> float:
    """NRMSE of the run that `weights` make from the states before `stop`, over the published time."""
    steps = case.steps(case.scored)
    path = states[stop - case.reach - 1 : stop + steps - 1].copy()
    for now in range(case.reach, len(path) - 1):
        row = features(delays_at(case, path, np.array([now])), case.powers, constant=case.constant)
        path[now + 1] = path[now] + row[0] @ weights
    # The start of the run, whose error is nil, is the first of the steps.
    return nrmse(path[case.reach :] - states[stop - 1 : stop + steps - 1], variance)


def published_errors(case: Case, states: FloatArray, windows: int, variance: float) -> Peer:
    """The published solver on consecutive windows of one trajectory."""
    found = []
    for start in range(case.warm, case.warm + windows * case.train, case.train):
        targets = np.arange(start, start + case.train)
        increments = states[targets] - states[targets - 1]
        columns = features(delays_at(case, states, targets - 1), case.powers, constant=case.constant)
        weights = pseudo_inverse(columns, increments, case.alpha)
        training = nrmse(columns @ weights - increments, variance)
        found.append((training, free_error(case, weights, states, start + case.train, variance)))
    return Peer(*np.array(found).T)
