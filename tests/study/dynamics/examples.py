"""Trajectories that several tests read: long enough for the first window of each system."""

import numpy as np

from ngrc._types import FloatArray
from ngrc.study.dynamics.scores import total_variance
from ngrc.study.dynamics.settings import LONGEST, LORENZ, MACKEY_GLASS, SCROLL, Case
from ngrc.study.dynamics.trajectories import drawn_mackey_glass, published_lorenz, published_scroll
from ngrc.study.dynamics.windows import Run, window

CASES = {"lorenz": LORENZ, "scroll": SCROLL, "mackey-glass": MACKEY_GLASS}
WINDOWS = 4


def states_of(case: Case) -> FloatArray:
    """A trajectory long enough for the first window and a run of four Lyapunov times."""
    length = case.warm + case.train + case.steps(4.0)
    if case.title == MACKEY_GLASS.title:
        return drawn_mackey_glass(length, np.random.default_rng(3))
    return published_lorenz(length) if case.title == LORENZ.title else published_scroll(length)


def first_block(case: Case) -> FloatArray:
    """The values that the first window reads, targets included."""
    return states_of(case)[case.warm - case.reach - 1 : case.warm + case.train]


def window_of(case: Case, states: FloatArray, variance: float) -> Run:
    """The first window, whatever comes after the states."""
    # A window is asked for as much truth as the longest run scores; beyond four Lyapunov times none is looked at here.
    longer = np.vstack((states, np.repeat(states[-1:], case.steps(LONGEST), axis=0)))
    return window(case, longer, case.warm, variance, total_variance(states))
