"""The newest values, as many as the model reads."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from ngrc._types import AnyArray, BoolArray, FloatArray
from ngrc.archive import check_shape, check_that

ROOM = 64
"""Places beyond the values, at least: room is made once in so many observations."""


@dataclass(slots=True)
class Inputs:
    """A buffer of values with room behind them.

    What is dropped, and when, follows from the number of observations alone: a state that was kept goes on with the
    same rows before its newest, and so with the same bits.

    Parameters
    ----------
    values, carried
        Observations, and which of them were missing and carried forward; places from `size` on are free.
    times
        Their times, where the model reads any.
    size
        Values held.
    first
        Index of the oldest, counted from the history's first row.
    keep
        Values that must not be dropped; None: none is.
    """

    values: FloatArray
    carried: BoolArray
    times: AnyArray | None
    size: int
    first: int
    keep: int | None

    @classmethod
    def of(cls, values: FloatArray, times: AnyArray | None, keep: int | None) -> "Inputs":
        """The newest values of a history."""
        held = values.size if keep is None else min(values.size, keep)
        room = held + max(held, ROOM)
        inputs = cls(
            np.zeros(room),
            np.zeros(room, dtype=np.bool_),
            None if times is None else np.zeros(room, times.dtype),
            held,
            values.size - held,
            keep,
        )
        inputs.values[:held] = values[values.size - held :]
        if times is not None and inputs.times is not None:
            inputs.times[:held] = times[values.size - held :]
        return inputs

    @property
    def count(self) -> int:
        """Observations so far, those that were dropped included."""
        return self.first + self.size

    @property
    def held_times(self) -> AnyArray | None:
        """Times of the values; None where the model reads none."""
        return None if self.times is None else self.times[: self.size]

    @property
    def newest(self) -> float:
        """The newest value."""
        return float(self.values[self.size - 1])

    def place(self, value: float) -> None:
        """Write the next value behind the newest without taking it in."""
        self.values[self.size] = value

    @property
    def placed(self) -> FloatArray:
        """All values with the one that was placed."""
        return self.values[: self.size + 1]

    def free(self) -> None:
        """Forget a value that was placed and not taken in."""
        self.values[self.size] = 0.0

    def advance(self, carried: bool, time: Any = None) -> None:
        """Take in the value that was placed."""
        self.carried[self.size] = carried
        if self.times is not None:
            self.times[self.size] = time
        self.size += 1
        if self.size == self.values.size:
            self._make_room()

    def replace(self, index: int, value: float) -> None:
        """An outcome that came late, in its place and in those that were carried from it; nothing where it is gone."""
        place = index - self.first
        if place < 0:
            return
        self.carried[place], self.values[place] = False, value
        place += 1
        while place < self.size and self.carried[place]:
            self.values[place] = value
            place += 1

    def _make_room(self) -> None:
        held = self.size if self.keep is None else min(self.size, self.keep)
        drop, room = self.size - held, held + max(held, ROOM)
        for name in ("values", "carried", "times"):
            old = getattr(self, name)
            if old is not None:
                new = np.zeros(room, old.dtype)
                new[:held] = old[drop : self.size]
                setattr(self, name, new)
        self.first, self.size = self.first + drop, held

    def check_kept(self) -> None:
        """Refuse parts of different length."""
        check_shape(self.carried, (self.values.size,), "carried")
        if self.times is not None:
            check_shape(self.times, (self.values.size,), "times")
        check_that(1 <= self.size < self.values.size and self.first >= 0, "values are held")
        check_that(self.keep is None or self.keep >= 1, "values are kept")
        check_that(bool(np.all(np.isfinite(self.values))), "values are finite")
