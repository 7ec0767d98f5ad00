"""Horizons 1, 3 and 7: direct forecasts whose outcomes reach the methods late."""

from collections.abc import Iterator
from functools import partial
from typing import Any

import polars as pl

from ngrc.study.harness.figure import draw, letter, panels, reference
from ngrc.study.harness.record import Check
from ngrc.study.harness.target import Outcome, Settings, Target
from ngrc.study.real.cases import HORIZONS, LEVEL, METHOD_TITLES
from ngrc.study.real.compare import OTHER_MACHINE, SEED_RULE, Sheet
from ngrc.study.real.looks import METHOD_LOOKS, shared_legend
from ngrc.study.real.origin import Origin, beside, fixed_origin
from ngrc.study.real.printed.horizons import RUNTIME, SCORES, SECONDS, TABLE
from ngrc.study.real.printed.seeds import SCORES as SEEDED
from ngrc.study.real.rescp import seeds
from ngrc.study.real.sources import Source, source_notes

NAME = "real-horizons"
METHODS = tuple(method for method in METHOD_TITLES if method != "asymmetric")
"""The paper leaves the asymmetric intervals out here."""


def run(settings: Settings) -> Outcome:
    """Run every dataset at the three horizons and compare scores and seconds."""
    origin = fixed_origin(settings, HORIZONS, seeded=HORIZONS)
    return Outcome(
        tables={"horizons": _table(origin), "runtime": _runtime(origin)},
        figures={"horizons": draw(partial(_figure, origin))},
        checks=tuple(_checks(origin)),
        captions={
            "horizons": "Coverage and Winkler score at 95 % by horizon; ResCP is the mean over seeds.",
            "runtime": "Seconds of the interval method alone at H = 3 and 7, ours beside the paper's.",
        },
        notes=(
            f"{SEED_RULE}. Ours are means over {len(seeds(settings))} seeds, the printed ones of one seed.",
            "A residual joins a method's history only when its target has been observed, H steps after the forecast.",
            *source_notes(origin.sources),
        ),
    )


def _table(origin: Origin) -> pl.DataFrame:
    records = []
    for source in origin.sources:
        for horizon in HORIZONS:
            run = origin.runs[source.key, horizon]
            for method in METHODS:
                record: dict[str, Any] = {
                    "dataset": source.title,
                    "horizon": horizon,
                    "method": METHOD_TITLES[method],
                }
                record["rmse"] = run.rmse / run.scale[1]
                printed = SCORES[source.key, str(horizon), method]
                for measure, ours in origin.scores(source.key, horizon, method)._asdict().items():
                    record |= beside(measure, ours, printed[measure])
                records.append(record)
    return pl.DataFrame(records)


def _runtime(origin: Origin) -> pl.DataFrame:
    records = []
    for source in origin.sources:
        for method in METHODS:
            record: dict[str, Any] = {"dataset": source.title, "method": METHOD_TITLES[method]}
            for horizon, paper in SECONDS[source.key, method].items():
                record |= beside(
                    f"seconds_{horizon}", origin.seconds(source.key, int(horizon), method), paper
                )
            records.append(record)
    return pl.DataFrame(records)


def _checks(origin: Origin) -> Iterator[Check]:
    for source in origin.sources:
        for horizon in HORIZONS:
            for method in METHODS:
                yield from _cells(Sheet(NAME, TABLE), origin, source, horizon, method)
        for method in METHODS:
            for text, paper in SECONDS[source.key, method].items():
                ours = origin.seconds(source.key, int(text), method)
                yield Sheet(NAME, RUNTIME).shown(
                    source, f"H={text}, {method}, seconds", ours, paper, reason=OTHER_MACHINE
                )


def _cells(sheet: Sheet, origin: Origin, source: Source, horizon: int, method: str) -> Iterator[Check]:
    printed, cell = SCORES[source.key, str(horizon), method], f"H={horizon}, {method}"
    if method == "rescp":
        five = SEEDED[source.key, str(horizon)]
        for measure, ours in origin.rescp(source.key, horizon).items():
            yield sheet.one_seed(
                source, f"{cell}, {measure}", ours, printed[measure], deviation=five[measure].spread
            )
        return
    for measure, score in origin.scores(source.key, horizon, method)._asdict().items():
        yield sheet.exact(source, f"{cell}, {measure}", score, printed[measure])


def _figure(origin: Origin) -> Any:
    count = len(origin.sources)
    figure, grid = panels(2, count, max(2.7 * count, 4.5), 5.2)
    for column, source in enumerate(origin.sources):
        for place, method in enumerate(METHODS):
            look, scores = (
                METHOD_LOOKS[method],
                [origin.scores(source.key, horizon, method) for horizon in HORIZONS],
            )
            # A small shift apart, so that equal coverages are all seen.
            shifted = [horizon + 0.12 * (place - 2) for horizon in HORIZONS]
            for row, values in enumerate(
                ([score.coverage for score in scores], [score.winkler for score in scores])
            ):
                grid[row, column].plot(
                    shifted, values, color=look.color, marker=look.marker, ls=look.linestyle, lw=1.1, ms=5,
                    label=METHOD_TITLES[method],
                )  # fmt: skip
        reference(grid[0, column], LEVEL)
        letter(grid[0, column], "abcd"[column], source.title)
        for axes in grid[:, column]:
            axes.set_xticks(HORIZONS)
        grid[1, column].set_xlabel("horizon, steps")
        grid[1, column].set_ylim(bottom=0.0)
    grid[0, 0].set_ylabel("coverage")
    grid[1, 0].set_ylabel("Winkler score")
    shared_legend(figure, grid[0, 0], 5 if count > 2 else 2)
    return figure


TARGET = Target(
    NAME,
    "Real data: horizons 1, 3 and 7",
    "The direct forecast and its penalty are fitted anew at each horizon, and every sequential method waits H steps "
    "for an outcome. Adaptive CP keeps its coverage at all horizons; ResCP undercovers at longer ones on Solar and "
    "Exchange; on Solar the uncertainty grows fast with the horizon.",
    run,
)
