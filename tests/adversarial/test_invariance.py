"""Results follow the series when it is shifted, scaled or turned over.

Powers of two change no digit, so that results follow to the bit; other factors round the series itself, and results
follow to a relative 1e-11. A shift rounds every value to the digits of the larger number: a shift of b leaves
1e-16 b / spread of the series, and forecasts follow to a thousand times that. A series turned over gives the same
interval turned over, to the bit, but for `quantile` and `auto`, of whose readouts no mirror image is promised: their
ends follow to a tenth of the width.
"""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from ngrc import NGRC, backtest, look_ahead
from ngrc._types import FloatArray
from ngrc.intervals import METHODS, Stream
from ngrc.intervals.base import IntervalMethod
from ngrc.intervals.context import Context
from tests.adversarial.extremes import LEVEL, drawn, stream_of

EVERY = pytest.mark.parametrize("method", [METHODS[name]() for name in METHODS], ids=list(METHODS))
MIRRORED = [name for name in METHODS if name not in ("quantile", "auto")]
WAVE = 5 * np.sin(np.arange(300) / 5) + np.random.default_rng(8).normal(size=300)

MODELS: dict[str, dict[str, Any]] = {
    "products": {"lags": 3, "horizon": 2},
    "linear": {"lags": 3, "degree": 1, "ridge": 0.1},
    "dual": {"lags": 20, "solver": "dual", "ridge": 0.1},
    "increments": {
        "lags": 3, "target": "increment", "periods": (12,), "seasonal": 1, "half_lives": (5,), "clock_lags": 2,
    },
    "clipped": {"lags": 3, "clip": 0.1},
    "raw columns": {"lags": 3, "columns": "raw", "ridge": 0.1},
    "path": {"lags": 3, "horizon": 4, "path": True},
}  # fmt: skip
SHAPES = pytest.mark.parametrize("shape", MODELS)


def moved(stream: Stream, factor: float, shift: float = 0.0) -> Stream:
    context, size = stream.context, abs(factor)
    assert context is not None
    assert stream.fit_scale is not None
    return replace(
        stream,
        residuals=factor * stream.residuals,
        fit_scale=size * stream.fit_scale,
        noise_scales={name: size * scale for name, scale in stream.noise_scales.items()},
        context=Context(factor * context.forecasts + shift, context.periods, context.phase),
    )


@EVERY
@pytest.mark.parametrize("exponent", [-498, -40, -1, 1, 40, 497])
def test_powers_of_two_scale_intervals_to_the_bit(method: IntervalMethod, exponent: int) -> None:
    stream, factor = stream_of(*drawn(), 1.0), 2.0**exponent
    before, after = method.run(stream, LEVEL), method.run(moved(stream, factor), LEVEL)
    np.testing.assert_array_equal(after.lower, factor * before.lower)
    np.testing.assert_array_equal(after.upper, factor * before.upper)


@EVERY
@pytest.mark.parametrize(("factor", "shift"), [(3.7, 0.0), (1e6 / 3.0, 0.0), (1.0, 1000.0), (0.3, -77.7)])
def test_other_factors_and_shifts_of_the_forecasts(
    method: IntervalMethod, factor: float, shift: float
) -> None:
    stream = stream_of(*drawn(), 1.0)
    before, after = method.run(stream, LEVEL), method.run(moved(stream, factor, shift), LEVEL)
    np.testing.assert_allclose(after.lower, factor * before.lower, rtol=1e-9, atol=1e-9 * factor)
    np.testing.assert_allclose(after.upper, factor * before.upper, rtol=1e-9, atol=1e-9 * factor)


@pytest.mark.parametrize("name", MIRRORED)
@pytest.mark.parametrize("factor", [-1.0, -8.0])
def test_turned_over_ends_change_places_to_the_bit(name: str, factor: float) -> None:
    stream, method = stream_of(*drawn(), 1.0), METHODS[name]()
    before, after = method.run(stream, LEVEL), method.run(moved(stream, factor), LEVEL)
    np.testing.assert_array_equal(after.lower, factor * before.upper)
    np.testing.assert_array_equal(after.upper, factor * before.lower)


@pytest.mark.parametrize("name", ["quantile", "auto"])
def test_turned_over_ends_change_places_nearly(name: str) -> None:
    stream, method = stream_of(*drawn(), 1.0), METHODS[name]()
    before, after = method.run(stream, LEVEL), method.run(moved(stream, -1.0), LEVEL)
    width = np.mean(before.upper - before.lower)
    assert np.abs(after.upper + before.lower).max() < 0.1 * width
    assert np.abs(after.lower + before.upper).max() < 0.1 * width


def said(settings: dict[str, Any], y: FloatArray) -> FloatArray:
    model = NGRC(**settings).fit(y[:200])
    found: FloatArray = model.predict_path(y) if settings.get("path") else model.predict(y)
    return found


@SHAPES
@pytest.mark.parametrize("factor", [2.0**-490, 0.125, 8.0, -1.0, -2.0, 2.0**490])
def test_forecasts_follow_powers_of_two_to_the_bit(shape: str, factor: float) -> None:
    np.testing.assert_array_equal(said(MODELS[shape], factor * WAVE), factor * said(MODELS[shape], WAVE))


@SHAPES
@pytest.mark.parametrize(
    ("factor", "shift"), [(3.7, 0.0), (-0.01, 0.0), (1.0, 1024.0), (1.0, 100.3), (-2.6, 1e6), (1.0, 1e9)]
)
def test_forecasts_follow_any_factor_and_shift(shape: str, factor: float, shift: float) -> None:
    expected = factor * said(MODELS[shape], WAVE) + shift
    rounding = 2e-16 * max(1.0, abs(shift / factor) / WAVE.std())
    tolerance = max(1e-11, 1000.0 * rounding) * abs(factor) * WAVE.std()
    np.testing.assert_allclose(said(MODELS[shape], factor * WAVE + shift), expected, rtol=0.0, atol=tolerance)


@pytest.mark.parametrize("factor", [0.25, -4.0])
def test_a_backtest_follows_the_series(factor: float) -> None:
    names = MIRRORED if factor < 0 else list(METHODS)
    names = [name for name in names if name != "rescp"]
    runs = [
        backtest(y, NGRC(lags=3, ridges=(0.01, 1.0)), methods=names, horizon=3).runs[0]
        for y in (WAVE, factor * WAVE)
    ]
    np.testing.assert_array_equal(runs[1].forecasts, factor * runs[0].forecasts)
    assert runs[1].rmse == abs(factor) * runs[0].rmse
    for before, after in zip(runs[0].bands, runs[1].bands, strict=True):
        ends = (before.lower, before.upper) if factor > 0 else (before.upper, before.lower)
        np.testing.assert_array_equal(after.lower, factor * ends[0])
        np.testing.assert_array_equal(after.upper, factor * ends[1])
        assert after.coverage == before.coverage
        assert after.selected == before.selected


@pytest.mark.parametrize("factor", [0.25, -4.0])
def test_a_look_ahead_follows_the_series(factor: float) -> None:
    outlooks = [
        look_ahead(y, NGRC(lags=3, ridge=0.1), steps=3, method="adaptive") for y in (WAVE, factor * WAVE)
    ]
    before, after = outlooks
    np.testing.assert_array_equal(after.forecast, factor * before.forecast)
    ends = (before.lower, before.upper) if factor > 0 else (before.upper, before.lower)
    np.testing.assert_array_equal(after.lower, factor * ends[0])
    np.testing.assert_array_equal(after.upper, factor * ends[1])
