"""Matrices beside one another on a diagonal."""

import numpy as np

from ngrc._types import FloatArray


def block_diagonal(*blocks: FloatArray) -> FloatArray:
    """The matrix that has these blocks on its diagonal, each of any shape, and zeros beside them.

    Examples
    --------
    >>> block_diagonal(np.ones((1, 2)), np.full((1, 1), 2.0))
    array([[1., 1., 0.],
           [0., 0., 2.]])
    """
    rows, columns = (sum(block.shape[axis] for block in blocks) for axis in (0, 1))
    result = np.zeros((rows, columns))
    row = column = 0
    for block in blocks:
        below, beside = row + block.shape[0], column + block.shape[1]
        result[row:below, column:beside] = block
        row, column = below, beside
    return result
