"""Outcomes and forecasts from elsewhere, row by row: what is missing where it may be, and what is not."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from ngrc._types import AnyArray, BoolArray, FloatArray
from ngrc.features.bounds import Bounds
from ngrc.series.numbers import from_array
from ngrc.series.style import PLAIN, TimeStyle
from ngrc.series.times import times_from_array
from ngrc.series.wording import Where, plural


@dataclass(frozen=True, slots=True)
class Rows:
    """The rows from the first forecast on.

    Parameters
    ----------
    first
        How many rows come before the first forecast.
    outcomes
        NaN in the future, the last rows, only.
    forecasts
        One per row, finite.
    times
        One per row, or None.
    style
        How they were written, for tables that go out.
    """

    first: int
    outcomes: FloatArray
    forecasts: FloatArray
    times: AnyArray | None
    style: TimeStyle = PLAIN

    @property
    def residuals(self) -> FloatArray:
        """Outcome minus forecast, NaN in the future."""
        return self.outcomes - self.forecasts

    @property
    def known(self) -> int:
        """How many rows have an outcome."""
        return int(np.count_nonzero(~np.isnan(self.outcomes)))


def read_rows(y: Any, forecasts: Any, times: Any, horizon: int, where: Where) -> Rows:
    """Check what a user gave, and leave out the rows before the first forecast."""
    outcomes, said = from_array(y, where), from_array(forecasts, where)
    dates = None if times is None else times_from_array(times, where)
    clock = None if dates is None else dates.times
    first = _first_forecast(outcomes, said, horizon, where)
    if clock is not None and clock.size != outcomes.size:
        raise ValueError(f"one time per row is expected, got {clock.size} times of {outcomes.size} rows")
    style = PLAIN if dates is None else dates.style
    return Rows(first, outcomes[first:], said[first:], None if clock is None else clock[first:], style)


def check_bounds(rows: Rows, bounds: Bounds, where: Where) -> None:
    """Refuse outcomes beyond the bounds that were given."""
    y = rows.outcomes
    if bounds.lower is not None:
        _refuse(rows, y < bounds.lower, f"below lower={bounds.lower:g}", where)
    if bounds.upper is not None:
        _refuse(rows, y > bounds.upper, f"above upper={bounds.upper:g}", where)


def _refuse(rows: Rows, crossed: BoolArray, beyond: str, where: Where) -> None:
    if crossed.any():
        row = int(np.argmax(crossed))
        raise ValueError(
            f"{plural(int(np.count_nonzero(crossed)), 'outcome')} {beyond}, the first {rows.outcomes[row]:g} in "
            f"{where(rows.first + row)}; mend the rows or drop the bound"
        )


def _first_forecast(y: FloatArray, forecasts: FloatArray, horizon: int, where: Where) -> int:
    """First row with a forecast; from there on forecasts have no gap, and outcomes lack in the future only."""
    if y.size != forecasts.size:
        raise ValueError(
            f"one forecast per outcome is expected, got {forecasts.size} forecasts of {y.size} outcomes; "
            "give both the same length, with missing values where there is none"
        )
    rows_with_forecast = np.flatnonzero(~np.isnan(forecasts))
    if not rows_with_forecast.size:
        raise ValueError("no row has a forecast; at least one is needed")
    first = int(rows_with_forecast[0])
    gaps = first + np.flatnonzero(np.isnan(forecasts[first:]))
    if gaps.size:
        raise ValueError(
            f"{where(int(gaps[0]))} has no forecast; only rows before the first forecast may lack one"
        )
    rows_with_outcome = np.flatnonzero(~np.isnan(y[first:]))
    if not rows_with_outcome.size:
        raise ValueError("no row has both a forecast and an outcome; outcomes are needed to calibrate")
    last = first + int(rows_with_outcome[-1])
    missing = first + np.flatnonzero(np.isnan(y[first:last]))
    if missing.size:
        raise ValueError(
            f"{where(int(missing[0]))} has no outcome; only the last rows, the future, may lack one"
        )
    # At the last known outcome, row `last`, forecasts for the next `horizon` rows can have been made and no others: a
    # row further on would have to wait for outcomes that nobody has.
    future = y.size - 1 - last
    if future > horizon:
        raise ValueError(
            f"{where(last + 1 + horizon)} has no outcome and lies {future} rows after the last one that has; at "
            f"horizon {horizon} its forecast cannot have been made yet: give at most "
            f"{plural(horizon, 'future row')}, or the horizon at which the forecasts were made"
        )
    return first


def check_rows(known: int, start: int, rows: int, horizon: int, calibration: float) -> None:
    """Refuse a share that leaves too few rows to calibrate, or none for an interval."""
    # The residuals that are known at the first interval are start - (horizon - 1): two of them at the least.
    if start < horizon + 1:
        raise ValueError(
            f"too few rows to calibrate: {start} of the {known} with forecast and outcome at a share of "
            f"{calibration:g}, at least {horizon + 1} are needed at horizon {horizon}; give more rows or a larger share"
        )
    if start == rows:
        raise ValueError(
            f"all {rows} rows calibrate and none is left for an interval; use a smaller share or add future rows"
        )
