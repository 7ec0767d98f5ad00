"""A plain twin of the vector model: explicit features, least squares by an orthogonal factorisation, a loop."""

from collections.abc import Sequence
from itertools import combinations_with_replacement

import numpy as np

from ngrc._types import FloatArray, IntArray
from ngrc.study.dynamics.settings import Case


def features(delays: FloatArray, powers: Sequence[int], constant: bool) -> FloatArray:
    """Perhaps a constant, the delays of shape (n, k), and their products of the degrees powers[0]..powers[1]."""
    columns = [np.ones(len(delays))] if constant else []
    columns += list(delays.T)
    for power in range(powers[0], powers[1] + 1):
        for index in combinations_with_replacement(range(delays.shape[1]), power):
            columns.append(np.prod(delays[:, index], axis=1))
    return np.column_stack(columns)


def ridge(columns: FloatArray, targets: FloatArray, alpha: float) -> FloatArray:
    """argmin |y - Fw|^2 + alpha |w|^2 from the design itself, whose squares are never formed."""
    width = columns.shape[1]
    stacked = np.vstack((columns, np.sqrt(alpha) * np.identity(width)))
    orthogonal, triangle = np.linalg.qr(stacked)
    return np.asarray(np.linalg.solve(triangle, orthogonal[: len(columns)].T @ targets))


class Twin:
    """Increments of every channel from delays of all, channel by channel as `Delays` come."""

    def __init__(self, case: Case) -> None:
        self.case = case

    def delays(self, states: FloatArray, origins: IntArray) -> FloatArray:
        return np.column_stack(
            [states[origins - lag + 1, place] for place in range(states.shape[1]) for lag in self.case.lags]
        )

    def fit(self, states: FloatArray) -> "Twin":
        targets = np.arange(len(states) - self.case.train, len(states))
        self.columns = features(self.delays(states, targets - 1), self.case.powers, self.case.constant)
        self.weights = ridge(self.columns, states[targets] - states[targets - 1], self.case.alpha)
        self.training = self.columns @ self.weights - (states[targets] - states[targets - 1])
        return self

    def free_run(self, states: FloatArray, steps: int) -> FloatArray:
        path = list(states)
        for _ in range(steps):
            row = self.delays(np.array(path[-self.case.reach - 1 :]), np.array([self.case.reach]))
            path.append(path[-1] + (features(row, self.case.powers, self.case.constant) @ self.weights)[0])
        return np.array(path[len(states) :])
