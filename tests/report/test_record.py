"""The record held against plain loops over the same outcomes."""

import json
import math
from dataclasses import replace
from datetime import datetime
from statistics import NormalDist

import numpy as np
import pytest

from ngrc import NGRC, backtest
from ngrc.features import Delays, FeatureMap
from ngrc.report import Record, Report, report_on
from ngrc.report.clock import clock_of
from ngrc.report.described import described
from ngrc.report.intervals import GRID, trailing_window
from ngrc.report.quality import MOST_STRETCHES, quality_of
from ngrc.report.residuals import QUANTILES, histogram, quantile_places

from .conftest import FLAT, GAP, HORIZON, LEVELS, METHODS, NAME, SPIKE, hourly


@pytest.fixture(scope="module")
def record(report: Report) -> Record:
    return report.record


@pytest.fixture(scope="module")
def errors(record: Record) -> np.ndarray:
    """Out-of-sample errors from the first usable calibration residual on, from a backtest of its own."""
    result = backtest(hourly(), NGRC(lags=3, degree=1, periods=(24.0,)), horizon=HORIZON, methods=["split"])
    run = result.runs[0]
    first, stop = run.blocks.history.start, run.blocks.test.stop
    return np.array([hourly().values[t] - run.forecasts[t] for t in range(first, stop)])


def test_methods_and_levels_are_those_asked_for_and_the_advised(record: Record) -> None:
    assert record.methods[: len(METHODS)] == METHODS
    assert set(record.methods) - set(METHODS) <= {record.diagnosis.method}
    assert record.shown == record.diagnosis.method
    assert record.subject.levels == LEVELS
    assert record.subject.level == 0.95
    assert [row.level for row in record.intervals] == [level for level in LEVELS for _ in record.methods]


def test_scores_by_loops(record: Record) -> None:
    for row in record.intervals:
        inside = [
            low <= y <= high for y, low, high in zip(record.outcomes, row.lower, row.upper, strict=True)
        ]
        assert row.coverage == pytest.approx(sum(inside) / len(inside), abs=1e-12)
        assert row.coverage_error == pytest.approx(100.0 * (row.coverage - row.level))
        cost = [
            (high - low) + 2.0 / (1.0 - row.level) * max(low - y, y - high, 0.0)
            for y, low, high in zip(record.outcomes, row.lower, row.upper, strict=True)
        ]
        assert row.width == pytest.approx(float(np.mean(row.upper - row.lower)))
        assert row.winkler == pytest.approx(sum(cost) / len(cost))
        for t in range(record.outcomes.size):
            window = inside[t - record.window + 1 : t + 1] if t + 1 >= record.window else []
            expected = sum(window) / len(window) if window else math.nan
            assert row.trailing[t] == pytest.approx(expected, nan_ok=True)


def test_the_best_row_of_a_level_has_its_smallest_score(record: Record) -> None:
    for level in LEVELS:
        rows = [row for row in record.intervals if row.level == level]
        assert [row.best for row in rows] == [row.winkler == min(one.winkler for one in rows) for row in rows]
        assert sum(row.best for row in rows) >= 1


def test_points_by_loops(record: Record) -> None:
    values, start = record.values, record.test_start
    targets = range(start, values.size)
    forecasts = {
        "NGRC": [record.forecasts[t - start] for t in targets],
        "last value": [values[t - HORIZON] for t in targets],
        "seasonal naive, 24 steps": [values[t - 24] for t in targets],
    }
    # What the season of a day misses by in the fit block; its first target lies H steps after the third value.
    fitted = values[: 2 + HORIZON + record.subject.fit_rows]
    unit = sum(abs(fitted[t] - fitted[t - 24]) for t in range(24, fitted.size)) / (fitted.size - 24)
    rows = {row.name: row for row in record.points}
    for name, said in forecasts.items():
        misses = [values[t] - one for t, one in zip(targets, said, strict=True)]
        assert rows[name].rmse == pytest.approx(math.sqrt(sum(miss**2 for miss in misses) / len(misses)))
        assert rows[name].mae == pytest.approx(sum(map(abs, misses)) / len(misses))
        assert rows[name].mase == pytest.approx(rows[name].mae / unit)
    assert min(record.points, key=lambda row: row.rmse).best
    assert sum(row.best for row in record.points) == 1


def test_calibration_of_split_by_its_own_formula(record: Record, errors: np.ndarray) -> None:
    """Split conformal freezes one radius: the residual of rank ceil((m + 1) level) of the calibration block."""
    (curve,) = (one for one in record.calibration if one.method == "split")
    assert curve.nominal == GRID
    test = record.outcomes.size
    known = np.sort(np.abs(errors[: errors.size - test - (HORIZON - 1)]))
    later = np.abs(errors[-test:])
    for level, observed in zip(curve.nominal, curve.observed, strict=True):
        rank = math.ceil((known.size + 1) * level)
        assert observed == pytest.approx(np.mean(later <= known[rank - 1]))


def test_the_curves_agree_with_the_bands_where_a_method_serves_one_level_at_a_time(record: Record) -> None:
    for name in METHODS:
        (curve,) = (one for one in record.calibration if one.method == name)
        observed = dict(zip(curve.nominal, curve.observed, strict=True))
        for level in LEVELS:
            assert observed[level] == record.row(name, level).coverage


def test_shape_of_the_errors_by_loops(record: Record, errors: np.ndarray) -> None:
    shape, m = record.residuals, errors.size
    assert shape.count == m
    mean = sum(errors) / m
    scale = math.sqrt(sum((e - mean) ** 2 for e in errors) / m)
    assert shape.mean == pytest.approx(mean)
    assert shape.scale == pytest.approx(scale)
    total = sum((e - mean) ** 2 for e in errors)
    sizes = np.abs(errors) - np.mean(np.abs(errors))
    for lag, found, found_sizes in zip(
        shape.lags[:30], shape.correlation, shape.size_correlation, strict=False
    ):
        products = sum((errors[t] - mean) * (errors[t - lag] - mean) for t in range(lag, m))
        assert found == pytest.approx(products / total, abs=1e-10)
        assert found_sizes == pytest.approx(
            float(sizes[lag:] @ sizes[:-lag]) / float(sizes @ sizes), abs=1e-10
        )
    # Bartlett: overlapping errors are a moving average of order H - 1, whose correlations widen those beyond it.
    for found, bound in ((shape.correlation, shape.bound), (shape.size_correlation, shape.size_bound)):
        near = sum(float(found[lag - 1]) ** 2 for lag in range(1, HORIZON))
        assert bound == pytest.approx(
            NormalDist().inv_cdf(0.975) * math.sqrt((1.0 + 2.0 * near) / m), rel=1e-6
        )
    assert shape.together == pytest.approx(
        1.0 + 2.0 * sum(max(float(shape.size_correlation[lag - 1]), 0.0) for lag in range(1, HORIZON))
    )
    ordered = sorted((errors - mean) / scale)
    assert (shape.sample[0], shape.sample[-1]) == (pytest.approx(ordered[0]), pytest.approx(ordered[-1]))
    for p, theory, sample in zip(shape.probabilities, shape.theory, shape.sample, strict=True):
        assert theory == pytest.approx(NormalDist().inv_cdf(p), abs=1e-9)
        assert sample == pytest.approx(ordered[round(p * m - 0.5)])
    assert shape.block_scale.size == 8
    assert sum(
        part**2 * len(one) for part, one in zip(shape.block_scale, np.array_split(errors, 8), strict=True)
    ) == (pytest.approx(sum(errors**2)))


def test_scale_by_hour_is_by_the_hour_of_the_target(record: Record, errors: np.ndarray) -> None:
    cycle, times = record.residuals.cycle, hourly().times
    assert cycle is not None
    assert times is not None
    hours: dict[int, list[float]] = {}
    for time, error in zip(times[-errors.size :], errors, strict=True):
        hours.setdefault(datetime.fromisoformat(str(time) + ":00").hour, []).append(float(error))
    assert cycle.labels == tuple(f"{hour:02d}" for hour in range(24))
    for hour, (scale, mean, count) in enumerate(zip(cycle.scale, cycle.mean, cycle.count, strict=True)):
        here = hours[hour]
        assert scale == pytest.approx(math.sqrt(sum(e**2 for e in here) / len(here)))
        assert (mean, count) == (pytest.approx(sum(here) / len(here)), len(here))


def test_bars_and_what_lies_beyond_them_are_all_of_the_errors() -> None:
    errors = np.append(np.random.default_rng(1).normal(size=2000), [1e6, -40.0])
    bars = histogram(errors)
    inside = np.round(bars.density * np.diff(bars.edges) * errors.size)
    assert bars.below + bars.above + inside.sum() == errors.size
    # One wild error leaves no single bar.
    assert np.count_nonzero(inside) > 10
    constant = histogram(np.full(50, 3.0))
    assert (constant.below, constant.above) == (0, 0)
    assert float(np.sum(constant.density * np.diff(constant.edges))) == pytest.approx(1.0)


@pytest.mark.parametrize("count", [1, 2, QUANTILES, QUANTILES + 1, 50_000])
def test_quantile_places_keep_both_ends(count: int) -> None:
    places = quantile_places(count)
    assert (places[0], places[-1]) == (0.5 / count, (count - 0.5) / count)
    assert places.size <= min(count, QUANTILES)
    assert np.all(np.diff(places) > 0.0)


def test_quality_names_spikes_and_flat_stretches_by_date(record: Record) -> None:
    state = record.quality
    assert (state.observations, state.filled, state.dropped) == (700, 2, 0)
    assert [spike.time for spike in state.spikes] == ["2024-03-04T11:00"]
    assert state.spikes[0].value == record.values[SPIKE]
    (gap,) = state.gaps
    assert (gap.first, gap.last, gap.count, gap.value) == (
        "2024-02-28T11:00",
        "2024-02-28T12:00",
        2,
        record.values[GAP.start - 1],
    )
    (flat,) = state.flats
    assert (flat.first, flat.last, flat.count) == (
        "2024-03-06T13:00",
        "2024-03-08T04:00",
        FLAT.stop - FLAT.start,
    )
    assert "Two <b>filled</b>." in record.subject.assumed


def test_a_long_gap_is_no_sensor_that_hangs_and_the_longest_are_listed() -> None:
    series = hourly()
    values, missing = series.values.copy(), np.zeros(len(series), dtype=bool)
    for place in range(25):
        stretch = slice(10 + 5 * place, 12 + 5 * place)
        missing[stretch] = True
    missing[500:540] = True
    values[500:540] = values[499]
    gappy = replace(series, values=values, missing=missing)
    result = backtest(gappy, NGRC(lags=2, degree=1), methods=["split"])
    state = quality_of(result, clock_of(gappy))
    assert (state.gap_count, len(state.gaps)) == (26, MOST_STRETCHES)
    assert [gap.count for gap in state.gaps] == [2] * (MOST_STRETCHES - 1) + [40]
    # The stretch in which the sensor hangs is there still, the filled one is not.
    assert [flat.count for flat in state.flats] == [FLAT.stop - FLAT.start]


def test_the_window_is_full_at_least_half_of_the_time() -> None:
    assert [trailing_window(rows) for rows in (1, 2, 99, 400, 5000)] == [1, 1, 49, 50, 500]


def test_plain_is_json_and_says_none_where_there_is_no_number(record: Record) -> None:
    whole, short = record.plain(), record.plain(curves=False)
    text = json.dumps(whole, allow_nan=False)
    assert json.loads(text)["intervals"][0]["trailing"][0] is None
    assert whole["subject"]["name"] == NAME
    assert len(whole["outcomes"]) == record.outcomes.size
    assert "outcomes" not in short
    assert "lower" not in short["intervals"][0]


def test_a_finished_backtest_has_the_same_scores_and_no_coming_values(record: Record) -> None:
    model = NGRC(lags=3, degree=1, periods=(24.0,))
    result = backtest(hourly(), model, horizon=HORIZON, methods=METHODS, level=LEVELS)
    other = report_on(result, why="it was not asked for").record
    assert other.coming is None
    assert other.points == record.points
    assert [row.winkler for row in other.intervals if row.method in METHODS] == [
        row.winkler for row in record.intervals if row.method in METHODS
    ]
    # Methods that nobody handed over have the levels that were run.
    assert other.calibration[0].nominal == LEVELS
    assert "it was not asked for" in report_on(result, why="it was not asked for").html
    with pytest.raises(ValueError, match=r"no row of 'bayes' at 0.5; this record has split, adaptive"):
        other.row("bayes", 0.5)


@pytest.mark.parametrize(
    ("model", "words"),
    [
        (NGRC(map=FeatureMap((Delays(3),))), "groups of columns that were given: Delays"),
        (NGRC(lags=3, periods=(12,), seasonal=1), "phase up to 1 cycles back"),
        (NGRC(lags=3), "3 lags of the series, their products up to degree 2"),
    ],
)
def test_the_model_in_words_is_the_model(model: NGRC, words: str) -> None:
    y = np.sin(np.arange(200.0)) + np.random.default_rng(0).normal(size=200)
    assert words in " ".join(described(model.fit(y), 1).sentences)
