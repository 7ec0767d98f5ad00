"""Whether a reservoir forgets: how alike its states are when its inputs differ by next to nothing."""

import numpy as np

from ngrc._types import FloatArray
from ngrc.intervals import ResCP
from ngrc.study.volterra.settings import BLOCKS


def likeness(method: ResCP, first: FloatArray, second: FloatArray) -> float:
    """Mean cosine over the test steps of a method's states under two sequences of residuals.

    One where differences die out; a reservoir of large spectral radius lets them grow, and its intervals with them.
    """
    units = []
    for residuals in (first, second):
        known = residuals[: BLOCKS.calibration]
        states = method.reservoir.states((residuals - known.mean()) / known.std())[BLOCKS.calibration :]
        units.append(states / np.linalg.norm(states, axis=1, keepdims=True))
    return float((units[0] * units[1]).sum(axis=1).mean())
