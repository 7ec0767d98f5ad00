"""A design's spectrum, computed once and shared by every penalty, signal and trace."""

from dataclasses import dataclass

import numpy as np
from scipy import linalg

from ngrc._types import FloatArray
from ngrc.theory._check import check_matrix, check_symmetric
from ngrc.validation import check_positive


@dataclass(frozen=True, slots=True)
class ResolventTraces:
    """Traces of the resolvent A = (S + lambda I)^-1 weighted by a feature covariance Sigma."""

    resolvent: float
    """tr(Sigma A)"""
    sandwich: float
    """tr(Sigma A S A)"""
    squared: float
    """tr(Sigma A^2)"""


@dataclass(frozen=True, slots=True)
class DesignSpectrum:
    """Eigenvalues and eigenvectors of S = R'R/n on the row space of R.

    Parameters
    ----------
    rows, columns
        n and p of the design.
    values
        The min(n, p) leading eigenvalues of S, shape (k,), decreasing; the other p - k are exactly zero.
    vectors
        Their orthonormal eigenvectors, shape (p, k).
    """

    rows: int
    columns: int
    values: FloatArray
    vectors: FloatArray

    def shrunk(self, vector: FloatArray, ridge: float) -> FloatArray:
        """The vector lambda A v: what ridge regression removes from the coefficient v, shape (p,)."""
        coordinates = self.vectors.T @ vector
        kept: FloatArray = self.vectors @ (coordinates * (ridge / (self.values + ridge)))
        if self.values.size == self.columns:
            return kept
        # Directions without data are removed entirely; with k = p this term would be rounding noise only.
        return kept + (vector - self.vectors @ coordinates)

    def traces(self, ridge: float, covariance: FloatArray | None = None) -> ResolventTraces:
        """tr(Sigma A), tr(Sigma A S A) and tr(Sigma A^2); Sigma = I when `covariance` is None."""
        if covariance is None:
            weights, empty = np.ones(self.values.size), float(self.columns - self.values.size)
        else:
            weights = np.einsum("ij,ij->j", self.vectors, covariance @ self.vectors)
            empty = 0.0
            if self.values.size < self.columns:
                empty = max(float(np.trace(covariance) - weights.sum()), 0.0)
        inverse = 1.0 / (self.values + ridge)
        return ResolventTraces(
            resolvent=float(weights @ inverse) + empty / ridge,
            sandwich=float(weights @ (self.values * inverse**2)),
            squared=float(weights @ inverse**2) + empty / ridge**2,
        )


def spectrum(R: FloatArray) -> DesignSpectrum:
    """Spectrum of S = R'R/n from one thin singular value decomposition of R / sqrt(n).

    Parameters
    ----------
    R
        Design, shape (n, p); n < p is allowed.

    Examples
    --------
    >>> spectrum(np.array([[2.0, 0.0], [0.0, 1.0]])).values
    array([2. , 0.5])
    """
    design = check_matrix(R, "R")
    rows, columns = design.shape
    _, singular, right = linalg.svd(design / np.sqrt(rows), full_matrices=False, check_finite=False)
    return DesignSpectrum(rows, columns, singular**2, np.ascontiguousarray(right.T))


def as_spectrum(design: FloatArray | DesignSpectrum) -> DesignSpectrum:
    """Return the spectrum itself, or that of a design matrix."""
    return design if isinstance(design, DesignSpectrum) else spectrum(design)


def checked_covariance(covariance: FloatArray | None, columns: int) -> FloatArray | None:
    """Return a symmetric (p, p) covariance, or None, which stands for the identity."""
    if covariance is None:
        return None
    array = check_symmetric(covariance, "covariance", columns)
    if (np.diagonal(array) < 0).any():
        raise ValueError("covariance must have no negative variance on its diagonal")
    return array


def effective_dimension(R: FloatArray | DesignSpectrum, ridge: float) -> float:
    """d_eff = tr{S (S + lambda I)^-1}, between 0 and min(n, p).

    Source: the effective-dimensional extension of the fixed-dimensional comparison.

    Examples
    --------
    >>> effective_dimension(np.eye(4), ridge=0.25)
    2.0
    """
    design, penalty = as_spectrum(R), check_positive(ridge, "ridge")
    return float((design.values / (design.values + penalty)).sum())
