"""Second moments of all tasks, from one pass over the union's columns.

With n_a and n_b rows, means m_a and m_b and covariances C_a and C_b the rows of both have

    m = (n_a m_a + n_b m_b) / n,    C = (n_a C_a + n_b C_b) / n + (n_a n_b / n^2) (m_b - m_a)(m_b - m_a)'

(Chan, Golub and LeVeque 1979). Nothing cancels, as it would in sums about one constant from which the series drifts.
"""

from dataclasses import dataclass
from functools import reduce

import numpy as np

from ngrc._kernels.models import moments_merged
from ngrc._types import FloatArray
from ngrc.readout.convention import Convention
from ngrc.readout.gram import Gram, standardised_gram
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
        # Not by `replace`, which looks at every field: twelve steps of a short walk ask for a hundred of these.
        grams.append(
            Gram(gram.count, gram.means, gram.scales, mean, gram.matrix, own / gram.scales, gram.norm)
        )
    return grams


def _without_target(tasks: Tasks, moments: Moments, horizon: int, convention: Convention) -> Gram:
    """Moments of one horizon's columns, whatever the target."""
    means = tasks.gather(horizon, moments.means[:, None])[:, 0]
    half = tasks.gather(horizon, moments.covariance)
    covariance = tasks.gather(horizon, half.T)
    return standardised_gram(moments.count, means, 0.0, covariance, np.zeros_like(means), convention)


def merged(one: Moments, other: Moments) -> Moments:
    """Moments of the rows of both.

    Examples
    --------
    >>> a = Moments(1, np.array([1.0]), np.array([2.0]), np.zeros((1, 1)), np.zeros((1, 1)))
    >>> b = Moments(1, np.array([3.0]), np.array([6.0]), np.zeros((1, 1)), np.zeros((1, 1)))
    >>> both = merged(a, b)
    >>> both.count, both.means, both.target_means, both.covariance, both.cross
    (2, array([2.]), array([4.]), array([[1.]]), array([[2.]]))
    """
    count = one.count + other.count
    first, second = one.count / count, other.count / count
    step, target_step = other.means - one.means, other.target_means - one.target_means
    between = first * second * step
    return Moments(
        count,
        one.means + second * step,
        one.target_means + second * target_step,
        _summed(between, step, first, one.covariance, second, other.covariance),
        _summed(between, target_step, first, one.cross, second, other.cross),
    )


def _summed(
    left: FloatArray, right: FloatArray, first: float, one: FloatArray, second: float, other: FloatArray
) -> FloatArray:
    """The matrix left right' + first one + second other."""
    total = np.empty((left.size, right.size))
    moments_merged(left, right, first, one, second, other, total)
    return total


def union_moments(tasks: Tasks) -> Moments:
    """Moments of the union's columns: from lagged products where the core prevails, else from blocks of the design."""
    structured = _structured(tasks) if tasks.structured else None
    if structured is not None:
        return structured
    return reduce(merged, (_block_moments(block) for block in tasks.parts()))


def _block_moments(tasks: Tasks) -> Moments:
    """Moments of one block of rows from its design, about the block's own means."""
    design, targets, count = tasks.union.design, tasks.targets, tasks.count
    means, target_means = design.sum(axis=0) / count, targets.sum(axis=0) / count
    centred = design - means
    cross = centred.T @ (targets - target_means) / count
    return Moments(count, means, target_means, centred.T @ centred / count, cross)


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
