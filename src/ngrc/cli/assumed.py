"""What was taken of a source: which column, which times, how often, which periods; in words and for JSON."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ngrc.cli.speech import remark
from ngrc.forecasters.facts import record_of
from ngrc.series import Series
from ngrc.series.files import taken_note, times_source
from ngrc.series.frequency import frequency
from ngrc.series.outward import time_text

STANDARD_INPUT = "-"


def title(source: str, series: Series) -> str:
    """What people call the series: its file, and the column where that says more.

    Examples
    --------
    >>> import numpy as np
    >>> title("data/load.csv", Series(np.ones(2), name="north")), title("exchange", Series(np.ones(2), name="exchange"))
    ('load.csv, north', 'exchange')
    """
    file = file_name(source)
    # A file without a header gives the series its own name, up to the first dot.
    return file if series.name in (file, file.split(".")[0]) else f"{file}, {series.name}"


def file_name(source: str) -> str:
    """The file's name without its folders; standard input has none of its own."""
    return "standard input" if source == STANDARD_INPUT else Path(source).name


def periods_of(model: object) -> list[float]:
    """Periods, in steps, that a fitted model was given or proposed to itself; shortest first."""
    chosen = record_of(model)
    if chosen is not None:
        return sorted({float(period["steps"]) for band in chosen for period in band["periods"]})
    told = model.get_params(deep=False).get("periods") if hasattr(model, "get_params") else None
    return sorted(float(period) for period in told) if isinstance(told, Sequence) else []


def reading(source: str, series: Series, model: object | None) -> dict[str, Any]:
    """What was taken, ready for JSON; without a model nothing is said of periods."""
    ends: list[Any] = [None, None]
    if series.times is not None:
        ends = [str(time) for time in time_text(series.times[[0, -1]], series.style)]
    return {
        "source": file_name(source),
        "column": series.name,
        "times": times_source(series.notes),
        "observations": len(series),
        "frequency": frequency(series.times),
        "first": ends[0],
        "last": ends[1],
        "filled": series.filled,
        "periods": None if model is None else periods_of(model),
    }


def sentence(taken: dict[str, Any]) -> str:
    """The same in one line."""
    clock = f", times from {taken['times']}" if taken["times"] else ""
    often = f", {taken['frequency']}" if taken["frequency"] else ""
    span = f" from {taken['first']} to {taken['last']}" if taken["first"] else ""
    taken_words = f"column {taken['column']!r}{clock}, {taken['observations']:,} values{often}{span}"
    if taken["periods"] is None:
        return taken_words
    periods = ", ".join(f"{period:g}" for period in taken["periods"])
    return f"{taken_words}; {f'periods of {periods} steps' if periods else 'no period'}"


def say_reading(taken: dict[str, Any], notes: Sequence[str]) -> None:
    """Say on standard error what was taken, and then the remarks, but for the one that says the same."""
    remark(sentence(taken), "took")
    # Without times that remark says how rows are taken, which the sentence does not.
    for note in notes:
        if taken["times"] is None or not taken_note(note):
            remark(note)
