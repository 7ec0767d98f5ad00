"""Second moments of all tasks: those of the common columns once, and a border per horizon."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from ngrc._types import FloatArray
from ngrc.readout.convention import Convention
from ngrc.readout.gram import Gram, standardised_gram
from ngrc.readout.lagged import Signals, column_sources, core_of, lagged_sums
from ngrc.readout.structured import centring_cancels, shifted_products, window_cancels
from ngrc.readout.tasks.value import Tasks


@dataclass(frozen=True, slots=True)
class Border:
    """Sums of one horizon's moving columns M: with the common columns F, the targets T, themselves and ones."""

    fixed: FloatArray
    targets: FloatArray
    own: FloatArray
    ones: FloatArray


@dataclass(frozen=True, slots=True)
class TaskSums:
    """Sums over rows about a shift: of the common columns F, the targets T and every horizon's border."""

    count: int
    fixed: FloatArray
    targets: FloatArray
    ones: FloatArray
    target_ones: FloatArray
    borders: Mapping[int, Border]


@dataclass(frozen=True, slots=True)
class TaskShift:
    """Constants near the means of the common columns, the targets and every horizon's moving columns."""

    fixed: FloatArray
    targets: FloatArray
    moving: Mapping[int, FloatArray]


def task_grams(tasks: Tasks, convention: Convention) -> list[Gram] | None:
    """One `Gram` per task, moving columns last; None where centring would cancel too many digits.

    Where nothing moves all tasks share one matrix, the very same array.
    """
    sums = _structured(tasks) if tasks.fixed.feature_map.core is not None else _explicit(tasks)
    if sums is None:
        return None
    return _grams(tasks, *sums, convention)


def _structured(tasks: Tasks) -> tuple[TaskSums, TaskShift] | None:
    """Sums by lagged products of the core's signals, thin columns beside them."""
    fixed, core = tasks.fixed, core_of(tasks.fixed)
    signals = Signals.of(fixed)
    lag, signal = column_sources(core)
    width = signals.shift.size
    targets, extras = tasks.targets, fixed.extras
    target_shift, extra_shift = targets.mean(axis=0), extras.mean(axis=0)
    many = targets.shape[1]
    thin = np.vstack((np.ones(tasks.count), (targets - target_shift).T, (extras - extra_shift).T))
    lagged = lagged_sums(signals, thin)
    products, beside = lagged[lag, width:, signal], thin @ thin.T
    own = shifted_products(fixed, lagged[:, :width], signals.shift)
    if window_cancels(np.diagonal(own), np.diagonal(lagged[0])[signal]):
        return None
    rest = slice(1 + many, None)
    borders, moving_shift = {}, {}
    for horizon in tasks.horizons:
        moving = tasks.moving(horizon)
        moving_shift[horizon] = moving.mean(axis=0)
        left = (moving - moving_shift[horizon]).T
        with_core = (
            lagged_sums(signals, left, own=False)[lag, :, signal] if left.size else np.empty((lag.size, 0))
        )
        with_thin = left @ thin.T
        borders[horizon] = Border(
            np.vstack((with_core, with_thin[:, rest].T)),
            with_thin[:, 1 : 1 + many],
            left @ left.T,
            with_thin[:, 0],
        )
    sums = TaskSums(
        tasks.count,
        np.block([[own, products[:, rest]], [products[:, rest].T, beside[rest, rest]]]),
        np.vstack((products[:, 1 : 1 + many], beside[rest, 1 : 1 + many])),
        np.concatenate((products[:, 0], beside[0, rest])),
        beside[0, 1 : 1 + many],
        borders,
    )
    return sums, TaskShift(np.concatenate((signals.shift[signal], extra_shift)), target_shift, moving_shift)


def _explicit(tasks: Tasks) -> tuple[TaskSums, TaskShift]:
    """Sums over blocks of explicit columns, about exact means, which a first pass finds."""
    size, many = tasks.fixed_count, len(tasks.rows)
    totals = np.zeros(size)
    moving_totals = {horizon: tasks.part(0, 0).moving(horizon).sum(axis=0) for horizon in tasks.horizons}
    for block in tasks.blocks():
        totals += block.fixed.design.sum(axis=0)
        for horizon in tasks.horizons:
            moving_totals[horizon] = moving_totals[horizon] + block.moving(horizon).sum(axis=0)
    shift = TaskShift(
        totals / tasks.count,
        tasks.targets.mean(axis=0),
        {horizon: total / tasks.count for horizon, total in moving_totals.items()},
    )
    fixed, with_targets, ones = np.zeros((size, size)), np.zeros((size, many)), np.zeros(size)
    target_ones = np.zeros(many)
    borders = {
        horizon: Border(
            np.zeros((size, width)), np.zeros((width, many)), np.zeros((width, width)), np.zeros(width)
        )
        for horizon, width in ((horizon, total.size) for horizon, total in moving_totals.items())
    }
    for block in tasks.blocks():
        columns, targets = block.fixed.design - shift.fixed, block.targets - shift.targets
        fixed += columns.T @ columns
        with_targets += columns.T @ targets
        ones += columns.sum(axis=0)
        target_ones += targets.sum(axis=0)
        for horizon, border in borders.items():
            moving = block.moving(horizon) - shift.moving[horizon]
            # In place: the arrays are this function's own until it returns.
            border.fixed[...] += columns.T @ moving
            border.targets[...] += moving.T @ targets
            border.own[...] += moving.T @ moving
            border.ones[...] += moving.sum(axis=0)
    return TaskSums(tasks.count, fixed, with_targets, ones, target_ones, borders), shift


def _grams(tasks: Tasks, sums: TaskSums, shift: TaskShift, convention: Convention) -> list[Gram] | None:
    grams: dict[int, Gram] = {}
    target_offsets = sums.target_ones / sums.count
    target_means = shift.targets + target_offsets
    shared: tuple[Gram, FloatArray, FloatArray] | None = None
    for horizon in tasks.horizons:
        border = sums.borders[horizon]
        if shared is None or border.ones.size:
            shared = _shared(sums, border, shift, horizon, convention)
        if shared is None:
            return None
        gram, means, offsets = shared
        for place in tasks.of_horizon(horizon):
            cross = np.concatenate((sums.targets[:, place], border.targets[:, place])) / sums.count
            cross -= offsets * target_offsets[place]
            mean = float(target_means[place])
            if not convention.centred:
                cross, mean = cross + means * mean, 0.0
            grams[place] = replace(gram, target_mean=mean, cross=cross / gram.scales)
    return [grams[place] for place in range(len(tasks.rows))]


def _shared(
    sums: TaskSums, border: Border, shift: TaskShift, horizon: int, convention: Convention
) -> tuple[Gram, FloatArray, FloatArray] | None:
    """Moments of one horizon's columns without a target, their means, and what the shift left of those."""
    offsets = np.concatenate((sums.ones, border.ones)) / sums.count
    products = np.block([[sums.fixed, border.fixed], [border.fixed.T, border.own]])
    # About the shift, not about the mean: what is left of the mean is small, and so is what it cancels.
    covariance = products / sums.count - np.outer(offsets, offsets)
    if centring_cancels(np.diagonal(covariance), offsets):
        return None
    means = np.concatenate((shift.fixed, shift.moving[horizon])) + offsets
    return (
        standardised_gram(sums.count, means, 0.0, covariance, np.zeros_like(means), convention),
        means,
        offsets,
    )
