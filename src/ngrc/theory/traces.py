"""Finite traces: how bias, variance and posterior uncertainty set the two widths, exactly for one design."""

from dataclasses import dataclass

import numpy as np

from ngrc._normal import gaussian_radius
from ngrc._types import FloatArray
from ngrc.theory.spectrum import DesignSpectrum, as_spectrum, checked_covariance, checked_readout
from ngrc.validation import check_positive


@dataclass(frozen=True, slots=True)
class Widths:
    """Full widths of the two intervals at one level."""

    bayes: float
    conformal: float


@dataclass(frozen=True, slots=True)
class Decomposition:
    """The bias-variance-posterior decomposition of one design.

    Every field is a variance, in squared units of the response.
    """

    bias: float
    """B = lambda^2 w0' A Sigma A w0, the squared ridge prediction bias."""
    variance: float
    """V = sigma^2/n tr(Sigma A S A), the frequentist estimation variance."""
    posterior: float
    """P = sigma^2/n tr(Sigma A), the feature-averaged posterior parameter uncertainty."""
    gap: float
    """P - V - B, computed as sigma^2 lambda/n tr(Sigma A^2) - B; positive where Bayes is wider."""
    noise: float
    """sigma, the noise standard deviation."""

    @property
    def bayes(self) -> float:
        """sigma^2 + P: squared Bayesian width over 4 z^2."""
        return self.noise**2 + self.posterior

    @property
    def conformal(self) -> float:
        """sigma^2 + B + V: squared split-conformal width over 4 z^2, and the prediction error given R."""
        return self.noise**2 + self.bias + self.variance

    def squared_widths(self, level: float) -> Widths:
        """4 z^2 (sigma^2 + P) and 4 z^2 (sigma^2 + B + V)."""
        factor = (2.0 * gaussian_radius(level)) ** 2
        return Widths(factor * self.bayes, factor * self.conformal)

    def widths(self, level: float) -> Widths:
        """2 z sqrt(sigma^2 + P) and 2 z sqrt(sigma^2 + B + V)."""
        squared = self.squared_widths(level)
        return Widths(float(np.sqrt(squared.bayes)), float(np.sqrt(squared.conformal)))


def decompose(
    R: FloatArray | DesignSpectrum,
    w0: FloatArray,
    ridge: float,
    noise: float,
    covariance: FloatArray | None = None,
) -> Decomposition:
    """Bias, variance and posterior uncertainty of ridge prediction, and the widths they imply.

    With S = R'R/n and A = (S + lambda I)^-1, for y = R w0 + e, Cov(e | R) = sigma^2 I:

        E[(y* - r*'w)^2 | R] = sigma^2 + B + V,   P - V - B = sigma^2 lambda/n tr(Sigma A^2) - B,

    exact for every design (lemma "Bias-variance-posterior decomposition"). With Gaussian noise and features
    N(0, Sigma), W_B^2/4z^2 = sigma^2 + P + O(n^-1/2) and W_C^2/4z^2 = sigma^2 + B + V + O(n^-1/2 + m^-1/2)
    (theorem "Finite-trace width comparison"). Assumes a known sigma and a penalty not chosen on the data.

    Parameters
    ----------
    R
        Design, shape (n, p), n < p allowed; or its `spectrum`, to share one factorisation across calls.
    w0
        True readout, shape (p,).
    ridge
        lambda > 0 in the normalised convention, S + lambda I.
    noise
        sigma > 0, a standard deviation.
    covariance
        Sigma = E[r r'] of a new feature, shape (p, p); None means the identity.

    Examples
    --------
    >>> parts = decompose(np.eye(2), np.array([1.0, 0.0]), ridge=0.5, noise=1.0)
    >>> [round(value, 12) for value in (parts.bias, parts.variance, parts.posterior, parts.gap)]
    [0.25, 0.5, 1.0, 0.25]
    """
    design = as_spectrum(R)
    readout = checked_readout(w0, design.columns)
    penalty, sigma = check_positive(ridge, "ridge"), check_positive(noise, "noise")
    sigma_matrix = checked_covariance(covariance, design.columns)
    removed = design.shrunk(readout, penalty)
    bias = float(removed @ (removed if sigma_matrix is None else sigma_matrix @ removed))
    traces = design.traces(penalty, sigma_matrix)
    unit = sigma**2 / design.rows
    return Decomposition(
        bias=bias,
        variance=unit * traces.sandwich,
        posterior=unit * traces.resolvent,
        # P - V = sigma^2/n tr{Sigma A (I - S A)} and I - SA = lambda A: no difference of nearly equal traces.
        gap=unit * penalty * traces.squared - bias,
        noise=sigma,
    )


@dataclass(frozen=True, slots=True)
class TrainingScale:
    """Expected mean squared training residual; it misses sigma^2 when p/n does not vanish."""

    shrinkage: float
    """lambda^2 w0' A S A w0"""
    leverage: float
    """sigma^2/n tr{(I - H)^2}"""

    @property
    def total(self) -> float:
        """E[||y - R w||^2 / n | R]."""
        return self.shrinkage + self.leverage


def training_scale(
    R: FloatArray | DesignSpectrum, w0: FloatArray, ridge: float, noise: float
) -> TrainingScale:
    """Expected mean squared training residual of ridge regression, exact given R.

    E[||y - R w||^2 / n | R] = lambda^2 w0' A S A w0 + sigma^2/n tr{(I - H)^2}, H = R A R'/n
    (appendix "Training residual scale in proportional dimension"). Parameters as for `decompose`.

    Examples
    --------
    >>> round(training_scale(np.eye(2), np.array([1.0, 0.0]), ridge=0.5, noise=1.0).total, 12)
    0.375
    """
    design = as_spectrum(R)
    readout = checked_readout(w0, design.columns)
    penalty, sigma = check_positive(ridge, "ridge"), check_positive(noise, "noise")
    removed = design.shrinkage(penalty)
    coordinates = design.vectors.T @ readout
    # I - H has the eigenvalue lambda / (s + lambda) in each of the k directions of the data, and 1 in the n - k others.
    idle = design.rows - design.values.size
    return TrainingScale(
        shrinkage=float(design.values @ (removed * coordinates) ** 2),
        leverage=sigma**2 * (float(removed @ removed) + idle) / design.rows,
    )
