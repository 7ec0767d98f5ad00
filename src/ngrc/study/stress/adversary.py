"""Residuals chosen against the method: each just outside its own interval, as long as that is not too wide."""

import numpy as np

from ngrc._types import FloatArray
from ngrc.intervals.base import History, IntervalMethod
from ngrc.study.stress.laws import LEVEL, Sample, Sizes

REACH = 10.0
"""The largest residual, in units of the calibration scale: nothing wider can be missed, and no width explodes."""
BEYOND = 1.01
"""How far outside, relative to the upper end."""


def duel(
    method: IntervalMethod, rng: np.random.Generator, horizon: int, sizes: Sizes
) -> tuple[Sample, FloatArray]:
    """One at a time, as in service: interval, then residual; residuals, and ends of shape (steps, 2).

    Where the interval reaches farther than the adversary may, the residual is a calm one, to lure it back. The true
    interval is that of the reach.
    """
    calm = rng.standard_normal(sizes.calibration + sizes.adversary)
    start, steps = sizes.calibration, sizes.adversary
    known = start - horizon + 1
    tracker = method.begin(History(calm[:known], horizon), LEVEL)
    residuals, ends = calm, np.empty((steps, 2))
    for step in range(steps):
        due = known + step - 1
        if step > 0:
            tracker.observe(float(residuals[due]), _missed(residuals[due], ends, due - start))
        ends[step] = tracker.issue()
        residuals[start + step] = reply(ends[step, 1], calm[start + step])
    reach = np.full(steps, REACH)
    return Sample(residuals, -reach, reach), ends


def reply(upper: float, calm: float) -> float:
    """The adversary's residual once it has seen the upper end.

    Examples
    --------
    >>> reply(2.0, 0.3), reply(9.99, 0.3), reply(10.0, 0.3)
    (2.03..., 10.0, 0.3)
    """
    return min(BEYOND * max(upper, 0.0) + BEYOND - 1.0, REACH) if upper < REACH else calm


def _missed(residual: float, ends: FloatArray, step: int) -> bool | None:
    """None where the residual was pending before the first interval."""
    return None if step < 0 else not ends[step, 0] <= residual <= ends[step, 1]
