"""Lag windows of a Gaussian AR(1) and their standardised quadratic coordinates."""

import numpy as np
from scipy import signal

from ngrc._types import FloatArray


def window_correlation(size: int, rho: float) -> FloatArray:
    """c_ij = rho^|i-j| within one window, shape (d, d)."""
    lags = np.abs(np.subtract.outer(np.arange(size), np.arange(size)))
    correlation: FloatArray = rho ** lags.astype(np.float64)
    return correlation


def ar1_windows(
    count: int, size: int, separation: int, rho: float, *, rng: np.random.Generator
) -> FloatArray:
    """Windows of x_t = rho x_{t-1} + sqrt(1 - rho^2) e_t, stationary from the start, shape (count, size).

    Origins lie `separation` steps apart on one trajectory, so that windows overlap when it is below `size`.
    """
    noise = rng.standard_normal((count - 1) * separation + size)
    # The first value is drawn from the stationary law N(0, 1) itself, and needs no burn-in.
    noise[1:] *= np.sqrt(1.0 - rho**2)
    path: FloatArray = signal.lfilter([1.0], [1.0, -rho], noise)
    return np.lib.stride_tricks.sliding_window_view(path, size)[::separation]


def independent_windows(count: int, correlation: FloatArray, *, rng: np.random.Generator) -> FloatArray:
    """Independent Gaussian windows with the same covariance within a window, shape (count, size)."""
    windows: FloatArray = rng.standard_normal((count, len(correlation))) @ np.linalg.cholesky(correlation).T
    return windows


def quadratic_coordinates(windows: FloatArray, correlation: FloatArray) -> FloatArray:
    """(x_i x_j - c_ij) / sqrt(1 + c_ij^2) for i <= j in the order of `svec`: centred, unit variance.

    With c the identity this is the quadratic-only map of `ngrc.theory.quadratic_map`.
    """
    i, j = np.triu_indices(len(correlation))
    c = correlation[i, j]
    coordinates: FloatArray = (windows[:, i] * windows[:, j] - c) / np.sqrt(1.0 + c**2)
    return coordinates


def quadratic_covariance(correlation: FloatArray) -> FloatArray:
    """Population covariance of `quadratic_coordinates`, shape (p, p).

    cov(x_i x_j, x_k x_l) = c_ik c_jl + c_il c_jk (Isserlis).
    """
    i, j = np.triu_indices(len(correlation))
    c = correlation
    products = c[np.ix_(i, i)] * c[np.ix_(j, j)] + c[np.ix_(i, j)] * c[np.ix_(j, i)]
    scale = np.sqrt(1.0 + c[i, j] ** 2)
    covariance: FloatArray = products / np.outer(scale, scale)
    return covariance


def standardised(block: FloatArray) -> FloatArray:
    """Columns with the block's own mean removed and unit variance."""
    scaled: FloatArray = (block - block.mean(axis=0)) / block.std(axis=0)
    return scaled
