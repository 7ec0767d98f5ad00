"""Series whose best forecast is known: lines, waves, walks, chaos, growth."""

import json

import numpy as np
import pytest

from ngrc import NGRC, AutoNGRC
from ngrc._types import FloatArray


def rmse(errors: FloatArray) -> float:
    return float(np.sqrt(np.mean(np.square(errors))))


@pytest.mark.parametrize("period", [8.21, 17.3, 50.0])
def test_a_sine_of_unknown_period_is_found_and_goes_on(period: float) -> None:
    y = np.sin(2 * np.pi * np.arange(540) / period + 0.3)
    noisy = y + np.random.default_rng(0).normal(0, 0.1, y.size)
    for values, tolerance in ((y, 0.03), (noisy, 0.05)):
        model = AutoNGRC(20, path=True).fit(values[:500])
        found = [own.steps for selection in model.selections_ for own in selection.periods]
        assert min(abs(own - period) for own in found) < 0.02 * period
        # Amplitude 1; the noisy one has an error of 0.1 in every value that it is told by.
        assert rmse(model.forecast(values[:500]) - y[500:520]) < tolerance


def test_a_sine_is_exact_one_step_ahead_from_few_values() -> None:
    y = np.sin(2 * np.pi * np.arange(160) / 17.3)
    model = AutoNGRC().fit(y[:120])
    assert np.abs(model.predict(y) - y)[120:].max() < 1e-6


@pytest.mark.parametrize(("size", "coming"), [(120, 60), (400, 200)])
def test_a_random_walk_is_left_alone(size: int, coming: int) -> None:
    logs = []
    for seed in range(20):
        y = np.cumsum(np.random.default_rng(seed).normal(size=size + coming))
        errors = (y - AutoNGRC().fit(y[:size]).predict(y))[size:]
        logs.append(np.log(rmse(errors) / rmse(np.diff(y)[size - 1 :])))
    error = np.std(logs, ddof=1) / np.sqrt(len(logs))
    # Not more than 3 % worse than the last value, within two standard errors of the mean over 20 walks.
    assert np.mean(logs) < 0.03 + 2.0 * error
    assert np.mean(logs) > -2.5 * error


def test_an_autoregression_is_forecast_almost_as_well_as_it_can_be() -> None:
    ratios = []
    for seed in range(8):
        noise = np.random.default_rng(seed).normal(size=800)
        y = np.zeros(800)
        for t in range(1, 800):
            y[t] = 0.7 * y[t - 1] + noise[t]
        ratios.append(rmse((y - AutoNGRC().fit(y[:400]).predict(y))[400:]) / rmse(noise[400:]))
    error = np.std(ratios, ddof=1) / np.sqrt(len(ratios))
    # The last value errs by sqrt(2 (1 - 0.7) / (1 - 0.49)) = 1.085 times the noise.
    assert np.mean(ratios) < 1.03 + 2.0 * error


def test_months_with_trend_and_season_beat_the_last_year() -> None:
    ratios = []
    for seed in range(5):
        rng = np.random.default_rng(seed)
        time = np.arange(132)
        season = 10 * np.sin(2 * np.pi * time / 12) + 4 * np.cos(2 * np.pi * time / 6)
        y = 50 + 0.5 * time + season + rng.normal(size=132)
        forecast = AutoNGRC(12, path=True).fit(y[:120]).forecast(y[:120])
        ratios.append(np.abs(forecast - y[120:]).mean() / np.abs(y[108:120] - y[120:]).mean())
    # A year of trend is 6, the noise's mean size 0.8: a perfect model has 0.13, its own estimate of the season more.
    assert np.mean(ratios) < 0.3
    assert np.max(ratios) < 0.5


def henon(size: int) -> FloatArray:
    values = [0.1, 0.2]
    while len(values) < size + 50:
        values.append(1.0 - 1.4 * values[-1] ** 2 + 0.3 * values[-2])
    return np.array(values[50:])


def logistic(size: int) -> FloatArray:
    values = [0.37]
    while len(values) < size:
        values.append(3.8 * values[-1] * (1.0 - values[-1]))
    return np.array(values)


@pytest.mark.parametrize("make", [henon, logistic])
def test_chaos_is_told_by_products(make: type[FloatArray]) -> None:
    y = make(800)
    model = AutoNGRC().fit(y[:600])
    assert sum(member.weight for member in model.selections_[0].members if member.recipe.products) > 0.9
    linear = NGRC(lags=6, degree=1).fit(y[:600])
    errors = [rmse((y - other.predict(y))[600:]) for other in (model, linear)]
    # Both maps are quadratic: what is left is rounding, the smallest penalty and values beyond the range seen so far.
    assert errors[0] < 0.01 * errors[1]


@pytest.mark.parametrize("size", [120, 1000])
def test_growth_by_factors_asks_for_a_transform(size: int) -> None:
    rng = np.random.default_rng(1)
    time = np.arange(size + 12)
    y = np.exp(4.0 * time / size + 0.5 * np.sin(2 * np.pi * time / 12) + rng.normal(0, 0.05, time.size))
    model = AutoNGRC(12, path=True).fit(y[:size])
    assert model.selections_[0].transform in ("log", "asinh")
    forecast = model.forecast(y[:size])
    # Noise of 5 %, and as much again for what is not known of level and season.
    assert np.abs(np.log(forecast / y[size:])).mean() < 0.1
    plain = AutoNGRC(12, path=True, transform=None).fit(y[:size]).forecast(y[:size])
    assert rmse(forecast - y[size:]) < 1.1 * rmse(plain - y[size:])


def test_additive_noise_asks_for_no_transform() -> None:
    rng = np.random.default_rng(3)
    time = np.arange(600)
    y = 50 + 10 * np.sin(2 * np.pi * time / 12) + rng.normal(0, 2, 600)
    assert AutoNGRC().fit(y).selections_[0].transform is None


def test_the_report_says_how_the_model_compares() -> None:
    rng = np.random.default_rng(4)
    time = np.arange(600)
    y = 50 + 10 * np.sin(2 * np.pi * time / 12) + rng.normal(0, 1, 600)
    model = AutoNGRC(3).fit(y)
    found = model.selections_[0].references
    assert set(found) == {"this model", "naive", "seasonal naive", "linear on lags"}
    assert found["naive"] == pytest.approx(1.0, abs=1e-9)
    assert found["this model"] < min(found["seasonal naive"], found["linear on lags"]) * 1.02
    # The folds are the second half of the rows, but for those that columns reach back to.
    half = slice(300, 600)
    naive, seasonal = y[half] - y[297:597], y[half] - y[288:588]
    assert found["seasonal naive"] == pytest.approx(rmse(seasonal) / rmse(naive), rel=0.1)
    text = model.report()
    assert "horizon 3" in text
    assert "naive 1.000" in text
    assert f"{len(model.selections_[0].attempts)} candidates" in text
    assert model.selections_[0].attempts[0].ratio <= model.selections_[0].attempts[-1].ratio
    assert 0.0 < model.selections_[0].seconds < 60.0
    details = model.selections_[0].details()
    assert all(member.recipe.words() in details for member in model.selections_[0].members)
    assert all(attempt.words in details for attempt in model.selections_[0].attempts)


@pytest.mark.parametrize("size", [3, 30, 300])
def test_the_record_is_plain_values(size: int) -> None:
    y = np.cumsum(np.random.default_rng(6).normal(size=size))
    model = AutoNGRC(3, path=True).fit(y)
    record = json.loads(json.dumps(model.record(), allow_nan=False))
    for band, selection in zip(record, model.selections_, strict=True):
        assert band["horizons"] == [selection.horizons[0], selection.horizons[-1]]
        assert sum(member["weight"] for member in band["members"]) == pytest.approx(1.0)
        assert len(band["candidates"]) == len(selection.attempts)
