"""Second moments of the standardised design, summed over row blocks."""

from dataclasses import dataclass
from math import sqrt

import numpy as np

from ngrc._kernels.models import moments_standardised
from ngrc._types import FloatArray
from ngrc.features.rows import BLOCK, Rows
from ngrc.readout.convention import STANDARD, Convention


@dataclass(frozen=True, slots=True)
class Gram:
    """Moments of n rows of a design with p - 1 columns besides the intercept.

    With Z the centred and scaled columns and y the target: `matrix` is Z'Z/n and `cross` is Z'y/n. Centred
    columns are orthogonal to the intercept, which therefore decouples from every other coefficient. Without an
    intercept nothing is centred, and all means are zero.

    Parameters
    ----------
    count
        Number of rows n.
    means, scales
        Column means and standard deviations (1 for a constant column), shape (p - 1,).
    target_mean
        Mean of the target.
    matrix, cross
        Shapes (p - 1, p - 1) and (p - 1,).
    norm
        Frobenius norm of `matrix`, by which its rounding is judged.
    """

    count: int
    means: FloatArray
    scales: FloatArray
    target_mean: float
    matrix: FloatArray
    cross: FloatArray
    norm: float


def explicit_gram(rows: Rows, convention: Convention = STANDARD) -> Gram:
    """Moments from the explicit columns, in two passes over row blocks.

    The first pass finds the means, so that the second sums centred products and loses nothing to
    cancellation, whatever the columns' offsets.
    """
    means, target_means, covariance, cross = explicit_sums(rows, rows.target[:, None])
    return standardised_gram(rows.count, means, float(target_means[0]), covariance, cross[:, 0], convention)


def explicit_sums(rows: Rows, targets: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """Means, covariance and cross moments of the explicit columns and of targets, shape (n, m)."""
    target_means = targets.sum(axis=0) / rows.count
    centred = targets - target_means
    if rows.count <= BLOCK:
        # One block is made once for both passes; of more, no whole design is held.
        design = rows.design
        means = design.sum(axis=0) / rows.count
        columns = design - means
        covariance, cross = columns.T @ columns, columns.T @ centred
    else:
        means = column_means(rows)
        covariance, cross = np.zeros((means.size, means.size)), np.zeros((means.size, target_means.size))
        for block in rows.blocks():
            columns = block.design - means
            covariance += columns.T @ columns
            cross += columns.T @ centred[block.first - rows.first : block.stop - rows.first]
    covariance /= rows.count
    cross /= rows.count
    return means, target_means, covariance, cross


def column_means(rows: Rows) -> FloatArray:
    """Means of the explicit columns, shape (p - 1,)."""
    totals = np.zeros(rows.feature_map.count(rows.horizon) - 1)
    for block in rows.blocks():
        totals += block.design.sum(axis=0)
    return totals / rows.count


def standardised_gram(
    count: int,
    means: FloatArray,
    target_mean: float,
    covariance: FloatArray,
    cross: FloatArray,
    convention: Convention = STANDARD,
) -> Gram:
    """Fold the column scales into centred second moments."""
    if not convention.centred:
        covariance = covariance + np.outer(means, means)
        cross = cross + means * target_mean
        means, target_mean = np.zeros_like(means), 0.0
    if convention.columns == "raw":
        return Gram(count, means, np.ones_like(means), target_mean, covariance, cross, _norm(covariance))
    scales, matrix = np.empty_like(means), np.empty(covariance.shape)
    moments_standardised(means, covariance, scales, matrix)
    return Gram(count, means, scales, target_mean, matrix, cross / scales, _norm(matrix))


def _norm(matrix: FloatArray) -> float:
    """Frobenius norm."""
    flat = matrix.ravel(order="K")
    return sqrt(float(flat @ flat))
