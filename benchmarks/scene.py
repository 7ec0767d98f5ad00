"""The stream that every comparison runs on: Solar where its file is at hand, else a simulation of its size."""

import os
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ngrc import NGRC, FixedOrigin
from ngrc._types import FloatArray
from ngrc.intervals import Stream
from ngrc.presets import PAPER
from ngrc.readout import PAPER_RIDGES
from ngrc.splits import Blocks

# The length of Solar, and a beginning of it that a quick run gets through in seconds.
SOLAR_SIZE = 52_560
QUICK_SIZE = 6_000
QUICK_LAGS = 12
DAY = 144  # ten-minute readings
LEVEL = 0.95


@dataclass(frozen=True, slots=True)
class Scene:
    """A series, its split, and the residuals of the paper's forecaster on it.

    `fit_values` end with the last fit target and are standardised, as the peers have no scaling of their own.
    """

    source: str
    quick: bool
    lags: int
    periods: tuple[float, ...]
    blocks: Blocks
    scaled: FloatArray
    stream: Stream

    @property
    def fit_values(self) -> FloatArray:
        """The standardised series up to the last fit target, shape (fit + lags,)."""
        return self.scaled[: self.blocks.fit.stop]

    @property
    def scores(self) -> FloatArray:
        """Absolute residuals of calibration and test."""
        return np.abs(self.stream.residuals)

    @property
    def words(self) -> str:
        """What this is, in one line."""
        fit, known, steps = self.blocks.fit_rows, self.stream.start, self.stream.steps
        return f"{self.source}: {fit:,} fit rows, {known:,} calibration and {steps:,} test residuals, {self.lags} lags"


def make_scene(quick: bool = False) -> Scene:
    """Fit the paper's Solar model and take its residuals."""
    source, values = _solar()
    lags, periods = PAPER["solar"].lags, PAPER["solar"].periods
    if quick:
        values, lags, source = values[:QUICK_SIZE], QUICK_LAGS, f"the beginning of {source}"
    blocks = FixedOrigin().splits(values.size, lags, 1)[0]
    head = values[: blocks.scale_end]
    scaled = (values - head.mean()) / head.std()
    model = NGRC(lags, periods=periods, ridges=PAPER_RIDGES)
    model.fit(scaled[: blocks.fit.stop], scale=(0.0, 1.0))
    return Scene(source, quick, lags, periods, blocks, scaled, blocks.stream(scaled - model.predict(scaled)))


def _solar() -> tuple[str, FloatArray]:
    from ngrc.datasets.solar import load_solar

    file = Path(os.environ.get("NGRC_DATA", ".")) / "solar_AL.txt.gz"
    if file.is_file():
        return "the Solar series", load_solar(file).values
    return "a simulated series of Solar's size", simulated(SOLAR_SIZE)


def simulated(size: int, *, seed: int = 0) -> FloatArray:
    """Daylight times a cloudiness that drifts: zero at night, noisy at noon, shape (size,)."""
    rng = np.random.default_rng(seed)
    noise = rng.normal(size=size)
    clouds = np.empty(size)
    level = 0.0
    for t in range(size):
        level = 0.98 * level + 0.2 * noise[t]
        clouds[t] = level
    daylight = np.maximum(np.sin(2 * np.pi * np.arange(size) / DAY), 0.0)
    return 30.0 * daylight / (1.0 + np.exp(-clouds - 0.5))
