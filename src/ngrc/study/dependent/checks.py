"""What theory says of these rows, held against the simulation; all rows are of the kind "formula"."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl

from ngrc._normal import gaussian_radius
from ngrc._types import FloatArray
from ngrc.study.dependent.lagged import CASES, ROWS
from ngrc.study.dependent.observed import Observation
from ngrc.study.dependent.trial import (
    BAYES,
    BAYES_COVERAGE,
    BAYES_TRACE,
    CALIBRATION,
    DIRECTIONS,
    LEVEL,
    SPLIT,
    SPLIT_COVERAGE,
    SPLIT_TRACE,
    STRENGTHS,
)
from ngrc.study.harness.compare import against_formula, equal, incomparable
from ngrc.study.harness.estimate import Estimate, estimate
from ngrc.study.harness.record import Cell, Check
from ngrc.study.simulated.finite import absolute_normal, expected_coverage, expected_score

NAME = "dependent"
SURPLUS = expected_score(absolute_normal, CALIBRATION, LEVEL, power=2) / gaussian_radius(LEVEL) ** 2
"""E[q^2] of the corrected quantile of independent normal scores, over the squared quantile itself."""
EQUAL = STRENGTHS.index(1.0)
POSTERIOR = "Bayes: at SNR = gamma/lambda the prior is the law of the readout, so that coverage is nominal on any rows"


def lagged_checks(samples: FloatArray, signs: pl.DataFrame) -> list[Check]:
    """Widths over traces, coverages and signs, each averaged over aspect ratios and penalties per replication."""
    checks, table = [], "lagged rows"
    for rows in ROWS:
        first = next(j for j, case in enumerate(CASES) if case.rows == rows)
        bayes = _mean(samples[:, first, :, :, 0, BAYES] / samples[:, first, :, :, 0, BAYES_TRACE])
        cell = Cell(NAME, table, f"{rows.title}: squared Bayesian width over its trace")
        reason = "the mean of the leverages over test rows, by the trace with the rows' covariance"
        checks.append(against_formula(cell, estimate(bayes), 1.0, reason))
    for i, case in enumerate(CASES):
        name = f"{case.rows.title}, {case.direction}"
        for k, strength in enumerate(STRENGTHS):
            cells = samples[:, i, :, :, k]
            ratio = _mean(cells[..., SPLIT] / cells[..., SPLIT_TRACE])
            cell = Cell(
                NAME, table, f"{name}, {strength:g} times gamma/lambda: squared split width over its trace"
            )
            checks.append(_ratio(cell, estimate(ratio), case.rows.kind))
        checks.append(_split(Cell(NAME, table, f"{name}: split coverage"), samples[:, i], case.rows.kind))
        if case.direction == "random":
            cell = Cell(NAME, table, f"{name}, on the boundary: Bayesian coverage")
            checks.append(_posterior(cell, samples[:, i, :, :, EQUAL]))
    named = [(f"{row['rows']}, {row['direction']}", row) for row in signs.iter_rows(named=True)]
    return checks + [_signs(table, name, row, "trace") for name, row in named]


def observed_checks(
    observations: Sequence[Observation], signs: pl.DataFrame, titles: dict[str, str]
) -> list[Check]:
    """Bayesian coverage, on the boundary and everywhere, and signs by the row-by-row quantile."""
    checks, table = [], "real rows"
    for dataset, order in dict.fromkeys((seen.layout.dataset, seen.layout.order) for seen in observations):
        group = [
            seen for seen in observations if (seen.layout.dataset, seen.layout.order) == (dataset, order)
        ]
        samples = np.stack([seen.samples for seen in group], axis=1)
        expected = np.stack([seen.coverage for seen in group]).mean(axis=(0, 2, 3))
        for i, direction in enumerate(DIRECTIONS):
            name = f"{titles[dataset]}, {order}, {direction}"
            covered = estimate(_mean(samples[:, :, i, ..., BAYES_COVERAGE]))
            cell = Cell(NAME, table, f"{name}: Bayesian coverage, all cells")
            checks.append(against_formula(cell, covered, float(expected[i]), "row by row, exact on any rows"))
        cell = Cell(NAME, table, f"{titles[dataset]}, {order}, random, on the boundary: Bayesian coverage")
        checks.append(_posterior(cell, samples[:, :, DIRECTIONS.index("random"), :, EQUAL]))
    named = [
        (f"{row['rows']}, {row['order']}, {row['direction']}", row) for row in signs.iter_rows(named=True)
    ]
    return checks + [_signs(table, name, row, "rows") for name, row in named]


def _ratio(cell: Cell, ratio: Estimate, kind: str) -> Check:
    """The surplus of an order statistic, exact for independent scores alone."""
    reason = "E[q^2] of independent normal scores over z^2"
    if kind == "independent":
        return against_formula(cell, ratio, SURPLUS, reason)
    told = f"{reason}, no theorem for dependent ones; standard error {ratio.error:.4f}"
    return incomparable(cell, SURPLUS, told, ratio.mean, kind="formula")


def _split(cell: Cell, samples: FloatArray, kind: str) -> Check:
    """A theorem for exchangeable scores alone; of dependent ones it is shown how far they miss it."""
    covered = estimate(_mean(samples[..., SPLIT_COVERAGE]))
    expected = expected_coverage(CALIBRATION, LEVEL)
    if kind == "independent":
        return against_formula(cell, covered, expected, "k/(m + 1) of exchangeable scores")
    reason = f"k/(m + 1) is no theorem for dependent scores; standard error {covered.error:.4f}"
    return incomparable(cell, expected, reason, covered.mean, kind="formula")


def _mean(values: FloatArray) -> FloatArray:
    """One number per replication: cells of one replication share rows, and are no samples of their own."""
    return np.asarray(values.mean(axis=tuple(range(1, values.ndim))))


def _posterior(cell: Cell, samples: FloatArray) -> Check:
    return against_formula(cell, estimate(_mean(samples[..., BAYES_COVERAGE])), LEVEL, POSTERIOR)


def _signs(table: str, name: str, row: dict[str, Any], prediction: str) -> Check:
    by = {"trace": "the finite trace's", "rows": "the row-by-row quantile's"}[prediction]
    cell = Cell(NAME, table, f"{name}: clear cells whose sign is not {by}")
    reason = (
        f"{row['clear']} of {row['cells']} cells are clear of zero by {row['errors']:.1f} standard errors"
    )
    if row["clear"] == 0:
        return incomparable(cell, 0, reason, kind="formula")
    return equal(cell, row[f"wrong_{prediction}"], 0, kind="formula", reason=reason)
