"""ResCP's two recurrences against every printed mean, and what each reading of its tuning selects: our result."""

from functools import partial

import polars as pl

from ngrc.study.harness.compare import ERRORS
from ngrc.study.harness.figure import draw
from ngrc.study.harness.target import Outcome, Settings, Target
from ngrc.study.real.cases import HORIZONS, Case, fitted
from ngrc.study.real.printed.seeds import PAPER_SEEDS
from ngrc.study.real.recurrence import Fits
from ngrc.study.real.rescp import bands, estimates, over_seeds, seeds
from ngrc.study.real.sources import source_notes, sources
from ngrc.study.rescp.distances import (
    RECURRENCES,
    Results,
    real_records,
    recurrence_sentences,
    root_mean_squares,
)
from ngrc.study.rescp.figure import distance_figure
from ngrc.study.rescp.selections import Key, selected_pairs, selection_sentence, selection_table
from ngrc.study.rescp.volterra import volterra_records
from ngrc.study.volterra.recurrences import TEMPERATURE

NAME = "rescp"
CAPTIONS = {
    "recurrences": "ResCP at the paper's temperature and window: means over seeds, or over replications of the "
    "Volterra system, with their standard errors; the printed means with theirs; and the distance of the two in "
    "combined standard errors, beyond half a printed unit.",
    "root_mean_squares": "Root mean square of those distances over cases and scores, and how many of them are beyond "
    f"{ERRORS:g}. Chance alone would give about 1, or less where digits are coarse, and none.",
    "selections": "How many seeds select the temperature and window that the paper printed, and what most select "
    "instead.",
    "distances": f"Distance from the printed mean in combined standard errors; the band is {ERRORS:g} of them.",
}


def run(settings: Settings) -> Outcome:
    """Both recurrences at the paper's choice, and the selections of every reading."""
    data = sources(settings)
    cases = {(source.key, horizon): Case(source.key, horizon) for source in data for horizon in HORIZONS}
    fits = fitted(data, cases.values(), jobs=settings.jobs)
    records = [*real_records(data, _results(cases, fits, settings)), *volterra_records(settings)]
    table = pl.DataFrame(records, infer_schema_length=None)
    selected = selected_pairs(cases, fits, settings)
    return Outcome(
        tables={
            "recurrences": table,
            "root_mean_squares": root_mean_squares(table),
            "selections": selection_table(data, selected),
        },
        figures={"distances": draw(partial(distance_figure, table))},
        checks=(),
        captions=CAPTIONS,
        findings=(*recurrence_sentences(table), selection_sentence(data, selected)),
        notes=(
            f"{len(seeds(settings))} seeds here, {PAPER_SEEDS} in the paper; the stochastic sampler. These printed "
            "numbers are counted in real-seeds and volterra, and not again here.",
            "The paper does not print what its pilot selected for the Volterra system. Here it has the appendix's "
            f"reservoir at temperature {TEMPERATURE:g}; other settings are in the target volterra.",
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


TARGET = Target(
    NAME,
    "ResCP: two recurrences and its selections (our result, not the paper's)",
    "The ResCP code and its authors' text have different recurrences, and the paper says that it used the code. Which "
    "of the two gives the printed scores, and which reading of the tuning gives the printed temperatures and windows? "
    "Printed means over five seeds, and those of the Volterra system, are set beside ours with both errors.",
    run,
)
