"""From the first rows of a series to what a forecaster starts from, and back from a history that was given."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ngrc._types import AnyArray, FloatArray
from ngrc.durable.observation import Observation
from ngrc.durable.times import Scale, Stamp
from ngrc.series import Series, as_series
from ngrc.series.outward import offset_minutes, time_text
from ngrc.series.regular import find_grid, is_regular
from ngrc.series.value import build

SPARSE = 10
"""Times per observation beyond which a history has more holes than values."""


def begun(scale: Scale, stamps: Sequence[Stamp], values: Sequence[float | None]) -> tuple[Scale, Series]:
    """The series that gathered observations make, times that were passed over being missing, and its scale."""
    numbers = np.array([np.nan if value is None else value for value in values])
    if scale.kind == "index":
        return scale, _series(_counted(np.array([one.moment for one in stamps]), numbers), None)
    chosen = _clock(scale, list(stamps))
    times = chosen.inside(list(stamps))
    assert times is not None
    if times.size > 1 and not is_regular(times):
        times, numbers = _filled(times, numbers)
    return chosen, _series(numbers, times)


def _series(values: FloatArray, times: AnyArray | None) -> Series:
    return build(values, times, lambda row: f"observation {row + 1}", regrid=False, name="series", notes=())


def _clock(scale: Scale, stamps: list[Stamp]) -> Scale:
    """Universal time, or the wall clock where that alone is regular: days across a clock change."""
    wall = replace(scale, wall=True)
    if scale.kind != "zoned" or len(stamps) < 3 or _fits(scale, stamps) or not _fits(wall, stamps):
        return scale
    return wall


def _fits(scale: Scale, stamps: list[Stamp]) -> bool:
    times = scale.inside(stamps)
    if times is None or np.any(times[1:] <= times[:-1]):
        return False
    return is_regular(times) or bool(find_grid(times).cells(times)[1].all())


def _counted(indices: AnyArray, values: FloatArray) -> FloatArray:
    size = int(indices[-1]) + 1
    _check_dense(size, values.size)
    filled = np.full(size, np.nan)
    filled[indices] = values
    return filled


def _filled(times: AnyArray, values: FloatArray) -> tuple[AnyArray, FloatArray]:
    """All points of the grid that the times follow; unchanged where one is off it, which `build` then names."""
    grid = find_grid(times)
    cells, exact = grid.cells(times)
    if not exact.all():
        return times, values
    places = cells - cells[0]
    size = int(places[-1]) + 1
    _check_dense(size, values.size)
    filled = np.full(size, np.nan)
    filled[places] = values
    return grid.points(cells[0] + np.arange(size)), filled


def _check_dense(size: int, count: int) -> None:
    if size > SPARSE * count:
        raise ValueError(
            f"the {count} first observations are spread over {size} times; send them without such holes"
        )


def given(history: Any) -> list[Observation]:
    """The observations of a history in any form that `as_series` takes; its times as text."""
    series = as_series(history)
    values = series.values.tolist()
    if series.missing is not None:
        values = [None if gone else value for value, gone in zip(values, series.missing, strict=True)]
    if series.times is None:
        return [Observation(value) for value in values]
    if series.times.dtype.kind != "M":
        raise ValueError(
            "times of a history that is kept must be dates; leave other times out, to count by index"
        )
    return [Observation(value, time) for value, time in zip(values, _texts(series), strict=True)]


def _texts(series: Series) -> list[str]:
    """Times in ISO 8601, with the zone of the source."""
    style = replace(series.style, pattern=None, number=False, period=None)
    if style.offset is not None:
        minutes = offset_minutes(style.offset)
        sign, size = "-" if minutes < 0 else "+", abs(minutes)
        style = replace(style, offset=f"{sign}{size // 60:02d}:{size % 60:02d}")
    if style.wall:
        style = replace(style, zone=None, offset=None)
    assert series.times is not None
    return [str(text) for text in time_text(series.times, style)]
