"""Outcomes that never came count nowhere, and what chance gives is what charts say it gives."""

import math
from dataclasses import replace

import numpy as np
import pytest

from ngrc import NGRC, Series, backtest
from ngrc.report import Report, make_report
from ngrc.report.chance import LIKELY, clumping, coverage_error
from ngrc.report.charts import charts_of
from ngrc.report.clock import clock_of
from ngrc.report.quality import quality_of
from ngrc.report.residuals import autocorrelations, correlation_bound

from .conftest import hourly

MODEL = NGRC(lags=3, degree=1, periods=(24.0,))
HORIZON, METHODS, LEVELS = 3, ("split", "rolling"), (0.8, 0.95)


def holed() -> Series:
    """Every ninth value missing from the calibration block on, as a reader would carry them forward."""
    series = hourly()
    missing = np.zeros(len(series), dtype=bool)
    missing[260::9] = True
    # Beside another gap, so that one observation stands alone.
    missing[[-2, -4]] = True
    values = series.values.copy()
    for place in np.flatnonzero(missing):
        values[place] = values[place - 1]
    return replace(series, values=values, missing=missing, filled=int(missing.sum()))


@pytest.fixture(scope="module")
def report() -> Report:
    pytest.importorskip("plotly")
    return make_report(holed(), MODEL, horizon=HORIZON, level=LEVELS, methods=METHODS)


def test_scores_and_trailing_coverage_look_at_outcomes_that_came(report: Report) -> None:
    record, series = report.record, holed()
    assert series.missing is not None
    came = ~series.missing[record.test_start :]
    assert record.subject.scored == came.sum() < record.subject.test_rows
    for row in record.intervals:
        inside = [
            bool(low <= y <= high)
            for y, low, high, there in zip(record.outcomes, row.lower, row.upper, came, strict=True)
            if there
        ]
        assert row.coverage == pytest.approx(sum(inside) / len(inside))
        seen = 0
        for place, there in enumerate(came):
            seen += there
            if there and seen >= record.window:
                expected = sum(inside[seen - record.window : seen]) / record.window
                assert row.trailing[place] == pytest.approx(expected)
            else:
                assert math.isnan(row.trailing[place])


def test_calibration_agrees_with_the_scores_of_the_same_level(report: Report) -> None:
    for name in METHODS:
        (curve,) = (one for one in report.record.calibration if one.method == name)
        observed = dict(zip(curve.nominal, curve.observed, strict=True))
        for level in LEVELS:
            assert observed[level] == report.record.row(name, level).coverage


def test_the_shape_is_that_of_errors_that_came(report: Report) -> None:
    series, shape = holed(), report.record.residuals
    result = backtest(series, MODEL, horizon=HORIZON, methods=["split"])
    run = result.runs[0]
    assert series.missing is not None
    places = [t for t in range(run.blocks.history.start, run.blocks.test.stop) if not series.missing[t]]
    errors = np.array([series.values[t] - run.forecasts[t] for t in places])
    assert shape.count == errors.size
    assert shape.scale == pytest.approx(float(np.std(errors)))
    assert shape.cycle is not None
    assert shape.cycle.count.sum() == errors.size
    assert set(shape.starts) <= set(places)
    error = dict(zip(places, errors - errors.mean(), strict=True))
    whole = run.blocks.test.stop - run.blocks.history.start
    for lag in (1, 9, 24):
        pairs = [error[t] * error[t - lag] for t in places if t - lag in error]
        expected = (whole - lag) / whole * (sum(pairs) / len(pairs)) / float(np.var(errors))
        assert shape.correlation[lag - 1] == pytest.approx(expected, abs=1e-10)


def test_the_page_shows_no_carried_value_as_observed_and_says_how_many_are_missing(report: Report) -> None:
    record, data = report.record, charts_of(report.record)
    lost = record.subject.test_rows - record.subject.scored
    assert data["tested"]["outcome"].count(None) == lost
    assert data["fans"][0]["history"]["y"].count(None) == holed().filled
    assert f"{lost:,} of them are missing and are not scored." in report.html
    assert f"{holed().filled:,} of them missing" in report.html
    assert record.plain(curves=True)["missing"].count(True) == holed().filled


def test_a_spike_that_was_carried_forward_is_one_spike() -> None:
    series = hourly()
    values, missing = series.values.copy(), np.zeros(len(series), dtype=bool)
    missing[151], values[151] = True, values[150]
    gappy = replace(series, values=values, missing=missing)
    state = quality_of(backtest(gappy, NGRC(lags=2, degree=1), methods=["split"]), clock_of(gappy))
    assert [spike.time for spike in state.spikes] == ["2024-03-04T11:00"]
    assert state.spike_count == 1
    assert state.mean == pytest.approx(float(np.mean(values[~missing])))


def overlapping(rng: np.random.Generator, count: int, horizon: int) -> np.ndarray:
    """Errors of a random walk `horizon` steps ahead: a moving sum of as many shocks."""
    return np.convolve(rng.normal(size=count + horizon - 1), np.ones(horizon), "valid")


def test_the_bounds_of_correlations_hold_95_percent_where_errors_overlap() -> None:
    rng, horizon, count, runs = np.random.default_rng(3), 6, 1500, 300
    lags = np.arange(1, 40)
    inside = []
    for _ in range(runs):
        found = autocorrelations(overlapping(rng, count, horizon), lags)
        # A lag far beyond the others' reach; neighbours say the same.
        inside.append(abs(found[29]) <= correlation_bound(found, count, horizon))
    # Three Monte-Carlo errors, and a point for the bias of 1 / m that every sample correlation has.
    assert np.mean(inside) == pytest.approx(0.95, abs=3.0 * math.sqrt(0.95 * 0.05 / runs) + 0.01)
    # The usual bound, which knows of no overlap, would call many of them structure.
    assert correlation_bound(found, count, horizon) > 1.4 * correlation_bound(found, count, 1)


def test_the_shade_of_chance_is_as_wide_as_coverages_scatter() -> None:
    rng, horizon, count, runs = np.random.default_rng(4), 6, 1500, 300
    radius = LIKELY * math.sqrt(horizon)
    coverages, errors = [], []
    for _ in range(runs):
        sizes = np.abs(overlapping(rng, count, horizon))
        coverages.append(np.mean(sizes <= radius))
        together = clumping(autocorrelations(sizes, np.arange(1, horizon)))
        errors.append(coverage_error(0.95, count, together))
    # A spread of 300 runs is known to 4 %; misses far out are a little less alike than sizes are.
    assert 0.85 <= np.std(coverages) / np.mean(errors) <= 1.12
    assert np.mean(errors) > 1.5 * coverage_error(0.95, count, 1.0)
