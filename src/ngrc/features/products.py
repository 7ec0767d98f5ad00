"""Products of delays: the nonlinear part of the map."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import comb

import numpy as np

from ngrc._types import FloatArray
from ngrc.features.delays import Delays
from ngrc.features.inputs import Inputs
from ngrc.features.monomials import monomial_count, monomial_indices, monomial_name, monomials
from ngrc.validation import check_count


@dataclass(frozen=True, slots=True)
class Products:
    """All unique products of some delays, of the degrees `lowest` to `degree`.

    Parameters
    ----------
    delays
        The delays that are multiplied; of several channels also across them.
    degree
        Highest degree.
    lowest
        Lowest degree; the delays themselves, degree 1, are a group of their own.

    Examples
    --------
    >>> Products((Delays(2, spacing=3),)).names(1)
    ('x[t]^2', 'x[t]*x[t-3]', 'x[t-3]^2')
    """

    delays: Sequence[Delays]
    degree: int = 2
    lowest: int = 2

    moving = False

    def __post_init__(self) -> None:
        delays = (self.delays,) if isinstance(self.delays, Delays) else tuple(self.delays)
        if not delays or not all(isinstance(group, Delays) for group in delays):
            raise ValueError(
                f"Products takes groups of Delays, got {self.delays!r}; write Products((Delays(3),))"
            )
        object.__setattr__(self, "delays", delays)
        object.__setattr__(self, "lowest", check_count(self.lowest, "lowest", 2))
        object.__setattr__(self, "degree", check_count(self.degree, "degree", self.lowest))

    @property
    def width(self) -> int:
        """Number of delays that are multiplied."""
        return sum(group.size for group in self.delays)

    def count(self, horizon: int) -> int:
        """Number of columns."""
        return monomial_count(self.width, self.degree) - monomial_count(self.width, self.lowest - 1)

    def names(self, horizon: int) -> tuple[str, ...]:
        """Column names, by degree and then in the delays' order."""
        single = tuple(name for group in self.delays for name in group.names(horizon))
        return _names(single, self.degree, self.lowest)

    def reach(self, horizon: int) -> int:
        """How far behind the origin the oldest factor lies."""
        return max(group.reach(horizon) for group in self.delays)

    def columns(self, inputs: Inputs, horizon: int, first: int, stop: int) -> FloatArray:
        """Products at the origins of the targets first..stop-1."""
        factors = [group.columns(inputs, horizon, first, stop) for group in self.delays]
        delays = factors[0] if len(factors) == 1 else np.hstack(factors)
        return monomials(delays, self.degree)[:, monomial_count(self.width, self.lowest - 1) :]


@lru_cache(maxsize=64)
def _names(single: tuple[str, ...], degree: int, lowest: int) -> tuple[str, ...]:
    # Lists of indices come by degree: those of the lower ones, the constant left out, stand first.
    skipped = comb(len(single) + lowest - 1, lowest - 1) - 1
    return tuple(monomial_name(index, single) for index in monomial_indices(len(single), degree)[skipped:])
