"""More steps than a series allows: refused in one line before anything is made of them, wherever they are given."""

from pathlib import Path

import numpy as np
import polars as pl
import pytest

from ngrc import NGRC, AutoNGRC, OnlineForecaster, backtest, look_ahead
from ngrc.adapters.course import Course, Past
from ngrc.ahead.paths import ManyFits, checked_path
from ngrc.cli import run
from ngrc.forecasters import SeasonalNaive
from ngrc.panel import forecasts
from ngrc.series import Series
from ngrc.validation import LONGEST_PATH, longest_path

WAVE = np.sin(np.arange(300) / 4) + np.random.default_rng(0).normal(0, 0.2, 300)
MANY = (301, 1000, 10**6, 10**9)


def most(model: object, steps: int, size: int = 300) -> str:
    with pytest.raises(ValueError, match="at most") as caught:
        checked_path(size, model, steps, ManyFits())
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize("steps", MANY)
def test_a_series_is_forecast_as_far_as_it_reaches_back(steps: int) -> None:
    words = f"too short for {steps} steps ahead.*at most %d steps can be had"
    with pytest.raises(ValueError, match=words % 300):
        look_ahead(WAVE, steps=steps)
    with pytest.raises(ValueError, match=words % 49):
        look_ahead(WAVE, NGRC(lags=3), steps=steps)
    with pytest.raises(ValueError, match=words % 49):
        look_ahead(WAVE, SeasonalNaive(), steps=steps)
    with pytest.raises(ValueError, match=words % 300):
        Course.of(Past(Series(WAVE)), AutoNGRC(), steps)


@pytest.mark.parametrize("size", [5, 6, 12, 23, 24, 25, 60, 150])
@pytest.mark.parametrize("trend", [0.0, 0.1])
def test_as_many_steps_as_observations_and_a_day_of_hours_of_any_series(size: int, trend: float) -> None:
    steps = longest_path(size)
    assert steps == max(24, size)
    outlook = look_ahead(WAVE[:size] + trend * np.arange(size), steps=steps)
    assert np.all(np.isfinite(outlook.forecast))
    assert np.all(outlook.lower <= outlook.upper)
    assert f"at most {steps} steps can be had" in most(AutoNGRC(), steps + 1, size)


@pytest.mark.parametrize("steps", [150, 220])
def test_steps_of_which_the_first_rows_hold_no_outcome(steps: int) -> None:
    """A clean wave is fitted at its nearer steps; no row of its first fits has an outcome of the farthest."""
    y = np.sin(np.arange(220) / 2) + 0.1 * np.random.default_rng(1).normal(size=220)
    outlook = look_ahead(y, steps=steps)
    assert np.all(np.isfinite(outlook.forecast))
    assert np.all(outlook.lower <= outlook.upper)


def test_no_series_is_long_enough_for_more() -> None:
    refused = (
        f"must be at most {LONGEST_PATH} where all steps are forecast, got {LONGEST_PATH + 1}; forecast fewer"
    )
    assert f"steps {refused}" in most(AutoNGRC(), LONGEST_PATH + 1, 10**6)
    assert f"steps {refused}" in most(NGRC(lags=3), LONGEST_PATH + 1, 10**6)
    assert checked_path(10**6, NGRC(lags=3), LONGEST_PATH, ManyFits()).horizon == LONGEST_PATH
    table = pl.DataFrame({"unique_id": ["a"] * 300, "ds": np.arange(300), "y": WAVE})
    for call in (
        lambda steps: NGRC(lags=3, horizon=steps, path=True).fit(WAVE),
        lambda steps: AutoNGRC(horizon=steps, path=True).fit(WAVE),
        lambda steps: OnlineForecaster(horizon=steps),
        lambda steps: forecasts(table, steps),
    ):
        for steps in (LONGEST_PATH + 1, 10**9):
            with pytest.raises(ValueError, match=f"horizon must be at most {LONGEST_PATH}"):
                call(steps)


def test_a_path_beyond_the_series() -> None:
    with pytest.raises(ValueError, match="a path of 300 observations has at most 300 steps, got horizon 301"):
        AutoNGRC(horizon=301, path=True).fit(WAVE)
    with pytest.raises(ValueError, match="at most 300 steps can be had"):
        OnlineForecaster(horizon=301).start(WAVE)
    with pytest.raises(ValueError, match="horizon 1000000000 reaches beyond the series of 300 observations"):
        backtest(WAVE, horizon=10**9)


@pytest.mark.parametrize("words", [["forecast", "--horizon", "1000000"], ["compare", "--horizon", "1000000"]])
def test_the_command_line_says_so_at_once(
    words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "y.csv"
    path.write_text("y\n" + "\n".join(f"{value:.4f}" for value in WAVE))
    assert run([words[0], str(path), *words[1:]]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("ngrc: error: ")
