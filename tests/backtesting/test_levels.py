"""A backtest at several levels: one pass for those that serve them together, found bounds, pinball loss and CRPS."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
import pandas as pd
import polars as pl
import pytest

from ngrc import NGRC, FixedOrigin, backtest
from ngrc._types import FloatArray
from ngrc.backtesting.summary import remarks
from ngrc.features.bounds import Bounds
from ngrc.intervals import Split
from ngrc.intervals.base import Offsets, Stream
from ngrc.metrics import crps, pinball, winkler

LEVELS = [0.5, 0.9, 0.8]
QUICK = ["bayes", "split", "asymmetric", "rolling", "gaussian", "adaptive", "weighted"]


@dataclass(frozen=True)
class Bounded(Split):
    """Split, all levels together, its ends cut to bounds that are found; it sees the context."""

    name: ClassVar[str] = "bounded"
    joint: ClassVar[bool] = True
    bounded: ClassVar[bool] = True
    sees: ClassVar[tuple[str, ...]] = ("residuals", "forecasts", "clock")

    def run(self, stream: Stream, level: float) -> Offsets:
        offsets = Split().run(stream, level)
        # The size of the forecast as a trace, so that a test can see that it came.
        trace = {} if stream.context is None else {"forecast": stream.context.forecasts[stream.start :]}
        return replace(offsets, trace=trace)


def series(n: int = 500, seed: int = 0) -> FloatArray:
    rng = np.random.default_rng(seed)
    return 50 + 10 * np.sin(np.arange(n) / 6) + rng.normal(0, 1.5, n)


def power(n: int = 600, seed: int = 0) -> FloatArray:
    """Nothing at night."""
    rng = np.random.default_rng(seed)
    return np.maximum(5 * np.sin(2 * np.pi * np.arange(n) / 24) + rng.normal(0, 0.5, n), 0.0)


def test_levels_change_no_number_of_a_method_that_runs_alone() -> None:
    together = backtest(series(), NGRC(lags=3), level=LEVELS, methods=QUICK).runs[0]
    assert [band.level for band in together.bands] == [level for level in LEVELS for _ in QUICK]
    for level in LEVELS:
        alone = backtest(series(), NGRC(lags=3), level=level, methods=QUICK).runs[0]
        for name in QUICK:
            one, other = together.band(name, level), alone.band(name)
            np.testing.assert_array_equal(one.lower, other.lower)
            np.testing.assert_array_equal(one.upper, other.upper)
            assert (one.winkler, one.coverage, one.selected) == (
                other.winkler,
                other.coverage,
                other.selected,
            )


def test_a_joint_method_runs_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[float, ...]] = []
    run_levels = Bounded.run_levels

    def noted(self: Bounded, stream: Stream, levels: Sequence[float]) -> tuple[Offsets, ...]:
        asked.append(tuple(levels))
        return run_levels(self, stream, levels)

    monkeypatch.setattr(Bounded, "run_levels", noted)
    run = backtest(series(), NGRC(lags=3), level=LEVELS, methods=[Bounded(), "split"]).runs[0]
    assert asked == [tuple(LEVELS)]
    assert len({band.seconds for band in run.bands if band.method == "bounded"}) == 1
    for level in LEVELS:
        np.testing.assert_array_equal(run.band("bounded", level).upper, run.band("split", level).upper)
    test = run.forecasts[run.blocks.test]
    np.testing.assert_array_equal(run.band("bounded", 0.9).trace["forecast"], test)


def test_pinball_and_crps_are_tables_of_the_ends() -> None:
    result = backtest(
        pd.Series(series()), NGRC(lags=3), horizon=[1, 2], level=LEVELS, methods=["split", "adaptive"]
    )
    losses, scores = result.pinball(), result.crps()
    assert isinstance(losses, pd.DataFrame)
    assert isinstance(scores, pd.DataFrame)
    assert list(losses.columns) == ["window", "horizon", "method", "probability", "pinball"]
    assert len(losses) == 2 * 2 * 2 * len(LEVELS)
    assert list(scores.columns) == ["window", "horizon", "method", "levels", "crps"]
    assert scores["levels"].tolist() == [3] * 4
    run = result.run(2)
    y = result.series.values[run.blocks.test]
    bands = {level: run.band("adaptive", level) for level in LEVELS}
    row = losses.query("horizon == 2 and method == 'adaptive' and probability == 0.95")
    assert row["pinball"].item() == pinball(y, bands[0.9].upper, 0.95)
    columns = [bands[level].lower for level in (0.9, 0.8, 0.5)]
    columns += [bands[level].upper for level in (0.5, 0.8, 0.9)]
    expected = crps(y, np.stack(columns, axis=1), [0.05, 0.1, 0.25, 0.75, 0.9, 0.95])
    assert scores.query("horizon == 2 and method == 'adaptive'")["crps"].item() == expected
    band = bands[0.8]
    ends = pinball(y, band.lower, 0.1), pinball(y, band.upper, 0.9)
    assert band.pinball == pytest.approx(sum(ends) / 2, rel=1e-9)
    assert isinstance(backtest(series(), NGRC(lags=2), methods="split").crps(), pl.DataFrame)
    with pytest.raises(ValueError, match="no band of 'magic'; this run holds split, adaptive"):
        run.distribution("magic")


@pytest.mark.parametrize("horizon", [1, 3])
def test_ends_keep_to_a_bound_that_the_series_obeys(horizon: int) -> None:
    y = power()
    result = backtest(y, NGRC(lags=3, horizon=horizon), level=0.9, methods=[Bounded(), "split"])
    run = result.runs[0]
    said = [note for note in remarks(result, run, 0.9) if "piles up" in note]
    assert said == ["bounded: the series piles up on 0, to which ends are cut until an outcome crosses it"]
    cut, free = run.band("bounded"), run.band("split")
    assert (cut.bounds, free.bounds) == (Bounds(lower=0.0), Bounds())
    assert free.lower.min() < 0
    # An interval wholly beyond is the method's business.
    np.testing.assert_array_equal(
        cut.lower, np.where(free.upper >= 0.0, np.maximum(free.lower, 0.0), free.lower)
    )
    np.testing.assert_array_equal(cut.upper, free.upper)
    outcomes = y[run.blocks.test]
    hits = (cut.lower <= outcomes) & (outcomes <= cut.upper)
    assert cut.coverage == pytest.approx(hits.mean(), abs=1e-12)
    assert cut.winkler == pytest.approx(winkler(outcomes, cut.lower, cut.upper, 0.9))
    assert cut.winkler < free.winkler


@pytest.mark.parametrize("horizon", [1, 3])
def test_a_found_bound_is_dropped_when_an_outcome_is_known_to_cross_it(horizon: int) -> None:
    y = power()
    whole = backtest(y, NGRC(lags=3, horizon=horizon), methods=[Bounded()], split=FixedOrigin()).runs[0]
    test = whole.blocks.test
    # An hour of the night.
    step = 30 + int(np.flatnonzero(y[test][30:] == 0.0)[0])
    y[test.start + step] = -0.1
    run = backtest(y, NGRC(lags=3, horizon=horizon), methods=[Bounded(), "split"], split=FixedOrigin()).runs[
        0
    ]
    cut, free = run.band("bounded"), run.band("split")
    dropped = step + horizon
    np.testing.assert_array_equal(cut.lower[:dropped], np.maximum(free.lower, 0.0)[:dropped])
    np.testing.assert_array_equal(cut.lower[dropped:], free.lower[dropped:])
    assert free.lower[dropped:].min() < 0
    # The outcome that crosses is missed by the interval that was cut, though its residual lies between the offsets.
    assert free.lower[step] <= -0.1
    assert cut.coverage == pytest.approx(free.coverage - 1 / rows(test), abs=1e-12)


def rows(block: slice) -> int:
    return int(block.stop - block.start)


def test_a_level_twice_and_none_are_refused() -> None:
    with pytest.raises(ValueError, match=r"level 0\.9 is given twice"):
        backtest(series(), NGRC(lags=2), level=[0.9, 90], methods="split")
    with pytest.raises(ValueError, match="at least one level"):
        backtest(series(), NGRC(lags=2), level=[], methods="split")
