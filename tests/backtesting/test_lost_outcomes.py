"""Outcomes of the test block that never came: nobody learns from them, and nobody is scored by them."""

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

from ngrc import NGRC, as_series, backtest
from ngrc.intervals import METHODS, Stream, make_method
from ngrc.intervals.context import Context
from ngrc.intervals.lost import passes_with_lost, run_with_lost

RNG = np.random.default_rng(3)
WAVE = 10 + np.sin(np.arange(400) / 5) + RNG.normal(0, 0.3, 400)
GAP = slice(350, 362)
MODEL = NGRC(lags=3, degree=1, ridge=1e-3)


def gapped(filling: float = np.nan) -> Any:
    values = WAVE.copy()
    values[GAP] = filling
    return values


@pytest.mark.parametrize("name", [name for name in METHODS if name != "bayes"])
@pytest.mark.parametrize("horizon", [1, 3])
def test_without_any_lost_it_is_the_block(name: str, horizon: int) -> None:
    context = Context(np.cos(np.arange(160) / 4.0), (24.0,))
    stream = Stream(RNG.standard_t(5, 160), 130, horizon, np.zeros(160), 1.0, context=context)
    method = make_method(name).tuned(stream.history, 0.8)
    none = np.zeros(160, dtype=bool)
    one = run_with_lost(method, stream, 0.8, none)
    block = method.run(stream, 0.8)
    np.testing.assert_allclose(one.lower, block.lower, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(one.upper, block.upper, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("name", ["split", "rolling", "adaptive", "weighted", "auto", "scaled"])
def test_what_stands_at_a_lost_position_is_not_read(name: str) -> None:
    residuals = RNG.standard_t(5, 160)
    lost = np.zeros(160, dtype=bool)
    lost[[135, 136, 150]] = True
    context = Context(np.cos(np.arange(160) / 4.0), (24.0,))
    results = []
    for value in (0.0, 1e6):
        changed = np.where(lost, value, residuals)
        stream = Stream(changed, 130, 2, context=context)
        (one,) = passes_with_lost(make_method(name), stream, (0.9,), lost)
        results.append(one.offsets)
    assert np.array_equal(results[0].lower, results[1].lower)
    assert np.array_equal(results[0].upper, results[1].upper)


def test_a_gap_is_not_scored() -> None:
    result = backtest(gapped(), MODEL, methods=["split"], level=0.9)
    run = result.run()
    came = result.came(run)
    assert (~came).sum() == 12
    test, band = run.blocks.test, run.band("split")
    inside = (band.lower <= WAVE[test]) & (WAVE[test] <= band.upper)
    assert band.coverage == pytest.approx(np.mean(inside[came]), rel=1e-12)
    assert band.width == pytest.approx(np.mean((band.upper - band.lower)[came]), rel=1e-12)
    errors = WAVE[test][came] - run.forecasts[test][came]
    assert run.rmse == pytest.approx(np.sqrt(np.mean(errors**2)), rel=1e-12)
    assert result.crps()["crps"][0] > 0.0


def test_the_score_is_that_of_the_outcomes_that_came_whatever_filled_the_gap() -> None:
    """A long flat stretch of a dead sensor would teach the method that errors are of another size."""
    carried = as_series(gapped())
    adaptive = backtest(carried, MODEL, methods=["adaptive"], level=0.9).run().band("adaptive")
    assert carried.missing is not None
    named = as_series(carried.values)
    fooled = backtest(named, MODEL, methods=["adaptive"], level=0.9).run().band("adaptive")
    assert adaptive.coverage != fooled.coverage
    result = backtest(carried, MODEL, methods=["split"])
    first = int(np.argmin(result.came(result.run())))
    # Up to the first lost outcome, and at its own target, both are the same.
    assert np.array_equal(adaptive.upper[: first + 1], fooled.upper[: first + 1])


@pytest.mark.parametrize("library", [pd.Series, pl.Series])
def test_the_table_of_intervals_has_no_outcome_there(library: Any) -> None:
    values = gapped()
    series = library(values) if library is pd.Series else pl.Series(values).fill_nan(None)
    table = backtest(series, MODEL, methods=["split"]).intervals("split")
    column = table["y"]
    assert int(column.isna().sum() if library is pd.Series else column.null_count()) == 12


def test_a_test_block_without_any_outcome_is_one_line() -> None:
    values = WAVE.copy()
    values[300:] = np.nan
    with pytest.raises(ValueError, match="every outcome of the test block is missing"):
        backtest(values, MODEL, methods=["split"])


def test_known_residuals_cannot_be_lost() -> None:
    lost = np.zeros(20, dtype=bool)
    lost[3] = True
    with pytest.raises(ValueError, match="cannot be lost"):
        run_with_lost(make_method("split"), Stream(RNG.normal(size=20), 10), 0.8, lost)


@pytest.mark.parametrize("method", ["rolling", "adaptive", "gaussian", "weighted", "auto"])
def test_a_gap_among_pending_targets_is_never_learned_from(method: str) -> None:
    """Whether a later outcome came may not decide what is learned from an earlier one."""
    y = np.random.default_rng(3).normal(size=600).cumsum()
    pending, later = y.copy(), y.copy()
    # The test block begins at 480, and at a horizon of 4 the outcome at 478 is still to come at its first interval.
    pending[478] = later[478] = np.nan
    later[-1] = np.nan
    runs = [
        backtest(series, NGRC(lags=3), horizon=4, level=0.9, methods=[method]).runs[0]
        for series in (pending, later)
    ]
    assert runs[0].blocks.test.start == 480
    for one, other in zip(runs[0].bands, runs[1].bands, strict=True):
        assert np.array_equal(one.lower[:-1], other.lower[:-1])
        assert np.array_equal(one.upper[:-1], other.upper[:-1])


def test_the_scale_of_test_errors_is_of_outcomes_that_came() -> None:
    rng = np.random.default_rng(0)
    y = rng.normal(size=600)
    y[500:590:2] = np.nan
    run = backtest(y, NGRC(lags=2), methods=["split"]).runs[0]
    assert run.diagnostics[0.95].tau_test == pytest.approx(run.rmse, rel=1e-12)
