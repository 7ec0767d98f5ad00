"""The clock: Fourier terms at the target's time."""

from collections.abc import Sequence
from dataclasses import dataclass

from ngrc._types import FloatArray
from ngrc.features.distinct import check_periods
from ngrc.features.fourier import fourier_columns, fourier_names
from ngrc.features.inputs import Inputs
from ngrc.validation import check_count


@dataclass(frozen=True, slots=True)
class Clock:
    """Sines and cosines of the target's time, which is known when the forecast is made.

    Parameters
    ----------
    periods
        Periods in observations, at least 2.
    harmonics
        How many harmonics of each.

    Examples
    --------
    >>> Clock((24,), harmonics=1).names(1)
    ("sin(2π·1·t'/24)", "cos(2π·1·t'/24)")
    """

    periods: Sequence[float]
    harmonics: int = 2

    moving = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "periods", check_periods(self.periods))
        object.__setattr__(self, "harmonics", check_count(self.harmonics, "harmonics"))

    def names(self, horizon: int) -> tuple[str, ...]:
        """Column names."""
        return fourier_names(self.periods, self.harmonics)

    def count(self, horizon: int) -> int:
        """Number of columns."""
        return 2 * self.harmonics * len(self.periods)

    def reach(self, horizon: int) -> int:
        """Zero: nothing of the past is read."""
        return 0

    def columns(self, inputs: Inputs, horizon: int, first: int, stop: int) -> FloatArray:
        """Fourier terms of the targets first..stop-1."""
        return fourier_columns(first + inputs.offset, stop + inputs.offset, self.periods, self.harmonics)
