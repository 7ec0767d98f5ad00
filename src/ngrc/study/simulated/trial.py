"""One trial of Experiment 3: fit, calibrate and test signals on one quadratic design."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ngrc._normal import gaussian_radius
from ngrc._types import FloatArray
from ngrc.order import conformal_quantile
from ngrc.readout.spectrum import Spectrum
from ngrc.study.simulated.distance import distance_to_normal
from ngrc.theory import decompose, svec

# Settings of section "Experiment 3: Quadratic NGRC Features, Diffuseness, and Temporal Transfer".
TEST, RIDGE, NOISE, LEVEL = 2000, 0.5, 0.25, 0.95
MEASURES = ("W_B", "W_B_trace", "W_C", "W_C_trace", "bayes_coverage", "split_coverage", "residual_ks")
Features = Callable[[int], FloatArray]
"""Draws that many rows of a design."""


def generating_matrices(dimension: int) -> FloatArray:
    """M of the signal G'MG - tr M, concentrated sqrt 2 e1 e1' and diffuse sqrt(2/d) I, shape (2, d, d)."""
    matrices = np.zeros((2, dimension, dimension))
    matrices[0, 0, 0] = np.sqrt(2.0)
    matrices[1] = np.sqrt(2.0 / dimension) * np.eye(dimension)
    return matrices


def quadratic_truths(dimension: int) -> FloatArray:
    """Readouts with Q_d(w0) = sqrt 2 M, squared norm 4, shape (p, 2)."""
    return np.column_stack([svec(np.sqrt(2.0) * matrix) for matrix in generating_matrices(dimension)])


@dataclass(frozen=True, slots=True)
class Trial:
    """What one trial leaves."""

    design: Spectrum
    measures: FloatArray
    """shape (signals, 7)"""
    missing: FloatArray
    """w0 - w, what each fitted readout misses, shape (p, signals)"""
    residuals: FloatArray
    """of the test rows, shape (test rows, signals)"""


def trial(
    features: Features, truths: FloatArray, covariance: FloatArray | str | None, *, rng: np.random.Generator
) -> Trial:
    """Fit, calibrate and test both signals on one design.

    Parameters
    ----------
    features
        Draws a block of rows.
    truths
        Readouts of the signals, shape (p, signals).
    covariance
        Covariance of a new feature for the traces; None for the identity, "test" for the test block's own.
    rng
        Source of the observation noise.
    """
    rows = 2 * len(truths)  # p/n = 0.5 in every dimension
    # Features of all blocks before their noise: the order of the draws is part of what a seed means.
    R, C, T = (features(size) for size in (rows, rows, TEST))
    fit, calibration, test = (NOISE * rng.standard_normal(size) for size in (rows, rows, TEST))
    design = Spectrum.of_smaller_gram(R)
    # The noise scale is known to the Bayesian interval, as the high-dimensional theorems assume.
    radius = gaussian_radius(LEVEL) * NOISE * np.sqrt(1.0 + design.leverages(T, [RIDGE])[0])
    missing = truths - design.solve(R.T @ (R @ truths + fit[:, None]) / rows, RIDGE)
    sigma = T.T @ T / TEST if isinstance(covariance, str) else covariance
    measures = np.empty((truths.shape[1], len(MEASURES)))
    residuals = np.empty((TEST, truths.shape[1]))
    for row, truth, error, residual in zip(measures, truths.T, missing.T, residuals.T, strict=True):
        residual[:] = T @ error + test
        quantile = conformal_quantile(np.abs(C @ error + calibration), LEVEL)
        trace = decompose(design, truth, RIDGE, NOISE, sigma)
        widths = trace.widths(LEVEL)
        row[:] = (
            2.0 * radius.mean(), widths.bayes, 2.0 * quantile, widths.conformal,
            np.mean(np.abs(residual) <= radius), np.mean(np.abs(residual) <= quantile),
            # Standardised by the finite trace, not by its own deviation: an error of the trace counts as distance.
            distance_to_normal(residual / np.sqrt(trace.conformal)),
        )  # fmt: skip
    return Trial(design, measures, missing, residuals)
