"""What was taken of a source: which column, which times, how often, which periods; in words and for JSON."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ngrc._types import AnyArray
from ngrc.cli.speech import remark
from ngrc.forecasters.facts import record_of
from ngrc.series import Series
from ngrc.series.outward import time_text
from ngrc.series.regular import find_grid

STANDARD_INPUT = "-"


def title(source: str, series: Series) -> str:
    """What people call the series: its file, and the column where that says more.

    Examples
    --------
    >>> title("data/load.csv", Series(np.ones(2), name="north")), title("exchange", Series(np.ones(2), name="exchange"))
    ('load.csv, north', 'exchange')
    """
    file = file_name(source)
    # A file without a header gives the series its own name, up to the first dot.
    return file if series.name in (file, file.split(".")[0]) else f"{file}, {series.name}"


def file_name(source: str) -> str:
    """The file's name without its folders; standard input has none of its own."""
    return "standard input" if source == STANDARD_INPUT else Path(source).name


def frequency(times: AnyArray | None) -> str | None:
    """How often a value comes, in words; None where there are no dates.

    Examples
    --------
    >>> frequency(np.arange("2024-01-01", "2024-01-03", dtype="M8[h]"))
    'every hour'
    >>> frequency(np.arange("2024-01-01T00:00", "2024-01-01T02:00", 15, dtype="M8[m]"))
    'every 15 minutes'
    """
    if times is None or times.dtype.kind != "M" or times.size < 2:
        return None
    # Months and years as units have no whole number of days; their first days have.
    days = times.astype("M8[D]") if np.datetime_data(times.dtype)[0] in ("Y", "M", "W") else times
    return f"every {find_grid(days).label.removeprefix('1 ')}"


def periods_of(model: object) -> list[float]:
    """Periods, in steps, that a fitted model was given or proposed to itself; shortest first."""
    chosen = record_of(model)
    if chosen is not None:
        return sorted({float(period["steps"]) for band in chosen for period in band["periods"]})
    told = model.get_params(deep=False).get("periods") if hasattr(model, "get_params") else None
    return sorted(float(period) for period in told) if isinstance(told, Sequence) else []


def reading(source: str, series: Series, model: object) -> dict[str, Any]:
    """What was taken, ready for JSON."""
    ends: list[Any] = [None, None]
    if series.times is not None:
        ends = [str(time) for time in time_text(series.times[[0, -1]], series.style)]
    return {
        "source": file_name(source),
        "column": series.name,
        "observations": len(series),
        "frequency": frequency(series.times),
        "first": ends[0],
        "last": ends[1],
        "filled": series.filled,
        "periods": periods_of(model),
    }


def sentence(taken: dict[str, Any]) -> str:
    """The same in one line."""
    often = f", {taken['frequency']}" if taken["frequency"] else ""
    span = f" from {taken['first']} to {taken['last']}" if taken["first"] else ""
    periods = ", ".join(f"{period:g}" for period in taken["periods"])
    seasons = f"periods of {periods} steps" if periods else "no period"
    return f"column {taken['column']!r}, {taken['observations']:,} values{often}{span}; {seasons}"


def say_reading(taken: dict[str, Any]) -> None:
    """Say on standard error what was taken."""
    remark(sentence(taken), "took")
