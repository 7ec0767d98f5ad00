"""Sentences on the methods, made from the numbers of the run."""

import polars as pl

from ngrc.study.beyond.around import FORECASTERS
from ngrc.study.beyond.checks import METHOD
from ngrc.study.beyond.tables import SIX


def beyond_findings(methods: pl.DataFrame) -> list[str]:
    """Per forecaster: the best of the six and the best of the others by their mean ratio, and `auto`."""
    told = []
    for forecaster in FORECASTERS:
        rows = methods.filter(pl.col("forecaster") == forecaster).sort("winkler_over_best_of_six_mean")
        six = rows.filter(pl.col("method").is_in(SIX)).row(0, named=True)
        others = rows.filter(~pl.col("method").is_in([*SIX, METHOD])).row(0, named=True)
        own = rows.filter(pl.col("method") == METHOD)
        parts = [
            f"of the paper's six {six['method']} has the lowest, {_said(six)}",
            f"of the others {others['method']}, {_said(others)}",
            *(f"{METHOD} has {_said(row)}" for row in own.to_dicts()),
        ]
        about = (
            f"Around {forecaster}, mean over cells of the Winkler score over that of the cell's best of six"
        )
        told.append(f"{about}: {'; '.join(parts)}.")
    return told


def _said(row: dict[str, float]) -> str:
    return (
        f"{row['winkler_over_best_of_six_mean']:.3f} (worst cell {row['winkler_over_best_of_six_worst']:.2f}, coverage "
        f"off by {row['coverage_error_lowest']:+.1f} to {row['coverage_error_highest']:+.1f} points)"
    )
