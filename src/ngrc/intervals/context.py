"""What is known at a forecast's origin besides residuals: the forecasts themselves, and the clock."""

from dataclasses import dataclass, replace

import numpy as np

from ngrc._types import FloatArray
from ngrc.validation import check_positive, check_vector


@dataclass(frozen=True, slots=True)
class Context:
    """Forecasts and clock of the positions of a stream, in the units of its residuals.

    The forecast of position t and its place on the clock are known when its interval is issued, H steps before its
    residual is. Outcomes follow: forecast plus residual, once the residual is known.

    Parameters
    ----------
    forecasts
        One per position. Of a history: the m known positions and the H - 1 pending ones after them.
    periods
        Lengths of the clock's cycles in steps, shortest first; none where nothing is known of any.
    phase
        Index of position 0 on the clock, so that position t stands at `(phase + t) / period` cycles.
    """

    forecasts: FloatArray
    periods: tuple[float, ...] = ()
    phase: int = 0

    def __post_init__(self) -> None:
        forecasts = np.require(check_vector(self.forecasts, "forecasts"), requirements=("C", "W"))
        object.__setattr__(self, "forecasts", forecasts)
        periods = tuple(sorted(float(check_positive(period, "period")) for period in self.periods))
        object.__setattr__(self, "periods", periods)

    def until(self, end: int) -> "Context":
        """The first `end` positions."""
        return replace(self, forecasts=self.forecasts[:end])

    def since(self, begin: int) -> "Context":
        """The positions from `begin` on."""
        return replace(self, forecasts=self.forecasts[begin:], phase=self.phase + begin)
