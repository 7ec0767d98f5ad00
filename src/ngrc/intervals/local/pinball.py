"""A linear quantile readout: pinball loss, smoothed, with a ridge, by Newton steps.

The loss p r + h log(1 + exp(-r / h)) is the pinball loss smoothed over h (He et al. 2023, with a logistic kernel,
doi:10.1016/j.jeconom.2021.07.010). Rows far from the quantile have no curvature and cost no more than their gradient.
"""

import numpy as np

from ngrc._jit import jit
from ngrc._types import FloatArray
from ngrc.intervals.local.cholesky import solve

STEPS = 6
"""Newton steps at most on the loss itself, and before the first fit as many on a loss four times as smooth, from which
the sharper one starts close; a later fit starts from the last one."""
WIDE = 4.0
FLAT = 1e-3
"""Curvature in units of 1 / h below which a row is left out of the Hessian: 7 h away from the quantile."""
CLOSE = 1e-3
"""Largest change of a coefficient at which the loss counts as solved: far below the noise of a readout."""


@jit
def fit(
    rows: FloatArray,
    scores: FloatArray,
    probability: float,
    penalty: float,
    smooth: float,
    weights: FloatArray,
    near: bool,
) -> None:
    """Improve `weights`, shape (p,), where they stand; column 0 of `rows`, shape (n, p), is the constant.

    `near` says that they are those of an earlier fit.
    """
    count, size = rows.shape
    left = np.empty(count)
    _products(rows, weights, left)
    for row in range(count):
        left[row] = scores[row] - left[row]
    width = smooth if near else WIDE * smooth
    moves, slopes = np.zeros(size), np.zeros(count)
    hessian = np.empty((size, size))
    loss = _loss(left, slopes, weights, moves, 0.0, probability, penalty, width)
    for step in range(STEPS if near else 2 * STEPS):
        if step == STEPS:
            width = smooth
            loss = _loss(left, slopes, weights, moves, 0.0, probability, penalty, width)
        _derivatives(rows, left, probability, penalty, width, weights, moves, hessian)
        descent = moves.copy()
        if not solve(hessian, moves):
            return
        _products(rows, moves, slopes)
        promise = _dot(descent, moves)
        share, loss = _share(left, slopes, weights, moves, loss, promise, probability, penalty, width)
        if share == 0.0 and width == smooth:
            return
        largest = 0.0
        for column in range(size):
            weights[column] += share * moves[column]
            largest = max(largest, share * abs(moves[column]))
        for row in range(count):
            left[row] -= share * slopes[row]
        if width == smooth and largest < CLOSE:
            return


@jit
def _products(rows: FloatArray, weights: FloatArray, products: FloatArray) -> None:
    """The product of every row with the weights, four rows at a time: one sum alone waits for each of its additions."""
    count, size = rows.shape
    fours = count - count % 4
    for row in range(0, fours, 4):
        first, second, third, fourth = 0.0, 0.0, 0.0, 0.0
        for column in range(size):
            weight = weights[column]
            first += rows[row, column] * weight
            second += rows[row + 1, column] * weight
            third += rows[row + 2, column] * weight
            fourth += rows[row + 3, column] * weight
        products[row], products[row + 1], products[row + 2], products[row + 3] = first, second, third, fourth
    for row in range(fours, count):
        products[row] = _dot(rows[row], weights)


@jit
def _dot(first: FloatArray, second: FloatArray) -> float:
    total = 0.0
    for place in range(first.size):
        total += first[place] * second[place]
    return total


@jit
def _derivatives(
    rows: FloatArray,
    left: FloatArray,
    probability: float,
    penalty: float,
    width: float,
    weights: FloatArray,
    descent: FloatArray,
    hessian: FloatArray,
) -> None:
    """Minus the gradient, and the lower half of the Hessian."""
    count, size = rows.shape
    hessian[:] = 0.0
    descent[:] = 0.0
    for row in range(count):
        below = 1.0 / (1.0 + np.exp(min(max(left[row] / width, -40.0), 40.0)))
        pull, curve = probability - below, below * (1.0 - below)
        for column in range(size):
            descent[column] += rows[row, column] * pull
        if curve > FLAT:
            curve /= width
            for column in range(size):
                scaled = curve * rows[row, column]
                for other in range(column + 1):
                    hessian[column, other] += scaled * rows[row, other]
    # Where hardly a row is near the quantile the Hessian is all but zero: a trifle of curvature for each.
    hessian[0, 0] += 1e-5 * count / width + 1e-9
    for column in range(1, size):
        hessian[column, column] += penalty
        descent[column] -= penalty * weights[column]


@jit
def _share(
    left: FloatArray,
    slopes: FloatArray,
    weights: FloatArray,
    moves: FloatArray,
    start: float,
    promise: float,
    probability: float,
    penalty: float,
    width: float,
) -> tuple[float, float]:
    """Part of the Newton step that lowers the loss enough, halved from one, and that loss; zero where none does."""
    share = 1.0
    while share > 1e-3:
        loss = _loss(left, slopes, weights, moves, share, probability, penalty, width)
        if loss <= start - 1e-4 * share * promise:
            return share, loss
        share *= 0.5
    return 0.0, start


@jit
def _loss(
    left: FloatArray,
    slopes: FloatArray,
    weights: FloatArray,
    moves: FloatArray,
    share: float,
    probability: float,
    penalty: float,
    width: float,
) -> float:
    total = 0.0
    for row in range(left.size):
        rest = left[row] - share * slopes[row]
        # log(1 + exp(-x)) without overflow on either side.
        turned = -rest / width
        total += probability * rest + width * (max(turned, 0.0) + np.log1p(np.exp(-abs(turned))))
    for column in range(1, weights.size):
        weight = weights[column] + share * moves[column]
        total += 0.5 * penalty * weight * weight
    return total
