"""The published maps as models of this library, and how they run on.

The published penalty is of the sum of squares and of the features as they are, the constant among them; so the series
is not standardised, columns stay raw, the constant is a column, and the penalty is divided by the rows.
"""

from collections.abc import Sequence
from typing import Literal

import numpy as np

from ngrc._types import FloatArray
from ngrc.features import Constant, Delays, Products
from ngrc.features.group import Group
from ngrc.model import NGRC
from ngrc.study.dynamics.settings import Case, Inference

IDENTITY = (0.0, 1.0)
"""The scale that changes nothing."""


def raw_map(delays: Sequence[Delays], powers: tuple[int, int], constant: bool = True) -> tuple[Group, ...]:
    """Perhaps a constant, then delays, then their products of the degrees `powers`."""
    products = Products(tuple(delays), powers[1], lowest=powers[0])
    return (*((Constant(),) if constant else ()), *delays, products)


def raw_model(groups: Sequence[Group], penalty: float, target: Literal["level", "increment"] = "level") -> NGRC:
    """Every column penalised as it is, and no intercept besides; not fitted."""
    return NGRC(map=tuple(groups), target=target, columns="raw", intercept="none", ridge=penalty)


def case_map(case: Case) -> tuple[Group, ...]:
    """The published features of a case: delays of every channel, products within and across channels."""
    delays = [Delays(case.lags, channel=name) for name in channels(len(case.coordinates))]
    return raw_map(delays, case.powers, case.constant)


def forecaster(case: Case) -> NGRC:
    """One-step increments of every channel, not fitted."""
    return raw_model(case_map(case), case.alpha / case.train, "increment")


def fit(model: NGRC, states: FloatArray) -> NGRC:
    """Fit to states of shape (n, channels), none of them standardised."""
    return model.fit(_shaped(states), scale=IDENTITY)


def one_step(model: NGRC, states: FloatArray) -> FloatArray:
    """Forecasts by target time, shape (n, channels), NaN where none can be made."""
    return model.predict(_shaped(states)).reshape(states.shape)


def continued(model: NGRC, states: FloatArray, steps: int) -> FloatArray:
    """The free run after `states`, shape (steps, channels); NaN from the step on at which it diverges."""
    return model.free_run(_shaped(states), steps).reshape(steps, -1)


def infer(case: Inference, states: FloatArray) -> FloatArray:
    """z of every row that can be made from x and y, fitted to the first `train` of them.

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
    model = raw_model(raw_map(delays, (2, 2)), case.alpha / case.train)
    stop = case.reach + case.train + 1
    return one_step(fit(model, moved[:stop]), moved)[case.reach + 1 :, 2]


def channels(count: int) -> tuple[str, ...]:
    """Names of the channels of a vector series of this library."""
    return ("x",) if count == 1 else tuple(f"x{place}" for place in range(count))


def _shaped(states: FloatArray) -> FloatArray:
    """One channel is a scalar series."""
    return states[:, 0] if states.shape[1] == 1 else states
