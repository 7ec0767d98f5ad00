"""Bayesian ridge interval: the fit's residual scale and the leverage of the forecast's features."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ngrc._normal import gaussian_radius
from ngrc._types import FloatArray
from ngrc.intervals.base import History, IntervalMethod, Offsets, Stream, Tracker


@dataclass(frozen=True, slots=True)
class Bayes(IntervalMethod):
    """Forecast plus and minus z tau sqrt(1 + l_t): Gaussian predictive interval of the ridge posterior.

    tau is the root mean square of the fit residuals and l_t = r'(R'R + n lambda D)^-1 r the leverage (paper,
    equation `bayes_interval`). Nothing is learned after the fit.

    Examples
    --------
    >>> stream = Stream(np.zeros(3), start=1, leverage=np.array([0.0, 0.0, 3.0]), fit_scale=1.0)
    >>> Bayes().run(stream, 0.95).upper.round(3).tolist()
    [1.96, 3.92]
    """

    name: ClassVar[str] = "bayes"
    guarantee: ClassVar[str] = (
        "Exact when the Gaussian readout model holds and the noise scale is known; the fit residuals' scale, which is "
        "plugged in, makes it too narrow by about sqrt(1 - d_eff/n), and misspecification leaves no guarantee."
    )

    def run(self, stream: Stream, level: float) -> Offsets:
        """Offsets of the whole block."""
        scale = _checked_scale(stream.fit_scale)
        if stream.leverage is None:
            raise ValueError(
                "bayes needs the leverage of every forecast, got none; pass leverage to the stream"
            )
        width = half_width(_checked_leverage(stream.leverage[stream.start :]), scale, gaussian_radius(level))
        return Offsets(-width, width)

    def begin(self, history: History, level: float) -> Tracker:
        """The settled scale; the leverage comes with each forecast."""
        return BayesTracker(_checked_scale(history.fit_scale), gaussian_radius(level))


@dataclass(slots=True)
class BayesTracker(Tracker):
    """The fit scale and the normal factor; outcomes change nothing."""

    scale: float
    factor: float

    def issue(self, leverage: float = 0.0) -> tuple[float, float]:
        """Offsets at the given leverage."""
        width = float(half_width(_checked_leverage(leverage), self.scale, self.factor))
        return -width, width

    def observe(self, residual: float, missed: bool | None) -> None:
        """Nothing is learned."""


def half_width(leverage: FloatArray, scale: float, factor: float) -> FloatArray:
    """Half the interval's width, z tau sqrt(1 + l)."""
    return factor * scale * np.sqrt(1.0 + leverage)


def _checked_scale(scale: float | None) -> float:
    if scale is None:
        raise ValueError("bayes needs the fit's residual scale, got none; pass fit_scale")
    if not (np.isfinite(scale) and scale >= 0):
        raise ValueError(f"fit_scale must be finite and not negative, got {scale!r}")
    return float(scale)


def _checked_leverage(leverage: FloatArray | float) -> FloatArray:
    # A quadratic form of a positive definite matrix: a value below zero was not computed by this readout.
    values = np.asarray(leverage, dtype=np.float64)
    wrong = values[~(np.isfinite(values) & (values >= 0))]
    if wrong.size:
        raise ValueError(
            f"leverage must be finite and not negative, got {wrong[0]:g}; check the features of the forecast"
        )
    return values
