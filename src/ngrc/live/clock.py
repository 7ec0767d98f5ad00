"""Which time comes next, how many were passed over, and what is late."""

from dataclasses import dataclass, fields
from datetime import UTC, date, datetime
from numbers import Integral, Real
from typing import Any, Self
from zoneinfo import ZoneInfo

import numpy as np

from ngrc._types import AnyArray
from ngrc.archive import check_that
from ngrc.live.coming import Time
from ngrc.series import Series
from ngrc.series.grid import FloatSteps, Grid, Months, Steps, Weekdays
from ngrc.series.regular import find_grid
from ngrc.series.sessions import Sessions
from ngrc.series.style import PLAIN, TimeStyle

GRIDS: dict[str, Any] = {
    "steps": Steps,
    "float steps": FloatSteps,
    "months": Months,
    "weekdays": Weekdays,
    "sessions": Sessions,
}
"""Grids by the names that they have in a file."""


@dataclass(slots=True)
class Clock:
    """The grid of a series' times and its newest point.

    Parameters
    ----------
    grid
        None where the series has no times: then points are indices.
    style
        How the history writes its times.
    newest
        Number of the newest point; without times the index of the newest observation.

    Examples
    --------
    >>> from ngrc.series import as_series
    >>> clock = Clock.of(as_series([1.0, 2.0, 3.0]))
    >>> clock.time(clock.newest), clock.point(5) - clock.newest
    (2, 3)
    """

    grid: Grid | None
    style: TimeStyle
    newest: int

    @classmethod
    def of(cls, series: Series) -> Self:
        """The clock at a history's last row."""
        if series.times is None:
            return cls(None, PLAIN, len(series) - 1)
        grid = find_grid(series.times)
        return cls(grid, series.style, int(grid.cells(series.times[-1:])[0][0]))

    def points(self, series: Series, count: int) -> list[int]:
        """The points of a series' last rows; working days leave out holidays, and are not always consecutive."""
        if self.grid is None or series.times is None:
            return list(range(len(series) - count, len(series)))
        return [int(point) for point in self.grid.cells(series.times[-count:])[0]]

    def times(self, points: AnyArray) -> AnyArray:
        """Times of numbered points."""
        if self.grid is None:
            return points
        found = self.grid.points(points)
        # Integers wrap around silently: datetime64[ns] ends in April 2262.
        if np.any(found[1:] <= found[:-1]):
            raise ValueError("the coming times do not fit into their type; give times of a coarser unit")
        return found

    def time(self, point: int) -> Time:
        """Time of one point: `datetime64` or a plain number."""
        if self.grid is None:
            return point
        found = self.grid.points(np.array([point]))[0]
        return found if isinstance(found, np.datetime64) else found.item()

    def point(self, time: Any) -> int:
        """The number of a time's point; `ValueError` where it is no time of this series."""
        if self.grid is None:
            return self._index(time)
        times = self._read(time)
        (cell,), (exact,) = self.grid.cells(times)
        if not exact:
            raise ValueError(
                f"time {time!r} is not on the series' grid of {self.grid.label}; the newest is "
                f"{self.time(self.newest)}, the next {self.time(self.newest + 1)}"
            )
        return int(cell)

    def _index(self, time: Any) -> int:
        if isinstance(time, bool | np.bool_) or not isinstance(time, Integral):
            raise ValueError(
                f"the history has no times, so that a time is the index of a row, counted from 0; got {time!r}"
            )
        return int(time)

    def _read(self, time: Any) -> AnyArray:
        """One time as the history's are, shape (1,)."""
        kind = getattr(self.grid, "dtype", np.dtype(np.float64))
        if kind.kind != "M":
            if (
                isinstance(time, bool | np.bool_)
                or not isinstance(time, Real)
                or not np.isfinite(float(time))
            ):
                raise ValueError(f"the history's times are numbers, got the time {time!r}; give a number")
            if kind.kind == "i" and not float(time).is_integer():
                raise ValueError(f"the history's times are whole numbers, got {time!r}")
            return np.array([time], dtype=kind)
        moment = self._moment(time)
        exact = moment.astype(kind)
        if exact.astype(moment.dtype) != moment:
            raise ValueError(f"time {time!r} is finer than the history's times, which are in {kind}")
        return np.array([exact], dtype=kind)

    def _moment(self, time: Any) -> "np.datetime64":
        """A date as numpy has it, on the clock that the history's times are kept in."""
        if isinstance(time, np.datetime64):
            moment = time
        elif hasattr(time, "to_datetime64"):
            # pandas: its numpy form is in UTC where there is a zone.
            moment = time.to_datetime64()
            if time.tzinfo is not None or self._zoned:
                moment = self._placed(time.to_pydatetime(warn=False))
        elif isinstance(time, str | date):
            moment = self._placed(_parsed(time))
        else:
            raise ValueError(
                f"the history's times are dates, got the time {time!r}; give a datetime, a numpy datetime64 or text in "
                "ISO 8601"
            )
        if np.isnat(moment):
            raise ValueError("the time is not a time (NaT); leave it out where the next one is meant")
        return moment

    @property
    def _zoned(self) -> bool:
        return self.style.zone is not None or self.style.offset is not None

    def _placed(self, moment: datetime) -> "np.datetime64":
        if (moment.tzinfo is None) == self._zoned:
            has, needs = ("no zone", "with its zone") if self._zoned else ("a zone", "without one")
            raise ValueError(
                f"time {moment.isoformat()} has {has}, and the history's times have "
                f"{'one' if self._zoned else 'none'}; give it {needs}"
            )
        if moment.tzinfo is not None:
            if not self.style.wall:
                moment = moment.astimezone(UTC)
            elif self.style.zone is not None:
                moment = moment.astimezone(ZoneInfo(self.style.zone))
            # A wall clock of written offsets is as it stands.
            moment = moment.replace(tzinfo=None)
        return np.datetime64(moment)

    def kept(self) -> dict[str, Any]:
        """Plain values: a type of numbers is kept by its name."""
        parts: dict[str, Any] | None = None
        if self.grid is not None:
            name = next(name for name, kind in GRIDS.items() if type(self.grid) is kind)
            parts = {"grid": name}
            for field in fields(self.grid):  # type: ignore[arg-type]
                value = getattr(self.grid, field.name)
                parts[field.name] = value.str if isinstance(value, np.dtype) else value
        return {"grid": parts, "style": self.style, "newest": self.newest}

    @classmethod
    def rebuilt(cls, kept: dict[str, Any]) -> Self:
        """The clock of what was kept."""
        check_that(list(kept) == ["grid", "style", "newest"], "a clock is a grid, a style and a newest point")
        parts, style, newest = kept["grid"], kept["style"], kept["newest"]
        check_that(isinstance(style, TimeStyle) and type(newest) is int, "a clock has a style and a point")
        grid = None
        if parts is not None:
            check_that(isinstance(parts, dict) and parts.get("grid") in GRIDS, "a clock has a known grid")
            kind = GRIDS[parts["grid"]]
            inside = {name: value for name, value in parts.items() if name != "grid"}
            check_that(list(inside) == [field.name for field in fields(kind)], "a grid has its own fields")
            if "dtype" in inside:
                inside["dtype"] = np.dtype(inside["dtype"])
                check_that(inside["dtype"].kind in "Mi", "times are dates or whole numbers")
            grid = kind(**inside)
            grid.points(np.array([newest]))
        return cls(grid, style, newest)


def _parsed(time: "str | date") -> datetime:
    if isinstance(time, str):
        try:
            return datetime.fromisoformat(time.strip())
        except ValueError:
            raise ValueError(f"time {time!r} is no date in ISO 8601; write it as 2026-01-31T12:00") from None
    return time if isinstance(time, datetime) else datetime(time.year, time.month, time.day)
