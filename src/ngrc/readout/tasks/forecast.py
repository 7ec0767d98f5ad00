"""Forecasts of many readouts at once: the union's columns are made once for all of them."""

from collections.abc import Sequence
from itertools import accumulate, pairwise

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
    # One matrix product with the union's columns serves all tasks.
    weights = np.concatenate(
        [tasks.spread(task.horizon, raw) for task, raw in zip(tasks.rows, coefficients, strict=True)], axis=1
    )
    said = np.empty((tasks.count, weights.shape[1]))
    for block in tasks.blocks():
        here = slice(block.first - tasks.union.first, block.stop - tasks.union.first)
        np.matmul(block.design, weights, out=said[here])
    said += np.concatenate(intercepts)
    ends = accumulate((raw.shape[1] for raw in coefficients), initial=0)
    return [said[:, first:stop] for first, stop in pairwise(ends)]
