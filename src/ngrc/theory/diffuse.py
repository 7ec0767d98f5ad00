"""What stands in for independent features: concentration, diffuse directions, and nearness to normality."""

from dataclasses import dataclass
from math import sqrt

import numpy as np

from ngrc._types import FloatArray
from ngrc.theory._check import check_nonnegative, check_symmetric
from ngrc.theory.quadratic import split_direction
from ngrc.theory.spectrum import DesignSpectrum, as_spectrum, checked_covariance, checked_readout
from ngrc.theory.traces import Decomposition
from ngrc.validation import check_count, check_positive, check_vector


def diffuseness(
    R: FloatArray | DesignSpectrum, w0: FloatArray, ridge: float, covariance: FloatArray | None = None
) -> float:
    """||D_n||_op with D_n = Q_d(lambda Sigma^1/2 A w0), the largest quadratic direction of the ridge bias.

    Small values make forecast errors Gaussian although their features are dependent: the conformal width then
    follows its finite trace up to O(n^-1/4 + ||D_n|| + m^-1/2) (corollary "Deterministic quadratic-NGRC
    readout"). It concerns the bias after ridge, not the raw signal Q_d(w0), and needs the true readout.

    Parameters
    ----------
    R
        Design whose rows are Sigma^1/2 phi_d(G) or Sigma^1/2 psi_d(G), shape (n, p), or its `spectrum`.
    w0
        True readout, shape (p,).
    ridge
        lambda > 0.
    covariance
        Sigma, shape (p, p), positive semidefinite; None means the identity.

    Examples
    --------
    >>> from ngrc.theory import quadratic_map
    >>> R = quadratic_map(np.random.default_rng(0).standard_normal((60, 3)), linear=False)
    >>> bool(diffuseness(R, np.ones(6), ridge=1e3) < 3.0)
    True
    """
    design = as_spectrum(R)
    readout = checked_readout(w0, design.columns)
    # lambda A w0 by one decomposition; then Sigma^1/2 of it, and the matrix that Q_d reads in that direction.
    bias = design.shrunk(readout, check_positive(ridge, "ridge"))
    matrix = checked_covariance(covariance, design.columns)
    if matrix is not None:
        bias = _symmetric_root(matrix) @ bias
    return float(np.linalg.norm(split_direction(bias)[1], 2))


def _symmetric_root(matrix: FloatArray) -> FloatArray:
    values, vectors = np.linalg.eigh(matrix)
    # eigh returns zeros of a singular covariance as -1e-16 of the largest value or so; 1e-10 is no rounding any more.
    if values[0] < -1e-10 * max(values[-1], 1e-300):
        raise ValueError(f"covariance must be positive semidefinite, got eigenvalue {values[0]:.3g}")
    root: FloatArray = (vectors * np.sqrt(np.maximum(values, 0.0))) @ vectors.T
    return root


@dataclass(frozen=True, slots=True)
class ConcentrationBound:
    """Bounds on the quadratic form phi_d(G)' B phi_d(G) for ||B||_op = b."""

    variance: float
    """(4 d^3 + 30 d^2 + 38 d) b^2, on its variance"""
    coarse_variance: float
    """72 d^3 b^2"""
    normalised: float
    """288 b^2 / d, on the mean square of its centred value over p"""
    fourth_moment: float
    """E||phi_d(G)||^4 = (d^4 + 14 d^3 + 49 d^2 + 48 d)/4, exact"""
    fourth_moment_bound: float
    """7 p^2, p = d(d+3)/2"""


def concentration_bound(dimension: int, operator_norm: float) -> ConcentrationBound:
    """Concentration of quadratic forms in the features phi_d(G), G ~ N(0, I_d), for symmetric B.

    It replaces independence of coordinates in the Marchenko-Pastur law. Source: the lemma "Quadratic-form
    concentration", by the Gaussian Poincare inequality.

    Parameters
    ----------
    dimension
        d, the number of delays.
    operator_norm
        ||B||_op >= 0.

    Examples
    --------
    >>> concentration_bound(10, 1.0).variance
    7380.0
    """
    d, squared = check_count(dimension, "dimension"), check_nonnegative(operator_norm, "operator_norm") ** 2
    features = d * (d + 3) // 2
    return ConcentrationBound(
        variance=(4 * d**3 + 30 * d**2 + 38 * d) * squared,
        coarse_variance=72 * d**3 * squared,
        # 72 d^3 over p^2, with p = d (d + 3) / 2 >= d^2 / 2.
        normalised=288 / d * squared,
        fourth_moment=(d**4 + 14 * d**3 + 49 * d**2 + 48 * d) / 4,
        fourth_moment_bound=7.0 * features**2,
    )


@dataclass(frozen=True, slots=True)
class KolmogorovBound:
    """Distance to normality of F = a'G + (G'BG - tr B)/sqrt 2 + sigma Z, standardised."""

    variance: float
    """V = sigma^2 + ||a||^2 + tr(B^2)"""
    sharp: float
    """sqrt(9/2 ||Ba||^2 + 2 tr(B^4)) / V"""
    coarse: float
    """3 ||B||_op / (sqrt 2 sigma)"""


def kolmogorov_bound(linear: FloatArray, matrix: FloatArray, noise: float) -> KolmogorovBound:
    """Upper bounds on sup_x |P(F/sqrt V <= x) - Phi(x)|, by Stein's method.

    Source: the lemma "Gaussian approximation for quadratic features"; G ~ N(0, I_d), Z independent N(0, 1).

    Parameters
    ----------
    linear
        a, shape (d,).
    matrix
        B, symmetric, shape (d, d).
    noise
        sigma > 0, a standard deviation.

    Examples
    --------
    >>> bound = kolmogorov_bound(np.zeros(2), np.eye(2) / 2, noise=1.0)
    >>> bound.variance, round(bound.sharp, 4), round(bound.coarse, 4)
    (1.5, 0.3333, 1.0607)
    """
    direction = check_vector(linear, "linear")
    B, sigma = check_symmetric(matrix, "matrix", direction.size), check_positive(noise, "noise")
    squared = B @ B
    image = B @ direction
    variance = sigma**2 + float(direction @ direction) + float(np.trace(squared))
    return KolmogorovBound(
        variance=variance,
        # tr(B^4) is the squared Frobenius norm of B^2, B being symmetric.
        sharp=sqrt(4.5 * float(image @ image) + 2.0 * float(np.sum(squared**2))) / variance,
        coarse=3.0 / sqrt(2.0) / sigma * float(np.linalg.norm(B, 2)),
    )


def random_effects(
    R: FloatArray | DesignSpectrum,
    signal: float,
    ridge: float,
    noise: float,
    covariance: FloatArray | None = None,
) -> Decomposition:
    """P_n and T_n for a readout drawn as w0 ~ N(0, s^2/p I), as a `Decomposition`.

    T_n = s^2 lambda^2/p tr(Sigma A^2) + sigma^2/n tr(Sigma A S A) is `bias + variance`, and
    P_n - T_n = (sigma^2 lambda/n - s^2 lambda^2/p) tr(Sigma A^2) is `gap`. W_C^2/4z^2 = sigma^2 + T_n +
    O(n^-1/4 + m^-1/2) for rows Sigma^1/2 phi_d(G) (theorem "Quadratic-NGRC width approximation").

    Parameters
    ----------
    R
        Design, shape (n, p), or its `spectrum`.
    signal
        s >= 0, root of the expected squared norm of w0.
    ridge, noise, covariance
        As for `decompose`.

    Examples
    --------
    >>> parts = random_effects(np.eye(2), signal=1.0, ridge=0.5, noise=1.0)
    >>> [round(value, 12) for value in (parts.bias, parts.variance, parts.gap)]
    [0.25, 0.5, 0.25]
    """
    design = as_spectrum(R)
    penalty, sigma = check_positive(ridge, "ridge"), check_positive(noise, "noise")
    strength = check_nonnegative(signal, "signal")
    traces = design.traces(penalty, checked_covariance(covariance, design.columns))
    # Averaged over the prior, w0 w0' is s^2/p I: the bias lambda^2 w0'A Sigma A w0 becomes a trace.
    prior, unit = (strength * penalty) ** 2 / design.columns, sigma**2 / design.rows
    return Decomposition(
        bias=prior * traces.squared,
        variance=unit * traces.sandwich,
        posterior=unit * traces.resolvent,
        gap=(unit * penalty - prior) * traces.squared,
        noise=sigma,
    )
