"""The intervals of the test block: ends, scores, trailing coverage, and coverage at levels that were not asked for."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import isfinite
from typing import Any

import numpy as np

from ngrc._progress import followed
from ngrc._types import BoolArray, FloatArray
from ngrc.backtesting.gaps import Streams
from ngrc.backtesting.replay import stream_of
from ngrc.backtesting.results import Band, Run
from ngrc.backtesting.scoring import evaluate_levels
from ngrc.features.limits import found_limits
from ngrc.intervals.base import IntervalMethod
from ngrc.metrics import running_coverage
from ngrc.series import Series

GRID = (0.1, 0.25, 0.5, 0.65, 0.8, 0.9, 0.95, 0.99)
"""Levels of the calibration curve: even steps, and closer together where intervals are used."""
WINDOWS = 10
"""Trailing windows per test block: enough to see coverage move, each long enough to know it."""
LARGEST = {"rescp": 1_000}
"""Calibration residuals up to which a slow method is asked for all levels of the curve: a second or two of ResCP, which
takes ten for 2,500 of them where outcomes are missing."""
SHORTEST_WINDOW = 50
"""Outcomes of a trailing window at least: at 95 % two or three of them miss."""


@dataclass(frozen=True, slots=True)
class IntervalRow:
    """One method at one level over the test block; `lower` and `upper` are the ends, one pair per target.

    `best` says that the Winkler score is the smallest of the level; `infinite` counts intervals without a bound.
    """

    method: str
    level: float
    coverage: float
    coverage_error: float
    width: float
    winkler: float
    infinite: int
    seconds: float
    best: bool
    chosen: Mapping[str, Any]
    guarantee: str
    lower: FloatArray = field(repr=False)
    upper: FloatArray = field(repr=False)
    trailing: FloatArray = field(repr=False)
    """Coverage over the trailing window, NaN until it is full and where no outcome came."""


@dataclass(frozen=True, slots=True)
class CalibrationCurve:
    """Observed coverage of one method at nominal levels, both rising together."""

    method: str
    nominal: tuple[float, ...]
    observed: tuple[float, ...]


def trailing_window(outcomes: int) -> int:
    """Outcomes that trailing coverage looks back on: a tenth of them, no fewer than fifty, at most half.

    Examples
    --------
    >>> trailing_window(2000), trailing_window(200), trailing_window(30)
    (200, 50, 15)
    """
    return max(1, min(max(outcomes // WINDOWS, SHORTEST_WINDOW), outcomes // 2))


def trailing_coverage(outcomes: FloatArray, came: BoolArray, band: Band, window: int) -> FloatArray:
    """Share of the last `window` outcomes that came and lay inside, one per target; NaN where there is none."""
    trailing = np.full(outcomes.size, np.nan)
    trailing[came] = running_coverage(outcomes[came], band.lower[came], band.upper[came], window)
    return trailing


def interval_rows(values: FloatArray, run: Run, came: BoolArray) -> tuple[IntervalRow, ...]:
    """Every band of a run, by level and then by method; `came` says which test targets have an outcome."""
    outcomes, window = values[run.blocks.test], trailing_window(int(came.sum()))
    best = {
        level: min(
            (band.winkler for band in run.bands if band.level == level and isfinite(band.winkler)),
            default=None,
        )
        for level in {band.level for band in run.bands}
    }
    return tuple(
        IntervalRow(
            method=band.method,
            level=band.level,
            coverage=band.coverage,
            coverage_error=band.coverage_error,
            width=band.width,
            winkler=band.winkler,
            infinite=band.infinite,
            seconds=band.seconds,
            best=band.winkler == best[band.level],
            chosen=dict(band.selected),
            guarantee=band.guarantee,
            lower=band.lower,
            upper=band.upper,
            trailing=trailing_coverage(outcomes, came, band, window),
        )
        for band in run.bands
    )


def further_bands(
    run: Run, series: Series, methods: Mapping[str, IntervalMethod], levels: Sequence[float]
) -> tuple[Band, ...]:
    """Bands of further methods, or at further levels, around the forecasts of a finished run; by method, then level."""
    test, streams = run.blocks.test, Streams.of(stream_of(run, series), series.missing, run.blocks)
    limits = found_limits(series.values[: test.stop], run.blocks.history.stop, run.blocks.test_rows)
    bands: list[Band] = []
    for label, method in followed(methods.items(), "levels", len(methods)):
        stream, lost = streams.seen_by(method)
        said = run.forecasts[test]
        bands += evaluate_levels(method, label, stream, said, levels, run.link, limits, lost)
    return tuple(bands)


def calibration_curves(
    run: Run, series: Series, methods: Mapping[str, IntervalMethod]
) -> tuple[CalibrationCurve, ...]:
    """Observed coverage at the levels of `GRID`; of a method that is not given, or slow, at those that were run.

    A method that serves several levels at once is asked for the grid alone, so that the bands which were asked for
    stay what they are without it.
    """
    known = run.blocks.history_rows
    asked = {
        name: method
        for name, method in methods.items()
        if known <= LARGEST.get(name, known) and not method.noise_estimates
    }
    bands = [
        *further_bands(run, series, asked, GRID),
        *(band for band in run.bands if band.method not in asked),
    ]
    curves = []
    for name in dict.fromkeys(band.method for band in run.bands):
        points = sorted((band.level, band.coverage) for band in bands if band.method == name)
        curves.append(CalibrationCurve(name, *(tuple(column) for column in zip(*points, strict=True))))
    return tuple(curves)
