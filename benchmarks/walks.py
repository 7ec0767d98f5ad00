"""Refits against fits, a short series against a plain walk of fits, and the search for periods against transforms."""

from collections.abc import Iterator
from itertools import combinations_with_replacement
from typing import Any

import numpy as np

from benchmarks.harness import Comparison
from benchmarks.scene import Scene
from benchmarks.searches import two_seasons
from ngrc import NGRC, look_ahead
from ngrc._types import FloatArray
from ngrc.auto.periods import data_periods
from ngrc.features.delays import delay_columns

ENDS = tuple(range(3_600, 12_001, 700))
MODELS: dict[str, dict[str, Any]] = {
    "cubic, given penalty": {"lags": 8, "degree": 3, "ridge": 0.1},
    "chosen penalty": {"lags": 24},
}
TRANSFORMS = 1_000
"""Plain transforms in the time of which periods are found: two hundred were measured."""


def comparisons(scene: Scene) -> Iterator[Comparison]:
    """Rows of refits, of a short series, and of the search for periods."""
    size = 12_000 // (4 if scene.quick else 1)
    series = smooth_noise(size)
    ends = tuple(end * size // 12_000 for end in ENDS)
    for name, arguments in MODELS.items():
        yield refits(name, arguments, series, ends)
    short = smooth_noise(500, seed=3)
    yield short_series(short)
    rows = 5_000 if scene.quick else 50_000
    load = two_seasons(rows).fit
    yield Comparison(
        name=f"periods of {rows:,} half hours",
        against=f"{TRANSFORMS:,} real Fourier transforms of the series",
        goal=1,
        ours=lambda: data_periods(load),
        reference=lambda: [np.fft.rfft(load) for _ in range(TRANSFORMS)],
        agree=lambda found, _: f"{len(found)} periods found",
    )


def smooth_noise(size: int, *, seed: int = 2) -> FloatArray:
    """Noise that remembers its last forty values."""
    noise = np.random.default_rng(seed).normal(size=size + 39)
    return np.convolve(noise, 0.9 ** np.arange(40), mode="valid")


def refits(name: str, arguments: dict[str, Any], series: FloatArray, ends: tuple[int, ...]) -> Comparison:
    """One model at growing ends, against a fit of its own at each."""

    def agree(ours: list[NGRC], fits: list[NGRC]) -> str:
        # A refit keeps the penalty and the scale of the first fit; that one is the same.
        apart = np.abs(ours[0].predict(series)[-100:] - fits[0].predict(series)[-100:]).max()
        assert apart < 1e-8, apart
        return f"the first of {len(ours)} fits forecasts alike to {apart:.0e}"

    return Comparison(
        name=f"refits at {len(ends)} ends, {name}",
        against=f"{len(ends)} fits",
        goal=4 / 3,
        ours=lambda: list(NGRC(**arguments).fits(series, ends)),
        reference=lambda: [NGRC(**arguments).fit(series[:end]) for end in ends],
        agree=agree,
    )


def short_series(series: FloatArray) -> Comparison:
    """What surrounds the algebra may not cost more than the algebra: a panel has thousands of short series."""
    lags = 12
    ends = [158 + (series.size - 158) * step // 8 for step in range(9)]

    def agree(ours: FloatArray, theirs: float) -> str:
        # Penalties are chosen anew at other ends, which moves a forecast by a fraction of its error, about 1.
        apart = abs(float(ours[0]) - theirs)
        assert apart < 0.5, apart
        return f"forecasts {apart:.2f} apart, where an error is about 1"

    return Comparison(
        name=f"forecast of a series of {series.size} values with its interval",
        against="quadratic ridge in numpy, fitted anew at nine ends with its penalty chosen at each",
        goal=2.2,
        ours=lambda: look_ahead(series, NGRC(lags), steps=1, method="adaptive").forecast,
        reference=lambda: plain_walk(series, lags, ends),
        agree=agree,
    )


def plain_walk(series: FloatArray, lags: int, ends: list[int]) -> float:
    """The last forecast of quadratic ridge fitted anew at every end, its penalty chosen each time on the last fifth."""
    pairs = np.array(list(combinations_with_replacement(range(lags), 2)))
    penalties, forecast = np.array(NGRC().ridges), np.nan
    for end in ends:
        delays, target = delay_columns(series[:end], lags - 1, end, lags), series[lags:end]
        design = np.hstack((delays, delays[:, pairs[:, 0]] * delays[:, pairs[:, 1]]))
        rows, inner = target.size, target.size * 4 // 5
        errors = [
            np.mean(np.square(target[inner:] - part[inner:rows]))
            for part in plain_path(design, target[:inner], penalties).T
        ]
        best = penalties[[int(np.argmin(errors))]]
        forecast = float(plain_path(design, target, best)[-1, 0])
    return forecast


def plain_path(design: FloatArray, target: FloatArray, penalties: FloatArray) -> FloatArray:
    """Forecasts of all rows by ridge on the first ones, one column per penalty, from one decomposition."""
    fitted = design[: target.size]
    means, scales = fitted.mean(axis=0), fitted.std(axis=0)
    known = (fitted - means) / scales
    values, vectors = np.linalg.eigh(known.T @ known / target.size)
    cross = vectors.T @ (known.T @ (target - target.mean())) / target.size
    weights = vectors @ (cross[:, None] / (values[:, None] + penalties))
    return np.asarray(target.mean() + (design - means) / scales @ weights)
