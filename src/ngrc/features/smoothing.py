"""Smoothings as columns: forecasts of exponential smoothings with fixed gains."""

from collections.abc import Sequence
from dataclasses import dataclass

from ngrc._types import FloatArray
from ngrc.features.inputs import SERIES, Inputs
from ngrc.features.smoothings import Gains, forecasts, start
from ngrc.validation import check_count


@dataclass(frozen=True, slots=True)
class Smoothing:
    """What exponential smoothings of one channel forecast for the target, each run from the first observation on.

    Parameters
    ----------
    gains
        One smoothing per column.
    period
        Whole observations per cycle; 1 for no season.
    channel
        Whose values.

    Examples
    --------
    >>> Smoothing((Gains(0.5), Gains(0.2, 0.1, 0.9)), 12).names(1)
    ('smooth(0.5) of 12', 'smooth(0.2, slope 0.1 x 0.9 x 1) of 12')
    """

    gains: Sequence[Gains]
    period: int = 1
    channel: str = SERIES

    moving = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "gains", tuple(Gains(*gain) for gain in self.gains))
        object.__setattr__(self, "period", check_count(self.period, "period"))
        if not self.gains:
            raise ValueError(
                "Smoothing needs at least one set of gains, got none; write Smoothing((Gains(0.5),))"
            )

    def names(self, horizon: int) -> tuple[str, ...]:
        """Column names."""
        cycle = "" if self.period == 1 else f" of {self.period}"
        return tuple(f"smooth({gain.words}){cycle}" for gain in self.gains)

    def count(self, horizon: int) -> int:
        """Number of columns."""
        return len(self.gains)

    def reach(self, horizon: int) -> int:
        """How many observations before the origin the states need to begin."""
        return start(self.period) - 1

    def columns(self, inputs: Inputs, horizon: int, first: int, stop: int) -> FloatArray:
        """Forecasts of the targets first..stop-1."""
        states = inputs.smoothing(self.channel, self.period, tuple(self.gains))
        return forecasts(states, self.gains, self.period, horizon, range(first - horizon, stop - horizon))
