"""How far a forecast outside the range of its fit block may lie from the last value: what past changes support."""

from collections.abc import Sequence
from math import inf

import numpy as np

from ngrc._types import FloatArray

FACTOR = 1.5
"""Largest forecast change in units of the largest past one. Settled on the last windows of ten GIFT-Eval sets, of
which none lost by it."""


def change_limits(values: FloatArray, ends: Sequence[int], horizon: int) -> FloatArray:
    """Limits on |forecast - last value| by end and horizon 1..H, shape (ends, H), in the units of `values`.

    The limit of horizon h at end e is `FACTOR` times the largest |y[t + h'] - y[t]| with h' <= h and t + h' < e. Where
    fewer than h changes of that length are known, the largest change over the longest known length L grows as h / L.
    A single observation supports no limit.

    Examples
    --------
    >>> change_limits(np.array([0.0, 1.0, 2.0, 3.0]), (2, 4), 4).tolist()
    [[1.5, 3.0, 4.5, 6.0], [1.5, 3.0, 4.5, 6.0]]
    """
    largest = np.zeros((len(ends), horizon))
    begins = (0, *ends[:-1])
    for step in range(1, min(horizon, ends[-1] - 1) + 1):
        changes = np.abs(values[step : ends[-1]] - values[: ends[-1] - step])
        # Entry t is the change to the target t + step.
        parts = [
            changes[max(begin - step, 0) : max(end - step, 0)]
            for begin, end in zip(begins, ends, strict=True)
        ]
        largest[:, step - 1] = np.maximum.accumulate([part.max(initial=0.0) for part in parts])
    largest = np.maximum.accumulate(largest, axis=1)
    steps = np.arange(1, horizon + 1)
    for row, end in zip(largest, ends, strict=True):
        known = end - 1
        if known < 1:
            row[:] = inf
        elif known < horizon:
            row[known:] = row[known - 1] * steps[known:] / known
    return FACTOR * largest
