"""The cells of Experiment 5: what conformal calibration costs in rows that could have been fitted."""

import numpy as np

from ngrc._normal import gaussian_radius
from ngrc._types import FloatArray
from ngrc.metrics import winkler
from ngrc.order import conformal_quantile
from ngrc.readout.spectrum import Spectrum

# Settings of section "Experiment 5: Fitting-Calibration Tradeoff Under Controlled Data Budgets".
DIMENSIONS = (10, 300)
BUDGET, TEST, LEVEL, REPS = 400, 2000, 0.95, 200
RIDGE, NOISE = 2.5e-4, 0.1  # the paper gives the noise as a variance, 0.01
SHARES, RATIOS = (0.5, 0.6, 0.7, 0.8), (0.5, 0.75, 1.0, 1.5, 2.0)
"""Fitting shares of split conformal, and Bayesian budgets relative to `BUDGET`."""
MEASURES = ("coverage", "width", "winkler", "rmse")


def replication(rng: np.random.Generator) -> FloatArray:
    """Both dimensions, shape (2, shares + ratios, 4): split conformal by share, then Bayes by budget."""
    return np.array([_dimension(columns, rng) for columns in DIMENSIONS])


def _dimension(columns: int, rng: np.random.Generator) -> FloatArray:
    """One nested sample serves every share and budget, one test set all of them."""
    largest = round(max(RATIOS) * BUDGET)
    rows = rng.standard_normal((largest + TEST, columns))
    noise = NOISE * rng.standard_normal(largest + TEST)
    truth = np.full(columns, columns**-0.5)  # unit norm; its direction is immaterial for isotropic features
    fits = [round(share * BUDGET) for share in SHARES] + [round(ratio * BUDGET) for ratio in RATIOS]
    measures = np.empty((len(fits), len(MEASURES)))
    for k, size in enumerate(fits):
        # Nested: a larger budget adds rows to a smaller one, and the test rows lie behind the largest.
        R, T = rows[:size], rows[largest:]
        design = Spectrum.of_smaller_gram(R)
        moments = R.T @ (R @ truth + noise[:size])[:, None] / size
        missing = truth - design.solve(moments, RIDGE)[:, 0]
        errors = T @ missing + noise[largest:]
        if k < len(SHARES):
            scores = np.abs(rows[size:BUDGET] @ missing + noise[size:BUDGET])
            radius = np.full(TEST, conformal_quantile(scores, LEVEL))
        else:
            radius = gaussian_radius(LEVEL) * NOISE * np.sqrt(1.0 + design.leverages(T, [RIDGE])[0])
        measures[k] = _score(errors, radius)
    return measures


def _score(errors: FloatArray, radius: FloatArray) -> tuple[float, float, float, float]:
    return (
        float(np.mean(np.abs(errors) <= radius)),
        2.0 * float(radius.mean()),
        winkler(errors, -radius, radius, LEVEL),
        float(np.sqrt(np.mean(errors**2))),
    )
