"""`around`: an interval method around forecasts of any model."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ngrc._frames import Frame, columns_like, is_pandas, nullable
from ngrc._shares import share
from ngrc._text import percent
from ngrc._types import FloatArray
from ngrc.ends import judged_ends
from ngrc.external.results import ExternalBand, ExternalIntervals, distribution
from ngrc.external.rows import Rows, check_bounds, check_rows, read_rows
from ngrc.features.bounds import Bounds
from ngrc.features.limits import Limits, found_limits
from ngrc.features.link import Link
from ngrc.intervals.base import IntervalMethod, Stream
from ngrc.intervals.defaults import USUAL, resolve
from ngrc.intervals.levels import Pass, nested_passes
from ngrc.origins import clock_periods, context_of, wants_context
from ngrc.series.outward import time_column
from ngrc.series.wording import Where, array_row
from ngrc.validation import check_count, check_levels


def around(
    y: Any,
    forecasts: Any,
    method: str | IntervalMethod = USUAL,
    *,
    horizon: int = 1,
    level: float | Sequence[float] = 0.95,
    calibration: float = 0.5,
    lower: float | None = None,
    upper: float | None = None,
    times: Any = None,
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
        One or several nominal coverages, each once. The intervals of a higher level hold those of a lower one.
    calibration
        Share of the rows with forecast and outcome that only calibrate, above 0 and at most 1.
    lower, upper
        Bounds that no outcome crosses, such as 0 for power: ends are cut to them, and an outcome beyond is an error.
        Methods that keep to bounds also find one where the calibrating outcomes pile up on it.
    times
        Of the rows, shape (n,), for methods that read the clock: dates tell a day from a week. Without them periods
        are looked for in the outcomes alone.
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
    >>> around(y, forecasts, "split", level=[0.5, 0.9]).quantiles([0.05, 0.5, 0.95]).shape
    (101, 3)
    """
    levels, steps = check_levels(level), check_count(horizon, "horizon")
    if not 0.0 < calibration <= 1.0:
        raise ValueError(f"calibration must be a share above 0 and at most 1, got {calibration!r}; try 0.5")
    bounds = Bounds(lower, upper)
    rows = read_rows(y, forecasts, times, steps, where)
    check_bounds(rows, bounds, where)
    residuals, known = rows.residuals, rows.known
    start = share(calibration, known)
    check_rows(known, start, residuals.size, steps, calibration)
    # A future residual is never visible: its row is issued `horizon` rows after the last known outcome at most.
    stream = Stream(np.where(np.isnan(residuals), 0.0, residuals), start, steps)
    interval_method = _without_leverage(resolve(method, seed=seed))
    stream = _with_context(stream, rows, interval_method)
    limits = found_limits(rows.outcomes, stream.known, stream.steps) if interval_method.bounded else None
    passes = nested_passes(interval_method, stream, levels)
    centre, scored = rows.forecasts[start:], residuals[start:known]
    bands = tuple(_band(one, centre, scored, Link(bounds=bounds), limits) for one in passes)
    return ExternalIntervals(
        method=interval_method.name,
        horizon=steps,
        start=rows.first + start,
        first=rows.first,
        forecasts=centre,
        scored=known - start,
        bands=bands,
        crps=distribution(bands).crps(rows.outcomes[start:known]),
        bounds=_both(bounds, limits),
        guarantee=passes[0].tuned.guarantee,
        table=_table(y, rows, start, bands),
    )


def _table(source: Any, rows: Rows, start: int, bands: Sequence[ExternalBand]) -> Frame:
    """One row per interval, in the library that the outcomes came in; a future outcome is missing."""
    pandas = is_pandas(source)
    columns: dict[str, Any] = {}
    if rows.times is not None:
        columns["time"] = time_column(rows.times[start:], rows.style, pandas)
    outcomes = rows.outcomes[start:]
    columns["y"] = outcomes if pandas else nullable(outcomes)
    columns["forecast"] = rows.forecasts[start:]
    for band in bands:
        suffix = "" if len(bands) == 1 else f"_{percent(band.level)}"
        columns |= {f"lower{suffix}": band.lower, f"upper{suffix}": band.upper}
    return columns_like(source, columns)


def _with_context(stream: Stream, rows: Rows, method: IntervalMethod) -> Stream:
    """The stream with the forecasts and the clock, where the method reads them."""
    if not wants_context([method]):
        return stream
    # The clock is read off what is known when the first interval is issued.
    seen = slice(0, stream.known)
    periods = clock_periods(rows.outcomes[seen], None if rows.times is None else rows.times[seen])
    return replace(stream, context=context_of(rows.forecasts, periods, rows.first))


def _band(
    one: Pass, forecasts: FloatArray, residuals: FloatArray, link: Link, limits: Limits | None
) -> ExternalBand:
    ends = judged_ends(one.offsets, forecasts, residuals, one.level, link, limits)
    return ExternalBand(
        one.level,
        ends.lower,
        ends.upper,
        **ends.scores._asdict(),
        selected={**one.tuned.selected, **one.tuned.leaned(one.offsets.trace)},
    )


def _both(given: Bounds, limits: Limits | None) -> Bounds:
    """Bounds that were found, and those that were given where none was; a found one is never the wider."""
    if limits is None:
        return given
    found = limits.bounds
    return Bounds(
        given.lower if found.lower is None else found.lower,
        given.upper if found.upper is None else found.upper,
    )


def _without_leverage(method: IntervalMethod) -> IntervalMethod:
    """The method; refuse one that needs what only a fitted readout has."""
    if method.name == "bayes":
        raise ValueError(
            "bayes needs the leverage of a fitted readout, which forecasts from elsewhere do not have; "
            "choose split, adaptive or another method"
        )
    return method
