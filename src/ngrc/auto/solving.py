"""Ridge weights of every penalty from moments."""

from dataclasses import dataclass

import numpy as np

from ngrc._kernels.models import ridge_weights
from ngrc._types import FloatArray

FEW = 40
"""Up to so many columns one eigendecomposition is quicker than a Cholesky factor per penalty."""


@dataclass(frozen=True, slots=True)
class FoldMoments:
    """Moments of a candidate's columns by fold; the columns of `matrices` and `cross` are divided by `scales`.

    Parameters
    ----------
    means, scales
        Shape (folds, p). A scale is the standard deviation times the root of the column's penalty weight.
    matrices, cross
        Covariances, shape (folds, p, p), and cross covariances with the target, shape (folds, p).
    target_means
        Shape (folds,).
    """

    means: FloatArray
    scales: FloatArray
    matrices: FloatArray
    cross: FloatArray
    target_means: FloatArray


def ridge_paths(moments: FoldMoments, penalties: FloatArray) -> FloatArray:
    """Weights of the raw columns, shape (folds, p, m) of m penalties on the scaled columns.

    An infinite penalty leaves no weight.
    """
    finite = np.isfinite(penalties)
    weights = np.zeros((*moments.cross.shape, penalties.size))
    if finite.any() and moments.cross.shape[1]:
        # NaN where a penalty is below the rounding of the moments: no candidate may win by noise.
        solve = _by_eigenvalues if moments.cross.shape[1] <= FEW else ridge_weights
        weights[:, :, finite] = solve(moments.matrices, moments.cross, penalties[finite])
    return np.asarray(weights / moments.scales[:, :, None])


def _by_eigenvalues(matrix: FloatArray, cross: FloatArray, penalties: FloatArray) -> FloatArray:
    values, vectors = np.linalg.eigh(matrix)
    projected = np.einsum("fpk,fp->fk", vectors, cross)
    # Rounding may leave an eigenvalue below zero, which a tiny penalty would not lift.
    shrunk = projected[:, :, None] / (np.maximum(values, 0.0)[:, :, None] + penalties)
    return np.asarray(vectors @ shrunk)
