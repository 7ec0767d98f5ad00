"""Brute-force references: explicit inverses, quadrature of densities, exact Gaussian moments."""

from collections.abc import Callable
from itertools import product

import numpy as np
from scipy import integrate, stats

from ngrc._types import FloatArray


def resolvent(R: FloatArray, ridge: float) -> tuple[FloatArray, FloatArray]:
    """S and A = (S + lambda I)^-1 by an explicit inverse."""
    S = R.T @ R / R.shape[0]
    return S, np.linalg.inv(S + ridge * np.eye(R.shape[1]))


def random_covariance(size: int, rng: np.random.Generator) -> FloatArray:
    root = rng.standard_normal((size, size + 2))
    covariance: FloatArray = root @ root.T / size
    return covariance


def marchenko_pastur(function: Callable[[float], float], gamma: float) -> float:
    """Integral of a function against the Marchenko-Pastur law of ratio gamma, atom at zero included."""
    low, high = (1 - np.sqrt(gamma)) ** 2, (1 + np.sqrt(gamma)) ** 2
    span = high - low

    def smooth(angle: float) -> float:
        # x = low + span sin^2(angle) turns the square-root edges of the density into a smooth integrand
        x = low + span * np.sin(angle) ** 2
        edge = span * np.sin(angle) * np.cos(angle)
        if gamma == 1.0:
            return float(function(x) * 2 * span * np.cos(angle) ** 2 / (2 * np.pi))
        return float(function(x) * 2 * edge**2 / (2 * np.pi * gamma * x))

    inner = integrate.quad(smooth, 0.0, np.pi / 2, epsabs=0.0, epsrel=1e-11, limit=500)[0]
    return float(inner) + max(0.0, 1 - 1 / gamma) * function(0.0)


def gaussian_expectation(function: Callable[[FloatArray], FloatArray], size: int, nodes: int) -> FloatArray:
    """E f(G), G ~ N(0, I_size), exact for polynomials of degree below 2 * nodes in each coordinate."""
    points, weights = np.polynomial.hermite_e.hermegauss(nodes)
    weights = weights / np.sqrt(2 * np.pi)
    total: FloatArray = np.zeros(())
    for index in product(range(nodes), repeat=size):
        total = total + np.prod(weights[list(index)]) * function(points[list(index)])
    return total


def total_variation(mean: float, variance: float) -> float:
    """Distance of N(mean, variance) from N(0, 1) through the points where the densities cross."""
    shift, scale = mean, np.sqrt(variance)
    roots = np.roots([1 / variance - 1, -2 * shift / variance, shift**2 / variance + np.log(variance)])
    low, high = np.sort(roots.real)
    inside = stats.norm.cdf(high, shift, scale) - stats.norm.cdf(low, shift, scale)
    return float(inside - (stats.norm.cdf(high) - stats.norm.cdf(low)))
