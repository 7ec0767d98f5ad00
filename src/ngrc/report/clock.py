"""How the positions of a series are told: on an axis, and in words as they came in."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from ngrc._types import AnyArray, IntArray
from ngrc.series import Series
from ngrc.series.outward import time_column, time_text
from ngrc.series.regular import find_grid
from ngrc.series.style import TimeStyle

Kind = Literal["date", "number", "position"]
Label = str | int | float


@dataclass(frozen=True, slots=True)
class Clock:
    """Times of the observations and of the coming steps behind them; None where there are none."""

    count: int
    times: AnyArray | None
    style: TimeStyle

    @property
    def kind(self) -> Kind:
        """What an axis shows."""
        if self.times is None:
            return "position"
        return "date" if self.times.dtype.kind == "M" else "number"

    def axis(self, positions: IntArray) -> tuple[Label, ...]:
        """Places on an axis: dates on the wall clock of the source as ISO 8601, numbers, or positions."""
        if self.times is None:
            return tuple(int(position) for position in positions)
        # The clock that the source shows; its offset is no part of a place on the axis.
        plain = replace(self.style, pattern=None, number=False, period=None)
        texts = time_text(self.times[positions], plain)
        cut = 6 if plain.zone is not None else len(plain.offset or "") * (not plain.wall)
        return tuple(label[:-cut] if cut and isinstance(label, str) else label for label in texts)

    def words(self, positions: IntArray) -> tuple[str, ...]:
        """The same in the spelling of the source."""
        if self.times is None:
            return tuple(str(position) for position in positions)
        return tuple(str(label) for label in time_text(self.times[positions], self.style))

    @property
    def spacing(self) -> str | None:
        """What separates two observations, such as "1 hour"; None where nobody knows."""
        if self.times is None or self.times.size < 2:
            return None
        return str(find_grid(self.times).label)


def clock_of(series: Series, coming: AnyArray | None = None) -> Clock:
    """The clock of a series, and of the steps after its last where their times are known."""
    times = series.times
    if times is not None and coming is not None:
        times = np.concatenate([times, coming])
    return Clock(len(series), times, series.style)


@dataclass(frozen=True, slots=True)
class Cycle:
    """A part of the clock that values can be grouped by: its name, one number per position, and their names."""

    name: str
    parts: IntArray
    labels: tuple[str, ...]


WEEKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def cycle_of(series: Series, positions: IntArray) -> Cycle | None:
    """The hour of the day where it changes, else the day of the week, else the month; None without dates."""
    if series.times is None or series.times.dtype.kind != "M" or series.style.number:
        return None
    column = time_column(series.times[positions], series.style, pandas=False)
    choices: Sequence[tuple[str, str, int, tuple[str, ...]]] = (
        ("hour of the day", "hour", 0, tuple(f"{hour:02d}" for hour in range(24))),
        ("day of the week", "weekday", 1, WEEKDAYS),
        ("month", "month", 1, MONTHS),
    )
    for name, part, first, labels in choices:
        # A date has no hour.
        if part == "hour" and str(column.dtype) == "Date":
            continue
        numbers = getattr(column.dt, part)().to_numpy().astype(np.int64) - first
        if np.unique(numbers).size > 1:
            return Cycle(name, numbers, labels)
    return None
