"""A file of outcomes and forecasts, column by column as the user wrote it."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ngrc._types import AnyArray, FloatArray
from ngrc.series.columns import known
from ngrc.series.entry import numbers_of
from ngrc.series.labels import TIME_NAMES, label
from ngrc.series.opened import in_file, open_table
from ngrc.series.outward import time_text
from ngrc.series.panels import check_one_series
from ngrc.series.parts import Parts, find_parts, read_parts, read_times
from ngrc.series.regular import is_regular
from ngrc.series.table import Table, worth_a_look
from ngrc.series.wording import Where, shown_time

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True, slots=True)
class Forecasts:
    """Columns of a file, shape (n,) each; NaN where a number is missing.

    Parameters
    ----------
    times
        The column as the file has it, text or typed; parts such as date and hour joined; or None.
    outcomes, forecasts
        Numbers.
    where
        Names a row for a person.
    notes
        Remarks on how the file was read.
    clock
        The times as dates or numbers, or None.
    """

    times: "pl.Series | None"
    outcomes: FloatArray
    forecasts: FloatArray
    where: Where
    notes: tuple[str, ...] = ()
    clock: AnyArray | None = None


def read_forecasts(path: str | Path, *, time: str | None, outcome: str, forecast: str) -> Forecasts:
    """Read the named columns of a file of any kind that `read_series` reads; `time` is detected where None."""
    try:
        table, where = open_table(path, named=True)[:2]
        names = table.frame.columns
        outcomes, notes = numbers_of(table, _named(outcome, names, "--y"), where)
        forecasts, more = numbers_of(table, _named(forecast, names, "--forecast"), where)
        taken = (known(forecast, names), known(outcome, names))
        others = [name for name in worth_a_look(names) if name not in taken]
        clock = _clock(names) if time is None else known(time, names)
        parts = find_parts(table, clock, others)
        if clock is None and parts is None:
            more += check_one_series(table, None, taken[:1], taken[1], chosen=True)
            return Forecasts(None, outcomes, forecasts, where, notes + more)
        times, column, time_columns = _times(table, clock, parts, where)
        more += check_one_series(table, times, (*time_columns, taken[0]), taken[1], chosen=True)
        irregular = _check_order(times, where)
        return Forecasts(column, outcomes, forecasts, where, notes + more + irregular, times)
    except ValueError as error:
        raise in_file(path, error) from None


def _named(name: str, names: Sequence[Any], option: str) -> Any:
    """The column of that name; a missing one raises and says which option names it."""
    try:
        return known(name, names)
    except ValueError as error:
        raise ValueError(f"{error}; name it with {option}") from None


def _times(
    table: Table, clock: Any | None, parts: Parts | None, where: Where
) -> tuple[AnyArray, "pl.Series", tuple[Any, ...]]:
    """The times for their order, the column that goes out, and the columns they come from.

    One column goes out as it stands in the file; parts go out joined.
    """
    import polars as pl

    if parts is None:
        return read_times(table, clock, where).times, table.column(clock).to_native(), (clock,)
    dates = read_parts(table, parts, where)
    return dates.times, pl.Series("time", time_text(dates.times, dates.style)), parts.names


def _clock(names: Sequence[Any]) -> Any | None:
    return next((name for name in names if label(name) in TIME_NAMES), None)


def _check_order(times: AnyArray, where: Where) -> tuple[str, ...]:
    """Times must increase, as rows are taken in their order; a gap is only remarked."""
    late = np.flatnonzero(times[1:] <= times[:-1])
    if late.size:
        row = int(late[0]) + 1
        raise ValueError(
            f"{where(row)}: time {shown_time(times[row])} does not come after that of the row before, "
            f"{shown_time(times[row - 1])}; sort the rows and keep one row per time"
        )
    if times.size > 2 and not is_regular(times):
        return ("the times are not evenly spaced; the horizon counts rows, not time",)
    return ()
