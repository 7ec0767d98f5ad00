"""Intervals around forecasts that came from elsewhere."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ngrc._shares import share
from ngrc._types import FloatArray
from ngrc.intervals.base import IntervalMethod, Stream
from ngrc.intervals.defaults import resolve
from ngrc.metrics import interval_scores
from ngrc.series.numbers import from_array
from ngrc.series.wording import Where, array_row, plural
from ngrc.validation import check_count, check_level


@dataclass(frozen=True, slots=True)
class ExternalIntervals:
    """Intervals of the rows from `start` on, and how they scored where the outcome is known.

    Parameters
    ----------
    method, level, horizon
        What was asked for.
    start
        First row with an interval; the rows before it, from `first` on, calibrate.
    first
        First row with a forecast.
    lower, upper
        Ends in the units of the outcomes, one pair per row from `start` on.
    scored
        How many of those rows have an outcome.
    coverage, width, winkler
        Over the scored rows, NaN where there are none; the width is of all rows with an interval.
    infinite
        How many intervals are unbounded, for want of calibration rows.
    selected
        What the method chose on the calibration rows.
    guarantee
        What the method promises.
    """

    method: str
    level: float
    horizon: int
    start: int
    first: int
    lower: FloatArray
    upper: FloatArray
    scored: int
    coverage: float
    width: float
    winkler: float
    infinite: int
    selected: Mapping[str, Any]
    guarantee: str


def around(
    y: Any,
    forecasts: Any,
    method: str | IntervalMethod = "adaptive",
    *,
    horizon: int = 1,
    level: float = 0.95,
    calibration: float = 0.5,
    seed: int = 0,
    where: Where = array_row,
) -> ExternalIntervals:
    """Put an interval method around forecasts of any model.

    Row t holds the outcome y[t] and the forecast of it that was made `horizon` rows before, so that its interval
    uses the outcomes of rows up to t - horizon only.

    Parameters
    ----------
    y
        Outcomes, shape (n,). The last rows, at most `horizon` of them, may be missing: the future.
    forecasts
        Forecasts of the same rows, shape (n,); missing ones are allowed before the first only.
    method
        A method or its name; not "bayes", which needs the leverage of a fitted readout.
    horizon
        Rows between the making of a forecast and its target.
    level
        Nominal coverage.
    calibration
        Share of the rows with forecast and outcome that only calibrate, above 0 and at most 1.
    seed
        Seed of ResCP where it is given by name.
    where
        Names a row in an error; counts from 1 by default.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> forecasts = np.arange(201.0)
    >>> y = [*(forecasts[:-1] + rng.normal(size=200)), None]
    >>> bands = around(y, forecasts, "split", level=0.9)
    >>> bands.start, bands.scored, bands.lower.size
    (100, 100, 101)
    """
    nominal, steps = check_level(level), check_count(horizon, "horizon")
    if not 0.0 < calibration <= 1.0:
        raise ValueError(f"calibration must be a share above 0 and at most 1, got {calibration!r}; try 0.5")
    first, residuals = _residuals(from_array(y, where), from_array(forecasts, where), steps, where)
    known = int(np.count_nonzero(~np.isnan(residuals)))
    start = share(calibration, known)
    _check_rows(known, start, residuals.size, steps, calibration)
    # A future residual is never visible: its row is issued `horizon` rows after the last known outcome at most.
    stream = Stream(np.where(np.isnan(residuals), 0.0, residuals), start, steps)
    interval_method = _without_leverage(resolve(method, stream.known, seed=seed))
    tuned = interval_method.tuned(stream.history, nominal)
    offsets = tuned.run(stream, nominal)
    # Scored on residuals, as the rounding of forecast + offset could turn a hit on the very end into a miss.
    scores = interval_scores(residuals[start:known], offsets.lower, offsets.upper, nominal)
    centre = from_array(forecasts, where)[first + start :]
    return ExternalIntervals(
        method=interval_method.name,
        level=nominal,
        horizon=steps,
        start=first + start,
        first=first,
        lower=centre + offsets.lower,
        upper=centre + offsets.upper,
        scored=known - start,
        coverage=scores.coverage,
        width=scores.width,
        winkler=scores.winkler,
        infinite=scores.infinite,
        selected=tuned.selected,
        guarantee=tuned.guarantee,
    )


def _residuals(y: FloatArray, forecasts: FloatArray, horizon: int, where: Where) -> tuple[int, FloatArray]:
    """First row with a forecast, and the residuals from there on: NaN in the future only."""
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
    return first, y[first:] - forecasts[first:]


def _check_rows(known: int, start: int, rows: int, horizon: int, calibration: float) -> None:
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


def _without_leverage(method: IntervalMethod) -> IntervalMethod:
    """The method; refuse one that needs what only a fitted readout has."""
    if method.name == "bayes":
        raise ValueError(
            "bayes needs the leverage of a fitted readout, which forecasts from elsewhere do not have; "
            "choose split, adaptive or another method"
        )
    return method
