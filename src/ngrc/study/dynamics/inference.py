"""The third coordinate of Lorenz63 inferred from the other two, window by window."""

from dataclasses import dataclass

import numpy as np

from ngrc._types import FloatArray
from ngrc.study.dynamics.models import infer
from ngrc.study.dynamics.scores import nrmse
from ngrc.study.dynamics.settings import INFERENCE, LORENZ, Inference

EVERY = round(INFERENCE.spacing / LORENZ.spacing)
"""Samples of the forecasts' trajectory per sample here."""


@dataclass(frozen=True, slots=True)
class Inferred:
    """Training and test NRMSE by window, and the first window's test: true and inferred z."""

    training: FloatArray
    test: FloatArray
    truth: FloatArray
    estimate: FloatArray


def inferred(trajectory: FloatArray, windows: int, case: Inference = INFERENCE) -> Inferred:
    """Infer z from x and y in consecutive windows of a trajectory, shape (n, 3)."""
    states = trajectory[::EVERY]
    variance = float(np.var(states[:, 2]))
    scores, paths = [], []
    for i in range(windows):
        start = case.warm + i * case.train
        block = states[start - case.reach : start + case.train + case.test]
        truth = block[case.reach :, 2]
        estimate = infer(case, block)
        errors = estimate - truth
        scores.append((nrmse(errors[: case.train], variance), nrmse(errors[case.train :], variance)))
        paths.append((truth[case.train :], estimate[case.train :]))
    training, test = np.array(scores).T
    return Inferred(training, test, *paths[0])
