"""Columns beside the series: read where they help, left out where they do not, and asked for by name."""

from typing import Any

import numpy as np
import pandas as pd
import pytest

from ngrc import NGRC, AutoNGRC, backtest, look_ahead
from ngrc._types import FloatArray
from tests.auto.twin import Data, reach, said

SIZE, AHEAD = 400, 30


def driven(seed: int = 0, noise: float = 0.3) -> tuple[FloatArray, dict[str, FloatArray]]:
    """A series that follows yesterday's wind and today's sun; rain has nothing to do with it."""
    rng = np.random.default_rng(seed)
    wind, sun, rain = rng.normal(size=(3, SIZE + AHEAD))
    y = np.zeros(SIZE)
    for t in range(1, SIZE):
        y[t] = 0.5 * y[t - 1] + 2.0 * wind[t - 1] + 1.5 * sun[t] + noise * rng.normal()
    return 20.0 + y, {"wind": wind, "sun": sun, "rain": rain}


def share(model: AutoNGRC, name: str) -> float:
    """Weight of the members that read a column."""
    members = model.selections_[0].members
    return sum(m.weight for m in members if name in (*m.recipe.exog, *m.recipe.known))


def rmse(errors: FloatArray) -> float:
    return float(np.sqrt(np.mean(np.square(errors))))


def test_an_input_that_drives_the_series_is_read_and_one_of_noise_is_not() -> None:
    kept = 0.0
    for seed in range(3):
        y, exog = driven(seed)
        both = {"wind": exog["wind"][:SIZE], "rain": exog["rain"][:SIZE]}
        model = AutoNGRC(exog=("wind", "rain")).fit(y[:300], exog={n: c[:300] for n, c in both.items()})
        assert share(model, "wind") > 0.8
        kept += share(model, "rain") / 3
        plain = AutoNGRC().fit(y[:300])
        errors = [rmse((y - model.predict(y, exog=both))[300:]), rmse((y - plain.predict(y))[300:])]
        # Without the wind 2^2 + 1.5^2 + 0.3^2 is left, with it 1.5^2 + 0.3^2: a ratio of 0.61.
        assert errors[0] < 0.75 * errors[1]
    assert kept < 0.5


def test_noise_alone_is_left_out() -> None:
    y, exog = driven(5)
    model = AutoNGRC(exog=("rain",)).fit(y, exog={"rain": exog["rain"][:SIZE]})
    assert share(model, "rain") < 0.5
    plain = AutoNGRC().fit(y)
    assert rmse(
        model.predict(y, exog={"rain": exog["rain"][:SIZE]})[300:] - plain.predict(y)[300:]
    ) < 0.3 * np.std(y)


@pytest.mark.parametrize("horizon", [1, 4])
def test_known_inputs_are_read_at_the_targets_time(horizon: int) -> None:
    y, exog = driven(1)
    model = AutoNGRC(horizon, path=True, known=("sun",)).fit(y, exog={"sun": exog["sun"]})
    assert share(model, "sun") > 0.8
    names = model.coefficients(1).names
    assert "sun[t']" in names
    weight = model.coefficients(1).values[names.index("sun[t']")]
    scale = model.state_.preparation
    assert weight * scale.scales[0].std / scale.beside["sun"].scale.std == pytest.approx(1.5, abs=0.3)
    # One more unit of the coming sun is so much more of the series.
    brighter = {"sun": exog["sun"].copy()}
    brighter["sun"][SIZE] += 1.0
    change = model.forecast(y, exog=brighter)[0] - model.forecast(y, exog={"sun": exog["sun"]})[0]
    assert change == pytest.approx(1.5, abs=0.3)
    np.testing.assert_array_equal(
        model.forecast(y, exog=brighter)[1:], model.forecast(y, exog={"sun": exog["sun"]})[1:]
    )


@pytest.mark.parametrize("horizon", [1, 3])
def test_forecasts_with_inputs_are_the_members_by_hand(horizon: int) -> None:
    y, exog = driven(2)
    model = AutoNGRC(horizon, exog=("wind", "rain"), known=("sun",)).fit(y, exog=exog)
    preparation, selection = model.state_.preparation, model.selections_[0]
    link, scale = preparation.links[0], preparation.scales[0]
    x = scale.standardise(link.forward(y))
    beside = {}
    for name, column in exog.items():
        own = column[:SIZE]
        beside[name] = (column - own.mean()) / own.std()
    data = Data(x, (x.min(), x.max()), beside)
    far = max(reach(member.recipe, data, horizon) for member in selection.members)
    asked = range(SIZE - 5, SIZE + horizon)
    total = np.zeros(len(asked))
    for member in selection.members:
        fitted = range(far + horizon, SIZE)
        total += member.weight * said(member.recipe, data, horizon, fitted, asked, member.penalty(horizon))
    told = np.concatenate((model.predict(y, exog=exog)[-5:], model.forecast(y, exog=exog)))
    np.testing.assert_allclose(told, link.inverse(scale.restore(total)), atol=1e-7 * float(np.std(y)))


def test_members_may_read_different_inputs() -> None:
    """Two inputs that say nearly the same: some members read one, some the other, and none need read both."""
    found = set()
    for seed in range(2, 12):
        rng = np.random.default_rng(seed)
        a = rng.standard_normal(150)
        b = a + 0.02 * rng.standard_normal(150)
        y = 0.3 * rng.standard_normal(150)
        y[1:] += 0.5 * a[:-1] + 0.5 * b[:-1]
        model = AutoNGRC(exog=("a", "b")).fit(y, exog={"a": a, "b": b})
        found.add(frozenset(member.recipe.exog for member in model.selections_[0].members))
        assert np.isfinite(model.forecast(y, exog={"a": a, "b": b})).all()
    assert any({("a",), ("b",)} <= kinds for kinds in found)


def test_frames_times_backtest_and_look_ahead() -> None:
    y, exog = driven(3)
    times = pd.date_range("2024-01-01", periods=SIZE + AHEAD, freq="h")
    series = pd.Series(y, index=times[:SIZE], name="load")
    frame = pd.DataFrame({"wind": exog["wind"], "sun": exog["sun"]}, index=times)
    outlook = look_ahead(series, exog=frame, known=("sun",), steps=3, method="split", level=0.8)
    assert np.isfinite(outlook.forecast).all()
    assert (outlook.lower < outlook.upper).all()
    run = backtest(series, exog=frame[:SIZE], known=("sun",), methods=["split"]).runs[0]
    plain = backtest(series, methods=["split"]).runs[0]
    # The noise of 0.3 beside the 2.5 that wind and sun make.
    assert run.rmse < 0.3 * plain.rmse


ERRORS: dict[str, tuple[Any, str]] = {
    "declared and not given": (
        lambda y, exog: AutoNGRC(exog=("wind",)).fit(y),
        "wind is declared, and fit got no exog; give exog with that column, or do not declare it",
    ),
    "missing at predict": (
        lambda y, exog: AutoNGRC(exog=("wind",)).fit(y, exog={"wind": exog["wind"][:SIZE]}).predict(y),
        "the model was fitted with wind beside the series; give exog with it",
    ),
    "given to a model without": (
        lambda y, exog: AutoNGRC().fit(y).predict(y, exog={"wind": exog["wind"][:SIZE]}),
        "this AutoNGRC was fitted without exog; leave exog out, or fit it with exog",
    ),
    "known too short": (
        lambda y, exog: AutoNGRC(3, known=("sun",)).fit(y, exog={"sun": exog["sun"]}).forecast(
            y, exog={"sun": exog["sun"][: SIZE + 1]}
        ),
        "sun",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", ERRORS)
def test_errors_are_one_line(name: str) -> None:
    act, message = ERRORS[name]
    with pytest.raises(ValueError, match=message) as caught:
        act(*driven())
    assert "\n" not in str(caught.value)


def test_a_column_that_is_not_there_is_told_as_by_ngrc() -> None:
    y, exog = driven()
    told = []
    for model in (AutoNGRC(exog=("fog",)), NGRC(lags=2, exog=("fog",))):
        with pytest.raises(ValueError, match="fog") as caught:
            model.fit(y, exog={"wind": exog["wind"][:SIZE]})
        told.append(str(caught.value))
    assert told[0] == told[1]


def test_a_known_input_is_read_on_a_short_series_too() -> None:
    rng = np.random.default_rng(5)
    known = rng.normal(size=40)
    y = 2.0 * known + 0.1 * rng.normal(size=40)
    model = AutoNGRC(known=("k",)).fit(y[:39], exog={"k": known[:39]})
    assert "inputs k" in model.report()
    forecast = model.forecast(y[:39], exog={"k": known})
    assert abs(forecast[0] - y[39]) < 0.5
