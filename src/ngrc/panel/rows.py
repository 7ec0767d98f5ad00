"""Many series as plain arrays, one after the other: what is shipped to workers, and cut into single series."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ngrc._types import AnyArray, FloatArray, IntArray
from ngrc.series.style import PLAIN, TimeStyle


@dataclass(frozen=True, slots=True, eq=False)
class Clock:
    """Times of rows as their column has them, not yet checked.

    Parameters
    ----------
    times
        Shape (n,): `datetime64` (UTC where there is a zone), numbers, or objects that are still to be read.
    local
        The same on the wall clock where there is a zone, else None.
    style
        Zone of the column.
    """

    times: AnyArray
    local: AnyArray | None = None
    style: TimeStyle = PLAIN

    def __getitem__(self, rows: slice | IntArray) -> "Clock":
        return Clock(self.times[rows], None if self.local is None else self.local[rows], self.style)

    def __len__(self) -> int:
        return int(self.times.size)


@dataclass(frozen=True, slots=True, eq=False)
class Block:
    """Rows of several series: series i has the rows starts[i]..starts[i+1]-1, in any order of time.

    Parameters
    ----------
    starts
        Shape (series + 1,), rising from 0.
    clock
        Of the rows.
    values
        The target, shape (n,), NaN where missing; objects where the column holds no plain numbers.
    beside
        Columns beside it, shape (n, columns), NaN where missing; none of them where the task reads none.
    """

    starts: IntArray
    clock: Clock
    values: AnyArray
    beside: FloatArray

    def __len__(self) -> int:
        return int(self.starts.size) - 1

    def part(self, first: int, stop: int) -> "Block":
        """The series first..stop-1."""
        rows = slice(int(self.starts[first]), int(self.starts[stop]))
        starts = self.starts[first : stop + 1] - self.starts[first]
        return Block(starts, self.clock[rows], self.values[rows], self.beside[rows])


@dataclass(frozen=True, slots=True, eq=False)
class Panel:
    """Rows that were observed, and of the same series those of the future where inputs are known ahead."""

    observed: Block
    future: Block | None = None

    def __len__(self) -> int:
        return len(self.observed)

    def part(self, first: int, stop: int) -> "Panel":
        """The series first..stop-1."""
        future = None if self.future is None else self.future.part(first, stop)
        return Panel(self.observed.part(first, stop), future)

    def __iter__(self) -> Iterator["Panel"]:
        return (self.part(place, place + 1) for place in range(len(self)))

    def chunks(self, rows: int) -> Iterator["Panel"]:
        """Parts of neighbouring series of about so many rows each, one series at least."""
        starts, first = self.observed.starts, 0
        while first < len(self):
            stop = int(np.searchsorted(starts, starts[first] + rows, side="right")) - 1
            stop = min(max(stop, first + 1), len(self))
            yield self.part(first, stop)
            first = stop
