"""The rows of one window in many orders: what the order does to a pseudo-inverse, and to the solver here."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations_with_replacement

import numpy as np

from ngrc._types import FloatArray
from ngrc.features import Delays
from ngrc.study.dynamics.models import channels, fit, one_step, raw_map, raw_model
from ngrc.study.dynamics.scores import nrmse, pooled_variance
from ngrc.study.dynamics.settings import LORENZ

ORDERS = 40
"""Orders of the same rows, the first as they come."""
SAME = 1e-3
"""Two errors that agree to three digits count as one."""
Change = Callable[[FloatArray], FloatArray]
"""From a row of delays to the increments that follow it."""


@dataclass(frozen=True, slots=True)
class Orders:
    """Free-run NRMSE over one Lyapunov time of every order, by either way to solve the same ridge regression."""

    pseudo_inverse: FloatArray
    ours: FloatArray

    @property
    def unmoved(self) -> int:
        """Orders in which our error is that of the first."""
        return int(np.sum(np.abs(self.ours / self.ours[0] - 1.0) <= SAME))


def row_orders(states: FloatArray, orders: int, rng: np.random.Generator) -> Orders:
    """Solve the first window of Lorenz63 with its rows in several orders, and run each solution on."""
    case, start = LORENZ, LORENZ.warm
    rows = np.arange(start, start + case.train)
    delays = np.column_stack([states[rows - lag] for lag in case.lags])
    increments = states[rows] - states[rows - 1]
    variance, found = pooled_variance(states), []
    for order in range(orders):
        shuffled = rng.permutation(case.train) if order else np.arange(case.train)
        pair = (delays[shuffled], increments[shuffled])
        ways = (pseudo_inverse(*pair, case.alpha), solved(*pair, case.alpha))
        found.append([_free_error(change, states, start + case.train, variance) for change in ways])
    return Orders(*np.array(found).T)


def features(delays: FloatArray) -> FloatArray:
    """Constant, delays and their products, shape (n, k) -> (n, 1 + k + k(k + 1)/2)."""
    pairs = combinations_with_replacement(range(delays.shape[1]), 2)
    products = [delays[:, i] * delays[:, j] for i, j in pairs]
    return np.column_stack((np.ones(len(delays)), delays, *products))


def pseudo_inverse(delays: FloatArray, targets: FloatArray, alpha: float) -> Change:
    """The published way, weights (Y'F)(F'F + alpha I)^+, as a function of one row of delays."""
    columns = features(delays)
    moments = columns.T @ columns + alpha * np.identity(columns.shape[1])
    weights = targets.T @ columns @ np.linalg.pinv(moments)

    def change(row: FloatArray) -> FloatArray:
        return np.asarray(weights @ features(row[None, :])[0])

    return change


def solved(delays: FloatArray, targets: FloatArray, alpha: float) -> Change:
    """`NGRC` fitted to the same rows, as a function of one row of delays."""
    count, width = delays.shape
    # Inputs stand at one time and what they are to give at the next, so that no row reads what another does.
    series = np.zeros((count + 1, width + targets.shape[1]))
    series[:-1, :width], series[1:, width:] = delays, targets
    inputs = [Delays(1, channel=name) for name in channels(series.shape[1])[:width]]
    model = fit(raw_model(raw_map(inputs, (2, 2)), alpha / count), series)

    def change(row: FloatArray) -> FloatArray:
        pair = np.zeros((2, series.shape[1]))
        pair[0, :width] = row
        return one_step(model, pair)[1, width:]

    return change


def _free_error(change: Change, states: FloatArray, stop: int, variance: float) -> float:
    """NRMSE of the run on from the states before `stop`, over one Lyapunov time as published."""
    steps = LORENZ.steps(LORENZ.scored)
    newest, older = states[stop - 1], states[stop - 2]
    errors = np.zeros((steps, states.shape[1]))
    for step in range(1, steps):
        newest, older = newest + change(np.concatenate((newest, older))), newest
        errors[step] = newest - states[stop - 1 + step]
    return nrmse(errors, variance)
