"""The noise scale estimated instead of known: three ways, and what the Bayesian interval then covers."""

from math import sqrt
from typing import Any

import polars as pl

from ngrc._normal import gaussian_coverage, gaussian_radius
from ngrc._types import FloatArray
from ngrc.study.harness.compare import against_formula
from ngrc.study.harness.estimate import ERROR, Estimate, estimate
from ngrc.study.harness.record import Cell, Check
from ngrc.study.phase.cells import BAYES_COVERAGE, FIT, LEVEL, MEASURES, NOISES
from ngrc.study.phase.checks import LIMIT, NAME, Place, places
from ngrc.study.simulated.marchenko_pastur import finite_traces, inverse_moments
from ngrc.theory import limiting_training_scale, phase

APPENDIX = "app:hd_residual_scale"
SCALE, COVERED, COLLAPSED = (len(MEASURES) + block * len(NOISES) for block in range(3))
"""Where each block begins among the measures of a cell: scales, coverages with them, whether they collapsed."""


def noise_table(samples: FloatArray) -> pl.DataFrame:
    """One row per cell: each estimate of sigma = 1, and the coverage with it beside that with sigma known."""
    records = []
    for place in places(samples):
        record: dict[str, Any] = {"gamma": place.ratio, "lambda": place.ridge, "snr": place.snr}
        record |= _columns("known_coverage", estimate(place.of(BAYES_COVERAGE)))
        for k, name in enumerate(NOISES):
            record |= _columns(f"{name}_sigma", estimate(place.of(SCALE + k)))
            record |= _columns(f"{name}_coverage", estimate(place.of(COVERED + k)))
            if k:
                record[f"{name}_collapsed"] = int(place.of(COLLAPSED + k).sum())
        limit = limiting_training_scale(place.ratio, place.ridge, sqrt(place.snr), 1.0)
        record |= {"fit_sigma_limit": sqrt(limit), "fit_coverage_limit": fit_coverage(place)}
        records.append(record)
    return pl.DataFrame(records)


def fit_coverage(place: Place) -> float:
    """Limit of the coverage with the training RMS: every width is multiplied by that scale's limit."""
    signal = sqrt(place.snr)
    scale = limiting_training_scale(place.ratio, place.ridge, signal, 1.0)
    limit = phase(place.ratio, place.ridge, signal, 1.0, LEVEL)
    return gaussian_coverage(gaussian_radius(LEVEL) * sqrt(scale * limit.v_bayes / limit.v_conformal))


def noise_checks(samples: FloatArray) -> list[Check]:
    """The mean squared training residual against its limit, moved to 400 rows."""
    rows = []
    for place in places(samples):
        cell = Cell(NAME, APPENDIX, f"{place.name}, mean squared training residual")
        squares = estimate(place.of(SCALE) ** 2)
        rows.append(against_formula(cell, squares, training_square(place), LIMIT))
    return rows


def training_square(place: Place) -> float:
    """E[RSS/n] = s^2 lambda^2 tr(ASA)/p + tr{(I - H)^2}/n with traces of a finite design.

    As ASA = A - lambda A^2 and tr{(I - H)^2} = n - p + lambda^2 tr A^2, both move with the two traces alone.
    """
    columns = round(place.ratio * FIT)
    traces, moments = finite_traces(FIT, columns, place.ridge), inverse_moments(place.ratio, place.ridge, 2)
    first, second = (float(trace) for trace in (traces.first, traces.second) - columns * moments)
    limit = limiting_training_scale(place.ratio, place.ridge, sqrt(place.snr), 1.0)
    shrinkage = place.snr * place.ridge**2 * (first - place.ridge * second) / columns
    return limit + shrinkage + place.ridge**2 * second / FIT


def noise_findings(samples: FloatArray) -> str:
    """How far each estimate puts sigma and the coverage from those with sigma known."""
    mean, known = samples.mean(axis=0), samples[..., BAYES_COVERAGE].mean(axis=0)
    told = []
    for k, name in enumerate(NOISES):
        scale, covered = mean[..., SCALE + k], mean[..., COVERED + k]
        lost = int(samples[:, :, 0, :, COLLAPSED + k].sum())
        words = (
            f"{name}: sigma between {scale.min():.2f} and {scale.max():.2f} of the true one, coverage from "
            f"{(covered - known).min():+.3f} to {(covered - known).max():+.3f} of that with sigma known"
        )
        told.append(
            words + (f", {lost} of {samples[:, :, 0, :, 0].size} estimates collapsed" if lost else "")
        )
    return f"With the noise scale estimated from the fitted rows, over all cells: {'; '.join(told)}."


def _columns(name: str, ours: Estimate) -> dict[str, float]:
    return {name: ours.mean, f"{name}{ERROR}": ours.error}
