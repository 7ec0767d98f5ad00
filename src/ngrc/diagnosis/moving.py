"""Residuals whose mean or size moves through the calibration block: the model is out of date."""

import numpy as np

from ngrc.diagnosis.advice import drifts
from ngrc.diagnosis.calibration import Calibration
from ngrc.diagnosis.finding import Finding, gain
from ngrc.diagnosis.shape import BLOCKS, ResidualShape


def drift(seen: Calibration) -> Finding | None:
    """A mean residual that wanders: the mean of those lately observed corrects the coming ones."""
    window = max(seen.horizon, seen.count // BLOCKS)
    sums = np.concatenate([[0.0], np.cumsum(seen.residuals)])
    targets = np.arange(window + seen.horizon - 1, seen.count)
    # At the origin of target t the residuals through t - H are observed; sums[k] holds the first k of them.
    known = targets - seen.horizon + 1
    lately = (sums[known] - sums[known - window]) / window
    found = gain(seen.residuals[targets], lately, seen.horizon, seen.fit_rows)
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
        f"{found.words}",
        f'refit_every={window}, with window= where the past misleads, or target="increment"',
    )


def scale_drift(seen: Calibration, shape: ResidualShape) -> Finding | None:
    """The same departure as the advice's rule on a drifting scale, with what the forecast can do about it."""
    if not drifts(shape):
        return None
    return Finding(
        "scale drift",
        shape.drift,
        None,
        None,
        f"the residuals' size moves: of {BLOCKS} stretches the largest is {shape.drift:.2f} times the smallest",
        f"refit_every={max(seen.horizon, seen.count // BLOCKS)} with window= for a model of the recent past; intervals "
        "that adapt (method adaptive) in any case",
    )
