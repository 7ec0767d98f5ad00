"""Files of every kind as a `Series`."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from ngrc.series.dates import Dates
from ngrc.series.entry import RawSeries, built, raw_from_table
from ngrc.series.frequency import frequency
from ngrc.series.opened import OpenedTable, in_file, open_table
from ngrc.series.outward import time_text
from ngrc.series.stacks import check_single_axis
from ngrc.series.timeline import time_order
from ngrc.series.value import Series
from ngrc.series.wide import refuse_times_as_columns

_TIMES = "times from column"
_VALUES = "values from column"


def read_series(
    path: str | Path,
    *,
    column: str | int | None = None,
    time: str | int | None = None,
    resample: bool = False,
) -> Series:
    r"""Read one series from a file, or from standard input.

    CSV, TSV and other delimited text in any usual encoding, Excel, Parquet, Feather, JSON and JSON lines, plain,
    gzipped or in a zip archive. Titles above the header, units below it, totals at the end, decimal commas, thousands
    separators, and dates of many forms are understood; `notes` say what was taken.

    Parameters
    ----------
    path
        The file, or "-" for standard input; its content decides how it is read, not its name.
    column, time
        Names of the columns of values and times. Without them the time is the first column of dates or with
        a name such as date or time; the values are the only numeric column, else y, value or target, else
        the first.
    resample
        As in `as_series`. Without it rows in the wrong order are sorted, and gaps raise.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "sales.csv"
    ...     _ = path.write_text("month,sales\n2024-01,5\n2024-02,NA\n2024-03,7\n")
    ...     series = read_series(path)
    >>> series.name, series.values, series.missing
    ('sales', array([5., 5., 7.]), array([False,  True, False]))
    >>> series.notes[0]
    "values from column 'sales', times from column 'month': every month, 2024-01 to 2024-03"
    """
    try:
        opened = open_table(path, named=column is not None or time is not None)
        return one_series(opened, column, time, resample)
    except ValueError as error:
        raise in_file(path, error) from None


def one_series(
    opened: OpenedTable, column: str | int | None, time: str | int | None, resample: bool
) -> Series:
    """One series of a table, as `read_series` reads it."""
    if column is None:
        refuse_times_as_columns(opened.table)
    raw = raw_from_table(opened.table, column, time, opened.where)
    if not resample:
        raw = in_time_order(raw)
    series = built(raw.values, raw.dates, opened.where, resample, opened.name or raw.name, raw.notes)
    return replace(series, notes=with_taken(series, raw, time, opened.notes))


def in_time_order(raw: RawSeries) -> RawSeries:
    """Rows in the order of time where that makes them regular, with a remark; otherwise as they stand."""
    if raw.dates is None or raw.dates.times.size != raw.values.size:
        return raw
    # Before they are sorted: two series one after the other would become one.
    check_single_axis(raw.dates.times)
    ordered = time_order(raw.dates.times)
    if ordered is None:
        return raw
    order, note = ordered
    dates: Dates = raw.dates._replace(times=raw.dates.times[order])
    return raw._replace(values=raw.values[order], dates=dates, notes=(*raw.notes, note))


def with_taken(
    series: Series, raw: RawSeries, time: str | int | None, file_notes: tuple[str, ...]
) -> tuple[str, ...]:
    """All remarks, the first of them saying which columns, steps and times were taken."""
    source = next((note for note in series.notes if note.startswith(_TIMES)), None)
    others = (*file_notes, *(note for note in series.notes if note != source))
    taken = f"{_VALUES} {raw.name!r}"
    if series.times is None:
        return (f"{taken}; no times, rows are taken in their order", *others)
    source = source or (_TIMES if time is None else f"{_TIMES} {str(time)!r}")
    first, last = time_text(series.times[[0, -1]], series.style)
    words = frequency(series.times)
    return (f"{taken}, {source}: {words + ', ' if words else ''}{first} to {last}", *others)


def taken_note(note: str) -> bool:
    """Whether a remark is the one that says which columns were taken."""
    return note.startswith(_VALUES)


def times_source(notes: Sequence[str]) -> str | None:
    """Which columns the times are from, out of the remark that says so; None where there is none.

    Examples
    --------
    >>> times_source(["values from column 'y', times from columns 'day' and 'hour': every hour, 1 to 2"])
    "columns 'day' and 'hour'"
    """
    taken = next((note for note in notes if taken_note(note)), "")
    # What follows the last colon is the step and the ends; times have no space after theirs.
    _, found, source = taken.rpartition(": ")[0].partition(f", {_TIMES}")
    return f"column{source}" if found else None
