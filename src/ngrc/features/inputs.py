"""All that columns are made from: channels through the origin, inputs known ahead, times."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ngrc._types import AnyArray, FloatArray
from ngrc.features.fourier import fourier_columns
from ngrc.features.means import memory_columns
from ngrc.features.smoothings import Gains, States, smooth

SERIES = "x"
"""The channel of a scalar series."""


# Without slots: memories are kept in the instance once they are computed.
@dataclass(frozen=True, eq=False)
class Inputs:
    """Channels and known inputs by time index, standardised and clipped.

    Parameters
    ----------
    channels
        What is observed through the origin, by name, each of shape (n,); a scalar series is the channel "x".
    known
        What is known ahead, by name, each of shape (m,) with m beyond every target asked for.
    times
        `datetime64` by time index, as far as the targets asked for; None where the series has none.
    offset
        Time index of row 0 counted from the first fitted observation, for clocks in observations.

    Examples
    --------
    >>> import numpy as np
    >>> Inputs({"x": np.zeros(5)}).size
    5
    """

    channels: Mapping[str, FloatArray]
    known: Mapping[str, FloatArray] = field(default_factory=dict)
    times: AnyArray | None = None
    offset: int = 0
    _memories: dict[tuple[str, float], FloatArray] = field(default_factory=dict, repr=False)
    _waves: dict[tuple[Any, ...], FloatArray] = field(default_factory=dict, repr=False)
    _smoothings: dict[tuple[Any, ...], States] = field(default_factory=dict, repr=False)

    @property
    def size(self) -> int:
        """Number of observations n."""
        return int(next(iter(self.channels.values())).size)

    def channel(self, name: str) -> FloatArray:
        """One channel, shape (n,); an error that names those there are."""
        if name not in self.channels:
            raise ValueError(
                f"the map reads the channel {name!r}, and the data has {', '.join(self.channels)}; give it as a "
                "column of exog or take the group out of the map"
            )
        return self.channels[name]

    def ahead(self, name: str, stop: int) -> FloatArray:
        """One known input, at least up to time `stop`."""
        if name not in self.known:
            raise ValueError(
                f"the map reads the known input {name!r}, and the data has {', '.join(self.known) or 'none'}; give it "
                f"as a column of exog and declare it with known=({name!r},)"
            )
        values = self.known[name]
        if values.size < stop:
            short = stop - values.size
            raise ValueError(
                f"the known input {name!r} ends {short} row{'s' * (short > 1)} before the last target; give its coming "
                f"values as rows of exog after the series' last one ({values.size} came, {stop} are needed)"
            )
        return values

    def fourier(self, first: int, stop: int, periods: Sequence[float], harmonics: int) -> FloatArray:
        """Fourier terms of the times first..stop-1 from row 0 on; the last ones asked for are kept."""
        key = (first, stop, tuple(periods), harmonics)
        columns = self._waves.get(key)
        if columns is None:
            columns = fourier_columns(first + self.offset, stop + self.offset, periods, harmonics)
            columns.flags.writeable = False
            # One entry: the clock and its products ask for the same rows one after the other, and then for others.
            self._waves.clear()
            self._waves[key] = columns
        return columns

    def memory(self, name: str, half_life: float) -> FloatArray:
        """The channel's exponentially weighted mean at every origin, shape (n,), computed once."""
        key = (name, half_life)
        if key not in self._memories:
            # A row's memory runs from the very first observation, whatever block of rows asks for it.
            self._memories[key] = memory_columns(self.channel(name), (half_life,))[:, 0]
        return self._memories[key]

    def smoothing(self, name: str, period: int, gains: tuple[Gains, ...]) -> States:
        """The channel's exponential smoothings at every origin, computed once."""
        key = (name, period, gains)
        if key not in self._smoothings:
            self._smoothings[key] = smooth(self.channel(name), period, gains)
        return self._smoothings[key]
