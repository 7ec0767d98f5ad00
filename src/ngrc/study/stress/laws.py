"""Laws of simulated residuals, each with the interval of somebody who knows the law."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy import special

from ngrc._types import FloatArray
from ngrc.intervals.base import Stream
from ngrc.intervals.context import Context

LEVEL = 0.9
TAIL = 0.5 * (1.0 - LEVEL)
FREEDOM = 2.5
"""Student's degrees of freedom: a variance of five, and no fourth moment."""
JUMP = 3.0
"""Factor of the scale after two fifths of the test block, so that there is time to recover."""
JUMP_AT = 0.4
DRIFT = 4.0
"""Factor by which the scale grows over the test block, and at the same pace before it."""
PERIOD = 24
SWING = 1.0
"""Amplitude of the seasonal log scale: the noisiest hour has e^2 times the scale of the calmest."""


class Sizes(NamedTuple):
    """Residuals before the test block, in it, and in an adversary's."""

    calibration: int = 1000
    test: int = 4000
    adversary: int = 2000


@dataclass(frozen=True, slots=True)
class Sample:
    """Residuals of one draw, the true law's central interval at every test position, and a clock where there is one."""

    residuals: FloatArray
    lower: FloatArray
    upper: FloatArray
    context: Context | None = None

    def stream(self, horizon: int) -> Stream:
        """As the methods are given it."""
        start = self.residuals.size - self.lower.size
        return Stream(self.residuals, start, horizon, context=self.context)


Draw = Callable[[np.random.Generator, Sizes], Sample]


def _scaled(residuals: FloatArray, scale: FloatArray, ends: tuple[float, float], sizes: Sizes) -> Sample:
    tested = scale[sizes.calibration :]
    return Sample(residuals * scale, ends[0] * tested, ends[1] * tested)


def _normal(rng: np.random.Generator, scale: FloatArray, sizes: Sizes) -> Sample:
    z = float(special.ndtri(1.0 - TAIL))
    return _scaled(rng.standard_normal(scale.size), scale, (-z, z), sizes)


def _steps(sizes: Sizes) -> FloatArray:
    """Positions relative to the first test position, in units of the test block."""
    return (np.arange(sizes.calibration + sizes.test) - sizes.calibration) / sizes.test


def gaussian(rng: np.random.Generator, sizes: Sizes) -> Sample:
    """Independent standard normal."""
    return _normal(rng, np.ones(sizes.calibration + sizes.test), sizes)


def heavy(rng: np.random.Generator, sizes: Sizes) -> Sample:
    """Independent, Student's law."""
    q = float(special.stdtrit(FREEDOM, 1.0 - TAIL))
    size = sizes.calibration + sizes.test
    return _scaled(rng.standard_t(FREEDOM, size), np.ones(size), (-q, q), sizes)


def skewed(rng: np.random.Generator, sizes: Sizes) -> Sample:
    """Independent exponential, less their mean."""
    size = sizes.calibration + sizes.test
    ends = (-float(np.log1p(-TAIL)) - 1.0, -float(np.log(TAIL)) - 1.0)
    return _scaled(rng.exponential(size=size) - 1.0, np.ones(size), ends, sizes)


def jump(rng: np.random.Generator, sizes: Sizes) -> Sample:
    """Normal, the scale multiplied at one stroke."""
    return _normal(rng, np.where(_steps(sizes) >= JUMP_AT, JUMP, 1.0), sizes)


def drift(rng: np.random.Generator, sizes: Sizes) -> Sample:
    """Normal, the scale growing steadily."""
    return _normal(rng, DRIFT ** _steps(sizes), sizes)


def seasonal(rng: np.random.Generator, sizes: Sizes) -> Sample:
    """Normal, the scale going round a clock that the methods are told."""
    angle = 2.0 * np.pi * np.arange(sizes.calibration + sizes.test) / PERIOD
    sample = _normal(rng, np.exp(SWING * np.sin(angle)), sizes)
    # A forecast that goes round with the clock, a quarter of a period ahead of the scale.
    context = Context(10.0 * np.cos(angle), (float(PERIOD),))
    return Sample(sample.residuals, sample.lower, sample.upper, context)


LAWS: dict[str, Draw] = {
    "exchangeable": gaussian,
    "heavy tails": heavy,
    "skewed": skewed,
    "jump": jump,
    "drift": drift,
    "seasonal": seasonal,
}
ADVERSARY = "adversary"
CASES = (*LAWS, ADVERSARY)
EXCHANGEABLE = ("exchangeable", "heavy tails", "skewed")
