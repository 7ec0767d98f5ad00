"""Outcomes that never came among those that calibrate: what was carried forward in their place is no outcome."""

import numpy as np
import pytest

from ngrc import NGRC, as_series, backtest, look_ahead
from ngrc.archive import dumps, loads
from ngrc.intervals.defaults import COMPARED
from ngrc.intervals.gaps import stand_ins
from ngrc.series import Series

MODEL = NGRC(lags=2, degree=1, ridge=1e-3)
WALK = np.random.default_rng(4).normal(size=400).cumsum()
MISSING = np.zeros(400, dtype=bool)
MISSING[[150, 200, 201, 202, 260]] = True


def filled(value: float) -> Series:
    """The walk with something in the place of what is missing, and told which that is."""
    return Series(np.where(MISSING, value, WALK), missing=MISSING)


def residual_offsets(series: Series, method: str) -> np.ndarray:
    run = backtest(series, MODEL, methods=[method], level=0.8).runs[0]
    return run.bands[0].upper - run.forecasts[run.blocks.test]


def test_stand_ins_are_observed_ones_going_back() -> None:
    rng = np.random.default_rng(0)
    for _ in range(50):
        missing = rng.random(30) < 0.5
        missing[rng.integers(30)] = False
        residuals = rng.normal(size=30)
        result = stand_ins(np.where(missing, np.nan, residuals), missing)
        observed = residuals[~missing].tolist()
        for place in range(30):
            before = residuals[:place][~missing[:place]].tolist()
            if not missing[place]:
                assert result[place] == residuals[place]
            elif before:
                depth = 0
                while missing[place - depth - 1]:
                    depth += 1
                assert result[place] == before[len(before) - 1 - depth % len(before)]
            else:
                assert result[place] in observed
    with pytest.raises(ValueError, match="every outcome that would calibrate intervals is missing"):
        stand_ins(np.ones(3), np.ones(3, dtype=bool))


@pytest.mark.parametrize("method", ["split", "rolling", "adaptive", "auto", "scaled"])
def test_a_missing_outcome_gives_no_residual(method: str) -> None:
    """At a linear model of fixed weights a filling changes forecasts near the gap, and residuals there alone."""
    carried = as_series(np.where(MISSING, np.nan, WALK))
    honest = residual_offsets(carried, method)
    # Told that nothing is missing, the carried values are outcomes, and intervals are others.
    assert not np.array_equal(honest, residual_offsets(Series(carried.values), method))


def test_intervals_ahead_of_a_series_with_gaps_hold_what_they_say() -> None:
    """A third of the outcomes missing at random: carried values counted as outcomes held some points less."""
    rng = np.random.default_rng(1)
    count, held = 60, {"split": 0, "auto": 0}
    for _ in range(count):
        y = rng.normal(size=261)
        gone = rng.random(260) < 0.3
        gone[[0, 259]] = False
        series = np.where(gone, np.nan, y[:260])
        outlook = look_ahead(series, NGRC(lags=1, degree=1, ridge=10.0), method="split", level=0.8)
        held["split"] += int(outlook.lower[0] <= y[260] <= outlook.upper[0])
        other = outlook.with_method("auto")
        held["auto"] += int(other.lower[0] <= y[260] <= other.upper[0])
    error = np.sqrt(0.8 * 0.2 / count)
    for method, hits in held.items():
        assert abs(hits / count - 0.8) < 4 * error, (method, hits)


def gaps(count: int, rng: np.random.Generator) -> list[list[int]]:
    """One missing value in every part of a series, some in a row, and a tenth and a quarter of all."""
    single = [[place] for place in (0, 1, count // 2, int(0.7 * count), int(0.8 * count) - 1, count - 2)]
    rows = [list(range(count // 2, count // 2 + length)) for length in (3, count // 10)]
    return [
        *single,
        *rows,
        *(rng.choice(count - 1, count // part, replace=False).tolist() for part in (10, 4)),
    ]


@pytest.mark.parametrize("count", [30, 31, 47, 73, 110, 150, 204, 206, 260, 400])
def test_default_windows_hold_as_many_residuals_as_came(count: int) -> None:
    rng = np.random.default_rng(count)
    for places in gaps(count, rng):
        y = rng.normal(size=count)
        y[places] = np.nan
        result = backtest(y, MODEL, methods=["rolling", "gaussian", "weighted", "split"], level=0.8)
        (run,), missing = result.runs, result.series.missing
        came = run.blocks.history_rows - (0 if missing is None else int(missing[run.blocks.history].sum()))
        windows = {band.method: band.selected.get("window") for band in run.bands}
        assert windows["rolling"] == windows["gaussian"] == min(100, came)
        outlook = look_ahead(y, MODEL, steps=2, method="rolling", level=0.8)
        assert np.all(np.isfinite(outlook.upper))


def test_all_default_methods_of_a_short_series_with_one_gap() -> None:
    y = np.where(np.arange(150) == 90, np.nan, WALK[:150])
    assert len(backtest(y, MODEL).table) == len(backtest(WALK[:150], MODEL).table) == len(COMPARED)


@pytest.mark.parametrize("method", ["split", "auto"])
def test_a_continuation_knows_what_was_missing(method: str) -> None:
    whole = np.where(MISSING, np.nan, WALK)
    kept = loads(dumps(look_ahead(whole[:350], MODEL, steps=2, method=method, fit=0.5).continuation()))
    gone_on, at_once = kept.look_ahead(whole), look_ahead(whole, MODEL, steps=2, method=method, fit=0.5)
    assert np.array_equal(kept.missing, MISSING[:350])
    told = kept.look_ahead(Series(as_series(whole).values))
    assert not np.array_equal(
        gone_on.upper, look_ahead(as_series(whole).values, MODEL, steps=2, method=method).upper
    )
    # Its kept rows are as they were then, whatever a newer reading says of them.
    assert np.array_equal(told.upper, gone_on.upper)
    assert at_once.forecast.shape == gone_on.forecast.shape
