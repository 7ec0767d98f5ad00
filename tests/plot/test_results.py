"""Pictures of results: which values of a backtest or an outlook each of them shows."""

from collections.abc import Iterator
from typing import Any

import matplotlib
import numpy as np
import pandas as pd
import pytest
from matplotlib import pyplot
from matplotlib.dates import num2date
from matplotlib.figure import Figure

from ngrc import NGRC, backtest, look_ahead
from ngrc.ahead import Outlook
from ngrc.backtesting.results import Backtest

matplotlib.use("Agg")

SIZE = 400
WAVE = np.sin(np.arange(SIZE) / 4) + np.random.default_rng(0).normal(0, 0.2, SIZE)
BERLIN = pd.Series(WAVE, pd.date_range("2024-03-20", periods=SIZE, freq="h", tz="Europe/Berlin"), name="load")


@pytest.fixture(scope="module")
def result() -> Backtest:
    return backtest(BERLIN, NGRC(lags=4), methods=("split", "adaptive"), level=[0.8, 0.95])


@pytest.fixture(scope="module")
def outlook() -> Outlook:
    return look_ahead(BERLIN, NGRC(lags=4), steps=6, method="split", level=[0.8, 0.95])


@pytest.fixture(autouse=True)
def closed() -> Iterator[None]:
    yield
    pyplot.close("all")


def labels(axes: Any) -> list[str]:
    return list(axes.get_legend_handles_labels()[1])


def test_a_backtest_draws_the_best_band_at_all_levels(result: Backtest) -> None:
    axes = result.plot(last=50)
    best = min(("split", "adaptive"), key=lambda name: result.run().band(name, 0.95).winkler)
    assert axes.get_title(loc="left") == f"load: 1 step ahead, {best}"
    assert labels(axes) == ["95 % interval", "80 % interval", "forecast", "observed"]
    test = result.run().blocks.test
    assert np.array_equal(axes.get_lines()[1].get_ydata(), WAVE[test][-50:])
    assert np.array_equal(axes.get_lines()[0].get_ydata(), result.run().forecasts[test][-50:])
    assert result.plot(last=None).get_lines()[0].get_ydata().size == result.run().blocks.test_rows


def test_one_level_of_one_method_can_be_asked_for(result: Backtest) -> None:
    axes = result.plot(method="split", level=0.8, last=20)
    assert labels(axes) == ["80 % interval", "forecast", "observed"]
    drawn = axes.collections[0].get_paths()[0].vertices[:, 1]
    assert drawn.max() == pytest.approx(result.run().band("split", 0.8).upper[-20:].max())


def test_times_are_those_of_the_clock_at_the_source(result: Backtest, outlook: Outlook) -> None:
    last = BERLIN.index[-1].tz_localize(None)
    assert num2date(result.plot().get_lines()[1].get_xdata(orig=False)[-1]).replace(tzinfo=None) == last
    past, forecast = outlook.plot().get_lines()
    assert num2date(past.get_xdata(orig=False)[-1]).replace(tzinfo=None) == last
    first = last + pd.Timedelta("1h")
    assert num2date(forecast.get_xdata(orig=False)[0]).replace(tzinfo=None) == first


def test_coverage_calibration_and_efficiency_show_every_method(result: Backtest) -> None:
    coverage, calibration = result.plot("coverage"), result.plot("calibration")
    efficiency = result.plot("efficiency", level=0.8)
    assert labels(coverage) == labels(calibration) == labels(efficiency) == ["split", "adaptive"]
    # A short test block has a short window.
    assert (
        coverage.get_title(loc="left")
        == f"Coverage of the last {result.run().blocks.test_rows} outcomes, 95 %"
    )
    assert coverage.get_lines()[0].get_ydata()[-1] == pytest.approx(result.run().band("split", 0.95).coverage)
    expected = [result.run().band("adaptive", level).coverage for level in (0.8, 0.95)]
    assert calibration.get_lines()[2].get_ydata().tolist() == pytest.approx(expected)
    point = efficiency.get_lines()[0]
    band = result.run().band("split", 0.8)
    assert point.get_xdata()[0] == pytest.approx(band.coverage_error)
    assert point.get_ydata()[0] == pytest.approx(band.winkler)
    assert efficiency.get_title(loc="left") == "Coverage and cost, 80 %"


def test_an_outlook_draws_the_fan_after_the_past(outlook: Outlook) -> None:
    axes = outlook.plot(past=30)
    past, forecast = axes.get_lines()
    assert np.array_equal(past.get_ydata(), WAVE[-30:])
    assert np.array_equal(forecast.get_ydata(), outlook.forecast)
    assert labels(axes) == ["observed", "95 % interval", "80 % interval", "forecast"]
    assert axes.get_ylabel() == "load"
    assert outlook.plot().get_lines()[0].get_ydata().size == 48
    assert len(outlook.plot(past=0).get_lines()) == 1


def test_without_times_steps_are_counted_from_the_last_observation() -> None:
    axes = look_ahead(WAVE, NGRC(lags=4), steps=3, method="split", band="path").plot()
    past, forecast = axes.get_lines()
    assert past.get_xdata()[-1] == 0
    assert forecast.get_xdata().tolist() == [1, 2, 3]
    assert axes.get_title(loc="left") == "series: 3 steps ahead, split, whole path"
    assert axes.get_xlabel() == "step"


def test_axes_of_the_caller_are_drawn_into(result: Backtest, outlook: Outlook) -> None:
    one, other = Figure().subplots(1, 2)
    assert result.plot("coverage", ax=one) is one
    assert outlook.plot(ax=other) is other
    assert pyplot.get_fignums() == []


def test_what_is_not_there_is_refused(result: Backtest, outlook: Outlook) -> None:
    with pytest.raises(
        ValueError, match="kind must be one of band, coverage, calibration, efficiency, got 'bands'"
    ):
        result.plot("bands")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="no band of 'pid'"):
        result.plot(method="pid")
    with pytest.raises(ValueError, match=r"no band of 'split' at level 0\.5"):
        result.plot("coverage", level=0.5)
    with pytest.raises(ValueError, match="no run at horizon 7"):
        result.plot(horizon=7)
    with pytest.raises(ValueError, match="past must be"):
        outlook.plot(past=-1)


def test_values_that_were_carried_forward_are_not_drawn_as_observed() -> None:
    holes = BERLIN.copy()
    holes.iloc[-30:-20] = np.nan
    result = backtest(holes, NGRC(lags=4), methods=["split"], level=0.9)
    run = result.run()
    came = result.came(run)
    assert (~came).sum() == 10
    (dots,) = (line for line in result.plot(last=None).lines if line.get_label() == "observed")
    assert np.array_equal(np.isnan(dots.get_ydata()), ~came)
    assert len(result.plot("coverage").lines[0].get_xdata()) == came.sum()
    ahead = look_ahead(holes, NGRC(lags=4), steps=2, method="split").plot()
    (past,) = (line for line in ahead.lines if line.get_label() == "observed")
    assert np.isnan(past.get_ydata()).sum() == 10
