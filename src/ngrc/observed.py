"""What a model is given: one series or a vector of them, columns beside it, times."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import narwhals as nw
import numpy as np

from ngrc._types import AnyArray, FloatArray
from ngrc.features.inputs import SERIES
from ngrc.series.agreement import check_zones, extended
from ngrc.series.channels import as_channels, date_column, times_of
from ngrc.series.regular import check_regular
from ngrc.series.times import times_from_array
from ngrc.series.wording import array_row
from ngrc.validation import check_vector


@dataclass(frozen=True, slots=True)
class Observed:
    """Raw values by time index.

    Parameters
    ----------
    values
        The series, shape (n, channels).
    names
        Its channels: "x" of a scalar series; the columns of a frame, or x0, x1, ... of an array.
    vector
        Whether it came with a second axis.
    beside
        Columns beside it, by name, each with at least n rows.
    times
        Times, as far as they are known; None where there are none.
    """

    values: FloatArray
    names: tuple[str, ...]
    vector: bool
    beside: Mapping[str, FloatArray]
    times: AnyArray | None

    @property
    def size(self) -> int:
        """Number of observations n."""
        return len(self.values)

    def until(self, end: int) -> "Observed":
        """The first `end` observations, and of what stands beside them no row more."""
        beside = {name: column[:end] for name, column in self.beside.items()}
        times = None if self.times is None else self.times[:end]
        return Observed(self.values[:end], self.names, self.vector, beside, times)

    def reaching(self, steps: int) -> "Observed":
        """The same with times that go on for so many steps after the last observation."""
        if self.times is None or self.times.size >= self.size + steps:
            return self
        # A step that is not the same throughout says nothing of the coming ones.
        check_regular(self.times, array_row)
        return replace(self, times=extended(self.times, self.size + steps))


def observe(
    y: Any,
    exog: Any = None,
    times: Any = None,
    *,
    names: Sequence[str] = (),
    known: Sequence[str] = (),
    ahead: int = 0,
) -> Observed:
    """Read a series, and columns beside it.

    Parameters
    ----------
    y
        A series, shape (n,), or a vector of them, shape (n, channels): finite numbers.
    exog
        Frame or array of n rows, and more where inputs are known ahead.
    times
        Times of the rows; by default those that `y` carries.
    names, known
        Columns of `exog` that are wanted, and those of them that are known ahead.
    ahead
        How many rows after the series are asked for of what is known ahead.

    Examples
    --------
    >>> observe([1.0, 2.0]).names, observe(np.zeros((2, 2))).names
    (('x',), ('x0', 'x1'))
    """
    values, channels, vector = _values(y)
    clock = times_of(y) if times is None else times_from_array(times, array_row).times
    beside: dict[str, FloatArray] = {}
    if exog is not None:
        check_zones(y, exog)
        found = as_channels(exog, count=len(values), known=known, names=names, times=clock, ahead=ahead)
        beside = {name: found.values[:, place] for place, name in enumerate(found.names)}
        taken = [name for name in beside if name in channels]
        if taken:
            raise ValueError(
                f"the exog column {taken[0]!r} has the name of the series' own channel in the map; rename the column"
            )
        clock = found.times if found.times is not None else clock
        check_other(beside, known, values)
    return Observed(values, channels, vector, beside, clock)


def check_other(beside: Mapping[str, FloatArray], known: Sequence[str], values: FloatArray) -> None:
    """Refuse the series itself as an input that is known ahead: every forecast would look at its own outcome."""
    for name in known:
        column = beside[name][: len(values)]
        if any(np.array_equal(column, own) and np.ptp(own) > 0.0 for own in values.T):
            raise ValueError(
                f"the known input {name!r} holds the series itself, which nobody knows ahead; leave it out"
            )


def _values(y: Any) -> tuple[FloatArray, tuple[str, ...], bool]:
    frame = y if isinstance(y, np.ndarray) else nw.from_native(y, eager_only=True, pass_through=True)
    if isinstance(frame, nw.DataFrame):
        clock = date_column(frame)
        names = [name for name in frame.columns if name != clock]
        columns = [check_vector(frame[name].to_numpy(), f"column {name!r} of y") for name in names]
        if not columns:
            raise ValueError("y must have at least one column of numbers, got a frame without any")
        return np.stack(columns, axis=1), tuple(str(name) for name in names), True
    if np.ndim(y) == 2 and not isinstance(y, np.ma.MaskedArray):
        matrix = np.asarray(y)
        if matrix.shape[1] == 0:
            raise ValueError(f"y must have at least one channel, got shape {matrix.shape}")
        columns = [check_vector(column, f"channel {place} of y") for place, column in enumerate(matrix.T)]
        return np.stack(columns, axis=1), tuple(f"{SERIES}{place}" for place in range(len(columns))), True
    return check_vector(y, "y")[:, None], (SERIES,), False
