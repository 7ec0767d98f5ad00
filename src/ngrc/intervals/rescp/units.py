"""Unit states by position, within a bound on memory: all of them held, or made again from states kept on the way.

A state costs 8 `size` bytes, 4 kB at the usual 512 units: those of a million residuals would take 4 GB. The reservoir
is deterministic, so that a stretch can be made again, bit for bit, from the state before it.
"""

from collections import OrderedDict
from typing import Protocol

import numpy as np

from ngrc._kernels.rescp import states_normalise
from ngrc._types import AnyArray, FloatArray, IntArray
from ngrc.intervals.rescp.reservoir import Reservoir
from ngrc.intervals.rescp.states import CHUNK, origin_units

HELD_BYTES = 3 << 26
"""States held at a time, 200 MB: 49,152 at the usual 512 units, more than any series of the paper has."""
KEPT_BYTES = 1 << 26
"""Stretches kept for the next product where not all can be held, 64 MB: the longest of the usual windows fits in."""


class Units(Protocol):
    """Unit states at the origins of positions 0 .. count - 1; the first H are zeros."""

    count: int
    size: int
    together: int
    """Rows that may be asked for at once."""

    def rows(self, first: int, stop: int) -> AnyArray:
        """Rows first .. stop - 1, shape (stop - first, size), contiguous."""

    def take(self, positions: IntArray) -> AnyArray:
        """The rows at rising positions, shape (positions, size)."""

    def single(self) -> "Units":
        """The same in single precision."""


class Held:
    """All rows in memory."""

    def __init__(self, units: AnyArray) -> None:
        self.units = units
        self.count, self.size = units.shape
        # A view costs nothing.
        self.together = self.count

    def rows(self, first: int, stop: int) -> AnyArray:
        """A view."""
        return self.units[first:stop]

    def take(self, positions: IntArray) -> AnyArray:
        """Copies of single rows."""
        rows: AnyArray = self.units[positions]
        return rows

    def single(self) -> "Held":
        """A copy in single precision."""
        return Held(self.units.astype(np.float32))


class Remade:
    """Rows made again where they are wanted, from the states before every stretch of `CHUNK` inputs.

    Parameters
    ----------
    reservoir, inputs, horizon
        As for `origin_units`.
    kept_bytes
        Stretches that are kept for the next call, in bytes, the oldest going first; and rows handed out at once.
    dtype
        Of the rows that are handed out.
    """

    def __init__(
        self,
        reservoir: Reservoir,
        inputs: FloatArray,
        horizon: int,
        kept_bytes: int = KEPT_BYTES,
        dtype: type = np.float64,
        before: FloatArray | None = None,
    ) -> None:
        self.reservoir, self.inputs, self.horizon, self.dtype = reservoir, inputs, horizon, dtype
        self.count, self.size = inputs.size + horizon, reservoir.size
        self.before = _states_before(reservoir, inputs) if before is None else before
        self.kept_bytes = kept_bytes
        stretch = CHUNK * self.size * np.dtype(dtype).itemsize
        # Two at least: rows that are wanted together lie in neighbouring stretches.
        self.most = max(2, kept_bytes // stretch)
        self.together = self.most * CHUNK
        self.kept: OrderedDict[int, AnyArray] = OrderedDict()

    def rows(self, first: int, stop: int) -> AnyArray:
        """A copy, in the order of time."""
        return self.take(np.arange(first, stop))

    def take(self, positions: IntArray) -> AnyArray:
        """Copies of single rows, each stretch made once."""
        rows: AnyArray = np.zeros((positions.size, self.size), dtype=self.dtype)
        inputs = positions - self.horizon
        place = int(
            np.searchsorted(inputs, 0)
        )  # what comes before the first input is the empty reservoir: zeros
        while place < positions.size:
            stretch = int(inputs[place]) // CHUNK
            stop = int(np.searchsorted(inputs, (stretch + 1) * CHUNK))
            rows[place:stop] = self._stretch(stretch)[inputs[place:stop] - stretch * CHUNK]
            place = stop
        return rows

    def single(self) -> "Remade":
        """The same in single precision, from the same kept states."""
        return Remade(
            self.reservoir, self.inputs, self.horizon, self.kept_bytes, np.float32, before=self.before
        )

    def _stretch(self, number: int) -> AnyArray:
        if number in self.kept:
            self.kept.move_to_end(number)
            return self.kept[number]
        states = self.reservoir.states(
            self.inputs[number * CHUNK : (number + 1) * CHUNK], self.before[number]
        )
        rows = np.empty_like(states)
        states_normalise(states, rows)
        self.kept[number] = rows.astype(self.dtype, copy=False)
        if len(self.kept) > self.most:
            self.kept.popitem(last=False)
        return self.kept[number]


def _states_before(reservoir: Reservoir, inputs: FloatArray) -> FloatArray:
    """The state before every stretch of `CHUNK` inputs, shape (stretches, size)."""
    state, states = np.zeros(reservoir.size), []
    for start in range(0, inputs.size, CHUNK):
        states.append(state)
        state = reservoir.states(inputs[start : start + CHUNK], state)[-1].copy()
    return np.array(states)


def units_of(
    reservoir: Reservoir,
    inputs: FloatArray,
    horizon: int,
    *,
    held_bytes: int = HELD_BYTES,
    kept_bytes: int = KEPT_BYTES,
) -> Held | Remade:
    """Unit states of standardised residuals, held where they fit into `held_bytes`."""
    if (inputs.size + horizon) * reservoir.size * 8 <= held_bytes:
        return Held(origin_units(reservoir, inputs, horizon)[0])
    return Remade(reservoir, inputs, horizon, kept_bytes)
