"""The cells of Experiment 1: five features, four residual laws, four levels."""

import numpy as np

from ngrc._normal import gaussian_radius
from ngrc._types import FloatArray
from ngrc.order import conformal_quantile
from ngrc.readout.spectrum import Spectrum
from ngrc.theory import FixedDimension, fixed_dimension, residual_law

LAWS = {
    "gaussian": "Gaussian",
    "laplace": "Laplace",
    "t5": "Student t, 5 df",
    "exponential": "Exponential, centred",
}
# Settings of section "Experiment 1: Residual Shape and Fixed-Dimensional Agreement".
LEVELS = (0.99, 0.95, 0.90, 0.80)
READOUT = np.array([-0.4, -0.2, 0.0, 0.2, 0.4])
FIT, CALIBRATION, TEST, RIDGE, REPS = 800, 800, 3000, 0.01, 300
MEASURES = ("width_difference", "bayes_coverage", "split_coverage", "scale_ratio")
"""The last is the training mean square over that of the very noise drawn, the same at every level."""
SCALE_RATIO = MEASURES.index("scale_ratio")


def training_scale(residuals: FloatArray) -> float:
    """Root mean square over all n rows, as the fixed-dimensional theorem takes it; not over n - p."""
    return float(np.sqrt(np.mean(residuals**2)))


def replication(rng: np.random.Generator) -> FloatArray:
    """Width difference, both coverages and the scale's ratio, shape (laws, levels, 4), on one set of features."""
    R, C, T = (rng.standard_normal((rows, READOUT.size)) for rows in (FIT, CALIBRATION, TEST))
    design = Spectrum.of_smaller_gram(R)
    spread = np.sqrt(1.0 + design.leverages(T, [RIDGE])[0])
    measures = np.empty((len(LAWS), len(LEVELS), len(MEASURES)))
    for row, law in zip(measures, LAWS, strict=True):
        fit, calibration, test = (
            residual_law(law).sample(rows, rng=rng) for rows in (FIT, CALIBRATION, TEST)
        )
        response = R @ READOUT + fit
        # w0 - w: what the fitted readout misses. Errors follow from it and the noise, without forming forecasts.
        missing = READOUT - design.solve(R.T @ response[:, None] / FIT, RIDGE)[:, 0]
        scale = training_scale(R @ missing + fit)
        row[:, SCALE_RATIO] = scale**2 / np.mean(fit**2)
        scores, errors = np.abs(C @ missing + calibration), np.abs(T @ missing + test)
        for cell, level in zip(row, LEVELS, strict=True):
            radius, quantile = gaussian_radius(level) * scale * spread, conformal_quantile(scores, level)
            cell[:SCALE_RATIO] = (
                2.0 * (radius.mean() - quantile),
                np.mean(errors <= radius),
                np.mean(errors <= quantile),
            )
    return measures


def limits() -> list[list[FixedDimension]]:
    """What the fixed-dimensional theorem says of every law and level."""
    return [[fixed_dimension(law, level) for level in LEVELS] for law in LAWS]
