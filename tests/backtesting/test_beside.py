"""What stands beside a series in a backtest and a look ahead: the right rows, to whoever takes them, and none early."""

from typing import Any, Self

import numpy as np
import pandas as pd
import polars as pl
import pytest

from ngrc import NGRC, FixedOrigin, backtest
from ngrc._params import Parameters
from ngrc._types import FloatArray
from ngrc.ahead import look_ahead, look_ahead_together
from ngrc.forecasters import LagRegressor
from ngrc.forecasters.beside import Beside, place_beside
from ngrc.series import Channels, as_series

SIZE = 400
HOURS = pd.date_range("2024-01-01", periods=SIZE, freq="h")


def data(seed: int = 0) -> tuple[FloatArray, pd.DataFrame]:
    """A series that follows the heat of its own hour and the wind of the hour before."""
    rng = np.random.default_rng(seed)
    heat, wind = rng.normal(size=(2, SIZE))
    y = np.zeros(SIZE)
    for t in range(1, SIZE):
        y[t] = 0.5 * y[t - 1] + heat[t] + 0.5 * wind[t - 1] + 0.1 * rng.normal()
    return y, pd.DataFrame({"wind": wind, "heat": heat})


class Recorder(Parameters):
    """Repeats the last value, and remembers what it was given."""

    def __init__(self, horizon: int = 1, exog: Any = (), known: Any = (), calendar: bool = False) -> None:
        self.horizon = horizon
        self.exog = exog
        self.known = known
        self.calendar = calendar

    @property
    def wants_times(self) -> bool:
        return self.calendar

    @property
    def first_target(self) -> int:
        return self.horizon

    def fit(self, y: Any, *, first: int = 0, scale: Any = None, **beside: Any) -> Self:
        self.calls_ = [("fit", len(y), beside)]
        return self

    def predict(self, y: Any, **beside: Any) -> FloatArray:
        self.calls_.append(("predict", len(y), beside))
        result = np.full(len(y), np.nan)
        result[self.horizon :] = y[: -self.horizon]
        return result


def test_every_call_gets_its_own_rows_and_not_one_more() -> None:
    y, frame = data()
    result = backtest(
        pd.Series(y, index=HOURS), Recorder(2, calendar=True), exog=frame, known=["heat"], methods=["split"],
        split=FixedOrigin(),
    )  # fmt: skip
    (run,) = result.runs
    model: Any = run.model
    assert (model.exog, model.known) == (("wind",), ("heat",))
    assert [(name, size) for name, size, _ in model.calls_] == [
        ("fit", run.blocks.fit.stop),
        ("predict", run.blocks.test.stop),
    ]
    for _, size, beside in model.calls_:
        assert beside["exog"].names == ("wind", "heat")
        np.testing.assert_array_equal(beside["exog"].values, frame.to_numpy()[:size])
        np.testing.assert_array_equal(beside["times"], HOURS.to_numpy()[:size])


def test_nothing_is_given_where_nothing_is_wanted() -> None:
    y, _ = data()
    model: Any = (
        backtest(pd.Series(y, index=HOURS), Recorder(), methods=["split"], split=FixedOrigin()).runs[0].model
    )
    assert [beside for *_, beside in model.calls_] == [{}, {}]


@pytest.mark.parametrize("library", ["pandas", "polars", "numpy", "mapping", "with times"])
def test_the_library_does_not_matter(library: str) -> None:
    y, frame = data()
    exog: Any = {
        "pandas": frame,
        "polars": pl.from_pandas(frame),
        "numpy": frame.to_numpy(),
        "mapping": {name: frame[name].to_list() for name in frame},
        "with times": frame.set_index(HOURS),
    }[library]
    known = ["exog1"] if library == "numpy" else ["heat"]
    run = backtest(y, NGRC(lags=3), exog=exog, known=known, methods=["split"], split=FixedOrigin()).runs[0]
    expected = NGRC(lags=3, exog=("wind",), known=("heat",))
    fit = run.blocks.fit
    expected.fit(y[: fit.stop], exog=frame[: fit.stop], first=fit.start, scale=run.scale)
    np.testing.assert_array_equal(run.forecasts, expected.predict(y, exog=frame)[: run.forecasts.size])
    assert run.rmse < 0.2


@pytest.mark.parametrize("horizon", [1, 3])
def test_no_forecast_reads_a_column_early(horizon: int) -> None:
    y, frame = data()
    changed = 380

    def forecasts(**columns: Any) -> FloatArray:
        exog = frame.assign(**columns)
        run = backtest(y, NGRC(lags=3), exog=exog, known=["heat"], horizon=horizon, methods=["split"]).runs[0]
        assert run.blocks.fit.stop < changed < run.blocks.test.stop
        return run.forecasts

    plain = forecasts()
    later = np.arange(SIZE) >= changed
    # Observed only: the row of time t may enter forecasts made at t, which are for t + H.
    wind = forecasts(wind=np.where(later, 9.0, frame["wind"]))
    np.testing.assert_array_equal(wind[: changed + horizon], plain[: changed + horizon])
    assert wind[changed + horizon] != plain[changed + horizon]
    # Known ahead: the row of time t enters the forecast for t, and none before.
    heat = forecasts(heat=np.where(later, 9.0, frame["heat"]))
    np.testing.assert_array_equal(heat[:changed], plain[:changed])
    assert heat[changed] != plain[changed]


def test_rows_before_the_first_observation_fall_away() -> None:
    y, frame = data()
    late = np.concatenate([[np.nan] * 5, y])
    longer = pd.concat([frame[:5] * 0 + 7, frame], ignore_index=True)
    plain = backtest(y, NGRC(lags=3), exog=frame, known=["heat"], methods=["split"]).runs[0]
    again = backtest(late, NGRC(lags=3), exog=longer, known=["heat"], methods=["split"]).runs[0]
    np.testing.assert_array_equal(again.forecasts, plain.forecasts)
    # A Series is settled: its columns stand beside the rows that are left.
    settled = backtest(as_series(late), NGRC(lags=3), exog=frame, known=["heat"], methods=["split"]).runs[0]
    np.testing.assert_array_equal(settled.forecasts, plain.forecasts)


def test_a_calendar_needs_no_more_than_the_series_times() -> None:
    rng = np.random.default_rng(1)
    y = np.where(HOURS.hour == 7, 5.0, 0.0) + 0.1 * rng.normal(size=SIZE)
    series = pd.Series(y, index=HOURS)
    plain = backtest(series, NGRC(lags=2, degree=1), methods=["split"]).runs[0]
    hours = backtest(series, NGRC(lags=2, degree=1, calendar=("hour",)), methods=["split"]).runs[0]
    assert hours.rmse < 0.2 < plain.rmse
    outlook = look_ahead(series, NGRC(lags=2, degree=1, calendar=("hour",)), steps=24, method="split")
    peak = [time.hour for time in outlook.table["time"]].index(7)
    assert int(np.argmax(outlook.forecast)) == peak
    with pytest.raises(ValueError, match="calendar columns need the series' times"):
        backtest(y, NGRC(lags=2, calendar=("hour",)), methods=["split"])


def test_look_ahead_reads_known_inputs_of_the_future() -> None:
    y, frame = data()
    model = NGRC(lags=3, degree=1)
    outlook = look_ahead(y[:390], model, exog=frame, known=["heat"], steps=5, method="split")
    assert np.sqrt(np.mean((outlook.forecast[:1] - y[390:391]) ** 2)) < 0.5
    warmer = frame.assign(heat=np.where(np.arange(SIZE) >= 392, frame["heat"] + 1, frame["heat"]))
    other = look_ahead(y[:390], model, exog=warmer, known=["heat"], steps=5, method="split")
    np.testing.assert_array_equal(other.forecast[:2], outlook.forecast[:2])
    assert np.all(other.forecast[2:] > outlook.forecast[2:] + 0.5)
    # What a column that is not known ahead holds after the last observation changes nothing.
    stormy = frame.assign(wind=np.where(np.arange(SIZE) >= 390, 99.0, frame["wind"]))
    same = look_ahead(y[:390], model, exog=stormy, known=["heat"], steps=5, method="split")
    np.testing.assert_array_equal(same.forecast, outlook.forecast)
    np.testing.assert_array_equal(same.upper, outlook.upper)


def test_series_together_have_one_length_and_the_same_times() -> None:
    y, frame = data()
    one, two = look_ahead_together([y, frame["wind"]], NGRC(lags=2), steps=2, method="split")
    assert one.forecast.shape == two.forecast.shape == (2,)
    alone = look_ahead(y, NGRC(lags=2), steps=2, method="split")
    assert one.forecast[0] != alone.forecast[0]
    with pytest.raises(
        ValueError, match="need one length, got 400 of series 'series' and 399 of series 'wind'"
    ):
        look_ahead_together([y, frame["wind"][:-1]], NGRC(lags=2))
    shifted = [pd.Series(y, index=HOURS, name="a"), pd.Series(y, index=HOURS.shift(1), name="b")]
    with pytest.raises(ValueError, match="series 'a' is at 2024-01-01, series 'b' at 2024-01-01 01:00"):
        look_ahead_together(shifted, NGRC(lags=2))


@pytest.mark.parametrize(
    ("model", "arguments", "message"),
    [
        (LagRegressor(object(), lags=3), {"exog": np.zeros(SIZE)}, "exog is for a model that takes it, such as NGRC"),
        (NGRC(lags=3), {"known": ["heat"]}, "columns 'heat' are declared, and no exog came that holds them"),
        (NGRC(lags=3, exog=("wind",)), {}, "columns 'wind' are declared, and no exog came"),
        (NGRC(lags=3, known=("heat",)), {"exog": data()[1], "known": ["wind"]}, "contradicts the model's own known"),
        (NGRC(lags=3), {"exog": data()[1][:300]}, "exog has 300 rows beside a series of 400 observations"),
        (NGRC(lags=3), {"exog": data()[1], "known": ["heta"]}, "exog has no column 'heta', which is declared as known"),
    ],
)  # fmt: skip
def test_bad_input(model: Any, arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        backtest(data()[0], model, methods=["split"], **arguments)


def test_columns_that_the_model_declares_are_taken() -> None:
    y, frame = data()
    named = backtest(y, NGRC(lags=3, known=("heat",)), exog=frame, methods=["split"]).runs[0]
    cut = backtest(y, NGRC(lags=3), exog=frame[["heat"]], known=["heat"], methods=["split"]).runs[0]
    np.testing.assert_array_equal(named.forecasts, cut.forecasts)


def test_the_value_itself() -> None:
    channels = Channels(("a",), np.arange(6.0)[:, None])
    observed = Beside(channels, ("a",))
    ahead = Beside(channels, (), ("a",), np.arange(6))
    assert len(observed.until(4, 2)["exog"]) == 4
    assert len(ahead.until(4, 2)["exog"]) == 6
    assert ahead.until(3)["times"].tolist() == [0, 1, 2]
    model = NGRC(lags=2)
    assert Beside().equip(model) is model
    assert repr(ahead.equip(model)) == "NGRC(lags=2, known=('a',))"
    assert model.known == ()
    assert place_beside([1.0, 2.0], as_series([1.0, 2.0]), model).until(2) == {}


def test_a_column_with_the_name_of_the_series_is_refused() -> None:
    y, frame = data()
    # The map calls a scalar series x: a column x would take its place without a word.
    with pytest.raises(ValueError, match="the exog column 'x' has the name of the series' own channel"):
        NGRC(lags=2).fit(y, exog=frame.rename(columns={"wind": "x"}))
    together = pd.DataFrame({"a": y, "b": y[::-1]})
    with pytest.raises(ValueError, match="the exog column 'a' has the name"):
        NGRC(lags=2).fit(together, exog=frame.rename(columns={"wind": "a"}))


def test_a_vector_series_may_carry_its_dates() -> None:
    y, frame = data()
    model = NGRC(lags=2, degree=1, calendar=("hour",), ridge=1e-3)
    indexed = pd.DataFrame({"a": y, "b": frame["wind"].to_numpy()}, index=HOURS)
    plain = pl.DataFrame({"when": HOURS.to_numpy(), "a": y, "b": frame["wind"].to_numpy()})
    expected = model.fit(indexed).forecast(indexed)
    np.testing.assert_array_equal(model.fit(plain).forecast(plain), expected)
    assert expected.shape == (1, 2)
