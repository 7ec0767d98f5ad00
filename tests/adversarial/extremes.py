"""Series and residuals at the edge of what numbers can hold, and what comes of them."""

import numpy as np

from ngrc._types import AnyArray, FloatArray
from ngrc.intervals import Stream
from ngrc.intervals.context import Context

SIZE, START, LEVEL = 260, 200, 0.9


def stream_of(residuals: FloatArray, forecasts: FloatArray, scale: float, horizon: int = 2) -> Stream:
    leverage = np.random.default_rng(1).random(residuals.size) / 5
    scales = {"gcv": scale, "evidence": scale}
    return Stream(residuals, START, horizon, leverage, scale, scales, Context(forecasts, (24.0,)))


def drawn() -> tuple[FloatArray, FloatArray]:
    rng = np.random.default_rng(0)
    return rng.standard_t(4, SIZE), 10 + rng.normal(size=SIZE)


def residual_cases() -> dict[str, tuple[FloatArray, FloatArray, float]]:
    residuals, forecasts = drawn()
    place = np.arange(SIZE)
    none = np.zeros(SIZE)
    mixed = residuals * 10.0 ** np.random.default_rng(2).uniform(-150, 149, SIZE)
    return {
        "1e-150": (residuals * 1e-150, forecasts * 1e-150, 1e-150),
        "1e150": (residuals * 1e150, forecasts * 1e150, 1e150),
        "an outlier known": (np.where(place == 50, 1e12, residuals), forecasts, 1.0),
        "an outlier on the way": (np.where(place == 220, -1e12, residuals), forecasts, 1.0),
        "all ties": (np.sign(residuals), forecasts, 1.0),
        "constant": (np.full(SIZE, 3.0), forecasts, 3.0),
        "zeros": (none, forecasts, 0.0),
        "negative zeros": (-none, -none, 0.0),
        "one that is not zero": (np.where(place == 100, 1.0, 0.0), none, 1.0),
        "every size": (mixed, forecasts, 1.0),
    }


BASE = 20 + 5 * np.sin(np.arange(300) / 5) + np.random.default_rng(3).normal(size=300)
PLACE = np.arange(300)

SERIES: dict[str, AnyArray] = {
    "1e-150": BASE * 1e-150,
    "1e148": BASE * 1e148,
    "constant": np.full(300, 7.0),
    "zeros": np.zeros(300),
    "negative zeros": np.full(300, -0.0),
    "constant, huge": np.full(300, 1e150),
    "an outlier early": np.where(PLACE == 100, 1e12, BASE),
    "an outlier late": np.where(PLACE == 280, -1e12, BASE),
    "an outlier at the end": np.where(PLACE == 299, 1e12, BASE),
    "single precision": BASE.astype(np.float32),
    "integers": np.round(BASE).astype(np.int64),
    "bytes": np.round(BASE).astype(np.uint8),
    "signs": np.sign(BASE - 20),
    "far from zero": 1e15 + np.round(BASE),
    "every size": BASE * 10.0 ** np.random.default_rng(4).uniform(-100, 100, 300),
}
REFUSED: dict[str, AnyArray] = {
    "1e-160": BASE * 1e-160,
    "1e150": BASE * 1e150,
    "denormal": np.round(BASE) * 5e-324,
    "1e300": BASE * 1e300,
}
"""Squares would vanish or overflow: an error that says so."""
