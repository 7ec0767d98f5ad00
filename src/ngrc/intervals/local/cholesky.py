"""Small symmetric systems, solved in place: the same bits for any number of BLAS threads."""

import numpy as np

from ngrc._jit import jit
from ngrc._types import FloatArray


@jit
def solve(matrix: FloatArray, right: FloatArray) -> bool:
    """Solve a positive definite system; `right` becomes the solution, the lower half of `matrix` its factor.

    False where a pivot is lost to rounding; `right` is then no solution.
    """
    size = right.size
    for row in range(size):
        for column in range(row + 1):
            total = matrix[row, column]
            for inner in range(column):
                total -= matrix[row, inner] * matrix[column, inner]
            if row == column:
                if not total > 0.0:
                    return False
                matrix[row, row] = np.sqrt(total)
            else:
                matrix[row, column] = total / matrix[column, column]
    for row in range(size):
        total = right[row]
        for inner in range(row):
            total -= matrix[row, inner] * right[inner]
        right[row] = total / matrix[row, row]
    for row in range(size - 1, -1, -1):
        total = right[row]
        for inner in range(row + 1, size):
            total -= matrix[inner, row] * right[inner]
        right[row] = total / matrix[row, row]
    return True
