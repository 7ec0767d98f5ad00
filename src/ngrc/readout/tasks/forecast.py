"""Forecasts of many readouts at once: the common columns are made once for all of them."""

from collections.abc import Sequence

import numpy as np

from ngrc._types import FloatArray
from ngrc.readout.tasks.value import Tasks


def forecast_tasks(
    tasks: Tasks, intercepts: Sequence[FloatArray], coefficients: Sequence[FloatArray]
) -> list[FloatArray]:
    """Forecasts of every task by several readouts each.

    Parameters
    ----------
    tasks
        The rows.
    intercepts, coefficients
        By task, shapes (m,) and (p + q, m) with an m of the task's own: weights of the raw columns, moving ones last.

    Returns
    -------
    list of FloatArray
        By task, shape (n, m).
    """
    size = tasks.fixed_count
    result = [np.empty((tasks.count, weights.shape[1])) for weights in coefficients]
    # One matrix product serves all tasks; where nothing moves that is all there is.
    common = np.hstack([weights[:size] for weights in coefficients])
    ends = np.cumsum([weights.shape[1] for weights in coefficients])
    for block in tasks.blocks():
        here = slice(block.fixed.first - tasks.fixed.first, block.fixed.stop - tasks.fixed.first)
        parts = np.split(block.fixed.design @ common, ends[:-1], axis=1)
        for horizon in tasks.horizons:
            moving = block.moving(horizon)
            for place in tasks.of_horizon(horizon):
                said = parts[place] + intercepts[place]
                result[place][here] = said + moving @ coefficients[place][size:] if moving.size else said
    return result
