"""ARIMA, GRU, Transformer and NGRC under one ResCP layer."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import polars as pl

from ngrc.intervals.rescp.reservoir import Recurrence
from ngrc.study.harness.compare import exact, holds, incomparable, monte_carlo
from ngrc.study.harness.estimate import ERROR, Estimate, estimate
from ngrc.study.harness.figure import LOOKS, draw, letter, panels, reference
from ngrc.study.harness.printed import Printed
from ngrc.study.harness.record import Cell, Check
from ngrc.study.harness.target import Outcome, Settings, Target
from ngrc.study.real.cases import LEVEL
from ngrc.study.real.compare import OTHER_MACHINE
from ngrc.study.real.looks import shared_legend
from ngrc.study.real.origin import beside
from ngrc.study.real.pipelines import NETWORKS, Key, Pipeline, pipelines
from ngrc.study.real.printed.models import SCORES, TABLE
from ngrc.study.real.printed.selected import SELECTED
from ngrc.study.real.reached import CAPTION, Pair, explained, scan_findings, scan_table
from ngrc.study.real.scan import Setting
from ngrc.study.real.sources import Source, source_notes, sources

NAME = "real-models"
TITLES = {"arima": "ARIMA(3,1,3)", "gru": "GRU", "transformer": "Transformer", "ngrc": "NGRC"}
RECURRENCE: Recurrence = "code"
"""ResCP's default, as its authors' code has it; the scan runs both."""
ONE_TRAINING = "one training has no spread to compare with; --reps N trains N times"

Results = dict[Key, Pipeline]


def run(settings: Settings) -> Outcome:
    """Train or read the point models, put ResCP around each, and compare."""
    data = sources(settings)
    results = pipelines(data, settings)
    pairs = _pairs(data, results)
    tables = {"models": _table(data, results), "scan": scan_table(pairs), "fits": _fits(data, results)}
    return Outcome(
        tables={name: table for name, table in tables.items() if table.height},
        figures={"models": draw(partial(_figure, data, results))},
        checks=tuple(
            check for source in data for check in (*_checks(source, results), *_claims(source, results))
        ),
        captions={
            "models": "One step at 95 %: point RMSE, ResCP intervals and seconds from end to end, means over seeds "
            "with standard errors. In the figure hollow marks are the paper's.",
            "scan": CAPTION,
            "fits": "RMSE of every fit, seconds of the first with its forecasts, and what the fits said of themselves.",
        },
        findings=(*scan_findings(pairs), *_findings(data, results)),
        notes=(*_notes(results), *source_notes(data)),
    )


def _pairs(data: tuple[Source, ...], results: Results) -> list[Pair]:
    """What can be compared: neither a stand-in nor a model that was not run."""
    return [
        Pair(source.title, title, scan, SCORES[source.key, model])
        for source in data
        for model, title in TITLES.items()
        if not source.stand_in and (scan := results[source.key, model].scan) is not None
    ]


def _findings(data: tuple[Source, ...], results: Results) -> Iterator[str]:
    """The trainings' spread and the best model of each dataset, as measured."""
    moved = []
    for source in data:
        for model in NETWORKS:
            errors = [point.rmse for point in results[source.key, model].points]
            if len(errors) > 1:
                moved.append(
                    f"{source.title} with {TITLES[model]} {min(errors):.4f} to {max(errors):.4f} over {len(errors)}, "
                    f"printed {SCORES[source.key, model]['rmse'].value}"
                )
    if moved:
        yield f"RMSE moves with the training's seed: {'; '.join(moved)}."
    best = []
    for source in data:
        scores = {
            title: ours["winkler"].mean
            for model, title in TITLES.items()
            if (ours := _measures(results[source.key, model], source.key, model))
        }
        best.append(f"{source.title} {min(scores, key=scores.__getitem__)} of {len(scores)}")
    yield f"Smallest Winkler score: {', '.join(best)}."


def _notes(results: Results) -> Iterator[str]:
    """How often things were run, missing libraries, and how many forecasts an earlier run had made."""
    for reason in dict.fromkeys(pipeline.missing for pipeline in results.values() if pipeline.missing):
        names = dict.fromkeys(
            TITLES[model] for (_, model), pipeline in results.items() if pipeline.missing == reason
        )
        yield f"{', '.join(names)}: {reason}."
    yield (
        "ResCP's rows are means over seeds: for NGRC at the temperature and window that the paper prints, for the "
        "others at what ResCP selects with each seed. The printed run is one, so that its error is the deviation over "
        "ours; networks take a training of their own for each seed as far as there are trainings."
    )
    points = [
        point for (_, model), pipeline in results.items() for point in pipeline.points if model != "ngrc"
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
            for number, point in enumerate(results[source.key, model].points, start=1):
                record: dict[str, Any] = {"dataset": source.title, "model": title, "fit": number}
                remarks = "; ".join(note.rstrip(".") for note in point.notes)
                # Further trainings run side by side, so that their seconds would be those of the neighbours as well.
                record |= {"seconds": point.seconds if number == 1 else None, "rmse": point.rmse}
                records.append(record | {"earlier_run": "yes" if point.kept else "", "remarks": remarks})
    return pl.DataFrame(records, infer_schema_length=None)


def _table(data: tuple[Source, ...], results: Results) -> pl.DataFrame:
    records = []
    for source in data:
        for model, title in TITLES.items():
            pipeline, printed = results[source.key, model], SCORES[source.key, model]
            record: dict[str, Any] = {"dataset": source.title, "model": title}
            ours = _measures(pipeline, source.key, model)
            for name, paper in printed.items():
                found = ours.get(name)
                record |= beside(name, found.mean if found else None, paper)
                # A single run has no standard error: none is shown.
                record[f"{name}{ERROR}"] = found.error if found and found.count > 1 else None
            setting = _printed_choice(pipeline, source.key, model)
            if pipeline.scan is not None:
                record["chosen"] = f"{setting} (printed)" if setting else pipeline.scan.selections(RECURRENCE)
            records.append(record)
    return pl.DataFrame(records, infer_schema_length=None)


def _printed_choice(pipeline: Pipeline, dataset: str, model: str) -> Setting | None:
    """The temperature and window that the paper prints, for NGRC alone, where the history fills that window."""
    if model != "ngrc" or pipeline.scan is None:
        return None
    selected = SELECTED[dataset, 1]
    setting = Setting(RECURRENCE, selected.temperature.value, selected.window)
    return setting if setting in pipeline.scan.settings(RECURRENCE) else None


def _measures(pipeline: Pipeline, dataset: str, model: str) -> dict[str, Estimate]:
    """Everything that the table prints; a single run counts one and has no error."""
    if pipeline.scan is None or pipeline.seconds is None:
        return {}
    setting = _printed_choice(pipeline, dataset, model)
    scores = pipeline.scan.at(setting) if setting else pipeline.scan.own(RECURRENCE)
    errors = np.array([point.rmse for point in pipeline.points])
    return {"rmse": estimate(errors) if errors.size > 1 else _single(errors[0]), **scores} | {
        "seconds": _single(pipeline.seconds)
    }


def _single(value: float) -> Estimate:
    # NaN and not zero: a comparison by this error would be refused.
    return Estimate(float(value), float("nan"), 1)


def _checks(source: Source, results: Results) -> Iterator[Check]:
    for model in TITLES:
        pipeline, printed = results[source.key, model], SCORES[source.key, model]
        ours = _measures(pipeline, source.key, model)
        for name, paper in printed.items():
            cell = Cell(NAME, TABLE, f"{source.title}, {model}, {name}")
            reason = source.stand_in or pipeline.missing or (OTHER_MACHINE if name == "seconds" else "")
            if not reason and model in NETWORKS and len(pipeline.points) < 2:
                reason = ONE_TRAINING
            if reason:
                yield incomparable(cell, paper.value, reason, ours[name].mean if ours else None)
            elif ours[name].count == 1:
                yield exact(cell, ours[name].mean, paper)
            else:
                check = monte_carlo(cell, ours[name], paper, 1)
                different = check.verdict == "different"
                yield replace(check, reason=_tested(pipeline, name, printed)) if different else check


def _tested(pipeline: Pipeline, name: str, printed: Mapping[str, Printed]) -> str:
    """What was tried to explain a difference."""
    if name == "rmse":
        errors = sorted(point.rmse for point in pipeline.points)
        return f"not the training's seed: {len(errors)} trainings lie between {errors[0]:.4f} and {errors[-1]:.4f}"
    assert pipeline.scan is not None
    return explained(pipeline.scan, printed)


def _claims(source: Source, results: Results) -> Iterator[Check]:
    """Solar in the paper's words: ARIMA and GRU have a lower RMSE than NGRC and a lower coverage."""
    if source.key != "solar":
        return
    rivals = ("arima", "gru")
    found = {model: _measures(results["solar", model], "solar", model) for model in (*rivals, "ngrc")}
    for measure in ("rmse", "coverage"):
        cell = Cell(NAME, TABLE, f"Solar, ARIMA and GRU have a lower {measure} than NGRC")
        if all(found.values()):
            lower = sum(found[model][measure].mean < found["ngrc"][measure].mean for model in rivals)
            yield holds(cell, lower, len(rivals), "" if lower == 2 else _sides(found, measure))
        else:
            yield incomparable(cell, len(rivals), _missing(results), kind="claim")


def _missing(results: Results) -> str:
    return next(
        pipeline.missing
        for (dataset, _), pipeline in results.items()
        if dataset == "solar" and pipeline.missing
    )


def _sides(found: Mapping[str, Mapping[str, Estimate]], measure: str) -> str:
    return ", ".join(f"{TITLES[model]} {ours[measure].mean:.4g}" for model, ours in found.items())


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
                ours = _measures(results[source.key, model], source.key, model).get(measure)
                paper = SCORES[source.key, model][measure].value
                if not source.stand_in:
                    axes.plot(place + 0.16, paper, look.marker, color=look.color, mfc="none", ms=7, mew=1.3)
                axes.plot(
                    place - 0.16,
                    float("nan") if ours is None else ours.mean,
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
    "The uncertainty layer is held fixed and the point forecaster varies: do forecasters of like accuracy end with "
    "intervals of like coverage and width, and is one of the four the best everywhere? The paper does not print the "
    "temperature and window that ResCP had for ARIMA and the networks, so that its whole grid is run on the test "
    "block: is there any setting that gives the printed numbers?",
    run,
)
