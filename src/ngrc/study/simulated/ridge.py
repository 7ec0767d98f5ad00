"""Ridge regression on simulated designs: one factorisation serves every penalty and signal."""

from collections.abc import Sequence

import numpy as np
from scipy import linalg

from ngrc._types import FloatArray
from ngrc.theory import DesignSpectrum


def gram_spectrum(R: FloatArray) -> DesignSpectrum:
    """Spectrum of S = R'R/n from the smaller of the two Gram matrices, shape (n, p) with n < p allowed.

    Several times quicker than the singular value decomposition of `ngrc.theory.spectrum`, and exact enough where
    the penalty is far above the rounding error of S, as in every experiment here.

    Examples
    --------
    >>> gram_spectrum(np.array([[2.0, 0.0], [0.0, 1.0]])).values
    array([2. , 0.5])
    """
    rows, columns = R.shape
    gram = (R.T @ R if columns <= rows else R @ R.T) / rows
    values, vectors = linalg.eigh(gram, check_finite=False, driver="evd")
    values, vectors = np.maximum(values[::-1], 0.0), vectors[:, ::-1]
    if columns > rows:
        vectors = R.T @ (vectors / np.sqrt(rows * values))
    return DesignSpectrum(rows, columns, values, np.ascontiguousarray(vectors))


def readouts(design: DesignSpectrum, moments: FloatArray, ridge: float) -> FloatArray:
    """Ridge readouts w = (S + lambda I)^-1 R'y/n of several responses; `moments` is R'Y/n, shape (p, q)."""
    coordinates = design.vectors.T @ moments
    fitted: FloatArray = design.vectors @ (coordinates / (design.values + ridge)[:, None])
    return fitted


def leverages(design: DesignSpectrum, features: FloatArray, ridges: Sequence[float]) -> FloatArray:
    """r'(R'R + n lambda I)^-1 r of new features, shape (m, p) -> (penalties, m).

    Directions without data count too: they carry the prior's 1/(n lambda).
    """
    rotated = (features @ design.vectors) ** 2
    penalties = np.asarray(ridges, dtype=np.float64)
    spread: FloatArray = rotated @ (1.0 / (design.values[:, None] + penalties))
    if design.values.size < design.columns:
        empty = np.einsum("ij,ij->i", features, features) - rotated.sum(axis=1)
        spread += np.maximum(empty, 0.0)[:, None] / penalties
    return np.ascontiguousarray(spread.T) / design.rows
