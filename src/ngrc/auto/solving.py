"""Ridge weights of every penalty from moments."""

import numpy as np

from ngrc._kernels.models import ridge_weights
from ngrc._types import FloatArray
from ngrc.features.scaling import column_scales

FEW = 40
"""Up to so many columns one eigendecomposition is quicker than a Cholesky factor per penalty."""


def ridge_paths(
    means: FloatArray, covariance: FloatArray, cross: FloatArray, penalties: FloatArray, burden: FloatArray
) -> FloatArray:
    """Weights of the raw columns, shape (folds, p, m) of m penalties; the penalty falls on standardised columns.

    Parameters
    ----------
    means, covariance, cross
        By fold, shapes (folds, p), (folds, p, p) and (folds, p).
    penalties
        Shape (m,); an infinite one leaves no weight.
    burden
        What the penalty on each column is multiplied by, shape (p,).
    """
    variances = np.diagonal(covariance, axis1=1, axis2=2)
    scales = column_scales(means.ravel(), variances.ravel()).reshape(means.shape)
    # A column taken smaller needs a larger weight, on which the same penalty weighs more.
    scales = scales * np.sqrt(burden)
    matrix = covariance / (scales[:, :, None] * scales[:, None, :])
    standardised = cross / scales
    finite = np.isfinite(penalties)
    weights = np.zeros((*cross.shape, penalties.size))
    if finite.any() and cross.shape[1]:
        # NaN where a penalty is below the rounding of the moments: no candidate may win by noise.
        solve = _by_eigenvalues if cross.shape[1] <= FEW else ridge_weights
        weights[:, :, finite] = solve(matrix, standardised, penalties[finite])
    return np.asarray(weights / scales[:, :, None])


def _by_eigenvalues(matrix: FloatArray, cross: FloatArray, penalties: FloatArray) -> FloatArray:
    values, vectors = np.linalg.eigh(matrix)
    projected = np.einsum("fpk,fp->fk", vectors, cross)
    # Rounding may leave an eigenvalue below zero, which a tiny penalty would not lift.
    shrunk = projected[:, :, None] / (np.maximum(values, 0.0)[:, :, None] + penalties)
    return np.asarray(vectors @ shrunk)
