"""Known inputs: what is known ahead, at the target's own time."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ngrc._types import FloatArray
from ngrc.features.inputs import Inputs
from ngrc.validation import check_count


@dataclass(frozen=True, slots=True)
class Known:
    """Values of known inputs at the target's time, and their powers.

    Parameters
    ----------
    inputs
        Names of the inputs.
    degree
        Highest power: demand, for one, rises with heat and with cold, which takes a square.

    Examples
    --------
    >>> Known(("temperature",), degree=2).names(1)
    ("temperature[t']", "temperature[t']^2")
    """

    inputs: Sequence[str]
    degree: int = 1

    moving = True

    def __post_init__(self) -> None:
        names = (self.inputs,) if isinstance(self.inputs, str) else tuple(self.inputs)
        if not names or len(set(names)) < len(names):
            raise ValueError(f"known inputs must be named, each once, got {names}")
        object.__setattr__(self, "inputs", names)
        object.__setattr__(self, "degree", check_count(self.degree, "degree"))

    def names(self, horizon: int) -> tuple[str, ...]:
        """Column names, by power and then by input."""
        powers = ("", *(f"^{power}" for power in range(2, self.degree + 1)))
        return tuple(f"{name}[t']{power}" for power in powers for name in self.inputs)

    def count(self, horizon: int) -> int:
        """Number of columns."""
        return self.degree * len(self.inputs)

    def reach(self, horizon: int) -> int:
        """Zero: nothing before the target's time is read."""
        return 0

    def columns(self, inputs: Inputs, horizon: int, first: int, stop: int) -> FloatArray:
        """Values at the targets first..stop-1."""
        values = np.column_stack([inputs.ahead(name, stop)[first:stop] for name in self.inputs])
        return np.hstack([values**power for power in range(1, self.degree + 1)])
