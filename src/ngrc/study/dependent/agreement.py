"""Cells as records, and how often each prediction has the sign that was measured."""

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import polars as pl

from ngrc._normal import gaussian_coverage, gaussian_radius
from ngrc._types import FloatArray
from ngrc.study.dependent.lagged import CASES
from ngrc.study.dependent.lagged import RATIOS as LAGGED_RATIOS
from ngrc.study.dependent.observed import Observation
from ngrc.study.dependent.trial import (
    BAYES,
    BAYES_TRACE,
    DIRECTIONS,
    LEVEL,
    MEASURES,
    OUTPUT,
    RIDGES,
    SPLIT,
    SPLIT_OWN,
    SPLIT_TRACE,
    STRENGTHS,
)
from ngrc.study.harness.compare import errors_allowed
from ngrc.study.harness.estimate import error_columns, standard_error
from ngrc.theory import phase

FACTOR = (2.0 * gaussian_radius(LEVEL)) ** 2
PREDICTIONS = ("boundary", "output", "trace", "own", "rows")
"""SNR = gamma/lambda; the same with w0'Sigma w0 for |w0|^2; finite traces; those of the own blocks; row by row."""
Record = dict[str, Any]


def lagged_table(samples: FloatArray) -> pl.DataFrame:
    """One row per cell of `lagged.replication`."""
    records = []
    for i, case in enumerate(CASES):
        for j, ratio in enumerate(LAGGED_RATIOS):
            head: Record = {"rows": case.rows.title, "direction": case.direction, "gamma": ratio}
            records += list(_cells(head, ratio, samples[:, i, j]))
    return pl.DataFrame(records)


def observed_table(observations: Iterable[Observation], titles: dict[str, str]) -> pl.DataFrame:
    """One row per cell of `observed.simulate`."""
    records = []
    for seen in observations:
        layout = seen.layout
        for i, direction in enumerate(DIRECTIONS):
            head: Record = {"rows": titles[layout.dataset], "order": layout.order, "direction": direction}
            # Rows are whole: the SNR follows from p/n as it is, which is the ratio asked for up to rounding.
            cells = _cells(head | {"gamma": layout.ratio}, seen.ratio, seen.samples[:, i])
            for (j, k), record in zip(np.ndindex(len(RIDGES), len(STRENGTHS)), cells, strict=True):
                record["difference_rows"] = record["bayes"] - float(seen.rowwise[i, j, k])
                record["coverage_rows"] = float(seen.coverage[i, j, k])
                record["boundary_rows"] = seen.boundaries[i][j]
                record["effective_ratio"] = seen.effective[j]
                records.append(record)
    # A column may begin with many empty entries, from whose head no type can be told.
    return pl.DataFrame(records, infer_schema_length=None)


def _cells(head: Record, ratio: float, samples: FloatArray) -> Iterator[Record]:
    """Cells of one design, samples of shape (replications, ridges, strengths, measures)."""
    mean, error = samples.mean(axis=0), standard_error(samples)
    difference = samples[..., BAYES] - samples[..., SPLIT]
    for index in np.ndindex(len(RIDGES), len(STRENGTHS)):
        ridge, strength = RIDGES[index[0]], STRENGTHS[index[1]]
        values = mean[index]
        gap, snr = difference[(slice(None), *index)], strength * ratio / ridge
        record = head | {"lambda": ridge, "strength": strength, "snr": snr}
        record |= {"difference": float(gap.mean()), "difference_se": float(standard_error(gap))}
        record |= {
            "difference_trace": float(values[BAYES_TRACE] - values[SPLIT_TRACE]),
            "difference_own": float(values[BAYES] - values[SPLIT_OWN]),
            "difference_limit": FACTOR * phase(ratio, ridge, snr**0.5, 1.0, LEVEL).gap,
            "coverage_trace": gaussian_coverage(
                gaussian_radius(LEVEL) * float(np.sqrt(values[BAYES_TRACE] / values[SPLIT_TRACE]))
            ),
        }
        yield record | error_columns(MEASURES, values, error[index])


def agreement(cells: pl.DataFrame, by: list[str], replications: int) -> pl.DataFrame:
    """One row per phase picture: clear cells off the boundary, and those of the wrong sign by each prediction.

    A cell is clear where its mean lies more than the errors allowed from zero (coverage: from the level).
    """
    errors = errors_allowed(replications)
    groups = cells.group_by(by, maintain_order=True)
    return pl.DataFrame([dict(zip(by, key, strict=True)) | _counts(group, errors) for key, group in groups])


def _counts(cells: pl.DataFrame, errors: float) -> Record:
    off = cells.filter(pl.col("strength") != 1.0)
    clear = off.filter(pl.col("difference").abs() > errors * pl.col("difference_se"))
    measured = np.sign(clear["difference"].to_numpy())
    counted: Record = {"cells": off.height, "clear": clear.height, "errors": errors}
    for name in PREDICTIONS:
        if (predicted := prediction(clear, name)) is not None:
            counted[f"wrong_{name}"] = int(np.sum(measured != np.sign(predicted)))
    # On the boundary equal widths are predicted, and a clear difference of either sign is wrong.
    even = cells.filter(pl.col("strength") == 1.0)
    unequal = even["difference"].abs() > errors * even["difference_se"]
    counted |= {"even": even.height, "wrong_even": int(unequal.sum())}
    # Coverage has a side as well: above the level where the prior expects more signal than there is.
    covered = off["bayes_coverage"].to_numpy() - LEVEL
    plain = np.abs(covered) > errors * off["bayes_coverage_se"].to_numpy()
    wrong = plain & (np.sign(covered) != np.sign(1.0 - off["strength"].to_numpy()))
    counted |= {"clear_coverage": int(plain.sum()), "wrong_coverage": int(wrong.sum())}
    sizes = {"trace": clear["difference_trace"], "limit": clear["difference_limit"]}
    for name, size in sizes.items():
        counted[f"size_{name}"] = _median_ratio(size, clear["difference"])
    if "difference_rows" in clear.columns:
        counted["size_rows"] = _median_ratio(clear["difference_rows"], clear["difference"])
    return counted


def prediction(cells: pl.DataFrame, name: str) -> FloatArray | None:
    """What is predicted of W_B^2 - W_C^2, or a number of its sign; None where the table does not hold it."""
    if name == "boundary":
        return np.asarray(1.0 - cells["strength"].to_numpy())
    if name == "output":
        # strength / snr is lambda/gamma.
        scale = cells["strength"].to_numpy() / cells["snr"].to_numpy()
        return np.asarray(1.0 - cells[MEASURES[OUTPUT]].to_numpy() * scale)
    column = f"difference_{name}"
    return cells[column].to_numpy() if column in cells.columns else None


def _median_ratio(predicted: pl.Series, measured: pl.Series) -> float | None:
    """Median of predicted over measured; None without a clear cell."""
    return float(np.median(predicted.to_numpy() / measured.to_numpy())) if len(measured) else None
