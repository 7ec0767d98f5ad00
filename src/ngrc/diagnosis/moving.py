"""Residuals whose mean or size moves through the calibration block: the model is out of date."""

import numpy as np

from ngrc._types import FloatArray
from ngrc.diagnosis.advice import drifts
from ngrc.diagnosis.calibration import Calibration
from ngrc.diagnosis.finding import Finding, gain
from ngrc.diagnosis.shape import BLOCKS, residual_shape


def lately(seen: Calibration) -> FloatArray:
    """Mean of the last eighth of the residuals observed at each origin, or of what there is of it; shape (m,)."""
    sums = np.concatenate([[0.0], np.cumsum(seen.residuals)])
    # At the origin of target t the residuals through t - H are observed; sums[k] holds the first k of them.
    known = np.maximum(np.arange(seen.count) - seen.horizon + 1, 0)
    first = np.maximum(known - _window(seen), 0)
    means: FloatArray = (sums[known] - sums[first]) / np.maximum(known - first, 1)
    return means


def _window(seen: Calibration) -> int:
    return max(seen.horizon, seen.count // BLOCKS)


def _refits(seen: Calibration) -> int:
    """Steps between refits to try: no longer than the window, and half of what they are where there are some."""
    return max(seen.horizon, min(_window(seen), seen.fit_targets // 2))


def drift(seen: Calibration) -> Finding | None:
    """A mean residual that wanders: the mean of those lately observed corrects the coming ones."""
    window = _window(seen)
    # From where the whole window is observed.
    judged = slice(window + seen.horizon - 1, seen.count)
    found = gain(seen.residuals[judged], lately(seen)[judged], seen.horizon, seen.inflation(seen.count))
    if not found.counts:
        return None
    thirds = [float(np.mean(part)) for part in np.array_split(seen.residuals, 3)]
    size = float(np.sqrt(np.mean(seen.residuals**2)))
    return Finding(
        "drift",
        (thirds[2] - thirds[0]) / size,
        found.p,
        found.removed,
        f"the mean residual moves ({thirds[0] / size:+.2f}, {thirds[1] / size:+.2f}, {thirds[2] / size:+.2f} of the "
        f"RMSE in the three thirds of the calibration block): the mean of the last {window} known ones "
        f"{found.words('their squared error')}",
        f"refit_every={_refits(seen)}, with window={seen.fit_rows} or fewer rows where the past misleads",
    )


def scale_drift(seen: Calibration) -> Finding | None:
    """The same departure as the advice's rule on a drifting scale, with what the forecast can do about it."""
    # The level plays no part in the drift.
    shape = residual_shape(seen.residuals, 0.95, seen.horizon)
    if not drifts(shape):
        return None
    return Finding(
        "scale drift",
        shape.drift,
        None,
        None,
        f"the residuals' size moves: of {BLOCKS} stretches the largest is {shape.drift:.2f} times the smallest",
        f"refit_every={_refits(seen)} with window={seen.fit_rows} or fewer rows, for a model of the recent past; "
        "intervals that adapt (method adaptive) in any case",
    )
