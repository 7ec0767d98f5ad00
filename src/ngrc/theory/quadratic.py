"""Quadratic features: the isometry `svec`, the normalised maps, and the directions they read."""

from math import isqrt, sqrt

import numpy as np

from ngrc._types import FloatArray
from ngrc.theory._check import check_matrix, check_symmetric
from ngrc.validation import check_vector


def svec(matrix: FloatArray) -> FloatArray:
    """Stack a symmetric matrix so that the Frobenius inner product becomes the Euclidean one.

    Upper triangle row by row, diagonal M_jj and off-diagonal sqrt(2) M_jk; shape (d, d) -> (d(d+1)/2,).

    Examples
    --------
    >>> svec(np.array([[1.0, 2.0], [2.0, 3.0]])).round(4)
    array([1.    , 2.8284, 3.    ])
    """
    array = check_symmetric(matrix, "matrix")
    rows, columns = np.triu_indices(array.shape[0])
    scaled: FloatArray = array[rows, columns] * np.where(rows == columns, 1.0, sqrt(2.0))
    return scaled


def smat(vector: FloatArray) -> FloatArray:
    """The symmetric matrix whose `svec` is the vector; shape (d(d+1)/2,) -> (d, d).

    Examples
    --------
    >>> smat(np.array([1.0, 0.0, 3.0]))
    array([[1., 0.],
           [0., 3.]])
    """
    values = check_vector(vector, "vector")
    size = _triangular_root(values.size)
    if size == 0:
        raise ValueError(f"vector must have d(d+1)/2 values for some d, got {values.size}")
    rows, columns = np.triu_indices(size)
    matrix = np.zeros((size, size))
    matrix[rows, columns] = values * np.where(rows == columns, 1.0, sqrt(0.5))
    matrix[columns, rows] = matrix[rows, columns]
    return matrix


def _triangular_root(count: int) -> int:
    """The d with d(d+1)/2 = count, or 0 when there is none."""
    # d = (sqrt(8 count + 1) - 1) / 2, in whole numbers.
    size = (isqrt(8 * count + 1) - 1) // 2
    return size if size * (size + 1) // 2 == count else 0


def quadratic_map(G: FloatArray, *, linear: bool = True) -> FloatArray:
    """Centred quadratic features of Gaussian delay vectors, with identity covariance under N(0, I).

    phi_d(G) = (G, svec{(GG' - I)/sqrt 2}), p = d(d+3)/2; with `linear=False` the quadratic-only psi_d of
    Experiment 3, p = d(d+1)/2. Coordinates (G_j^2 - 1)/sqrt 2 and G_j G_k in the order of `svec`. They are
    uncorrelated, not independent. Source: the centred quadratic feature map.

    Parameters
    ----------
    G
        Delay vectors, shape (n, d).
    linear
        Whether the d linear coordinates come first.

    Returns
    -------
    FloatArray
        Shape (n, p).

    Examples
    --------
    >>> quadratic_map(np.array([[1.0, 2.0]])).round(4)
    array([[1.    , 2.    , 0.    , 2.    , 2.1213]])
    """
    delays = check_matrix(G, "G")
    rows, columns = np.triu_indices(delays.shape[1])
    products: FloatArray = delays[:, rows] * delays[:, columns]
    # Under N(0, I) a product of two coordinates has unit variance already, a square has mean one and variance two.
    squares = rows == columns
    products[:, squares] = (products[:, squares] - 1.0) / sqrt(2.0)
    return np.hstack([delays, products]) if linear else products


def split_direction(vector: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Split v into (a, Q_d(v)) with v'phi_d(G) = a'G + {G'QG - tr Q}/sqrt 2.

    The length tells which map v belongs to: d(d+3)/2 has a linear block, d(d+1)/2 has none (a is then zero);
    no length is both.

    Examples
    --------
    >>> linear, matrix = split_direction(np.array([1.0, 2.0, 3.0, 0.0, 5.0]))
    >>> linear, matrix
    (array([1., 2.]), array([[3., 0.],
           [0., 5.]]))
    """
    values = check_vector(vector, "vector")
    size = _triangular_root(values.size)
    if size:
        return np.zeros(size), smat(values)
    # d(d+3)/2 + 1 = (d+1)(d+2)/2
    size = _triangular_root(values.size + 1) - 1
    if size < 1:
        raise ValueError(f"vector must have d(d+1)/2 or d(d+3)/2 values for some d, got {values.size}")
    return values[:size].copy(), smat(values[size:])
