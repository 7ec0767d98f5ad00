"""The cells of Experiment 3: quadratic features, concentrated and diffuse signals, three designs."""

import numpy as np

from ngrc._types import FloatArray
from ngrc.study.simulated.distance import distance_to_normal
from ngrc.study.simulated.trial import MEASURES, NOISE, RIDGE, Features, Trial, quadratic_truths, trial
from ngrc.study.simulated.windows import ar1_windows, quadratic_coordinates, standardised, window_correlation
from ngrc.theory import diffuseness, kolmogorov_bound, quadratic_map, split_direction

DIMENSIONS, SIGNALS = (8, 12, 16, 20, 24), ("Concentrated", "Diffuse")
DESIGNS = ("Independent Gaussian", "Quadratic Gaussian", "Temporal quadratic")
RHO, REPS = 0.8, 150
COLUMNS = (*MEASURES, "D_op", "fitted_ks", "fitted_bound")
"""Of the independent quadratic design: the measures of a trial, the ridge-transformed diffuseness, the distance of its
residuals to normality at the variance they have given the fit, and Stein's bound on the population's distance."""
DIFFUSENESS, FITTED, BOUND = (COLUMNS.index(name) for name in ("D_op", "fitted_ks", "fitted_bound"))


def linear_truths(columns: int) -> FloatArray:
    """The same norm on independent features: one coordinate, or all of them equally, shape (p, 2)."""
    truths = np.zeros((columns, 2))
    # Independent Gaussian features are rotation invariant, so that any two directions of norm 2 would do.
    truths[0, 0], truths[:, 1] = 2.0, 2.0 / np.sqrt(columns)
    return truths


def diffuseness_replication(rng: np.random.Generator) -> FloatArray:
    """Independent quadratic features in every dimension, shape (dimensions, signals, 10)."""
    dimensions = []
    for dimension in DIMENSIONS:
        truths = quadratic_truths(dimension)
        done = trial(_quadratic(dimension, rng), truths, None, rng=rng)
        direction = [[diffuseness(done.design, truth, RIDGE)] for truth in truths.T]
        dimensions.append(np.hstack([done.measures, direction, _nearness(done)]))
    return np.array(dimensions)


def _nearness(done: Trial) -> FloatArray:
    """Distance to normality and its bound given the fit, of residuals e'psi(G) + sigma Z; shape (signals, 2)."""
    pairs = []
    for error, residual in zip(done.missing.T, done.residuals.T, strict=True):
        bound = kolmogorov_bound(*split_direction(error), NOISE)
        pairs.append((distance_to_normal(residual / np.sqrt(bound.variance)), bound.sharp))
    return np.array(pairs)


def design_replication(rng: np.random.Generator) -> FloatArray:
    """The two other designs at the largest dimension, shape (2, signals, 7)."""
    dimension = DIMENSIONS[-1]
    truths = quadratic_truths(dimension)
    columns = len(truths)
    gaussian = trial(lambda rows: rng.standard_normal((rows, columns)), linear_truths(columns), None, rng=rng)
    # A block standardised by itself has no population covariance: the traces take the test block's second moments.
    temporal = trial(_temporal(dimension, rng), truths, "test", rng=rng)
    return np.array([gaussian.measures, temporal.measures])


def _quadratic(dimension: int, rng: np.random.Generator) -> Features:
    return lambda rows: quadratic_map(rng.standard_normal((rows, dimension)), linear=False)


def _temporal(dimension: int, rng: np.random.Generator) -> Features:
    """Consecutive windows, each block a trajectory of its own and standardised by its own mean and variance."""
    correlation = window_correlation(dimension, RHO)

    def features(rows: int) -> FloatArray:
        windows = ar1_windows(rows, dimension, 1, RHO, rng=rng)
        return standardised(quadratic_coordinates(windows, correlation))

    return features
