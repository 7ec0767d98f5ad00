"""One row per law, horizon and method."""

from collections.abc import Sequence
from typing import Any

import polars as pl

from ngrc._types import FloatArray
from ngrc.study.harness.estimate import error_columns, standard_error
from ngrc.study.stress.cells import COVERAGE, HORIZONS, MEASURES, WORST
from ngrc.study.stress.laws import CASES


def score_table(samples: FloatArray, methods: Sequence[str]) -> pl.DataFrame:
    """Means over replications with standard errors; `least` is the worst window of all replications."""
    mean, error = samples.mean(axis=0), standard_error(samples)
    records: list[dict[str, Any]] = []
    for i, law in enumerate(CASES):
        for j, horizon in enumerate(HORIZONS):
            for k, method in enumerate(methods):
                head = {"law": law, "horizon": horizon, "method": method}
                values = error_columns(MEASURES, mean[i, j, k], error[i, j, k])
                least = float(samples[:, i, j, k, WORST].min())
                records.append(head | values | {"least": least})
    return pl.DataFrame(records)


def cell_samples(
    samples: FloatArray, law: str, horizon: int, place: int, measure: int = COVERAGE
) -> FloatArray:
    """One measure of one method on one law, shape (replications,)."""
    return samples[:, CASES.index(law), HORIZONS.index(horizon), place, measure]
