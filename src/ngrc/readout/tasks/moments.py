"""Second moments of all tasks, from one pass over the union's columns."""

from dataclasses import dataclass, replace

import numpy as np

from ngrc._types import FloatArray
from ngrc.readout.convention import Convention
from ngrc.readout.gram import Gram, column_means, standardised_gram
from ngrc.readout.lagged import Signals, column_sources, core_of, lagged_sums
from ngrc.readout.structured import bordered, centring_cancels, shifted_products, window_cancels
from ngrc.readout.tasks.value import Tasks


@dataclass(frozen=True, slots=True)
class Moments:
    """Means and centred second moments of the union's columns and of all targets.

    Parameters
    ----------
    count
        Number of rows n.
    means, target_means
        Shapes (p,) and (tasks,).
    covariance, cross
        Shapes (p, p) and (p, tasks).
    """

    count: int
    means: FloatArray
    target_means: FloatArray
    covariance: FloatArray
    cross: FloatArray


def task_grams(tasks: Tasks, convention: Convention, moments: Moments | None = None) -> list[Gram]:
    """One `Gram` per task, moving columns last; tasks of the same columns share one matrix, the very same array.

    `moments` are those of the union's columns, where they are known already.
    """
    moments = union_moments(tasks) if moments is None else moments
    shared: dict[int, Gram] = {}
    grams = []
    for place, task in enumerate(tasks.rows):
        # Where nothing moves every horizon has the same columns.
        key = task.horizon if len(tasks.turns[task.horizon]) else 0
        cross, mean = moments.cross[:, place : place + 1], float(moments.target_means[place])
        if key not in shared:
            shared[key] = _without_target(tasks, moments, task.horizon, convention)
        if not convention.centred:
            cross, mean = cross + moments.means[:, None] * mean, 0.0
        gram = shared[key]
        own = tasks.gather(task.horizon, cross)[:, 0]
        grams.append(replace(gram, target_mean=mean, cross=own / gram.scales))
    return grams


def _without_target(tasks: Tasks, moments: Moments, horizon: int, convention: Convention) -> Gram:
    """Moments of one horizon's columns, whatever the target."""
    means = tasks.gather(horizon, moments.means[:, None])[:, 0]
    half = tasks.gather(horizon, moments.covariance)
    covariance = tasks.gather(horizon, half.T)
    return standardised_gram(moments.count, means, 0.0, covariance, np.zeros_like(means), convention)


def union_moments(tasks: Tasks) -> Moments:
    """Moments of the union's columns: from lagged products where it has a core, from explicit blocks otherwise."""
    structured = None if tasks.union.feature_map.core is None else _structured(tasks)
    return _explicit(tasks) if structured is None else structured


def _structured(tasks: Tasks) -> Moments | None:
    """Sums by lagged products of the core's signals, thin columns beside them; None where digits would be lost."""
    rows = tasks.union
    signals, (lag, signal) = Signals.of(rows), column_sources(core_of(rows))
    width, targets = signals.shift.size, tasks.targets
    beside = np.hstack((targets, rows.extras))
    shift = beside.mean(axis=0)
    thin = np.vstack((np.ones(rows.count), (beside - shift).T))
    lagged = lagged_sums(signals, thin)
    products, thin_products = lagged[lag, width:, signal], thin @ thin.T
    own = shifted_products(rows, lagged[:, :width], signals.shift)
    rest, goals = slice(1 + targets.shape[1], None), slice(1, 1 + targets.shape[1])
    sums = bordered(own, products[:, rest], thin_products[rest, rest])
    offsets = np.concatenate((products[:, 0], thin_products[0, rest])) / rows.count
    target_offsets = thin_products[0, goals] / rows.count
    # About the shift, not about the mean: what is left of the mean is small, and so is what it cancels.
    covariance = sums / rows.count - np.outer(offsets, offsets)
    spans = np.diagonal(lagged[0])[signal]
    if window_cancels(np.diagonal(own), spans) or centring_cancels(np.diagonal(covariance), offsets):
        return None
    cross = np.vstack((products[:, goals], thin_products[rest, goals])) / rows.count
    return Moments(
        rows.count,
        np.concatenate((signals.shift[signal], shift[targets.shape[1] :])) + offsets,
        shift[: targets.shape[1]] + target_offsets,
        covariance,
        cross - np.outer(offsets, target_offsets),
    )


def _explicit(tasks: Tasks) -> Moments:
    """Two passes over blocks of explicit columns, as in `explicit_gram`."""
    rows, targets = tasks.union, tasks.targets
    means, target_means = column_means(rows), targets.mean(axis=0)
    covariance, cross = np.zeros((means.size, means.size)), np.zeros((means.size, target_means.size))
    for block in rows.blocks():
        here = slice(block.first - rows.first, block.stop - rows.first)
        columns = block.design - means
        covariance += columns.T @ columns
        cross += columns.T @ (targets[here] - target_means)
    return Moments(rows.count, means, target_means, covariance / rows.count, cross / rows.count)
