"""Results print for people, carry their notes, and keep the library they came in."""

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

from ngrc import NGRC, AutoNGRC, around, backtest, look_ahead
from ngrc._text import MOST_ROWS, aligned, rounded, shortened, text_table
from ngrc.intervals import Bayes
from ngrc.metrics import r_squared

RNG = np.random.default_rng(0)
WAVE = 10 + np.sin(np.arange(300) / 5) + RNG.normal(0, 0.2, 300)
DAYS = pd.date_range("2024-01-01", periods=300, freq="h", tz="Europe/Berlin")


def widest(text: str) -> int:
    return max(map(len, text.splitlines()))


def test_a_backtest_fits_sixty_columns_and_marks_the_best() -> None:
    result = backtest(WAVE, NGRC(lags=4), methods=["split", "adaptive"], level=[0.8, 0.95], horizon=(1, 3))
    text = repr(result)
    assert widest(text) <= 60
    best = result.table.filter((pl.col("horizon") == 3) & (pl.col("level") == 0.95)).sort("winkler")
    starred = [line for line in text.splitlines() if line.endswith("*")]
    assert len(starred) == 4
    assert starred[-1].split()[3] == "%"
    assert starred[-1].split()[4] == best["method"][0]
    for word in ("coverage", "width", "Winkler", "horizon 3"):
        assert word in text


def test_an_outlook_prints_times_as_they_came() -> None:
    outlook = look_ahead(pd.Series(WAVE, index=DAYS, name="load"), NGRC(lags=4), steps=3, method="split")
    text = repr(outlook)
    assert widest(text) <= 80
    assert "2024-01-13T12:00+01:00" in text
    assert str(outlook.table["time"].dt.tz) == "Europe/Berlin"


def test_a_long_outlook_is_shortened() -> None:
    outlook = look_ahead(WAVE, NGRC(lags=4), steps=40, method="split")
    text = repr(outlook)
    assert "40 rows in all: outlook.table" in text
    assert len(text.splitlines()) < MOST_ROWS + 10


def test_an_outlook_carries_what_was_done_to_the_series() -> None:
    frame = pl.DataFrame({"other": np.arange(300.0), "y": [*WAVE[:-1].tolist(), None]})
    outlook = look_ahead(frame, NGRC(lags=4), steps=2, method="split")
    assert any("carried forward" in note for note in outlook.notes)
    assert "note: " in repr(outlook)


@pytest.mark.parametrize("library", [np.asarray, pd.Series, pl.Series])
def test_intervals_around_forecasts_have_a_table(library: Any) -> None:
    y = [*WAVE[:-1].tolist(), None]
    forecasts = np.concatenate([[10.0], WAVE[:-1]])
    outcomes = np.array(y, dtype=np.float64) if library is np.asarray else library(y)
    bands = around(outcomes, forecasts, "split", level=[0.8, 0.95])
    table: Any = bands.table
    assert isinstance(table, pd.DataFrame if library is pd.Series else pl.DataFrame)
    assert list(table.columns) == ["y", "forecast", "lower_80", "upper_80", "lower_95", "upper_95"]
    assert len(table) == bands.lower.size
    np.testing.assert_array_equal(np.asarray(table["upper_95"]), bands.band(0.95).upper)
    last = table["y"].to_list()[-1]
    assert last is None or np.isnan(last)
    assert widest(repr(bands).split("\n\n")[1]) <= 60


def test_times_around_forecasts_keep_their_zone() -> None:
    bands = around(pd.Series(WAVE), np.full(300, 10.0), "split", times=DAYS)
    assert str(bands.table["time"].dt.tz) == "Europe/Berlin"
    assert bands.table["time"].iloc[-1] == DAYS[-1]


@pytest.mark.parametrize("model", [NGRC(lags=4, degree=1), NGRC(lags=3, horizon=2, transform="log")])
def test_the_models_own_interval_is_the_bayesian_one(model: NGRC) -> None:
    fitted = model.fit(WAVE[:200])
    ends = fitted.predict_interval(WAVE, level=0.9)
    made = ~np.isnan(fitted.predict(WAVE))
    assert made.sum() == 300 - fitted.first_target
    assert np.isnan(ends[~made]).all()
    forecast, leverage = fitted.predict(WAVE)[made], fitted.leverage(WAVE)[made]
    half = 1.6448536269514722 * fitted.noise_scale("gcv").scale * np.sqrt(1 + leverage)
    lower, upper = fitted.link().ends(forecast, -half, half)
    np.testing.assert_allclose(ends[made], np.stack([lower, upper], axis=1), rtol=1e-12)
    assert Bayes(noise="gcv").name == "bayes"


def test_the_score_is_r_squared_over_targets_with_a_forecast() -> None:
    model = NGRC(lags=4, degree=1).fit(WAVE[:200])
    late = WAVE[200:]
    said = model.predict(late)
    made = ~np.isnan(said)
    expected = 1 - np.sum((late[made] - said[made]) ** 2) / np.sum((late[made] - late[made].mean()) ** 2)
    assert model.score(late) == pytest.approx(expected, rel=1e-12)
    with pytest.raises(ValueError, match="no target has a forecast"):
        model.score(late[:2])
    assert r_squared(np.ones(3), np.ones(3)) == 1.0
    assert r_squared(np.ones(3), np.zeros(3)) == 0.0


def test_both_models_have_them_and_refuse_a_vector() -> None:
    assert AutoNGRC.predict_interval is NGRC.predict_interval
    assert AutoNGRC.score is NGRC.score
    both = np.stack([WAVE, WAVE**2], axis=1)
    with pytest.raises(ValueError, match="the model has 2 channels"):
        NGRC(lags=2).fit(both).score(both)


def test_text_is_aligned_and_rounded() -> None:
    assert text_table(["a", "n"], [["x", "1"], ["yy", "10"]]).splitlines() == ["a    n", "x    1", "yy  10"]
    assert aligned([1e-3, 12.0, np.inf]) == ["0.00", "12.00", "inf"]
    assert rounded(9.99996) == "10.00"
    rows, more = shortened([[str(n), "x"] for n in range(100)], "result.table")
    assert len(rows) == MOST_ROWS
    assert more == "100 rows in all: result.table"
