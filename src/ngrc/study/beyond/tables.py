"""The tables: every score, Winkler scores over the best of the paper's six, and one line per method."""

from collections.abc import Mapping, Sequence
from math import inf
from typing import Any

import polars as pl

from ngrc.study.beyond.around import Place
from ngrc.study.beyond.cells import Bands
from ngrc.study.beyond.days import ALL
from ngrc.study.real.cases import METHOD_TITLES
from ngrc.study.real.sources import Source

SIX = tuple(METHOD_TITLES)
"""The paper's procedures by the names that the library has for them."""
JUDGED = (0.80, 0.90, 0.95)
"""Levels that claims are made for; the other two are shown."""
CELL = ("forecaster", "dataset", "days", "horizon", "level")
"""Columns that name a cell of the study."""


def score_table(data: Sequence[Source], found: Mapping[tuple[Place, str], Bands]) -> pl.DataFrame:
    """One row per forecaster, dataset, choice of days, horizon, level and method, in this order.

    `judged` marks the choice of days on which Winkler scores are judged: the last of a dataset's.
    """
    titles = {source.key: source.title for source in data}
    records: list[dict[str, Any]] = []
    for (place, method), bands in found.items():
        last = list(bands.scores)[-1][1]
        for (level, days), score in bands.scores.items():
            records.append(
                {
                    "forecaster": place.forecaster,
                    "dataset": titles[place.dataset],
                    "days": days,
                    "judged": days == last,
                    "horizon": place.horizon,
                    "level": level,
                    "method": method,
                    "coverage": score.coverage,
                    "width": score.width,
                    "winkler": score.winkler,
                    "windows": score.windows,
                    "windows_near": score.near,
                    "infinite": score.infinite,
                    "seconds_of_all_levels": bands.seconds,
                }
            )
    return pl.DataFrame(records)


def ratio_table(scores: pl.DataFrame) -> pl.DataFrame:
    """One row per cell: the best of the paper's six, and every method's Winkler score over its."""
    records: list[dict[str, Any]] = []
    for cell, rows in scores.group_by(*CELL, "judged", maintain_order=True):
        winkler = dict(zip(rows["method"], rows["winkler"], strict=True))
        best = min((name for name in SIX if name in winkler), key=lambda name: winkler[name])
        records.append(
            {
                **dict(zip((*CELL, "judged"), cell, strict=True)),
                "best_of_six": best,
                "its_winkler": winkler[best],
                **{name: _ratio(value, winkler[best]) for name, value in winkler.items()},
            }
        )
    return pl.DataFrame(records)


def method_table(scores: pl.DataFrame, ratios: pl.DataFrame) -> pl.DataFrame:
    """One row per forecaster and method over the judged levels: the cells' mean and worst, and all seconds."""
    level = pl.col("level").is_in(JUDGED)
    records: list[dict[str, Any]] = []
    for (forecaster, method), rows in scores.filter(level).group_by(
        "forecaster", "method", maintain_order=True
    ):
        covers = rows.filter(pl.col("days") == ALL)
        here = ratios.filter(level & pl.col("judged") & (pl.col("forecaster") == forecaster))[method]
        errors = 100.0 * (covers["coverage"] - covers["level"])
        windows = float(covers["windows"].sum())
        records.append(
            {
                "forecaster": forecaster,
                "method": method,
                "cells": here.len(),
                "winkler_over_best_of_six_mean": here.mean(),
                "winkler_over_best_of_six_worst": here.max(),
                "cells_at_or_below_the_best": (here <= 1.0).sum(),
                "coverage_error_lowest": errors.min(),
                "coverage_error_highest": errors.max(),
                "windows_near": float(covers["windows_near"].sum()) / windows if windows else None,
                "seconds": scores.filter((pl.col("forecaster") == forecaster) & (pl.col("method") == method))
                .unique(["dataset", "horizon"])["seconds_of_all_levels"]
                .sum(),
            }
        )
    return pl.DataFrame(records, infer_schema_length=None)


def _ratio(value: float, best: float) -> float:
    # Without any error both are zero; a best of zero is beaten by no other number.
    return value / best if best > 0.0 else 1.0 if value == best else inf
