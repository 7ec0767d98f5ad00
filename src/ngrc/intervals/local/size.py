"""The size of the next error: log |e| by ridge readouts on standardised columns, the penalty chosen by their own past.

Sums of products grow by one row per known residual, and the readouts are solved again as the rows grow by a quarter.
Each penalty's errors of forecasts made before the residual was known add up, and the smallest sum decides. The largest
penalty leaves a constant, so that columns that say nothing of the size do no harm.
"""

from typing import NamedTuple

import numpy as np

from ngrc._jit import jit
from ngrc._types import FloatArray
from ngrc.archive import check_shape, check_that
from ngrc.intervals.local.cholesky import solve

PENALTIES = (3.0, 30.0, 300.0, 3e3, 1e12)
"""Sums of squares of standardised columns that a ridge adds, in rows; the last leaves the mean alone."""
FLOOR = 1e-3
"""Added to |e| in units before the logarithm: an error of zero is as good as one of a thousandth of the usual one."""
LEAST, MOST = -7.0, 27.0
"""Bounds of the logarithm of a size in units: a thousandth, where the floor lies, to the end of the grid of scores."""
LARGEST = 1e12
"""Units at which an error is cut before the logarithm."""
MEMORY = 0.999
"""Decay of the errors by which penalties are compared: the last thousand forecasts decide."""


class Size(NamedTuple):
    """Sums over known rows, coefficients by penalty, and their errors; row 0 of the columns is the constant."""

    gram: FloatArray
    moment: FloatArray
    weights: FloatArray
    errors: FloatArray
    chosen: FloatArray
    """Index of the penalty, and how many rows there are."""

    def check_kept(self) -> None:
        """Refuse sums of different columns, and a penalty that is none."""
        columns, penalties = self.moment.size, len(PENALTIES)
        check_shape(self.gram, (columns, columns), "gram")
        check_shape(self.moment, (columns,), "moment")
        check_shape(self.weights, (penalties, columns), "weights")
        check_shape(self.errors, (penalties,), "errors")
        check_shape(self.chosen, (2,), "chosen")
        check_that(self.chosen[0] in range(penalties) and self.chosen[1] >= 0.0, "a penalty is chosen")


def start_size(columns: int, errors: FloatArray) -> Size:
    """A constant: the mean of log |e| over a history of errors in units, so that first scores are like later ones."""
    weights = np.zeros((len(PENALTIES), columns))
    weights[:, 0] = np.mean(np.log(np.minimum(np.abs(errors), LARGEST) + FLOOR))
    return Size(
        gram=np.zeros((columns, columns)),
        moment=np.zeros(columns),
        weights=weights,
        errors=np.zeros(len(PENALTIES)),
        chosen=np.array([len(PENALTIES) - 1.0, 0.0]),
    )


@jit
def size_of(size: Size, row: FloatArray) -> float:
    """Size in units that the chosen readout expects."""
    total = 0.0
    weights = size.weights[int(size.chosen[0])]
    for column in range(row.size):
        total += weights[column] * row[column]
    return float(np.exp(min(max(total, LEAST), MOST)))


@jit
def learn(size: Size, row: FloatArray, error: float) -> None:
    """A residual in units has become known: its row joins, and every penalty's forecast of it is judged."""
    outcome = np.log(min(abs(error), LARGEST) + FLOOR)
    for penalty in range(size.errors.size):
        said = 0.0
        for column in range(row.size):
            said += size.weights[penalty, column] * row[column]
        said = min(max(said, LEAST), MOST)
        size.errors[penalty] = MEMORY * size.errors[penalty] + (outcome - said) ** 2
    for column in range(row.size):
        size.moment[column] += row[column] * outcome
        for other in range(column + 1):
            size.gram[column, other] += row[column] * row[other]
    size.chosen[1] += 1.0


@jit
def refit(size: Size) -> None:
    """Choose the penalty by its errors so far, and solve all readouts on the rows now known."""
    best = 0
    for penalty in range(1, size.errors.size):
        # On ties, as before the first fit, the larger penalty.
        if size.errors[penalty] <= size.errors[best]:
            best = penalty
    size.chosen[0] = best
    for penalty in range(size.errors.size):
        matrix, right = size.gram.copy(), size.moment.copy()
        # The constant is not penalised, but for a trifle that keeps the first rows solvable.
        matrix[0, 0] += 1e-9
        for column in range(1, right.size):
            matrix[column, column] += PENALTIES[penalty]
        if solve(matrix, right):
            size.weights[penalty] = right
