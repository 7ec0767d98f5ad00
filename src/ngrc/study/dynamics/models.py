"""The published maps as models of this library, and how they run on.

The published penalty is of the sum of squares and of the features as they are, the constant among them; so the series
is not standardised, columns stay raw, the constant is penalised, and the penalty is divided by the rows.
"""

from collections.abc import Sequence
from typing import Literal

import numpy as np

from ngrc._types import FloatArray
from ngrc.features import Delays, FeatureMap, Products
from ngrc.model import NGRC
from ngrc.observed import observe
from ngrc.readout.free_run import free_run
from ngrc.study.dynamics.settings import Case, Inference

IDENTITY = (0.0, 1.0)
"""The scale that changes nothing."""


def channels(count: int) -> tuple[str, ...]:
    """Names that the library gives to the columns of an array."""
    return tuple(f"x{place}" for place in range(count))


def delays_and_products(delays: Sequence[Delays], powers: tuple[int, int]) -> FeatureMap:
    """Delays, then their products of the degrees `powers`, within and across channels."""
    return FeatureMap((*delays, Products(tuple(delays), powers[1], lowest=powers[0])))


def raw_model(
    feature_map: FeatureMap,
    penalty: float,
    *,
    constant: bool = True,
    target: Literal["level", "increment"] = "level",
) -> NGRC:
    """A model whose columns are penalised as they are, a constant among them or none; not fitted."""
    intercept: Literal["penalised", "none"] = "penalised" if constant else "none"
    return NGRC(map=feature_map, target=target, columns="raw", intercept=intercept, ridge=penalty)


def forecaster(case: Case) -> NGRC:
    """One-step increments of every channel from the delays of all, not fitted."""
    delays = [Delays(case.lags, channel=name) for name in channels(len(case.coordinates))]
    penalty = case.alpha / case.train
    columns = delays_and_products(delays, case.powers)
    return raw_model(columns, penalty, constant=case.constant, target="increment")


def fit(model: NGRC, states: FloatArray) -> NGRC:
    """Fit to states of shape (n, channels), none of them standardised."""
    return model.fit(states, scale=IDENTITY)


def continued(model: NGRC, states: FloatArray, steps: int) -> FloatArray:
    """What `NGRC.free_run` gives, shape (steps, channels); NaN from the step on at which a run diverges.

    It raises there, as no user wants such a run; here it is a result.
    """
    fitted = model.fitted_
    sight = fitted.see(observe(states), 0)
    return free_run(fitted.feature_map, sight.inputs, sight.x, fitted.readouts, steps, fitted.goal)


def infer(case: Inference, states: FloatArray) -> FloatArray:
    """Infer z of every row that can be made from x and y, fitted to the first `train` of them.

    Parameters
    ----------
    case
        The settings.
    states
        (x, y, z), shape (n, 3).

    Returns
    -------
    FloatArray
        Inferred z of the rows reach..n-1, shape (n - reach,).
    """
    # Models here look one step ahead: with z moved one step on, what is to come of z is its present. The values that
    # this leaves open at either end are read by no row and no score.
    first, last = states[:1], states[-1:]
    moved = np.column_stack((np.vstack((states, last))[:, :2], np.vstack((first, states))[:, 2]))
    delays = [Delays(case.lags, case.skip, name) for name in channels(3)[:2]]
    model = raw_model(delays_and_products(delays, (2, 2)), case.alpha / case.train)
    fit(model, moved[: case.reach + case.train + 1])
    return model.predict(moved)[case.reach + 1 :, 2]
