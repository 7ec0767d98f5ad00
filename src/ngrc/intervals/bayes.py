"""Bayesian ridge interval: a noise scale and the leverage of the forecast's features."""

from dataclasses import dataclass
from math import inf, sqrt
from typing import ClassVar, Literal, cast, get_args

import numpy as np

from ngrc._normal import gaussian_radius
from ngrc._types import FloatArray
from ngrc.intervals.base import History, IntervalMethod, Offsets, Stream, Tracker
from ngrc.validation import check_positive

Estimate = Literal["gcv", "evidence"]


@dataclass(frozen=True, slots=True)
class Bayes(IntervalMethod):
    """Forecast plus and minus z tau sqrt(1 + l_t): Gaussian predictive interval of the ridge posterior.

    l_t = r'(R'R + n lambda D)^-1 r is the leverage (paper, equation `bayes_interval`), tau the noise scale. Nothing is
    learned after the fit.

    Parameters
    ----------
    noise
        "fit": root mean square of the fit residuals, the paper's choice, too small where d_eff/n is not. "gcv" or
        "evidence": the estimates that stay consistent there, from the fit rows alone (`ngrc.theory.noise_scale`). Or
        sigma itself, a number above zero in the series' units.

    Examples
    --------
    >>> stream = Stream(np.zeros(3), start=1, leverage=np.array([0.0, 0.0, 3.0]), fit_scale=1.0)
    >>> Bayes().run(stream, 0.95).upper.round(3).tolist()
    [1.96, 3.92]
    >>> Bayes(noise=2.0).run(stream, 0.95).upper.round(3).tolist()
    [3.92, 7.84]
    """

    name: ClassVar[str] = "bayes"
    guarantee: ClassVar[str] = (
        "Exact when the Gaussian readout model holds and the noise scale is known; the fit residuals' scale, plugged "
        "in by default, makes it too narrow by about sqrt(1 - d_eff/n), and misspecification leaves no guarantee."
    )

    noise: Literal["fit", "gcv", "evidence"] | float = "fit"

    def __post_init__(self) -> None:
        if not isinstance(self.noise, str):
            check_positive(self.noise, "noise")
        elif self.noise not in ("fit", *get_args(Estimate)):
            raise ValueError(
                f"noise must be 'fit', 'gcv', 'evidence' or a number above zero, got {self.noise!r}"
            )

    @property
    def noise_estimates(self) -> tuple[Estimate, ...]:
        """The estimate that `noise` names."""
        return (cast(Estimate, self.noise),) if self.noise in get_args(Estimate) else ()

    @property
    def selected(self) -> dict[str, str | float]:
        """The noise scale where it is not the fit's own."""
        return {} if self.noise == "fit" else {"noise": self.noise}

    def run(self, stream: Stream, level: float) -> Offsets:
        """Offsets of the whole block."""
        scale = self._scale(stream)
        if stream.leverage is None:
            raise ValueError(
                "bayes needs the leverage of every forecast, got none; pass leverage to the stream"
            )
        width = half_width(_checked_leverage(stream.leverage[stream.start :]), scale, gaussian_radius(level))
        return Offsets(-width, width)

    def begin(self, history: History, level: float) -> Tracker:
        """The settled scale; the leverage comes with each forecast."""
        return BayesTracker(self._scale(history), gaussian_radius(level))

    def _scale(self, known: History | Stream) -> float:
        if not isinstance(self.noise, str):
            return float(self.noise)
        if self.noise == "fit":
            return _checked_scale(known.fit_scale)
        if self.noise not in known.noise_scales:
            raise ValueError(
                f"bayes with noise={self.noise!r} needs that estimate from a fitted model, got none; pass noise_scales="
                f"{{{self.noise!r}: model.noise_scale({self.noise!r}).scale}}, or give noise= a number"
            )
        return _checked_scale(known.noise_scales[self.noise], f"noise_scales[{self.noise!r}]")


@dataclass(slots=True)
class BayesTracker(Tracker):
    """The noise scale and the normal factor; outcomes change nothing."""

    scale: float
    factor: float

    def issue(self, leverage: float = 0.0, forecast: float = 0.0) -> tuple[float, float]:
        """Offsets at the given leverage."""
        # As `half_width`, without numpy, which takes ten times as long for one number.
        if not 0.0 <= leverage < inf:
            _checked_leverage(leverage)
        width = self.factor * self.scale * sqrt(1.0 + leverage)
        return -width, width

    def observe(self, residual: float, missed: bool | None) -> None:
        """Nothing is learned."""


def half_width(leverage: FloatArray, scale: float, factor: float) -> FloatArray:
    """Half the interval's width, z tau sqrt(1 + l)."""
    return factor * scale * np.sqrt(1.0 + leverage)


def _checked_scale(scale: float | None, name: str = "fit_scale") -> float:
    if scale is None:
        raise ValueError(f"bayes needs a noise scale, got none; pass {name}")
    if not (np.isfinite(scale) and scale >= 0):
        raise ValueError(f"{name} must be finite and not negative, got {scale!r}")
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
