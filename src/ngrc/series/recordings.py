"""Files of several columns: one or more targets, and channels beside them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from ngrc._types import AnyArray, FloatArray
from ngrc.series.channels import Channels, settled
from ngrc.series.columns import known as named
from ngrc.series.dates import Dates
from ngrc.series.entry import built, raw_from_table
from ngrc.series.files import one_series, with_taken
from ngrc.series.gathered import Gathered, column_numbers
from ngrc.series.opened import OpenedTable, in_file, open_table
from ngrc.series.resampling import resample as on_grid
from ngrc.series.stacks import check_single_axis
from ngrc.series.table import Table
from ngrc.series.timeline import regular_times, time_order
from ngrc.series.tokens import tidy
from ngrc.series.value import Series
from ngrc.series.wording import Where
from ngrc.series.written import numbers_from_text

_BOOLEANS = {"true": "1", "false": "0"}


@dataclass(frozen=True, eq=False, slots=True)
class Recording:
    """What a file holds: targets of one length n, each a `Series`, and the channels beside them, at least n rows.

    Remarks on how the file was read are the notes of the first target.
    """

    targets: tuple[Series, ...]
    channels: Channels | None = None


def read_channels(
    path: str | Path,
    *,
    targets: Sequence[str] = (),
    exog: Sequence[str] = (),
    known: Sequence[str] = (),
    time: str | int | None = None,
    resample: bool = False,
) -> Recording:
    r"""Read targets and the channels beside them from a file, or from standard input.

    Parameters
    ----------
    path
        As in `read_series`.
    targets
        Columns to forecast; one is detected where none is named, among those that are not channels.
    exog
        Columns that are observed with the targets; missing values are carried forward.
    known
        Columns that are known ahead. Where there are any, the targets end with their last value, and the rows after
        it are the future of these columns.
    time, resample
        As in `read_series`. All columns are put on one grid; where it has a point without a row, known columns are
        carried forward too.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "load.csv"
    ...     _ = path.write_text("day,load,temp\n2024-01-01,5,20\n2024-01-02,6,21\n2024-01-03,,22\n")
    ...     recording = read_channels(path, known=["temp"])
    >>> recording.targets[0].values, recording.channels.column("temp")
    (array([5., 6.]), array([20., 21., 22.]))
    """
    try:
        opened = open_table(path, named=any((targets, exog, known, time is not None)))
        return _recording(opened, _Roles.of(opened.table, targets, exog, known, time), time, resample)
    except ValueError as error:
        raise in_file(path, error) from None


@dataclass(frozen=True)
class _Roles:
    """Columns of a table by what they are for."""

    targets: tuple[Any, ...]
    exog: tuple[Any, ...]
    known: tuple[Any, ...]

    @classmethod
    def of(
        cls,
        table: Table,
        targets: Sequence[str],
        exog: Sequence[str],
        known: Sequence[str],
        time: str | int | None,
    ) -> "_Roles":
        """The named columns; one that has two roles raises."""
        names = table.frame.columns
        asked = {"target": targets, "exog": exog, "known": known, "time": () if time is None else (time,)}
        roles: dict[Any, str] = {}
        for role, columns in asked.items():
            for column in (named(column, names) for column in columns):
                if column in roles:
                    how = "twice" if roles[column] == role else f"both as {roles[column]} and"
                    raise ValueError(f"column {column!r} is asked for {how} as {role}; name it once")
                roles[column] = role
        return cls(*(tuple(name for name in roles if roles[name] == role) for role in list(asked)[:3]))


def _recording(opened: OpenedTable, roles: _Roles, time: str | int | None, resample: bool) -> Recording:
    # Time and target are looked for among the other columns: a channel of dates or of numbers is neither.
    beside = (*roles.targets[1:], *roles.exog, *roles.known)
    if not beside:
        return Recording((one_series(opened, next(iter(roles.targets), None), time, resample),))
    rest = replace(opened.table, frame=opened.table.frame.drop(beside))
    first = raw_from_table(rest, next(iter(roles.targets), None), time, opened.where)
    columns, notes = {first.name: first.values}, first.notes
    for name in beside:
        columns[str(name)], remarks = _numbers(opened.table, name, opened.where)
        notes += remarks
    known = tuple(str(name) for name in roles.known)
    dates = first.dates
    if dates is not None:
        # The future too, which no series is built from.
        times, columns, remarks = (
            _regridded(dates.times, columns, known)
            if resample
            else _in_order(dates.times, columns, opened.where)
        )
        dates, notes = dates._replace(times=times), notes + remarks
    names = (first.name, *(str(name) for name in roles.targets[1:]))
    skip, stop = _span([columns[name] for name in names], ends=bool(known))
    # Each target drops as many leading rows as the one that begins last.
    cut = {name: np.where(np.arange(stop) < skip, np.nan, columns[name][:stop]) for name in names}
    targets = _targets(cut, dates, opened, notes, regrid=resample and dates is None)
    taken = with_taken(targets[0], first, time, opened.notes)
    targets = (replace(targets[0], notes=taken), *targets[1:])
    inputs = {str(name): columns[str(name)] for name in (*roles.exog, *roles.known)}
    if not inputs:
        return Recording(targets)
    gathered = Gathered(inputs, None if dates is None else dates.times)
    # Which future values are needed is asked where the number of steps is known.
    channels = settled(gathered, None, known, stop - skip, skip=skip, complete=0)
    first_target = replace(targets[0], notes=targets[0].notes + channels.notes)
    return Recording((first_target, *targets[1:]), channels)


def _targets(
    columns: Mapping[str, FloatArray],
    dates: Dates | None,
    opened: OpenedTable,
    notes: tuple[str, ...],
    *,
    regrid: bool,
) -> tuple[Series, ...]:
    """One series per column; remarks on the file go with the first. `regrid` without times says that it needs them."""
    series: list[Series] = []
    for name, values in columns.items():
        clock = None if dates is None else dates._replace(times=dates.times[: values.size])
        # The name of a file without a header, whose columns have none.
        title = name if series or opened.name is None else opened.name
        series.append(built(values, clock, opened.where, regrid, title, () if series else notes))
    return tuple(series)


def _span(targets: Iterable[FloatArray], *, ends: bool) -> tuple[int, int]:
    """The first row at which all targets have begun, and the end: after the last value of any where `ends`."""
    observed = np.array([~np.isnan(values) for values in targets])
    begun = int(np.max(np.argmax(observed, axis=1)))
    rows = observed.shape[1]
    last = rows - int(np.argmax(np.any(observed, axis=0)[::-1]))
    return begun, last if ends else rows


def _regridded(
    times: AnyArray, columns: Mapping[str, FloatArray], known: Sequence[str]
) -> tuple[AnyArray, dict[str, FloatArray], tuple[str, ...]]:
    """Every column on one grid, which depends on the times alone; known ones carried over points without a row."""
    check_single_axis(times)
    grid, rows, notes = on_grid(times, np.ones(times.size))
    # Position of the last point with a row up to each point; the first has one.
    last = np.maximum.accumulate(np.where(np.isnan(rows), 0, np.arange(rows.size)))
    gridded = {name: on_grid(times, values)[1] for name, values in columns.items()}
    return grid, {name: values[last] if name in known else values for name, values in gridded.items()}, notes


def _in_order(
    times: AnyArray, columns: Mapping[str, FloatArray], where: Where
) -> tuple[AnyArray, dict[str, FloatArray], tuple[str, ...]]:
    """Every column in the order of time where that makes the times regular; times that no order makes so raise."""
    check_single_axis(times)
    ordered = time_order(times)
    notes: tuple[str, ...] = ()
    if ordered is not None:
        times, notes = times[ordered[0]], (ordered[1],)
        columns = {name: values[ordered[0]] for name, values in columns.items()}
    times, remarks = regular_times(times, where)
    return times, dict(columns), notes + remarks


def _numbers(table: Table, name: Any, where: Where) -> tuple[FloatArray, tuple[str, ...]]:
    """A column of numbers, or of true and false as 1 and 0; NaN where missing."""
    if not table.text:
        return column_numbers(str(name), table.column(name)), ()
    text = table.strings(name)
    words = tidy(text).str.to_lowercase()
    if words.drop_nulls().is_in(list(_BOOLEANS)).all():
        text = words.replace(_BOOLEANS)
    return numbers_from_text(text, str(name), where, table.decimal)
