"""The tables: errors beside the paper's forecasters, searches, members of the combinations."""

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from ngrc.backtesting.results import Run
from ngrc.study.auto.cells import ORIGIN, TYPED, WALK, WAYS, Plan, Scores
from ngrc.study.real.blocks import last_value
from ngrc.study.real.cases import HORIZONS, Case
from ngrc.study.real.printed.models import SCORES
from ngrc.study.real.sources import Source

RIVALS = {"arima": "ARIMA", "gru": "GRU", "transformer": "Transformer", "ngrc": "NGRC"}
"""The paper's four forecasters, whose RMSE it prints one step ahead."""
REFERENCES = ("this model", "naive", "seasonal naive", "linear on lags")
"""What a search holds its choice against on its validation rows."""

Fits = Mapping[Case, tuple[Run, ...]]


def score_table(data: Sequence[Source], scores: Scores, fits: Fits) -> pl.DataFrame:
    """One row per dataset and horizon: the automatic model, the paper's four, the paper's map, the last value."""
    records: list[dict[str, Any]] = []
    for source in data:
        for horizon in HORIZONS:
            (paper,) = fits[Case(source.key, horizon)]
            found = {way: scores[Plan(source.key, horizon, way)].rmse for way in WAYS}
            records.append(
                {
                    "dataset": source.title,
                    "horizon": horizon,
                    "automatic": found[ORIGIN],
                    "automatic_as_typed": found[TYPED],
                    "automatic_walk": found[WALK],
                    "paper_map": paper.rmse / paper.scale.std,
                    "last_value": last_value(source.key, source.series, horizon),
                    **{f"{model}_printed": printed_rmse(source, horizon, model) for model in RIVALS},
                }
            )
    return pl.DataFrame(records, infer_schema_length=None)


def printed_rmse(source: Source, horizon: int, model: str) -> float | None:
    """What the paper prints of one of its forecasters; nothing beyond one step, nor beside a stand-in."""
    if horizon != 1 or source.stand_in:
        return None
    return SCORES[source.key, model]["rmse"].value


def search_table(data: Sequence[Source], scores: Scores) -> pl.DataFrame:
    """One row per search: what was proposed and tried, on how many rows, and how it did on them."""
    records: list[dict[str, Any]] = []
    for source, horizon, way in _rows(data):
        found = scores[Plan(source.key, horizon, way)]
        records.append(
            {
                "dataset": source.title,
                "horizon": horizon,
                "rows_cut_by": way,
                "fit_rows": found.fit_rows,
                "refits": found.refits,
                "periods_proposed": found.periods,
                "transform": found.transform,
                "candidates": found.candidates,
                "validation_rows": found.validated,
                **{name.replace(" ", "_"): found.references.get(name) for name in REFERENCES},
                "columns": found.columns,
                "search_seconds": found.search_seconds,
                "seconds": found.seconds,
            }
        )
    return pl.DataFrame(records, infer_schema_length=None)


def member_table(data: Sequence[Source], scores: Scores) -> pl.DataFrame:
    """One row per member of a combination: its weight, its columns in words, its penalty."""
    records = [
        {
            "dataset": source.title,
            "horizon": horizon,
            "rows_cut_by": way,
            "weight": share.weight,
            "member": share.words,
            "penalty": f"{share.penalty:g}",
        }
        for source, horizon, way in _rows(data)
        for share in scores[Plan(source.key, horizon, way)].shares
    ]
    return pl.DataFrame(records)


def _rows(data: Sequence[Source]) -> list[tuple[Source, int, str]]:
    return [(source, horizon, way) for source in data for horizon in HORIZONS for way in WAYS]
