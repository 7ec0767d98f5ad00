"""Rules for columns beside a series: how many rows, at which times, and what may be missing."""

from collections.abc import Mapping, Sequence

import numpy as np

from ngrc._types import AnyArray, FloatArray
from ngrc.series.agreement import check_same_times, extended
from ngrc.series.gaps import carry_forward
from ngrc.series.regular import check_regular
from ngrc.series.wording import array_row, plural, shown_time


def kept_rows(
    columns: Mapping[str, FloatArray], known: Sequence[str], count: int, skip: int, ahead: int | None
) -> int:
    """How many rows from `skip` on are kept; too few, or too many of what is not known ahead, raise."""
    rows = next(iter(columns.values())).size - skip
    if rows < count:
        raise ValueError(
            f"exog has {plural(rows + skip, 'row')} beside a series of {count + skip} observations; give one row per "
            "observation"
        )
    if not known:
        for name, column in columns.items():
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


def channel_times(own: AnyArray | None, series: AnyArray | None, skip: int, rows: int) -> AnyArray | None:
    """The times of the kept rows: their own, which must agree with the series', or the series' carried on."""
    mine = None if own is None else own[skip : skip + rows]
    if mine is not None and series is not None:
        check_same_times(series[:rows], mine, ("the series", "exog"))
    elif mine is not None:
        check_regular(mine, array_row)
    return mine if mine is not None or series is None else extended(series, rows)


def carried(name: str, raw: FloatArray, count: int, skip: int) -> tuple[FloatArray, tuple[str, ...]]:
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


def check_complete(name: str, values: FloatArray, count: int, times: AnyArray | None) -> None:
    """Raise `ValueError` where a column that is known ahead lacks a value."""
    missing = np.flatnonzero(np.isnan(values))
    if missing.size:
        row = int(missing[0])
        when = "" if times is None else f", {shown_time(times[row])}"
        place = f"future row {row - count + 1}" if row >= count else array_row(row)
        raise ValueError(
            f"the known input {name!r} has no value at {place}{when}; give it, or declare the column as exog, which is "
            "observed only"
        )
