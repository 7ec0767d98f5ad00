"""Identities behind Experiment 3, by simulation: the isometry `svec`, unit moments of the map, Stein's constants."""

from math import sqrt

import numpy as np

from ngrc._types import FloatArray
from ngrc.study.harness.compare import against_formula
from ngrc.study.harness.estimate import estimate
from ngrc.study.harness.record import Cell, Check
from ngrc.study.quadratic.cells import DIMENSIONS
from ngrc.study.simulated.trial import NOISE
from ngrc.theory import kolmogorov_bound, quadratic_map, svec

NAME = "quadratic"
MAP, STEIN = "eq:quadratic_feature_map", "lem:quadratic_gaussian_approx"
DIMENSION, ROWS = DIMENSIONS[-1], 4000
MOMENTS = ("squares", "products", "pairing")


def spread_matrix() -> FloatArray:
    """Every pair of lags alike and no square, Frobenius norm 2: a readout that the diagonal signals leave untested."""
    matrix = np.ones((DIMENSION, DIMENSION)) - np.eye(DIMENSION)
    scaled: FloatArray = 2.0 * matrix / np.linalg.norm(matrix)
    return scaled


def directions() -> dict[str, tuple[FloatArray, FloatArray]]:
    """Linear and quadratic parts (a, B) of the residuals whose nearness to normality is bounded."""
    first = np.zeros((DIMENSION, DIMENSION))
    first[0, 0] = 1.0
    nothing = np.zeros(DIMENSION)
    return {
        "concentrated": (nothing, 2.0 * first),
        "diffuse": (nothing, 2.0 / sqrt(DIMENSION) * np.eye(DIMENSION)),
        # Large against the square, so that nearly all of the variance is the cross term's.
        "linear and square": (2.0 * first[0], 0.5 * first),
    }


def identity_replication(rng: np.random.Generator) -> FloatArray:
    """Moments of the map and variances of Stein's kernel, shape (3 + directions,)."""
    G = rng.standard_normal((ROWS, DIMENSION))
    features = quadratic_map(G, linear=False)
    rows, columns = np.triu_indices(DIMENSION)
    energy, squares = np.mean(features**2, axis=0), rows == columns
    Q = spread_matrix()
    form = (np.einsum("ij,jk,ik->i", G, Q, G) - np.trace(Q)) / sqrt(2.0)
    moments = [energy[squares].mean(), energy[~squares].mean(), np.mean(features @ svec(Q) * form)]
    return np.array([*moments, *(stein_kernel(G, a, B).var(ddof=1) for a, B in directions().values())])


def stein_kernel(G: FloatArray, a: FloatArray, B: FloatArray) -> FloatArray:
    """<DF, -D L^-1 F> of F = a'G + (G'BG - tr B)/sqrt 2 + sigma Z, from its definition.

    DF = a + sqrt 2 BG. L divides the second chaos by 2, which leaves a + BG/sqrt 2 on the other side; Z adds sigma^2.
    Its mean is the variance V of F, and its own standard deviation over V is the bound on the Kolmogorov distance.
    """
    image = G @ B
    kernel: FloatArray = np.einsum("ij,ij->i", a + sqrt(2.0) * image, a + image / sqrt(2.0)) + NOISE**2
    return kernel


def identity_checks(samples: FloatArray) -> list[Check]:
    """Moments against one and the Frobenius norm, kernels against the squared bound times V^2."""
    expected = {
        "mean square of the squares' coordinates": (MAP, 1.0, "identity covariance of the map"),
        "mean square of the products' coordinates": (MAP, 1.0, "identity covariance of the map"),
        "svec(Q)'psi(G) times its quadratic form, Q off the diagonal": (
            MAP,
            float(np.sum(spread_matrix() ** 2)),
            "squared Frobenius norm of Q, as svec is an isometry",
        ),
    }
    for name, (a, B) in directions().items():
        bound = kolmogorov_bound(a, B, NOISE)
        reason = "squared Kolmogorov bound times V^2, which is this variance by Stein's method"
        expected[f"variance of Stein's kernel, {name}"] = (STEIN, (bound.sharp * bound.variance) ** 2, reason)
    return [
        against_formula(Cell(NAME, table, f"d {DIMENSION}, {cell}"), estimate(samples[:, k]), value, reason)
        for k, (cell, (table, value, reason)) in enumerate(expected.items())
    ]
