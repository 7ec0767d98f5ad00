"""One series of a panel: its rows in the order of time, as a regular series with the columns beside it."""

from dataclasses import dataclass

import numpy as np

from ngrc._types import AnyArray, FloatArray
from ngrc.panel.layout import Layout
from ngrc.panel.rows import Block, Clock, Panel
from ngrc.series import Channels, Series
from ngrc.series.dates import Dates, in_universal_time
from ngrc.series.entry import built
from ngrc.series.gaps import carry_forward
from ngrc.series.numbers import finite, from_array
from ngrc.series.outward import time_column
from ngrc.series.regular import constant_step
from ngrc.series.resampling import resample
from ngrc.series.stacks import check_single_axis
from ngrc.series.style import TimeStyle
from ngrc.series.times import times_from_array
from ngrc.series.value import complete
from ngrc.series.zones import two_clocks

# Whole numbers in these ranges may be dates, written 202401 or 20240131: `times_from_array` looks at them more closely.
_COMPACT = ((180_001, 220_012), (18_000_101, 22_001_231))
# Whole numbers beyond this cannot be counted in 64 bits, and it says so.
_LARGEST = 2**62


@dataclass(frozen=True, slots=True, eq=False)
class Recorded:
    """One series as it was recorded: rows in the order of time, gaps as they are.

    Parameters
    ----------
    values, dates
        The target with NaN where missing, shape (n,), and its times.
    beside
        Columns beside it, shape (m, columns) with m >= n: rows from n on are the future.
    clock
        Their times, shape (m,).
    """

    values: FloatArray
    dates: Dates
    beside: FloatArray
    clock: AnyArray

    def until(self, stop: int, ahead: int = 0) -> "Recorded":
        """What is known after `stop` rows; of the columns beside it, `ahead` rows more."""
        dates = self.dates._replace(times=self.dates.times[:stop])
        return Recorded(self.values[:stop], dates, self.beside[: stop + ahead], self.clock[: stop + ahead])


def recorded(one: Panel, layout: Layout, regrid: bool) -> Recorded:
    """Read the times of a panel of one series, put its rows in their order and, where asked, on a regular grid."""
    dates, order = _in_order(one.observed)
    values = _numbers(one.observed.values[order])
    beside, clock = one.observed.beside[order], dates.times
    if one.future is None:
        size = _outcomes(values) if layout.known else values.size
        values, dates = values[:size], dates._replace(times=dates.times[:size])
    elif len(one.future.clock):
        coming, then = _in_order(one.future)
        rows = np.full((len(coming.times), len(layout.beside)), np.nan)
        rows[:, len(layout.exog) :] = one.future.beside[then]
        beside, clock = np.concatenate([beside, rows]), np.concatenate([clock, coming.times])
    record = Recorded(values, dates, beside, clock)
    return _gridded(record) if regrid else record


def _outcomes(values: FloatArray) -> int:
    """Rows through the last outcome: where inputs are known ahead, rows after it are the future."""
    known = np.flatnonzero(~np.isnan(values))
    return int(known[-1]) + 1 if known.size else values.size


def _gridded(record: Recorded) -> Recorded:
    """The record on the regular grid of its most common step, by the rules of `as_series(resample=True)`."""
    check_single_axis(record.dates.times)
    times, values, notes = resample(record.dates.times, record.values)
    dates = record.dates._replace(times=times, notes=record.dates.notes + notes)
    if not record.beside.shape[1]:
        return Recorded(values, dates, np.empty((times.size, 0)), times)
    # The grid follows from the times alone, so that all columns come out on the same one.
    columns = [resample(record.clock, column)[:2] for column in record.beside.T]
    return Recorded(values, dates, np.stack([column for _, column in columns], axis=1), columns[0][0])


def series_of(record: Recorded, layout: Layout) -> tuple[Series, Channels | None]:
    """The regular series without gaps, by the rules of `as_series`, and the channels beside it."""
    series = _built(record, layout.target)
    if not layout.beside:
        return series, None
    past = len(series) + series.dropped
    columns = record.beside.copy()
    # Values from before the first outcome are carried into the series: afterwards they are cut off with its gap.
    for place in range(len(layout.exog)):
        columns[:past, place] = _carried(columns[:past, place])
    return series, Channels(layout.beside, columns[series.dropped :], record.clock[series.dropped :])


def _built(record: Recorded, name: str) -> Series:
    dates = record.dates
    # Times in even steps pass every check of the grid, which would take longer than all the rest of the reading.
    if constant_step(dates.times) is not None:
        return complete(record.values, dates.times, name=name, style=dates.style)
    return built(record.values, dates, row_of_series, False, name, ())


def row_of_series(row: int) -> str:
    """Name a row for a person: counted within its series, as other rows are elsewhere on another machine."""
    return f"row {row + 1} of the series, counting from 1 in the order of time"


def universal(times: AnyArray, style: TimeStyle) -> AnyArray:
    """Times of a series in UTC where its column has a zone, and as they are elsewhere; numbers that are dates again."""
    if style.number:
        return np.asarray(time_column(times, style, pandas=False))
    if style.zone is None or not style.wall:
        return times
    import narwhals as nw

    moments, _ = two_clocks(nw.from_native(time_column(times, style, pandas=False), series_only=True))
    return moments


def _in_order(block: Block) -> tuple[Dates, AnyArray]:
    """Checked times in rising order, and the rows in that order."""
    ticks = block.clock.times
    ticks = ticks if ticks.dtype.kind in "Miuf" else _read(Clock(ticks)).times
    order = np.arange(ticks.size)
    # Not `any(<=)`: a missing time compares as false, and goes to the end.
    if not np.all(ticks[1:] > ticks[:-1]):
        # Among rows of one time the value decides: an engine that shuffles keeps no order of rows.
        tied = block.values if block.values.dtype.kind == "f" else np.zeros(ticks.size)
        order = np.lexsort((tied, ticks))
    return _read(block.clock[order]), order


def _read(clock: Clock) -> Dates:
    times = clock.times
    if times.dtype.kind in "iu" and times.size and not _special(int(times.min()), int(times.max())):
        return Dates(times.astype(np.int64), ())
    dates = times_from_array(times if times.dtype.kind in "Mf" else list(times), row_of_series)
    if clock.local is None:
        return dates
    return in_universal_time(dates.times, clock.local, clock.style)


def _special(least: int, most: int) -> bool:
    """Whether whole numbers may be dates, or are too large to be counted in."""
    dates = any(least >= low and most <= high for low, high in _COMPACT)
    return dates or max(abs(least), abs(most)) >= _LARGEST


def _numbers(values: AnyArray) -> FloatArray:
    if values.dtype.kind == "f":
        return finite(values, row_of_series)
    return from_array(values, row_of_series)


def _carried(column: FloatArray) -> FloatArray:
    """A column carried forward, its leading gap left; one without any value as it is."""
    if np.all(np.isnan(column)):
        return column
    complete, _, dropped = carry_forward(column)
    return np.concatenate([column[:dropped], complete])
