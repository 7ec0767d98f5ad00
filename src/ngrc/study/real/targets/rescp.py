"""ResCP's two recurrences against every printed mean over seeds, and what each reading of its tuning selects."""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, TypeAlias

import numpy as np
import polars as pl

from ngrc.intervals.rescp.reservoir import Recurrence
from ngrc.study.harness.compare import ERRORS
from ngrc.study.harness.estimate import ERROR, Estimate
from ngrc.study.harness.figure import LOOKS, draw, letter, panels
from ngrc.study.harness.target import Outcome, Settings, Target
from ngrc.study.real.cases import HORIZONS, Case, Scores, fitted
from ngrc.study.real.compare import distance, five_seeds
from ngrc.study.real.looks import shared_legend
from ngrc.study.real.printed.seeds import PAPER_SEEDS, SCORES
from ngrc.study.real.recurrence import Fits
from ngrc.study.real.rescp import bands, estimates, over_seeds, seeds
from ngrc.study.real.selections import AUTHORS, Pair, Reading, named, pairs_by_seed, paper_pair
from ngrc.study.real.sources import Source, source_notes, sources

NAME = "rescp"
RECURRENCES: dict[Recurrence, str] = {"code": "that of the code", "paper": "that of the text"}
READINGS = {
    "as the code": AUTHORS,
    "recurrence of the text": Reading(recurrence="paper"),
    "exact sampler": Reading(sampler="exact"),
    "scored on the last 20 %": Reading(share=0.8),
}
"""How the paper may have selected; the last two are tried where a selection takes a second, on Exchange."""
CHEAP = ("exchange",)

Key: TypeAlias = tuple[str, int]
Results: TypeAlias = dict[tuple[str, int, Recurrence], dict[str, Estimate]]
"""Scores over seeds by dataset, horizon and recurrence."""
Selected: TypeAlias = dict[str, Mapping[Key, Sequence[Pair]]]
"""What each seed selects, by reading."""


def run(settings: Settings) -> Outcome:
    """Both recurrences over seeds at the paper's choice, and the selections of every reading."""
    data = sources(settings)
    cases = {(source.key, horizon): Case(source.key, horizon) for source in data for horizon in HORIZONS}
    fits = fitted(data, cases.values(), jobs=settings.jobs)
    results = _results(cases, fits, settings)
    selected = _selected(cases, fits, settings)
    table = distances(data, results)
    return Outcome(
        tables={
            "recurrences": table,
            "root_mean_squares": root_mean_squares(table),
            "selections": _selection_table(data, selected),
        },
        figures={"distances": draw(partial(_figure, data, table))},
        checks=(),
        captions={
            "recurrences": "Scores of ResCP at the paper's temperature and window: means over seeds with their "
            "standard errors, the printed means and deviations over five seeds, and the distance of the two means in "
            "combined standard errors.",
            "root_mean_squares": "Root mean square of those distances over horizons and scores, and how many of them "
            f"are beyond {ERRORS:g}. Chance alone would give about 1 and none.",
            "selections": "How many seeds select the temperature and window that the paper printed, and what most "
            "select instead.",
            "distances": f"Distance from the printed mean in combined standard errors; the band is {ERRORS:g} of them.",
        },
        findings=(*recurrence_sentences(table), selection_sentence(selected)),
        notes=(
            f"{len(seeds(settings))} seeds here, {PAPER_SEEDS} in the paper; the stochastic sampler. These printed "
            "numbers are counted in real-seeds, and not again here. Both recurrences on the Volterra system are in "
            "the target volterra.",
            *source_notes(data),
        ),
    )


def _results(cases: dict[Key, Case], fits: Fits, settings: Settings) -> Results:
    layers = {
        (*key, recurrence): over_seeds(case, fits[case][0], settings, recurrence=recurrence)
        for key, case in cases.items()
        for recurrence in RECURRENCES
    }
    local = bands((layer for group in layers.values() for layer in group), fits, jobs=settings.jobs)
    return {
        key: estimates(fits[cases[key[:2]]][0], [local[layer] for layer in group])
        for key, group in layers.items()
    }


def _selected(cases: dict[Key, Case], fits: Fits, settings: Settings) -> Selected:
    selected: Selected = {}
    for title, reading in READINGS.items():
        everywhere = reading.sampler == AUTHORS.sampler and reading.share == AUTHORS.share
        keys = [key for key in cases if everywhere or key[0] in CHEAP]
        selected[title] = pairs_by_seed(keys, fits, settings, reading)
    return selected


def distances(data: Sequence[Source], results: Results) -> pl.DataFrame:
    """One row per dataset, horizon and recurrence: ours, the print, and the distance in combined errors."""
    by_key = {source.key: source for source in data}
    records = []
    for (key, horizon, recurrence), scores in results.items():
        source, printed = by_key[key], SCORES[key, str(horizon)]
        record: dict[str, Any] = {"dataset": source.title, "horizon": horizon, "recurrence": recurrence}
        for measure, ours in scores.items():
            paper = printed[measure]
            away = None if source.stand_in else distance(ours, five_seeds(paper))
            record |= {measure: ours.mean, f"{measure}{ERROR}": ours.error}
            record |= {f"{measure}_paper": paper.value, f"{measure}_sd_paper": paper.spread}
            record |= {f"{measure}_distance": away}
        records.append(record)
    return pl.DataFrame(records, infer_schema_length=None)


def root_mean_squares(table: pl.DataFrame) -> pl.DataFrame:
    """By recurrence, for each dataset of the paper's own and for all of them."""
    columns = [f"{measure}_distance" for measure in Scores._fields]
    # A stand-in has no distances.
    own = table.filter(pl.col(columns[0]).is_not_null())
    records = []
    for title in [*own["dataset"].unique(maintain_order=True), "all"]:
        rows = own if title == "all" else own.filter(pl.col("dataset") == title)
        for recurrence in RECURRENCES:
            away = rows.filter(pl.col("recurrence") == recurrence).select(columns).to_numpy()
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


def selection_sentence(selected: Selected) -> str:
    """Where the paper's choice is made by some seeds, and where by none, as the code does it."""
    title = next(iter(READINGS))
    some: list[str] = []
    none: list[str] = []
    for (dataset, horizon), pairs in selected[title].items():
        count = sum(pair == paper_pair(dataset, horizon) for pair in pairs)
        (some if count else none).append(f"{dataset} H = {horizon} ({count} of {len(pairs)})")
    parts = {"by some seeds on": some, "by none on": none}
    told = "; ".join(f"{words} {', '.join(places)}" for words, places in parts.items() if places)
    return f"The printed temperature and window are selected {told}."


def _selection_table(data: Sequence[Source], selected: Selected) -> pl.DataFrame:
    titles = {source.key: source.title for source in data}
    records = []
    for reading, by_key in selected.items():
        for (dataset, horizon), pairs in by_key.items():
            paper = paper_pair(dataset, horizon)
            frequent, most = Counter(pairs).most_common(1)[0]
            record: dict[str, Any] = {"dataset": titles[dataset], "horizon": horizon, "reading": reading}
            record |= {"the_paper's": named(paper), "selected_in": sum(pair == paper for pair in pairs)}
            records.append(record | {"of": len(pairs), "most_select": named(frequent), "these": most})
    return pl.DataFrame(records)


def _figure(data: Sequence[Source], table: pl.DataFrame) -> Any:
    own = [source for source in data if not source.stand_in]
    figure, grid = panels(1, len(own), max(2.9 * len(own), 4.2), 3.4)
    places = [(horizon, measure) for horizon in HORIZONS for measure in Scores._fields]
    for column, (axes, source) in enumerate(zip(grid[0], own, strict=True)):
        axes.axvspan(-ERRORS, ERRORS, color="0.9", lw=0)
        axes.axvline(0.0, color="0.4", lw=1.0)
        for look, (recurrence, title) in zip(LOOKS, RECURRENCES.items(), strict=False):
            rows = table.filter((pl.col("dataset") == source.title) & (pl.col("recurrence") == recurrence))
            away = [
                rows.filter(pl.col("horizon") == horizon)[f"{measure}_distance"][0]
                for horizon, measure in places
            ]
            axes.plot(away, range(len(places)), look.marker, color=look.color, ms=6, mfc="none", label=title)
        labels = [f"H = {horizon}, {measure}" for horizon, measure in places]
        axes.set_yticks(range(len(places)), labels if column == 0 else [""] * len(places))
        axes.invert_yaxis()
        axes.set_xlabel("combined standard errors")
        letter(axes, "abcd"[column], source.title)
    shared_legend(figure, grid[0, 0], 2, "recurrence")
    return figure


TARGET = Target(
    NAME,
    "ResCP: two recurrences and its selections",
    "The ResCP code and its authors' text have different recurrences, and the paper says that it used the code. Which "
    "of the two gives the printed scores, and which reading of the tuning gives the printed temperatures and windows? "
    "Every printed mean over five seeds is set beside ours with both errors.",
    run,
)
