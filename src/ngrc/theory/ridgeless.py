"""Ridgeless limits: what proportional dimension does to least squares of least norm, lambda -> 0."""

from dataclasses import dataclass
from math import inf, sqrt

from ngrc._normal import gaussian_coverage, gaussian_radius
from ngrc.theory._check import check_nonnegative
from ngrc.theory.proportional import Ordering
from ngrc.theory.traces import Widths
from ngrc.validation import check_positive


@dataclass(frozen=True, slots=True)
class Ridgeless:
    """Limits as p/n -> gamma, then lambda -> 0, of an isotropic design; every variance in squared units."""

    bias: float
    """s^2 (1 - 1/gamma) for gamma > 1, the signal in directions without data; nil otherwise"""
    variance: float
    """sigma^2 gamma/(1 - gamma), or sigma^2/(gamma - 1) for gamma > 1"""
    posterior: float
    """sigma^2 gamma/(1 - gamma), the same as `variance`; infinite for gamma > 1"""
    training: float
    """limit of the mean squared training residual: sigma^2 (1 - gamma), nil for gamma > 1"""
    noise: float
    """sigma"""

    @property
    def v_bayes(self) -> float:
        """Limit of W_B^2 / 4 z^2; infinite for gamma > 1, where directions without data keep an unbounded prior."""
        return self.noise**2 + self.posterior

    @property
    def v_conformal(self) -> float:
        """Limit of W_C^2 / 4 z^2 and of the squared prediction error."""
        return self.noise**2 + self.bias + self.variance

    @property
    def ordering(self) -> Ordering:
        """Equal widths for gamma < 1; for gamma > 1 the Bayesian one is unbounded whatever the signal."""
        return "equal" if self.posterior < inf else "bayes wider"

    def widths(self, level: float) -> Widths:
        """2 z sqrt(v) of both intervals."""
        radius = gaussian_radius(level)
        return Widths(2.0 * radius * sqrt(self.v_bayes), 2.0 * radius * sqrt(self.v_conformal))

    def coverage_bayes(self, level: float) -> float:
        """The nominal level for gamma < 1, one for gamma > 1; sigma being known."""
        return gaussian_coverage(gaussian_radius(level) * sqrt(self.v_bayes / self.v_conformal))


def ridgeless(gamma: float, signal: float, noise: float) -> Ridgeless:
    """Least squares of least norm in proportional dimension: the limit lambda -> 0 of `phase`.

    For gamma < 1 nothing is biased, posterior and frequentist variance agree, and the training residuals miss a
    share gamma of the noise. For gamma > 1 every row is interpolated; v_bayes grows as sigma^2 (gamma - 1)/lambda, so
    that a Bayesian interval without penalty has no finite limit. At gamma = 1 the prediction error itself has none,
    and that is refused. The paper keeps lambda > 0 fixed; these are its closed forms at the end of their range, the
    risk being the known one of interpolation (Hastie, Montanari, Rosset and Tibshirani, doi:10.1214/21-AOS2133).

    Parameters
    ----------
    gamma
        p/n > 0, not 1.
    signal
        s = ||w0|| >= 0.
    noise
        sigma > 0, a standard deviation.

    Examples
    --------
    >>> below, above = ridgeless(0.5, 2.0, 1.0), ridgeless(2.0, 2.0, 1.0)
    >>> below.v_conformal, below.v_bayes, below.training
    (2.0, 2.0, 0.5)
    >>> above.v_conformal, above.v_bayes, above.training
    (4.0, inf, 0.0)
    """
    ratio, sigma = check_positive(gamma, "gamma"), check_positive(noise, "noise")
    strength = check_nonnegative(signal, "signal")
    if ratio == 1.0:
        raise ValueError(
            "gamma must not be 1: at p = n the error of least squares has no finite limit; use phase with a penalty"
        )
    if ratio < 1.0:
        variance = sigma**2 * ratio / (1.0 - ratio)
        return Ridgeless(0.0, variance, variance, sigma**2 * (1.0 - ratio), sigma)
    # lambda I1 and lambda^2 I2 tend to the atom at zero, 1 - 1/gamma, and gamma J to 1/(gamma - 1).
    return Ridgeless(strength**2 * (1.0 - 1.0 / ratio), sigma**2 / (ratio - 1.0), inf, 0.0, sigma)
