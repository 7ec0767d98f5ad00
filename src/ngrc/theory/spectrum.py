"""A design's spectrum for the theorems: the ridge's own decomposition behind checks at the border."""

import numpy as np

from ngrc._types import FloatArray
from ngrc.readout.spectrum import Spectrum
from ngrc.theory._check import check_matrix, check_symmetric
from ngrc.validation import check_positive, check_vector

DesignSpectrum = Spectrum


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
    return Spectrum.of_design(check_matrix(R, "R"))


def as_spectrum(design: FloatArray | DesignSpectrum) -> DesignSpectrum:
    """Return the spectrum itself, or that of a design matrix."""
    return design if isinstance(design, DesignSpectrum) else spectrum(design)


def checked_covariance(covariance: FloatArray | None, columns: int) -> FloatArray | None:
    """Return a symmetric (p, p) covariance, or None, which stands for the identity."""
    if covariance is None:
        return None
    array = check_symmetric(covariance, "covariance", columns)
    # A cheap check: positive definiteness in full would cost as much as the traces themselves.
    least = float(np.diagonal(array).min())
    if least < 0:
        raise ValueError(f"covariance must have no negative variance on its diagonal, got {least:g}")
    return array


def checked_readout(w0: FloatArray, columns: int) -> FloatArray:
    """Return a readout with one value per column."""
    readout = check_vector(w0, "w0")
    if readout.size != columns:
        raise ValueError(f"w0 must have one value for each of the {columns} columns, got {readout.size}")
    return readout


def effective_dimension(R: FloatArray | DesignSpectrum, ridge: float) -> float:
    """d_eff = tr{S (S + lambda I)^-1}, between 0 and min(n, p).

    Source: the effective-dimensional extension of the fixed-dimensional comparison.

    Examples
    --------
    >>> effective_dimension(np.eye(4), ridge=0.25)
    2.0
    """
    return as_spectrum(R).effective_dimension(check_positive(ridge, "ridge"))
