"""Standard error of a noise scale: the estimate as one quadratic form in the response, penalty and all."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from ngrc._types import FloatArray
from ngrc.theory.residuals import RidgeResiduals

Kind = Literal["gcv", "evidence", "raw"]


@dataclass(frozen=True, slots=True)
class _Form:
    """A quadratic form y'Fy that is diagonal in the eigenvectors of RR'."""

    inside: FloatArray
    """its eigenvalues on the column space, shape (k,)"""
    outside: float
    """its one eigenvalue outside"""

    def at(self, residuals: RidgeResiduals) -> float:
        return float(self.inside @ residuals.energy) + self.outside * residuals.rest

    def plus(self, factor: float, other: "_Form") -> "_Form":
        return _Form(self.inside + factor * other.inside, self.outside + factor * other.outside)


def scale_error(residuals: RidgeResiduals, kind: Kind, ridge: float, scale: float, *, chosen: bool) -> float:
    """Standard error of sigma-hat by the delta method, given the design and the signal, for Gaussian noise.

    With theta = log lambda, sigma^2 = y'N(theta)y / T(theta) at a root of h(theta) = y'K(theta)y, the criterion's
    slope, up to a positive factor:

        d sigma^2 = y' F y,   F = N/T - (d sigma^2/d theta) K / h',
        Var(y'Fy) = 2 sigma^4 tr F^2 + 4 sigma^2 f'F^2 f,   f'F^2 f = y'F^2 y - sigma^2 tr F^2 in expectation,

    f = R w0 being nil outside the column space. A given penalty leaves F = N/T.

    Parameters
    ----------
    residuals
        The decomposition.
    kind, ridge, scale
        How, at which penalty and with which result sigma was estimated.
    chosen
        Whether the penalty is a stationary point of the criterion, and not given or at an edge.
    """
    form = _influence(residuals, kind, ridge) if chosen else _estimate(residuals, kind, ridge)[0]
    squared = form.inside**2
    # The raw mean square is no estimate of the noise that moves it; its own penalty's RSS/(n - tr H) is.
    variance = residuals.squares(ridge) / residuals.degrees(ridge) if kind == "raw" else scale**2
    noise = 2.0 * variance**2 * (float(squared.sum()) + residuals.idle * form.outside**2)
    # In a finite sample the signal's share may come out below zero, where there is hardly any.
    signal = max(float(squared @ (residuals.energy - variance)), 0.0)
    return float(np.sqrt(noise + 4.0 * variance * signal)) / (2.0 * scale)


def _estimate(residuals: RidgeResiduals, kind: Kind, ridge: float) -> tuple[_Form, _Form]:
    """N/T and its derivative in log lambda."""
    m = residuals.shrinkage(ridge)
    slope = m * (1.0 - m)  # d m / d log lambda of m = lambda / (s + lambda)
    if kind == "evidence":
        return _Form(m / residuals.freedom, 1.0 / residuals.freedom), _Form(slope / residuals.freedom, 0.0)
    degrees = residuals.degrees(ridge) if kind == "gcv" else float(residuals.rows)
    growth = float(slope.sum()) / degrees if kind == "gcv" else 0.0
    estimate = _Form(m**2 / degrees, 1.0 / degrees)
    return estimate, _Form(2.0 * m * slope / degrees, 0.0).plus(-growth, estimate)


def _influence(residuals: RidgeResiduals, kind: Kind, ridge: float) -> _Form:
    """F: how sigma^2 moves with y when the penalty moves with it."""
    m = residuals.shrinkage(ridge)
    slope, bend = m * (1.0 - m), m * (1.0 - m) * (1.0 - 2.0 * m)
    if kind == "evidence":
        # K = nu M' - D M, D = sum(1 - m); its own derivative is nu M'' + (sum m') M - D M'.
        freedom, dimension = residuals.freedom, float(np.sum(1.0 - m))
        K = _Form(freedom * slope - dimension * m, -dimension)
        change = _Form(freedom * bend + slope.sum() * m - dimension * slope, float(slope.sum()))
    else:
        # K = T N' - 2 T' N with N = M^2, T = tr M; its own derivative is T N'' - T' N' - 2 T'' N.
        degrees, growth, twice = residuals.degrees(ridge), float(slope.sum()), float(bend.sum())
        first, second = 2.0 * m * slope, (4.0 * m - 6.0 * m**2) * slope
        K = _Form(degrees * first - 2.0 * growth * m**2, -2.0 * growth)
        change = _Form(degrees * second - growth * first - 2.0 * twice * m**2, -2.0 * twice)
    estimate, derivative = _estimate(residuals, kind, ridge)
    return estimate.plus(-derivative.at(residuals) / change.at(residuals), K)
