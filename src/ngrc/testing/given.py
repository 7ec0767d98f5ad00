"""What a forecaster is given: a series, and what stands beside it, any of which can be changed or cut short."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from ngrc._types import AnyArray, FloatArray

SERIES = "y"
"""Name of the series among the inputs."""


@dataclass(frozen=True, eq=False, slots=True)
class Given:
    """Inputs by name, the series being `y`, each with one row per time.

    Parameters
    ----------
    inputs
        Arrays of n rows; the series has shape (n,) or (n, channels).
    known
        Names of the inputs that are known ahead: they may be read through the target, all others through the origin.
    times
        Times of the rows, or None.
    """

    inputs: Mapping[str, FloatArray]
    known: frozenset[str] = frozenset()
    times: AnyArray | None = None

    @property
    def y(self) -> FloatArray:
        """The series."""
        return self.inputs[SERIES]

    @property
    def size(self) -> int:
        """How many rows there are."""
        return int(self.y.shape[0])

    @property
    def beside(self) -> dict[str, FloatArray]:
        """The inputs beside the series."""
        return {name: values for name, values in self.inputs.items() if name != SERIES}

    def until(self, size: int) -> "Given":
        """The first `size` rows: views, behind which the rest can still be found by one that reaches for it."""
        times = None if self.times is None else self.times[:size]
        return replace(
            self, inputs={name: values[:size] for name, values in self.inputs.items()}, times=times
        )

    def replaced(self, name: str, values: FloatArray) -> "Given":
        """The same with another input of that name."""
        return replace(self, inputs={**self.inputs, name: values})

    def arguments(self) -> dict[str, Any]:
        """Keyword arguments of `fit`, `predict` and their like."""
        found: dict[str, Any] = {}
        if self.beside:
            found["exog"] = self.beside
        if self.times is not None:
            found["times"] = self.times
        return found


def mixed(before: FloatArray, after: FloatArray, since: int) -> FloatArray:
    """`before` up to the row `since`, and `after` from there on.

    Examples
    --------
    >>> import numpy as np
    >>> mixed(np.zeros(4), np.ones(4), 3).tolist()
    [0.0, 0.0, 0.0, 1.0]
    """
    values = before.copy()
    values[since:] = after[since:]
    return values
