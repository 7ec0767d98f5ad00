"""Models, backtests and forecasts of series at the edges: finite numbers or one clear line, no warning, no NaN."""

from typing import Any

import numpy as np
import pytest

from ngrc import NGRC, AutoNGRC, FixedOrigin, backtest, look_ahead
from ngrc._types import FloatArray
from ngrc.intervals import METHODS
from tests.adversarial.extremes import BASE, REFUSED, SERIES

MODELS: dict[str, dict[str, Any]] = {
    "products": {"lags": 3, "horizon": 2},
    "linear": {"lags": 3, "degree": 1, "ridge": 0.1},
    "one lag": {"lags": 1},
    "one lag, all penalised": {"lags": 1, "intercept": "penalised", "columns": "raw", "ridge": 1.0},
    "more columns than rows": {"lags": 24, "solver": "dual", "ridge": 0.1},
    "increments, seasons, memory": {
        "lags": 2, "target": "increment", "periods": (12,), "seasonal": 1, "half_lives": (5,),
    },
    "clipped": {"lags": 3, "clip": 0.1},
}  # fmt: skip
QUICK = [name for name in METHODS if name not in ("rescp", "quantile")]


@pytest.mark.parametrize("name", SERIES)
@pytest.mark.parametrize("shape", MODELS)
def test_a_model_says_finite_numbers(shape: str, name: str) -> None:
    y = SERIES[name]
    model = NGRC(**MODELS[shape]).fit(y[:200])
    first = model.first_target
    for values in (model.predict(y), model.leverage(y)):
        assert np.isnan(values[:first]).all()
        assert np.isfinite(values[first:]).all()
    assert np.isfinite(model.forecast(y)).all()


@pytest.mark.parametrize("name", SERIES)
def test_a_backtest_of_every_method(name: str) -> None:
    run = backtest(SERIES[name], NGRC(lags=3, ridge=0.1), methods=QUICK, horizon=2).runs[0]
    assert np.isfinite(run.rmse)
    for band in run.bands:
        assert not np.isnan([band.coverage, band.width, band.winkler]).any()
        assert np.all(band.lower <= band.upper)
        assert band.infinite == np.count_nonzero(np.isinf(band.lower) | np.isinf(band.upper))


@pytest.mark.parametrize("name", SERIES)
def test_a_look_ahead(name: str) -> None:
    outlook = look_ahead(SERIES[name], NGRC(lags=3, ridge=0.1), steps=3)
    assert np.isfinite(outlook.forecast).all()
    assert np.all(outlook.lower <= outlook.upper)
    assert np.isfinite([outlook.lower, outlook.upper]).all()


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_squared_is_refused_in_one_line(name: str) -> None:
    for attempt in (
        lambda y: NGRC(lags=3).fit(y),
        lambda y: backtest(y, NGRC(lags=3), methods=["split"]),
        lambda y: look_ahead(y, NGRC(lags=3)),
    ):
        with pytest.raises(ValueError, match="cannot be squared safely; rescale it"):
            attempt(REFUSED[name])


def grown(kind: str, digits: int) -> FloatArray:
    """A series that leaves the size of its first rows by so many digits, all at once or little by little."""
    growth, noise = 10.0 ** np.linspace(0, digits, 120), np.random.default_rng(0).normal(size=120)
    late, spike = (
        np.where(np.arange(120) < 60, 1.0, 10.0**digits),
        np.where(np.arange(120) == 100, 10.0**digits, 1.0),
    )
    return {
        "growth": growth,
        "signs": growth * (-1.0) ** np.arange(120),
        "late": late * noise,
        "spike": spike * noise,
    }[kind]


@pytest.mark.parametrize("digits", [40, 100, 149, 257])
@pytest.mark.parametrize("kind", ["growth", "signs", "late", "spike"])
def test_a_series_that_outgrows_its_first_rows_is_refused_in_one_line(kind: str, digits: int) -> None:
    y = grown(kind, digits)
    words = "times the standard deviation of the first rows that are fitted, and products of more than 1e\\+25 overflow"
    for model, steps in (
        (NGRC(lags=3), 1),
        (NGRC(lags=3), 4),
        (NGRC(lags=3, degree=3), 3),
        (None, 1),
        (None, 12),
    ):
        if model is None and kind == "growth" and digits < 150:
            # Logarithms bring it into range.
            assert np.isfinite(look_ahead(y, steps=steps).forecast).all()
            continue
        squares = model is None and digits >= 150
        with pytest.raises(ValueError, match="cannot be squared safely" if squares else words) as caught:
            look_ahead(y, model, steps=steps)
        assert "\n" not in str(caught.value)


@pytest.mark.parametrize("kind", ["growth", "signs", "late", "spike"])
def test_what_grows_by_twenty_digits_is_forecast(kind: str) -> None:
    y = grown(kind, 20)
    for model in (NGRC(lags=3, degree=3), AutoNGRC()):
        assert np.isfinite(look_ahead(y, model, steps=2).forecast).all()


def test_logarithms_of_any_size_are_forecast() -> None:
    y = grown("growth", 257)
    outlook = look_ahead(y, NGRC(lags=3, degree=1, transform="log"))
    assert outlook.forecast[0] == pytest.approx(y[-1] * (y[-1] / y[-2]), rel=1e-3)


def test_kinds_of_numbers_do_not_matter() -> None:
    whole = np.round(BASE)
    expected = NGRC(lags=3).fit(whole[:200]).predict(whole)
    for kind in (np.float32, np.int64, np.uint8, np.int16):
        y = whole.astype(kind)
        np.testing.assert_array_equal(NGRC(lags=3).fit(y[:200]).predict(y), expected)


def test_many_more_columns_than_rows_interpolate_or_shrink() -> None:
    y = BASE[:60]
    for ridge in (1e-6, 1.0, 1e6):
        model = NGRC(lags=30, ridge=ridge).fit(y)
        assert model.n_features_ > 15 * model.n_rows_
        assert np.isfinite(model.predict(BASE)[model.first_target :]).all()
    # A penalty that leaves nothing but the intercept forecasts the mean of the fitted targets.
    flat = NGRC(lags=30, ridge=1e12).fit(y)
    np.testing.assert_allclose(flat.forecast(y), y[flat.first_target :].mean(), rtol=1e-6)


@pytest.mark.parametrize("horizon", [1, 3, 24])
def test_just_enough_observations_for_a_fit_and_one_less(horizon: int) -> None:
    for settings in ({"ridge": 0.1}, {}):
        model = NGRC(lags=4, horizon=horizon, **settings)  # type: ignore[arg-type]
        needed = _least(lambda size, model=model: model.fit(BASE[:size]))
        assert np.isfinite(model.fit(BASE[:needed]).forecast(BASE[:needed])).all()
        with pytest.raises(
            ValueError, match=f"need at least {needed} observations, got {needed - 1}; give more"
        ):
            model.fit(BASE[: needed - 1])


@pytest.mark.parametrize("split", [None, FixedOrigin()], ids=["walk", "one fit"])
@pytest.mark.parametrize("horizon", [1, 3, 24])
def test_just_enough_observations_for_a_backtest_and_one_less(horizon: int, split: Any) -> None:
    long = np.tile(BASE, 3)

    def attempt(size: int) -> Any:
        return backtest(long[:size], NGRC(lags=3, ridge=0.1), horizon=horizon, methods=["split"], split=split)

    needed = _least(attempt)
    assert not np.isnan(attempt(needed).runs[0].bands[0].lower).any()
    with pytest.raises(ValueError, match=f"{needed} observations are needed .* got {needed - 1}"):
        attempt(needed - 1)


def test_a_horizon_beyond_the_series_or_the_calibration_is_refused() -> None:
    for horizon in (60, 90, 299):
        with pytest.raises(ValueError, match=r"observations are needed|need at least|reaches beyond"):
            backtest(BASE, NGRC(lags=3, ridge=0.1), horizon=horizon, methods=["split"], split=FixedOrigin())
    with pytest.raises(ValueError, match="horizon 400 reaches beyond the series of 300 observations"):
        backtest(BASE, NGRC(lags=3, ridge=0.1), horizon=400, methods=["split"])
    with pytest.raises(ValueError, match=r"\d+ observations"):
        look_ahead(BASE, NGRC(lags=3, ridge=0.1), steps=290)


def _least(attempt: Any) -> int:
    """The smallest size that is taken, by bisection."""
    low, high = 1, 900
    while high - low > 1:
        middle = (low + high) // 2
        try:
            attempt(middle)
        except ValueError:
            low = middle
        else:
            high = middle
    return high
