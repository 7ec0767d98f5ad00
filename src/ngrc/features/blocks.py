"""Columns put side by side, and picked from each other."""

from collections.abc import Sequence

import numpy as np

from ngrc._types import FloatArray


def hstack(parts: Sequence[FloatArray], rows: int) -> FloatArray:
    """Columns side by side; shape (rows, 0) where there are none."""
    return np.hstack([np.empty((rows, 0)), *parts]) if parts else np.empty((rows, 0))


def selection(wanted: Sequence[int], held: Sequence[int]) -> FloatArray:
    """Matrix that picks the wanted entries of those held, shape (len(held), len(wanted)).

    Examples
    --------
    >>> selection((5, 2), (2, 3, 5))
    array([[0., 1.],
           [0., 0.],
           [1., 0.]])
    """
    places = {entry: place for place, entry in enumerate(held)}
    matrix = np.zeros((len(held), len(wanted)))
    for column, entry in enumerate(wanted):
        matrix[places[entry], column] = 1.0
    return matrix
