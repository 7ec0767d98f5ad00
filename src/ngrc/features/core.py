"""The part of a map whose moments have structure: consecutive delays and the squares of the first of them."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ngrc._types import FloatArray
from ngrc.features.delays import Delays, delay_columns
from ngrc.features.group import Group
from ngrc.features.inputs import Inputs
from ngrc.features.monomials import monomials
from ngrc.features.products import Products

# Most thin columns beside a core of p columns, CROWD p + CROWD_FLOOR: memory stays within a few times that of the
# delays, and a union of 48 horizons' seasonal delays (200) still fits beside few lags.
CROWD, CROWD_FLOOR = 4, 256


@dataclass(frozen=True, slots=True)
class Core:
    """Delays x[t], x[t-s], ..., x[t-(k-1)s] of one channel, and all products of two of the first q.

    Parameters
    ----------
    channel
        Whose values.
    lags, spacing
        Delay length k and spacing s.
    product_lags
        How many delays q are multiplied; 0 where the map is linear.
    """

    channel: str
    lags: int
    spacing: int
    product_lags: int

    @property
    def reach(self) -> int:
        """How far behind the origin the oldest delay lies, (k-1)s."""
        return (self.lags - 1) * self.spacing

    @property
    def degree(self) -> int:
        """2 with products, 1 without."""
        return 2 if self.product_lags else 1

    @property
    def count(self) -> int:
        """Number of columns, k + q(q+1)/2."""
        return self.lags + self.product_lags * (self.product_lags + 1) // 2

    def delays(self, inputs: Inputs, first: int, stop: int) -> FloatArray:
        """Delay vectors of the origins first..stop-1, shape (stop - first, lags)."""
        return delay_columns(inputs.channel(self.channel), first, stop, self.lags, self.spacing)

    def columns(self, delays: FloatArray, extras: FloatArray) -> FloatArray:
        """Delays, their products and the columns beside them, shape (n, count + q)."""
        if self.product_lags in (0, self.lags):
            return monomials(delays, self.degree, extras)
        columns = np.empty((delays.shape[0], self.count + extras.shape[1]), order="F")
        columns[:, : self.lags] = delays
        squares = monomials(delays[:, : self.product_lags], 2)[:, self.product_lags :]
        columns[:, self.lags : self.count] = squares
        columns[:, self.count :] = extras
        return columns


def find_core(groups: Sequence[Group]) -> tuple[Core | None, int]:
    """The core that a map begins with, and how many groups it takes up.

    Examples
    --------
    >>> find_core((Delays(24), Products((Delays(4),))))
    (Core(channel='x', lags=24, spacing=1, product_lags=4), 2)
    >>> find_core((Delays((1, 24)),))
    (None, 0)
    """
    core, taken = _leading(groups)
    if core is None:
        return None, 0
    # Thin columns are held for all rows at once: beside ever so many of them the core's structure saves nothing, and
    # blocks of explicit columns take less memory. The products of a vector series are such a crowd.
    thin = sum(group.count(1) for group in groups[taken:])
    return (core, taken) if thin <= CROWD * core.count + CROWD_FLOOR else (None, 0)


def _leading(groups: Sequence[Group]) -> tuple[Core | None, int]:
    lead = groups[0] if groups else None
    if not isinstance(lead, Delays) or not isinstance(lead.lags, int):
        return None, 0
    follower = groups[1] if len(groups) > 1 else None
    if isinstance(follower, Products) and follower.degree > 2:
        return None, 0
    if isinstance(follower, Products) and len(follower.delays) == 1 and follower.lowest == 2:
        factor = follower.delays[0]
        lags = factor.lags
        if isinstance(lags, int) and lags <= lead.lags and factor == lead.first(lags):
            return Core(lead.channel, lead.lags, lead.spacing, lags), 2
    return Core(lead.channel, lead.lags, lead.spacing, 0), 1
