"""Adaptive intervals against MAPIE's time-series regressor, one step at a time."""

import warnings
from collections.abc import Iterator
from functools import partial
from time import process_time
from typing import Any

import numpy as np

from benchmarks import plain
from benchmarks.harness import Comparison, ScaledRun
from benchmarks.scene import LEVEL, Scene
from benchmarks.sequential import RATE
from ngrc._types import FloatArray
from ngrc.intervals import Adaptive, Offsets

STEPS = 200  # its cost per step is constant, so that a sample can be scaled


def comparisons(scene: Scene) -> Iterator[Comparison]:
    """One row."""
    residuals, start = scene.stream.residuals, scene.stream.start
    steps = min(STEPS, scene.stream.steps)
    yield Comparison(
        name="adaptive, one pass",
        against="MAPIE's adaptive time-series regressor",
        goal=5000,
        ours=partial(Adaptive(rate=RATE).run, scene.stream, LEVEL),
        reference=lambda: by_mapie(residuals, start, steps, scene.stream.steps),
        agree=lambda ours, theirs: agree(ours, theirs, scene.scores, start),
    )


def by_mapie(residuals: FloatArray, start: int, steps: int, wanted: int) -> ScaledRun:
    """Half-widths of the first `steps`: predict, adapt the level, update the scores."""
    regressor = calibrated(residuals[:start])
    widths = np.empty(steps)
    row = np.zeros((1, 1))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        begin = process_time()
        for step in range(steps):
            outcome = residuals[start + step : start + step + 1]
            _, bounds = regressor.predict(row, confidence_level=LEVEL)
            widths[step] = bounds[0, 1, 0]
            regressor.adapt_conformal_inference(row, outcome, gamma=RATE)
            regressor.update(row, outcome)
        seconds = process_time() - begin
    sample = f"the first {steps:,} of {wanted:,} steps (its cost per step is constant)"
    return ScaledRun(seconds * wanted / steps, widths, sample)


def calibrated(residuals: FloatArray) -> Any:
    """A regressor whose point forecast is zero, so that only the conformal work is timed."""
    from mapie.conformity_scores import AbsoluteConformityScore  # type: ignore[import-not-found]
    from mapie.regression import TimeSeriesRegressor  # type: ignore[import-not-found]
    from sklearn.dummy import DummyRegressor

    rows = np.zeros((residuals.size, 1))
    point = DummyRegressor(strategy="constant", constant=0.0).fit(rows, residuals)
    score = AbsoluteConformityScore(sym=True)
    return TimeSeriesRegressor(point, method="aci", cv="prefit", conformity_score=score).fit(rows, residuals)


def agree(ours: Offsets, theirs: FloatArray, scores: FloatArray, start: int) -> str:
    """MAPIE's history slides where ours grows: a twin of its convention must equal it."""
    twin = plain.adaptive_sliding(scores, start, LEVEL, RATE, theirs.size)
    np.testing.assert_allclose(theirs, twin, rtol=1e-12)
    apart = np.mean(np.abs(ours.upper[: theirs.size] / theirs - 1))
    return (
        "conventions differ (its history slides, ours grows; no projection): its half-widths equal those of a plain "
        f"numpy form of its convention to 1e-12, and ours differ from them by {apart:.1%} on average"
    )
