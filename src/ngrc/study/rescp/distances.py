"""How far both recurrences lie from every printed mean, and the sentences on it."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
import polars as pl

from ngrc.intervals.rescp.reservoir import Recurrence
from ngrc.study.harness.compare import ERRORS, distance
from ngrc.study.harness.estimate import ERROR, Estimate
from ngrc.study.harness.printed import Printed
from ngrc.study.real.cases import Scores
from ngrc.study.real.compare import five_seeds
from ngrc.study.real.printed.seeds import PAPER_SEEDS, SCORES
from ngrc.study.real.sources import Source

RECURRENCES: dict[Recurrence, str] = {"code": "that of the code", "paper": "that of the text"}
Results: TypeAlias = dict[tuple[str, int, Recurrence], dict[str, Estimate]]
"""Scores over seeds by dataset, horizon and recurrence."""


def real_records(data: Sequence[Source], results: Results) -> list[dict[str, Any]]:
    """One row per dataset, horizon and recurrence; a stand-in has no distances."""
    by_key = {source.key: source for source in data}
    records = []
    for (key, horizon, recurrence), scores in results.items():
        source, cells = by_key[key], SCORES[key, str(horizon)]
        label = {"dataset": source.title, "case": f"H = {horizon}", "recurrence": recurrence}
        held = {measure: five_seeds(cells[measure]) for measure in scores}
        records.append(label | side_by_side(scores, held, PAPER_SEEDS, far=not source.stand_in))
    return records


def side_by_side(
    ours: Mapping[str, Estimate], paper: Mapping[str, Printed], paper_reps: int, *, far: bool = True
) -> dict[str, float | None]:
    """Columns of a row: our means and errors, the printed ones, and their distance in combined errors."""
    record: dict[str, float | None] = {}
    for measure in Scores._fields:
        # The Volterra table prints no Winkler score.
        if measure not in ours:
            names = (
                measure,
                f"{measure}{ERROR}",
                f"{measure}_paper",
                f"{measure}_paper{ERROR}",
                f"{measure}_distance",
            )
            record |= dict.fromkeys(names)
            continue
        mean, cell = ours[measure], paper[measure]
        record |= {measure: mean.mean, f"{measure}{ERROR}": mean.error}
        record |= {f"{measure}_paper": cell.value, f"{measure}_paper{ERROR}": cell.spread}
        record |= {f"{measure}_distance": distance(mean, cell, paper_reps) if far else None}
    return record


def root_mean_squares(table: pl.DataFrame) -> pl.DataFrame:
    """By recurrence, for each system or dataset of the paper's own and for all of them."""
    columns = [f"{measure}_distance" for measure in Scores._fields]
    # A stand-in has no distances.
    own = table.filter(pl.col(columns[0]).is_not_null())
    records = []
    for title in [*own["dataset"].unique(maintain_order=True), "all"]:
        rows = own if title == "all" else own.filter(pl.col("dataset") == title)
        for recurrence in RECURRENCES:
            away = rows.filter(pl.col("recurrence") == recurrence).select(columns).to_numpy()
            away = away[~np.isnan(away)]
            records.append(
                {"dataset": title, "recurrence": recurrence, "numbers": away.size}
                | {"root_mean_square": float(np.sqrt(np.mean(away**2)))}
                | {"beyond": int(np.sum(np.abs(away) > ERRORS))}
            )
    return pl.DataFrame(records)


def recurrence_sentences(table: pl.DataFrame) -> tuple[str, ...]:
    """Which recurrence is nearer to the print, over all and by dataset."""
    squares = root_mean_squares(table)
    both = {
        (row["dataset"], row["recurrence"]): (row["root_mean_square"], row["beyond"])
        for row in squares.iter_rows(named=True)
    }
    numbers = squares.filter(pl.col("dataset") == "all")["numbers"][0]
    told = " and ".join(
        f"{both['all', name][0]:.1f} with {title} ({both['all', name][1]} beyond {ERRORS:g})"
        for name, title in RECURRENCES.items()
    )
    nearer: dict[Recurrence, list[str]] = {name: [] for name in RECURRENCES}
    for title in [title for title in squares["dataset"].unique(maintain_order=True) if title != "all"]:
        code, text = both[title, "code"][0], both[title, "paper"][0]
        nearer["code" if code <= text else "paper"].append(f"{title} ({code:.1f} against {text:.1f})")
    lists = "; ".join(
        f"{RECURRENCES[name]} on {', '.join(titles)}" for name, titles in nearer.items() if titles
    )
    return (
        f"Over {numbers} printed means of ResCP the root mean square distance in combined standard errors is {told}.",
        f"Nearer to the print, by root mean square (code against text): {lists}.",
    )
