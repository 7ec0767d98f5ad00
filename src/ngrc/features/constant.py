"""A column of ones, for a constant that is penalised like any other column."""

from dataclasses import dataclass

import numpy as np

from ngrc._types import FloatArray
from ngrc.features.inputs import Inputs


@dataclass(frozen=True, slots=True)
class Constant:
    """One column of ones.

    Examples
    --------
    >>> Constant().names(1)
    ('1',)
    """

    moving = False

    def names(self, horizon: int) -> tuple[str, ...]:
        """The name of the constant in every printed equation."""
        return ("1",)

    def count(self, horizon: int) -> int:
        """Number of columns."""
        return 1

    def reach(self, horizon: int) -> int:
        """Zero: nothing is read."""
        return 0

    def columns(self, inputs: Inputs, horizon: int, first: int, stop: int) -> FloatArray:
        """Ones, shape (stop - first, 1)."""
        return np.ones((stop - first, 1))
