"""The clock: Fourier terms at the target's time."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from ngrc._types import FloatArray
from ngrc.features.distinct import check_periods
from ngrc.features.fourier import fourier_names
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
    at
        Whose time: the target's, or the origin's, from which the other follows by a rotation.

    Examples
    --------
    >>> Clock((24,), harmonics=1).names(1)
    ("sin(2π·1·t'/24)", "cos(2π·1·t'/24)")
    """

    periods: Sequence[float]
    harmonics: int = 2
    at: Literal["target", "origin"] = "target"

    def __post_init__(self) -> None:
        object.__setattr__(self, "periods", check_periods(self.periods))
        object.__setattr__(self, "harmonics", check_count(self.harmonics, "harmonics"))
        if self.at not in ("target", "origin"):
            raise ValueError(f"at must be 'target' or 'origin', got {self.at!r}")

    @property
    def moving(self) -> bool:
        """Whether the terms are those of the target's time."""
        return self.at == "target"

    def names(self, horizon: int) -> tuple[str, ...]:
        """Column names."""
        names = fourier_names(self.periods, self.harmonics)
        return names if self.moving else tuple(name.replace("t'", "t") for name in names)

    def count(self, horizon: int) -> int:
        """Number of columns."""
        return 2 * self.harmonics * len(self.periods)

    def reach(self, horizon: int) -> int:
        """Zero: nothing of the past is read."""
        return 0

    def columns(self, inputs: Inputs, horizon: int, first: int, stop: int) -> FloatArray:
        """Fourier terms of the targets first..stop-1, or of their origins."""
        shift = 0 if self.moving else -horizon
        return inputs.fourier(first + shift, stop + shift, self.periods, self.harmonics)

    def basis(self, horizons: Sequence[int]) -> "Clock":
        """The same Fourier terms at the origin."""
        return replace(self, at="origin")

    def turn(self, horizon: int, horizons: Sequence[int]) -> FloatArray:
        """Rotation of every sine and cosine by the horizon's angle."""
        waves = [(harmonic, period) for period in self.periods for harmonic in range(1, self.harmonics + 1)]
        matrix = np.zeros((2 * len(waves), 2 * len(waves)))
        for place, (harmonic, period) in enumerate(waves):
            angle = 2.0 * np.pi * (np.mod(harmonic * horizon, period) / period)
            cosine, sine = np.cos(angle), np.sin(angle)
            # sin(a + h) = cos(h) sin(a) + sin(h) cos(a); cos(a + h) = cos(h) cos(a) - sin(h) sin(a).
            matrix[2 * place : 2 * place + 2, 2 * place : 2 * place + 2] = [[cosine, -sine], [sine, cosine]]
        return matrix
