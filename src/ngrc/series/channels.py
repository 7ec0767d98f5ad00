"""Channels: columns beside a series, row by row, and beyond its end where they are known ahead."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import narwhals as nw
import numpy as np

from ngrc._types import AnyArray, FloatArray
from ngrc.series.agreement import check_same_times, extended
from ngrc.series.entry import raw_from_table
from ngrc.series.gaps import carry_forward
from ngrc.series.gathered import Gathered, gather
from ngrc.series.native import as_native, time_index
from ngrc.series.regular import check_regular
from ngrc.series.table import Table
from ngrc.series.times import times_from_array
from ngrc.series.value import Series
from ngrc.series.wording import array_row, listed, plural, shown_time
from ngrc.validation import check_count


@dataclass(frozen=True, eq=False, slots=True)
class Channels:
    """Columns beside a series of n observations.

    Parameters
    ----------
    names
        One name per column.
    values
        Shape (m, c) with m >= n; row i stands beside observation i, rows from n on are the future. Finite, but for
        the future of columns that are not known ahead: NaN, so that nothing can be read there.
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
    names: Sequence[str] = (),
    times: Any = None,
    ahead: int | None = None,
    skip: int = 0,
) -> Channels:
    """Turn what a user has into columns beside a series of `count` observations.

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
        The other columns that are wanted; every one that is not `known` by default. They are observed only: missing
        values are carried forward, and what they hold beyond the series is not kept.
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
    declared = _declared(names, "exog"), _declared(known, "known")
    both = [name for name in declared[0] if name in declared[1]]
    if both:
        raise ValueError(f"column {both[0]!r} is declared both as exog and as known; declare it once")
    wanted = (*declared[0], *declared[1]) if declared[0] else ()
    own = _source(exog, wanted)
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
    if not isinstance(native, nw.DataFrame):
        return None
    dates = raw_from_table(Table(native, text=False), None, None, array_row).dates
    return None if dates is None else _dated(dates.times)


def settled(
    own: Gathered,
    times: AnyArray | None,
    known: Sequence[str],
    count: int,
    *,
    ahead: int | None = None,
    skip: int = 0,
    notes: tuple[str, ...] = (),
) -> Channels:
    """Columns as they came, checked and filled beside `count` observations after the first `skip` rows."""
    rows = _rows(own, known, count, skip, ahead)
    clock = _clock(own.times, times, skip, rows)
    columns = np.empty((rows, len(own.columns)))
    # Known inputs last, whatever the order in which they came.
    names = sorted(own.columns, key=lambda name: name in known)
    for place, name in enumerate(names):
        raw = own.columns[name][: skip + rows]
        if name in known:
            columns[:, place] = _complete(name, raw[skip:], count, clock)
        else:
            columns[:, place], remarks = _observed(name, raw, count, skip)
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


def _rows(own: Gathered, known: Sequence[str], count: int, skip: int, ahead: int | None) -> int:
    """How many rows from `skip` on are kept."""
    rows = next(iter(own.columns.values())).size - skip
    if rows < count:
        raise ValueError(
            f"exog has {plural(rows + skip, 'row')} beside a series of {count + skip} observations; give one row per "
            "observation"
        )
    if not known:
        for name, column in own.columns.items():
            if not np.all(np.isnan(column[skip + count :])):
                raise ValueError(
                    f"exog column {name!r} has {plural(rows - count, 'row')} more than the series' {count} "
                    "observations, and nothing is declared known ahead; declare it with known=, or cut it there"
                )
        return count
    if ahead is None:
        return rows
    if rows < count + ahead:
        raise ValueError(
            f"the known input {known[0]!r} must reach {plural(ahead, 'row')} beyond the series' {count} observations, "
            f"got {rows - count}; give its future values"
        )
    return count + ahead


def _clock(own: AnyArray | None, series: AnyArray | None, skip: int, rows: int) -> AnyArray | None:
    mine = None if own is None else own[skip : skip + rows]
    if mine is not None and series is not None:
        check_same_times(series[:rows], mine, ("the series", "exog"))
    elif mine is not None:
        check_regular(mine, array_row)
    return mine if mine is not None or series is None else extended(series, rows)


def _observed(name: str, raw: FloatArray, count: int, skip: int) -> tuple[FloatArray, tuple[str, ...]]:
    """A column that is observed only: carried forward beside the series, nothing beyond it."""
    past, future = raw[: skip + count], np.full(raw.size - skip - count, np.nan)
    leading = past.size if np.all(np.isnan(past)) else int(np.argmax(~np.isnan(past)))
    if leading > skip:
        raise ValueError(
            f"exog column {name!r} begins with {plural(leading - skip, 'missing value')}, and none comes before to be "
            "carried forward; start series and exog later, or leave the column out"
        )
    complete, filled, _ = carry_forward(past)
    note = f"{plural(filled, 'missing value')} of {name!r} carried forward"
    return np.concatenate([complete[skip - leading :], future]), (note,) if filled else ()


def _complete(name: str, values: FloatArray, count: int, times: AnyArray | None) -> FloatArray:
    """A column that is known ahead, as it is; a missing value raises."""
    missing = np.flatnonzero(np.isnan(values))
    if missing.size:
        row = int(missing[0])
        when = "" if times is None else f", {shown_time(times[row])}"
        place = f"future row {row - count + 1}" if row >= count else array_row(row)
        raise ValueError(
            f"the known input {name!r} has no value at {place}{when}; give it, or declare the column as exog, which is "
            "observed only"
        )
    return values


def _dated(times: AnyArray | None) -> AnyArray | None:
    return times if times is not None and times.dtype.kind == "M" else None
