"""The cells of Experiment 2: ridge regression with p comparable to n, simulated."""

from typing import Literal

import numpy as np

from ngrc._normal import gaussian_radius
from ngrc._types import FloatArray
from ngrc.order import conformal_quantile
from ngrc.readout.spectrum import Spectrum
from ngrc.theory import RidgeResiduals, decompose, noise_scale_of

# Settings of section "Experiment 2: High-Dimensional Phase Transition and Coverage"; the noise variance is one.
RATIOS, RIDGES, SNRS = (0.25, 0.50, 0.75, 1.00, 1.25, 1.50), (0.05, 0.2, 1.0), (0.25, 1.0, 4.0)
FIT, CALIBRATION, TEST, LEVEL, REPS = 400, 400, 1500, 0.95, 100
MEASURES = ("bayes", "split", "bayes_trace", "split_trace", "bayes_coverage", "split_coverage")
"""Squared widths, empirical and by finite traces, and coverages: last axis of a replication."""
ESTIMATES: tuple[Literal["gcv", "evidence"], ...] = ("gcv", "evidence")
NOISES = ("fit", *ESTIMATES)
"""Ways to estimate the noise scale. Each gives a scale, a coverage with it, and whether it collapsed: three blocks in
this order after the measures."""
WIDTH = len(MEASURES) + 3 * len(NOISES)
BAYES, SPLIT, BAYES_TRACE, SPLIT_TRACE, BAYES_COVERAGE, SPLIT_COVERAGE = range(len(MEASURES))


def replication(rng: np.random.Generator) -> FloatArray:
    """All cells of one replication, shape (ratios, ridges, snrs, 15); one design per aspect ratio."""
    return np.array([_aspect(round(ratio * FIT), rng) for ratio in RATIOS])


def _aspect(columns: int, rng: np.random.Generator) -> FloatArray:
    R, C, T = (rng.standard_normal((rows, columns)) for rows in (FIT, CALIBRATION, TEST))
    fit, calibration, test = (rng.standard_normal(rows) for rows in (FIT, CALIBRATION, TEST))
    design, direction = Spectrum.of_smaller_gram(R), np.full(columns, columns**-0.5)
    spread = design.leverages(T, RIDGES)
    # Ridge is linear in the response: signal and noise are fitted apart and put together for every strength.
    moments = R.T @ np.column_stack([R @ direction, fit]) / FIT
    residuals = [_residuals(R, design, moments, snr**0.5 * (R @ direction) + fit, snr) for snr in SNRS]
    estimates = [_estimates(one) for one in residuals]
    measures = np.empty((len(RIDGES), len(SNRS), WIDTH))
    for row, ridge, leverage in zip(measures, RIDGES, spread, strict=True):
        fitted = design.solve(moments, ridge)
        # w0 - w for a signal of norm one and for noise of variance one, as two columns.
        missing = np.column_stack([direction - fitted[:, 0], -fitted[:, 1]])
        scores, errors = C @ missing, T @ missing
        variance = 1.0 + leverage
        for cell, snr, left, estimated in zip(row, SNRS, residuals, estimates, strict=True):
            strength = np.array([snr**0.5, 1.0])
            quantile = conformal_quantile(np.abs(scores @ strength + calibration), LEVEL)
            residual = np.abs(errors @ strength + test)
            trace = decompose(design, snr**0.5 * direction, ridge, 1.0).squared_widths(LEVEL)
            radius = gaussian_radius(LEVEL) * np.sqrt(variance)
            cell[: len(MEASURES)] = (
                4.0 * np.mean(radius**2), 4.0 * quantile**2, trace.bayes, trace.conformal,
                np.mean(residual <= radius), np.mean(residual <= quantile),
            )  # fmt: skip
            scales = np.array([np.sqrt(left.squares(ridge) / FIT), *estimated[0]])
            covered = np.mean(residual <= scales[:, None] * radius, axis=1)
            cell[len(MEASURES) :] = np.concatenate([scales, covered, [0.0], estimated[1]])
    return measures


def _residuals(
    R: FloatArray, design: Spectrum, moments: FloatArray, response: FloatArray, snr: float
) -> RidgeResiduals:
    """What is left of one response; its moments are put together from those of signal and noise."""
    cross = moments @ np.array([snr**0.5, 1.0])
    return RidgeResiduals.of_moments(design, cross, float(response @ response) / len(R))


def _estimates(residuals: RidgeResiduals) -> tuple[FloatArray, FloatArray]:
    """Scales by generalised cross-validation and by evidence, at penalties of their own; and which collapsed."""
    # Collapsed ones are kept: an interval would use them, and the table counts them.
    scales = [noise_scale_of(residuals, method, collapse="keep") for method in ESTIMATES]
    return np.array([one.scale for one in scales]), np.array([float(one.collapsed) for one in scales])
