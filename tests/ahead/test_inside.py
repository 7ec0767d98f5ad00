"""The forecast lies inside each of its intervals: any method, level, transform and bound, at once and online."""

from typing import Any

import numpy as np
import pytest

from ngrc import NGRC, OnlineForecaster, backtest, look_ahead
from ngrc._types import FloatArray
from ngrc.intervals import METHODS

LEVELS = (0.05, 0.5, 0.9)


def skewed(size: int = 320) -> FloatArray:
    """Positive, with rare large values: the mean is far above the median."""
    rng = np.random.default_rng(1)
    return np.asarray(1.0 + rng.gamma(0.3, 1.0, size) * (rng.random(size) < 0.4))


def counts(size: int = 320) -> FloatArray:
    """Intermittent demand: mostly zero, so that zero is found as a bound."""
    rng = np.random.default_rng(2)
    return np.asarray((rng.random(size) < 0.2) * rng.poisson(20.0, size), dtype=float)


def falling(size: int = 320) -> FloatArray:
    """A slope that meets a bound: forecasts of a plain model go on below it."""
    return np.asarray(np.maximum(40.0 - 0.2 * np.arange(size), 0.0))


SERIES = {"skewed": skewed(), "counts": counts(), "falling": falling()}
MODELS: dict[str, dict[str, Any]] = {"plain": {}, "root": {"transform": "root"}, "bounded": {"lower": 0.0}}


def inside(forecast: FloatArray, lower: FloatArray, upper: FloatArray) -> bool:
    return bool(np.all((lower <= forecast) & (forecast <= upper)))


@pytest.mark.parametrize("name", list(METHODS))
@pytest.mark.parametrize("series", list(SERIES))
def test_every_method(name: str, series: str) -> None:
    y = SERIES[series]
    for options in MODELS.values():
        if options.get("transform") and y.min() <= 0.0 and series == "falling":
            continue
        outlook = look_ahead(y, NGRC(lags=2, **options), steps=4, method=name, level=LEVELS)
        for level in LEVELS:
            assert inside(outlook.forecast, *outlook.bands[level]), (options, level)


@pytest.mark.parametrize("series", list(SERIES))
@pytest.mark.parametrize("band", ["pointwise", "path"])
def test_with_no_options(series: str, band: Any) -> None:
    for size in (40, 120, 320):
        outlook = look_ahead(SERIES[series][:size], steps=6, level=LEVELS, band=band)
        for level in LEVELS:
            assert inside(outlook.forecast, *outlook.bands[level]), (size, level)


@pytest.mark.parametrize("method", ["auto", "asymmetric", "quantile", "rescp"])
@pytest.mark.parametrize("series", list(SERIES))
def test_online(method: str, series: str) -> None:
    y = SERIES[series]
    live = OnlineForecaster(NGRC(lags=2), method, LEVELS, horizon=3).start(y[:250])
    one = OnlineForecaster(NGRC(lags=2), method, 0.05).start(y[:250])
    for value in y[250:280]:
        for forecaster in (live, one):
            coming = forecaster.next()
            for level in forecaster.levels:
                assert inside(coming.mean, coming.lower[level], coming.upper[level])
            forecaster.observe(value)


@pytest.mark.parametrize("series", list(SERIES))
def test_in_a_backtest(series: str) -> None:
    result = backtest(SERIES[series], NGRC(lags=2), methods=["auto", "asymmetric"], level=[0.05, 0.9])
    for method in ("auto", "asymmetric"):
        for level in (0.05, 0.9):
            table = result.intervals(method, level=level)
            columns = (np.asarray(table[name]) for name in ("forecast", "lower", "upper"))
            assert inside(*columns)
