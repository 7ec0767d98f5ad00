import gzip
import warnings
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from ngrc._types import FloatArray
from ngrc.forecasters import ARIMA

pytest.importorskip("statsmodels", reason="ARIMA needs statsmodels")


def walk(size: int = 260, seed: int = 3) -> FloatArray:
    steps = np.random.default_rng(seed).normal(size=size)
    for time in range(1, size):
        steps[time] += 0.6 * steps[time - 1]
    return 5.0 + np.cumsum(steps)


@pytest.mark.parametrize("horizon", [1, 2, 5])
def test_autoregression_has_the_closed_form(horizon: int) -> None:
    y = np.diff(walk())
    model = ARIMA((1, 0, 0), lookback=3, horizon=horizon).fit(y[:200], scale=(0.5, 2.0))
    phi = model.params_[0]
    expected = 0.5 + phi**horizon * (y - 0.5)
    assert 0.4 < phi < 0.8
    assert np.allclose(model.predict(y)[2 + horizon :], expected[2:-horizon])


@pytest.mark.parametrize("horizon", [1, 4])
def test_integrated_autoregression_has_the_closed_form(horizon: int) -> None:
    y = walk()
    model = ARIMA((1, 1, 0), lookback=4, horizon=horizon).fit(y[:200])
    reach = float(np.sum(model.params_[0] ** np.arange(1, horizon + 1)))
    expected = y[1:] + reach * np.diff(y)
    assert np.allclose(model.predict(y)[3 + horizon :], expected[2 : y.size - horizon - 1], atol=1e-6)


@pytest.mark.parametrize("horizon", [1, 3])
def test_equals_a_forecast_from_each_origin_by_itself(horizon: int) -> None:
    from statsmodels.tsa.arima import model as reference

    y = walk(120)
    model = ARIMA((2, 1, 1), lookback=10, horizon=horizon).fit(y[:80], scale=(0.0, 1.0))
    forecasts = model.predict(y)
    for target in (model.first_target, 60, 119):
        known = reference.ARIMA(y[: target - horizon + 1], order=(2, 1, 1), trend="n").filter(model.params_)
        assert forecasts[target] == pytest.approx(known.forecast(horizon)[-1], rel=1e-9)


def test_first_is_a_fit_on_the_observations_that_its_rows_touch() -> None:
    y = walk()
    late = ARIMA((1, 1, 1), lookback=6, horizon=2).fit(y[:200], first=90, scale=(1.0, 3.0))
    alone = ARIMA((1, 1, 1), lookback=6, horizon=2).fit(y[83:200], scale=(1.0, 3.0))
    assert np.array_equal(late.params_, alone.params_)
    assert not np.allclose(late.params_, ARIMA((1, 1, 1), lookback=6).fit(y[:200], scale=(1.0, 3.0)).params_)


def test_lookback_only_moves_the_first_target() -> None:
    y = walk()
    short, long = (ARIMA((1, 1, 0), lookback=lookback).fit(y[:200]) for lookback in (1, 30))
    assert (short.first_target, long.first_target) == (1, 30)
    assert np.array_equal(short.predict(y)[30:], long.predict(y)[30:])


def test_warnings_of_the_optimiser_become_notes(monkeypatch: pytest.MonkeyPatch) -> None:
    def fit(**options: Any) -> Any:
        for _ in range(2):
            warnings.warn("did not converge", RuntimeWarning, stacklevel=1)
        return SimpleNamespace(params=[0.5, 1.0], param_names=["ar.L1", "sigma2"])

    monkeypatch.setattr(ARIMA, "_model", lambda self, z: SimpleNamespace(fit=fit))
    model = ARIMA((1, 1, 0)).fit(walk())
    assert model.notes_ == ("RuntimeWarning: did not converge",)
    assert model.names_ == ("ar.L1", "sigma2")


def test_a_quiet_fit_has_no_notes() -> None:
    assert ARIMA((1, 1, 0)).fit(walk()).notes_ == ()


def test_a_diverged_fit_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    results = SimpleNamespace(params=[np.nan, 1.0], param_names=["ar.L1", "sigma2"])
    monkeypatch.setattr(ARIMA, "_model", lambda self, z: SimpleNamespace(fit=lambda **options: results))
    with pytest.raises(ValueError, match=r"ARIMA\(1, 1, 0\) diverged"):
        ARIMA((1, 1, 0)).fit(walk())


@pytest.mark.parametrize("order", [(1, 1), (0, 0, 0), (-1, 1, 0), (1.5, 0, 0)])
def test_bad_orders_are_refused(order: Any) -> None:
    with pytest.raises(ValueError, match="order"):
        ARIMA(order).fit(walk())


def test_too_few_observations_are_refused() -> None:
    with pytest.raises(ValueError, match=r"ARIMA\(3, 1, 3\) needs at least 16 observations to fit, got 9"):
        ARIMA().fit(walk()[:9])


@pytest.mark.paper
@pytest.mark.slow
def test_the_papers_error_on_exchange_returns(data_folder: Path) -> None:
    with gzip.open(data_folder / "exchange_rate.txt.gz", "rt") as file:
        y = 100.0 * np.diff(np.log(np.loadtxt(file, delimiter=",", usecols=0)))
    prefix = y[:3034]
    scale = float(prefix.mean()), float(prefix.std())
    model = ARIMA(lookback=14).fit(y[: 14 + 3029], scale=scale)
    errors = (y - model.predict(y))[14 + 2 * 3029 :] / scale[1]
    assert errors.size == 1515
    assert float(np.sqrt(np.mean(errors**2))) == pytest.approx(1.276, abs=1.1e-3)
    assert any("converge" in note for note in model.notes_)
