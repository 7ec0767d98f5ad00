"""The rows of one window in many orders: what the order does to a pseudo-inverse, and to the solver here."""

from dataclasses import dataclass

import numpy as np

from ngrc._types import FloatArray
from ngrc.features import Delays
from ngrc.study.dynamics.models import channels, delays_and_products, fit, raw_model
from ngrc.study.dynamics.published import delays_at, features, free_error, pseudo_inverse
from ngrc.study.dynamics.scores import pooled_variance
from ngrc.study.dynamics.settings import LORENZ

ORDERS = 40
"""Orders of the same rows, the first as they come."""
SAME = 1e-6
"""Two errors that agree to three digits count as one."""


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
    case, variance, found = LORENZ, pooled_variance(states), []
    targets = np.arange(case.warm, case.warm + case.train)
    delays, increments = delays_at(case, states, targets - 1), states[targets] - states[targets - 1]
    for order in range(orders):
        shuffled = rng.permutation(case.train) if order else np.arange(case.train)
        rows, answers = delays[shuffled], increments[shuffled]
        columns = features(rows, case.powers, constant=True)
        weights = (pseudo_inverse(columns, answers, case.alpha), solved(rows, answers, case.alpha))
        found.append([free_error(case, each, states, case.warm + case.train, variance) for each in weights])
    return Orders(*np.array(found).T)


def solved(delays: FloatArray, targets: FloatArray, alpha: float) -> FloatArray:
    """The weights of `NGRC` fitted to rows in any order, shape (features, targets), the constant's first."""
    count, width = delays.shape
    # Inputs stand at one time and what they are to give at the next, so that no row reads what another does.
    series = np.zeros((count + 1, width + targets.shape[1]))
    series[:-1, :width], series[1:, width:] = delays, targets
    inputs = [Delays(1, channel=name) for name in channels(series.shape[1])[:width]]
    model = fit(raw_model(delays_and_products(inputs, LORENZ.powers), alpha / count), series)
    weights = [model.coefficients(channel=place).values for place in range(width, series.shape[1])]
    # The model names its constant last.
    return np.roll(np.column_stack(weights), 1, axis=0)
