"""Clock products: delays times Fourier terms, so that coefficients may turn with the hour."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ngrc._types import FloatArray
from ngrc.features.clock import Clock
from ngrc.features.delays import Delays
from ngrc.features.inputs import Inputs


@dataclass(frozen=True, slots=True)
class ClockProducts:
    """Every delay times every Fourier term of the target's time.

    Examples
    --------
    >>> ClockProducts(Delays(1), Clock((24,), harmonics=1)).names(1)
    ("x[t]*sin(2π·1·t'/24)", "x[t]*cos(2π·1·t'/24)")
    """

    delays: Delays
    clock: Clock

    def __post_init__(self) -> None:
        if not isinstance(self.delays, Delays) or not isinstance(self.clock, Clock):
            raise ValueError(
                "ClockProducts takes Delays and a Clock; write ClockProducts(Delays(4), Clock((24,)))"
            )
        if not self.clock.periods:
            raise ValueError(
                "clock products need a period, got none; give periods=(24,) or leave clock_lags out"
            )

    @property
    def moving(self) -> bool:
        """Whether the clock is that of the target's time."""
        return self.clock.moving

    def names(self, horizon: int) -> tuple[str, ...]:
        """Column names, by delay and then by Fourier term."""
        terms = self.clock.names(horizon)
        return tuple(f"{delay}*{term}" for delay in self.delays.names(horizon) for term in terms)

    def count(self, horizon: int) -> int:
        """Number of columns."""
        return self.delays.size * self.clock.count(horizon)

    def reach(self, horizon: int) -> int:
        """How far behind the origin the oldest delay lies."""
        return self.delays.reach(horizon)

    def columns(self, inputs: Inputs, horizon: int, first: int, stop: int) -> FloatArray:
        """Products of the targets first..stop-1."""
        delays = self.delays.columns(inputs, horizon, first, stop)
        terms = self.clock.columns(inputs, horizon, first, stop)
        # The width is said, as no rows at all leave it open.
        return np.asarray(np.einsum("ij,ik->ijk", delays, terms).reshape(stop - first, self.count(horizon)))

    def basis(self, horizons: Sequence[int]) -> "ClockProducts":
        """The same delays times the Fourier terms at the origin."""
        return ClockProducts(self.delays, self.clock.basis(horizons))

    def turn(self, horizon: int, horizons: Sequence[int]) -> FloatArray:
        """The clock's rotation, once for every delay."""
        return np.asarray(
            np.kron(np.eye(self.delays.size), self.clock.turn(horizon, horizons)), dtype=np.float64
        )
