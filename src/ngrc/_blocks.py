"""Block-diagonal matrices."""

import numpy as np

from ngrc._types import FloatArray


def block_diagonal(*blocks: FloatArray) -> FloatArray:
    """The matrix that has these blocks on its diagonal, each of any shape, and zeros elsewhere.

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
        last_row, last_column = row + block.shape[0], column + block.shape[1]
        result[row:last_row, column:last_column] = block
        row, column = last_row, last_column
    return result
