"""ARIMA, GRU, Transformer and NGRC under one ResCP layer."""

from collections.abc import Iterator
from functools import partial
from typing import Any

import polars as pl

from ngrc.study.harness.figure import LOOKS, draw, letter, panels, reference
from ngrc.study.harness.record import Check
from ngrc.study.harness.target import Outcome, Settings, Target
from ngrc.study.real.cases import LEVEL, Scores
from ngrc.study.real.compare import OTHER_MACHINE, Sheet
from ngrc.study.real.looks import shared_legend
from ngrc.study.real.origin import beside
from ngrc.study.real.pipelines import Pipeline, pipelines
from ngrc.study.real.printed.models import SCORES, TABLE
from ngrc.study.real.sources import Source, source_notes, sources

NAME = "real-models"
TITLES = {"arima": "ARIMA(3,1,3)", "gru": "GRU", "transformer": "Transformer", "ngrc": "NGRC"}
WHY = {
    "arima": "the optimiser stops at the likelihood's flat top, which a version of statsmodels may reach elsewhere",
    "gru": "training noise",
    "transformer": "training noise",
}
OWN_CHOICE = "ResCP selects temperature and window with our seed"
OWN_SELECTION = f"{OWN_CHOICE}; the paper's choice for this model is not printed"

Results = dict[tuple[str, str], Pipeline]


def run(settings: Settings) -> Outcome:
    """Train or read the point models, put ResCP around each, and compare."""
    data = sources(settings)
    results = pipelines(data, settings)
    return Outcome(
        tables={"models": _table(data, results), "fits": _fits(data, results)},
        figures={"models": draw(partial(_figure, data, results))},
        checks=tuple(check for source in data for check in _checks(source, results)),
        captions={
            "models": "One step at 95 %: point RMSE, ResCP intervals and seconds from end to end. In the figure "
            "hollow marks are the paper's.",
            "fits": "Seconds of fit and forecast, and what the fits said of themselves.",
        },
        notes=(*_notes(results), f"{OWN_SELECTION}.", *source_notes(data)),
    )


def _notes(results: Results) -> Iterator[str]:
    """Missing libraries, and how many forecasts an earlier run had made."""
    for reason in dict.fromkeys(pipeline.missing for pipeline in results.values() if pipeline.missing):
        names = dict.fromkeys(
            TITLES[model] for (_, model), pipeline in results.items() if pipeline.missing == reason
        )
        yield f"{', '.join(names)}: {reason}."
    points = [
        pipeline.point for (_, model), pipeline in results.items() if pipeline.point and model != "ngrc"
    ]
    cached = sum(point.kept for point in points)
    if cached:
        yield (
            f"{cached} of {len(points)} trained forecasts were read from an earlier run with the same code, parameters "
            "and series; their seconds are of that run."
        )


def _fits(data: tuple[Source, ...], results: Results) -> pl.DataFrame:
    records = []
    for source in data:
        for model, title in TITLES.items():
            point = results[source.key, model].point
            if point is not None:
                record: dict[str, Any] = {"dataset": source.title, "model": title, "seconds": point.seconds}
                remarks = "; ".join(note.rstrip(".") for note in point.notes)
                records.append(record | {"earlier_run": "yes" if point.kept else "", "remarks": remarks})
    return pl.DataFrame(records)


def _table(data: tuple[Source, ...], results: Results) -> pl.DataFrame:
    records = []
    for source in data:
        for model, title in TITLES.items():
            pipeline, printed = results[source.key, model], SCORES[source.key, model]
            record: dict[str, Any] = {"dataset": source.title, "model": title}
            ours = _measures(pipeline)
            for name, paper in printed.items():
                record |= beside(name, ours.get(name), paper)
            selected = pipeline.band.selected if pipeline.band else {}
            record["chosen"] = ", ".join(f"{name} {value}" for name, value in selected.items())
            records.append(record)
    return pl.DataFrame(records, infer_schema_length=None)


def _measures(pipeline: Pipeline) -> dict[str, float]:
    scores: Scores | None = pipeline.scores
    if pipeline.point is None or scores is None or pipeline.seconds is None:
        return {}
    return {"rmse": pipeline.point.rmse, **scores._asdict(), "seconds": pipeline.seconds}


def _checks(source: Source, results: Results) -> Iterator[Check]:
    sheet = Sheet(NAME, TABLE)
    for model in TITLES:
        pipeline, printed = results[source.key, model], SCORES[source.key, model]
        ours = _measures(pipeline)
        if not ours:
            for name, paper in printed.items():
                yield sheet.shown(source, f"{model}, {name}", None, paper, reason=pipeline.missing)
            continue
        yield sheet.exact(source, f"{model}, rmse", ours["rmse"], printed["rmse"], WHY.get(model, ""))
        reason = (
            OWN_SELECTION
            if model != "ngrc"
            else f"{OWN_CHOICE}; real-main compares at the paper's own choice"
        )
        for measure in Scores._fields:
            yield sheet.shown(source, f"{model}, {measure}", ours[measure], printed[measure], reason=reason)
        yield sheet.shown(
            source, f"{model}, seconds", ours["seconds"], printed["seconds"], reason=OTHER_MACHINE
        )


def _figure(data: tuple[Source, ...], results: Results) -> Any:
    measures = {
        "rmse": "RMSE",
        "coverage": "coverage",
        "winkler": "Winkler score",
        "seconds": "seconds, end to end",
    }
    figure, grid = panels(len(measures), len(data), max(2.6 * len(data), 4.0), 7.2)
    for column, source in enumerate(data):
        for row, (measure, label) in enumerate(measures.items()):
            axes = grid[row, column]
            for place, (look, (model, title)) in enumerate(zip(LOOKS, TITLES.items(), strict=False)):
                ours = _measures(results[source.key, model]).get(measure)
                paper = SCORES[source.key, model][measure].value
                if not source.stand_in:
                    axes.plot(place + 0.16, paper, look.marker, color=look.color, mfc="none", ms=7, mew=1.3)
                axes.plot(
                    place - 0.16,
                    float("nan") if ours is None else ours,
                    look.marker,
                    color=look.color,
                    ms=7,
                    label=title,
                )
            axes.set_xticks([])
            axes.set_xlim(-0.6, len(TITLES) - 0.4)
            axes.margins(y=0.2)
            if column == 0:
                axes.set_ylabel(label)
        reference(grid[1, column], LEVEL)
        grid[3, column].set_yscale("log")
        letter(grid[0, column], "abcd"[column], source.title)
    shared_legend(figure, grid[0, -1], 4 if len(data) > 1 else 2, "filled: ours, hollow: the paper's")
    return figure


TARGET = Target(
    NAME,
    "Real data: four point forecasters under one ResCP layer",
    "The uncertainty layer is held fixed and the point forecaster varies. Forecasters of like accuracy can end with "
    "intervals of unlike coverage, and none of the four is the best everywhere.",
    run,
)
