"""Which time comes next, how many were passed over, and what is late."""

from dataclasses import fields
from numbers import Integral
from typing import Any, Self

import numpy as np

from ngrc._types import AnyArray
from ngrc.archive import check_that
from ngrc.live.coming import Time
from ngrc.live.moment import read_time, shown
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
AT_ONCE = 256
"""Times that are made together: one costs 10 microseconds, as many as this hardly more."""


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

    __slots__ = ("_begin", "_made", "_table", "grid", "newest", "style")

    def __init__(self, grid: Grid | None, style: TimeStyle, newest: int) -> None:
        self.grid, self.style, self.newest = grid, style, newest
        self._begin, self._made, self._table = 0, list[Time](), np.empty(0)

    @classmethod
    def of(cls, series: Series) -> Self:
        """The clock at a history's last row."""
        if series.times is None:
            return cls(None, PLAIN, len(series) - 1)
        if len(series) < 2:
            raise ValueError("one row sets no step from a time to the next; give a longer history")
        grid = find_grid(series.times)
        return cls(grid, series.style, int(grid.cells(series.times[-1:])[0][0]))

    def newest_of(self, series: Series, count: int) -> list[Time]:
        """Times of a series' last rows."""
        if series.times is None:
            return list(range(len(series) - count, len(series)))
        return [_plain(time) for time in series.times[-count:]]

    def coming(self, count: int) -> AnyArray:
        """Times of the next points, shape (count,)."""
        if self.grid is None:
            return np.arange(self.newest + 1, self.newest + 1 + count)
        place = self.newest + 1 - self._begin
        if place < 0 or place + count > len(self._made):
            self._make(count)
            place = 1
        return self._table[place : place + count].copy()

    def following(self, ahead: int = 1) -> Time:
        """Time of the next point; `ValueError` where that of the point `ahead` from here does not fit into its type."""
        if self.grid is None:
            return self.newest + 1
        place = self.newest + 1 - self._begin
        if place < 0 or place + ahead > len(self._made):
            self._make(ahead)
            place = 1
        return self._made[place]

    def _make(self, count: int) -> None:
        """Times of the newest point and of many after it, as far as their type reaches."""
        for more in (AT_ONCE + count, count):
            self._table = self._points(self.newest + np.arange(more + 1))
            # Integers wrap around silently: datetime64[ns] ends in April 2262.
            if np.all(self._table[1:] > self._table[:-1]):
                self._begin, self._made = self.newest, [_plain(time) for time in self._table]
                return
        raise ValueError(
            f"the times after {self._table[0]} do not fit into {self._table.dtype}; give times of a coarser unit"
        )

    def _points(self, points: AnyArray) -> AnyArray:
        assert self.grid is not None
        return self.grid.points(points)

    def time(self, point: int) -> Time:
        """Time of one point: `datetime64` or a plain number."""
        return point if self.grid is None else _plain(self._points(np.array([point]))[0])

    def point(self, time: Any) -> int:
        """The number of a time's point; `ValueError` where it is no time of this series."""
        if self.grid is None:
            if isinstance(time, bool | np.bool_) or not isinstance(time, Integral):
                raise ValueError(
                    f"the history has no times, so that a time is the index of a row, counted from 0; got {time!r}"
                )
            return int(time)
        moment = read_time(time, getattr(self.grid, "dtype", np.dtype(np.float64)), self.style)
        # The next one, as most are, without asking the grid.
        if moment == self.following():
            return self.newest + 1
        (cell,), (exact,) = self.grid.cells(np.array([moment]))
        if not exact:
            raise ValueError(
                f"time {shown(time)} is not on the series' grid of {self.grid.label}; the newest is "
                f"{self.time(self.newest)}, the next {self.following()}"
            )
        return int(cell)

    def kept(self) -> dict[str, Any]:
        """Plain values: a type of numbers is kept by its name."""
        parts: dict[str, Any] | None = None
        if self.grid is not None:
            parts = {"grid": next(name for name, kind in GRIDS.items() if type(self.grid) is kind)}
            for field in fields(self.grid):  # type: ignore[arg-type]
                value = getattr(self.grid, field.name)
                parts[field.name] = value.str if isinstance(value, np.dtype) else value
        return {"grid": parts, "style": self.style, "newest": self.newest}

    @classmethod
    def rebuilt(cls, kept: dict[str, Any]) -> Self:
        """The clock of what was kept."""
        check_that(list(kept) == ["grid", "style", "newest"], "a clock is a grid, a style and a newest point")
        parts, style, newest = kept.values()
        check_that(isinstance(style, TimeStyle) and type(newest) is int, "a clock has a style and a point")
        clock = cls(None if parts is None else _grid(parts), style, newest)
        clock.following()
        return clock


def _grid(parts: Any) -> Any:
    check_that(isinstance(parts, dict) and parts.get("grid") in GRIDS, "a clock has a known grid")
    kind = GRIDS[parts["grid"]]
    inside = {name: value for name, value in parts.items() if name != "grid"}
    check_that(list(inside) == [field.name for field in fields(kind)], "a grid has its own fields")
    if "dtype" in inside:
        inside["dtype"] = np.dtype(inside["dtype"])
        check_that(inside["dtype"].kind in "Mi", "times are dates or whole numbers")
    return kind(**inside)


def _plain(time: Any) -> Time:
    """`datetime64`, or a plain number."""
    return time if isinstance(time, np.datetime64) else time.item()
