"""Channels: columns beside a series, row by row, and beyond its end where they are known ahead."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import narwhals as nw
import numpy as np

from ngrc._types import AnyArray, FloatArray
from ngrc.series.channel_rules import carried, channel_times, check_complete, kept_rows
from ngrc.series.gathered import Gathered, gather
from ngrc.series.native import as_native, time_index
from ngrc.series.parts import read_times
from ngrc.series.table import Table
from ngrc.series.times import times_from_array
from ngrc.series.value import Series
from ngrc.series.wording import array_row, listed, plural
from ngrc.validation import check_count


@dataclass(frozen=True, eq=False, slots=True)
class Channels:
    """Columns beside a series of n observations.

    Parameters
    ----------
    names
        One name per column.
    values
        Shape (m, c) with m >= n; row i stands beside observation i, rows from n on are the future. Finite beside
        the series; in the future NaN where a column is observed only, so that nothing can be read there, or where a
        file does not know it yet.
    times
        Times of the rows, shape (m,), `datetime64` or numbers; None where none are known.
    notes
        Plain remarks on what was done to the columns.

    Examples
    --------
    >>> channels = Channels(("temperature",), np.array([[20.0], [21.5]]))
    >>> channels.column("temperature"), len(channels)
    (array([20. , 21.5]), 2)
    """

    names: tuple[str, ...]
    values: FloatArray
    times: AnyArray | None = None
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if np.ndim(self.values) != 2 or np.shape(self.values)[1] != len(self.names):
            raise ValueError(
                f"channels need values of shape (rows, {len(self.names)}) for the names {listed(self.names)}, got "
                f"shape {np.shape(self.values)}; give one column per name"
            )
        if len(set(self.names)) != len(self.names):
            raise ValueError(f"the names of channels must differ, got {listed(self.names)}; rename one")
        if np.any(np.isinf(self.values)):
            row, place = np.argwhere(np.isinf(self.values))[0]
            raise ValueError(
                f"channel {self.names[place]!r} is infinite at {array_row(int(row))}; correct it"
            )
        if self.times is not None and np.shape(self.times) != (len(self),):
            raise ValueError(
                f"channels of {plural(len(self), 'row')} came with times of shape {np.shape(self.times)}; give one "
                "time per row"
            )

    def __len__(self) -> int:
        return int(self.values.shape[0])

    def column(self, name: str) -> FloatArray:
        """The column of that name, shape (m,)."""
        return self.values[:, self.names.index(name)]

    def part(self, first: int, stop: int) -> "Channels":
        """The rows first..stop-1."""
        times = None if self.times is None else self.times[first:stop]
        return Channels(self.names, self.values[first:stop], times, self.notes)


def as_channels(
    exog: Any,
    *,
    count: int,
    known: Sequence[str] = (),
    names: Sequence[str] | None = (),
    times: Any = None,
    ahead: int | None = None,
    skip: int = 0,
) -> Channels:
    """Turn what a user has into columns beside a series of `count` observations.

    Observed columns come first, then those that are known ahead.

    Parameters
    ----------
    exog
        A pandas or polars frame or column; a mapping from names to columns; an array of shape (m,) or (m, c), whose
        columns are exog0, exog1 and so on; or `Channels`. Booleans are 0 and 1.
    count
        Observations of the series; rows from `count` on are the future.
    known
        Columns that are known ahead: no value of theirs may be missing.
    names
        The other columns that are wanted; None for every one that is not `known`, which is also meant where nothing at
        all is named. They are observed only: missing values are carried forward, and what they hold beyond the series
        is not kept.
    times
        Times of the series, with which those of `exog` must agree.
    ahead
        How many future rows are needed where inputs are known ahead; more are cut off. By default all that came.
    skip
        Leading rows of `exog` that stand before the series' first observation.

    Examples
    --------
    >>> as_channels({"rain": [0.0, None, 2.0]}, count=3).values[:, 0]
    array([0., 0., 2.])
    """
    declared = _declared(names or (), "exog"), _declared(known, "known")
    both = [name for name in declared[0] if name in declared[1]]
    if both:
        raise ValueError(f"column {both[0]!r} is declared both as exog and as known; declare it once")
    own = _source(exog, () if names is None else (*declared[0], *declared[1]))
    unknown = [name for name in declared[1] if name not in own.columns]
    if unknown:
        raise ValueError(
            f"exog has no column {unknown[0]!r}, which is declared as known; there are {listed(list(own.columns))}"
        )
    clock = None if times is None else times_from_array(times, array_row).times
    return settled(own, clock, declared[1], check_count(count, "count"), ahead=ahead, skip=skip)


def times_of(y: Any) -> AnyArray | None:
    """The `datetime64` times of whatever `as_series` takes, or of a frame of several targets; None without dates.

    Times with a zone are in UTC, as those of a `Series`.

    Examples
    --------
    >>> times_of(np.arange(3.0)) is None
    True
    """
    if isinstance(y, Series):
        return _dated(y.times)
    native = as_native(y)
    index = time_index(native)
    if index is not None:
        return _dated(times_from_array(index, array_row).times)
    clock = date_column(native) if isinstance(native, nw.DataFrame) else None
    if clock is None:
        return None
    return _dated(read_times(Table(native, text=False), clock, array_row).times)


def date_column(frame: "nw.DataFrame[Any]") -> Any | None:
    """The first column that holds dates, typed or as text, of a frame whose index holds none; else None."""
    if time_index(frame) is not None:
        return None
    table = Table(frame, text=False)
    return next((name for name in frame.columns if table.kind(name) == "time"), None)


def settled(
    own: Gathered,
    times: AnyArray | None,
    known: Sequence[str],
    count: int,
    *,
    ahead: int | None = None,
    skip: int = 0,
    complete: int | None = None,
    notes: tuple[str, ...] = (),
) -> Channels:
    """Columns as they came, checked and filled beside `count` observations after the first `skip` rows.

    `complete` says how many future rows of known inputs must hold a value; all that are kept by default.
    """
    rows = kept_rows(own.columns, known, count, skip, ahead)
    clock = channel_times(own.times, times, skip, rows)
    due = rows if complete is None else count + complete
    columns = np.empty((rows, len(own.columns)))
    # Known inputs last, whatever the order in which they came.
    names = sorted(own.columns, key=lambda name: name in known)
    for place, name in enumerate(names):
        raw = own.columns[name][: skip + rows]
        if name in known:
            columns[:, place] = raw[skip:]
            check_complete(name, columns[:due, place], count, clock)
        else:
            columns[:, place], remarks = carried(name, raw, count, skip)
            notes += remarks
    return Channels(tuple(names), columns, clock, notes)


def _declared(names: Sequence[str], option: str) -> tuple[str, ...]:
    if isinstance(names, str) or not all(isinstance(name, str) for name in names):
        raise ValueError(
            f"{option} must be a sequence of column names, got {names!r}; write ('temperature',)"
        )
    if len(set(names)) != len(names):
        raise ValueError(f"{option} names a column twice, got {listed(list(names))}; name it once")
    return tuple(names)


def _source(exog: Any, wanted: Sequence[str]) -> Gathered:
    if not isinstance(exog, Channels):
        return gather(exog, wanted)
    columns = {name: exog.column(name) for name in exog.names}
    chosen = gather(columns, wanted).columns
    return Gathered(chosen, exog.times)


def _dated(times: AnyArray | None) -> AnyArray | None:
    return times if times is not None and times.dtype.kind == "M" else None
