"""The model beside naive forecasts: plain arithmetic, a season from the fit block alone, stars where they belong."""

import numpy as np
import pytest

from ngrc import NGRC, backtest
from ngrc._progress import Progress, listening
from ngrc.backtesting.accuracy import NAIVE, SEASONAL, accuracies, chosen_season, naive_forecasts
from ngrc.backtesting.places import NAMED, gap_remark, places, spike_remark
from ngrc.backtesting.summary import summary
from ngrc.metrics import mae, mase, naive_scale
from ngrc.series import Series
from ngrc.series.spikes import Spikes, find_spikes
from ngrc.splits import FixedOrigin

HOURS = np.arange("2024-01-01T00", 480, dtype="M8[h]")


def daily(noise: float = 0.1) -> np.ndarray:
    return np.sin(2 * np.pi * np.arange(480) / 24) + noise * np.random.default_rng(0).normal(size=480)


def test_scores_by_hand() -> None:
    y = np.array([1.0, 2.0, 4.0, 7.0])
    assert mae(y, np.zeros(4)) == 3.5
    assert naive_scale(y) == 2.0
    assert naive_scale(y, 2) == 4.0
    assert np.isnan(naive_scale(y, 4))
    assert mase(y, np.zeros(4), naive_scale(y)) == 1.75
    assert np.isnan(mase(y, y, 0.0))
    with pytest.raises(ValueError, match="season must be at least 1"):
        naive_scale(y, 0)


@pytest.mark.parametrize("horizon", [1, 5, 30])
def test_rows_against_loops(horizon: int) -> None:
    y = daily()
    result = backtest(
        Series(y, HOURS, "load"),
        NGRC(lags=3, degree=1),
        horizon=horizon,
        methods=["split"],
        split=FixedOrigin(),
    )
    run = result.runs[0]
    found = accuracies(result, run)
    test, fit = run.blocks.test, run.blocks.fit
    assert found.season == 24
    assert [row.name for row in found.rows] == ["NGRC", NAIVE, SEASONAL]
    targets = range(test.start, test.stop)
    back = 24 * -(-horizon // 24)
    scale = np.mean([abs(y[t] - y[t - 24]) for t in range(24, fit.stop)])
    expected = {
        "NGRC": [y[t] - run.forecasts[t] for t in targets],
        NAIVE: [y[t] - y[t - horizon] for t in targets],
        SEASONAL: [y[t] - y[t - back] for t in targets],
    }
    for row in found.rows:
        errors = np.array(expected[row.name])
        assert row.rmse == pytest.approx(np.sqrt(np.mean(errors**2)))
        assert row.mae == pytest.approx(np.mean(np.abs(errors)))
        assert row.mase == pytest.approx(row.mae / scale)
    assert found.best == min(found.rows, key=lambda row: row.rmse).name
    report = summary(result, 0.95)
    assert report["accuracy"]["rows"][0]["rmse"] == report["rmse"]
    assert report["accuracy"]["rows"][1]["rmse"] == report["naive_rmse"]


def test_the_season_is_that_of_the_fit_block() -> None:
    blocks = backtest(daily(), NGRC(lags=2, degree=1), methods=["split"], split=FixedOrigin()).runs[0].blocks
    values = daily()
    later = values.copy()
    later[blocks.fit.stop :] = np.random.default_rng(1).normal(size=480 - blocks.fit.stop)
    assert chosen_season(values, HOURS, blocks) == chosen_season(later, HOURS, blocks) == 24
    # The model's own periods are all that is asked where it has any; one that does not fit twice is no season.
    assert chosen_season(values, HOURS, blocks, (12.0, 7.0)) == 7
    assert chosen_season(values, HOURS, blocks, (300.0,)) == 1
    assert np.array_equal(
        naive_forecasts(values, blocks), values[blocks.test.start - 1 : blocks.test.stop - 1]
    )


def test_without_a_season_there_is_no_seasonal_row() -> None:
    walk = np.cumsum(np.random.default_rng(3).normal(size=300))
    found = accuracies(result := backtest(walk, NGRC(lags=2, degree=1), methods=["split"]), result.runs[0])
    assert found.season == 1
    assert [row.name for row in found.rows] == ["NGRC", NAIVE]


def test_a_constant_fit_block_has_no_scale() -> None:
    values = np.concatenate([np.full(200, 4.0), np.random.default_rng(0).normal(size=100)])
    result = backtest(values, NGRC(lags=2, degree=1), methods=["split"], split=FixedOrigin())
    report = summary(result, 0.95)["accuracy"]
    assert report["scale"] == 0.0
    assert all(row["mase"] is None for row in report["rows"])


def test_spikes_are_named_by_their_times() -> None:
    values = daily(0.01)
    spikes = Spikes(np.arange(40, 40 + 50 * (NAMED + 2), 50), np.ones(NAMED + 2))
    line = spike_remark(spikes, Series(values, HOURS))
    assert line is not None
    assert "at 2024-01-02T16:00, " in line
    assert "and 2 more; scores" in line
    assert "position" not in line
    assert "at position 40, position 90, " in str(spike_remark(spikes, Series(values)))
    assert spike_remark(find_spikes(daily(0.01)), Series(daily())) is None
    assert places(Series(values, HOURS), [0]) == ["2024-01-01T00:00"]


def test_gaps_are_named_by_their_times() -> None:
    series = Series(daily(), HOURS)
    missing = np.zeros(480, dtype=bool)
    assert gap_remark(None, series) is None
    assert gap_remark(missing, series) is None
    missing[[0, 5, 6, 7, 479]] = True
    assert gap_remark(missing, series) == (
        "missing and carried forward: 2024-01-01T00:00, 2024-01-01T05:00 to 2024-01-01T07:00, 2024-01-20T23:00"
    )
    missing[::20] = True
    told = str(gap_remark(missing, series))
    assert f"and {2 + 24 - NAMED} more stretches; 6% of the values" in told
    assert told.endswith("intervals rest on fewer")


def test_fits_and_methods_are_told_as_they_finish() -> None:
    heard: list[Progress] = []
    with listening(heard.append):
        backtest(daily(), NGRC(lags=2, degree=1), methods=["split", "adaptive"], level=[0.8, 0.9])
    fits = [event.done for event in heard if event.stage == "fits"]
    assert fits == list(range(1, 14))
    methods = [event for event in heard if event.stage == "methods"]
    assert [event.value[0].method for event in methods] == ["split", "adaptive"]
    assert [band.level for band in methods[1].value] == [0.8, 0.9]
    assert methods[-1].done == methods[-1].total == 2


def test_outcomes_that_never_came_are_not_scored() -> None:
    y = daily()
    missing = np.zeros(480, dtype=bool)
    missing[[440, 450, 451]] = True
    filled = y.copy()
    filled[missing] = 1e6
    result = backtest(
        Series(filled, HOURS, missing=missing), NGRC(lags=3, degree=1), methods=["split"], split=FixedOrigin()
    )
    run = result.runs[0]
    report = summary(result, 0.95)
    row = accuracies(result, run).rows[0]
    assert row.rmse == pytest.approx(run.rmse)
    assert report["accuracy"]["rows"][1]["rmse"] == report["naive_rmse"]
    test = np.arange(run.blocks.test.start, run.blocks.test.stop)
    came = test[~missing[test]]
    assert report["naive_rmse"] == pytest.approx(np.sqrt(np.mean((filled[came] - filled[came - 1]) ** 2)))
    assert any(note.startswith("missing and carried forward: 2024-01-19T08:00, ") for note in report["notes"])
