"""How far one fit's prediction error strays from its mean: its variance, and its largest quadratic direction."""

from dataclasses import dataclass
from math import log, sqrt

import numpy as np

from ngrc._types import FloatArray
from ngrc.theory._check import check_nonnegative
from ngrc.theory.spectrum import DesignSpectrum, as_spectrum, checked_covariance, checked_readout
from ngrc.validation import check_count, check_positive


@dataclass(frozen=True, slots=True)
class ErrorVariance:
    """Var(Q_n | R) of the realised prediction error Q_n = (w - w0)' Sigma (w - w0), and its bound."""

    quadratic: float
    """2 tr(M_C^2), M_C = Sigma^1/2 C Sigma^1/2, C = sigma^2/n A S A"""
    linear: float
    """4 b' Sigma C Sigma b, b = lambda A w0"""
    bound: float
    """sigma^4 L^2 p/(8 n^2 lambda^2) + sigma^2 L^2 M^2/(n lambda), L = ||Sigma||_op, M = ||w0||"""

    @property
    def total(self) -> float:
        """Var(Q_n | R), exact for Gaussian noise."""
        return self.quadratic + self.linear


def error_variance(
    R: FloatArray | DesignSpectrum,
    w0: FloatArray,
    ridge: float,
    noise: float,
    covariance: FloatArray | None = None,
) -> ErrorVariance:
    """Variance of Q_n given the design, exact for Gaussian noise, and the bound that makes it O(1/n).

    sigma^2 + Q_n is the variance of a fresh residual given the fit, E(Q_n | R) = B + V (`decompose`), and with
    Chebyshev's inequality Q_n = B + V + O(n^-1/2). Source: proof of the theorem "Finite-trace width comparison".
    Parameters as for `decompose`.

    Examples
    --------
    >>> spread = error_variance(np.eye(2), np.array([1.0, 0.0]), ridge=0.5, noise=1.0)
    >>> [round(value, 12) for value in (spread.quadratic, spread.linear, spread.bound)]
    [0.25, 0.25, 1.25]
    """
    design = as_spectrum(R)
    readout = checked_readout(w0, design.columns)
    penalty, sigma = check_positive(ridge, "ridge"), check_positive(noise, "noise")
    matrix = checked_covariance(covariance, design.columns)
    # C = V diag(c) V': only directions with data move with the noise.
    spread = sigma**2 / design.rows * design.values * design.inverse(penalty) ** 2
    bias = design.shrunk(readout, penalty)
    V = design.vectors
    if matrix is None:
        overlap, pull, largest = float(spread @ spread), V.T @ bias, 1.0
    else:
        # tr(M_C^2) is the sum of c_i (v_i' Sigma v_j)^2 c_j.
        overlap = float(spread @ (V.T @ matrix @ V) ** 2 @ spread)
        pull, largest = V.T @ (matrix @ bias), float(np.linalg.norm(matrix, 2))
    strength = float(readout @ readout)
    unit = sigma**2 * largest / (design.rows * penalty)
    return ErrorVariance(
        quadratic=2.0 * overlap,
        linear=4.0 * float(spread @ pull**2),
        bound=unit**2 * design.columns / 8.0 + unit * largest * strength,
    )


def direction_bound(
    dimension: int,
    rows: int,
    ridge: float,
    signal: float,
    noise: float,
    *,
    failure: float = 0.05,
    covariance_norm: float = 1.0,
    linear: bool = True,
) -> float:
    """Bound on ||B||_op, the largest quadratic direction of a fit's error, that fails with at most that probability.

    The error v = Sigma^1/2 (w0 - w) reads a quadratic form B = Q_d(v). Each u'Bu is Gaussian with variance at most
    L c_n, c_n = s^2/p + sigma^2/(4 n lambda); a 1/4-net of the sphere has at most 9^d points and ||B|| is at most twice
    the largest |u'Bu| on it, so that

        P(||B||_op > sqrt(8 L c_n (d log 9 + t)) | R) <= 2 exp(-t),   t = log(2/failure).

    With `kolmogorov_bound` it makes residuals Gaussian up to O(n^-1/4). Source: proof of the theorem "Quadratic-NGRC
    width approximation". A signal of zero gives the noise part alone, which the corollary "Deterministic
    quadratic-NGRC readout" adds to `diffuseness`. The net is crude: the norm is some three times smaller.

    Parameters
    ----------
    dimension
        d, the number of delays.
    rows
        n of the fit.
    ridge
        lambda > 0.
    signal
        s >= 0 of the random effects w0 ~ N(0, s^2/p I).
    noise
        sigma > 0.
    failure
        Probability in (0, 1) with which the bound may fail.
    covariance_norm
        L >= ||Sigma||_op.
    linear
        Whether the map has its d linear coordinates: p = d(d+3)/2, else d(d+1)/2.

    Examples
    --------
    >>> round(direction_bound(24, 648, ridge=0.5, signal=2.0, noise=0.5), 2)
    2.38
    """
    d, n = check_count(dimension, "dimension"), check_count(rows, "rows")
    penalty, sigma = check_positive(ridge, "ridge"), check_positive(noise, "noise")
    strength, largest = (
        check_nonnegative(signal, "signal"),
        check_positive(covariance_norm, "covariance_norm"),
    )
    chance = check_positive(failure, "failure")
    if chance >= 1.0:
        raise ValueError(f"failure must be a probability in (0, 1), got {failure!r}")
    columns = d * (d + 3) // 2 if linear else d * (d + 1) // 2
    variance = largest * (strength**2 / columns + sigma**2 / (4.0 * n * penalty))
    return sqrt(8.0 * variance * (d * log(9.0) + log(2.0 / chance)))
