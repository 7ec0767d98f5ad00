"""Horizons 1, 3 and 7: direct forecasts whose outcomes reach the methods late."""

from collections.abc import Iterator
from functools import partial
from operator import itemgetter
from typing import Any

import polars as pl

from ngrc.study.harness.figure import draw, letter, panels, reference
from ngrc.study.harness.record import Check
from ngrc.study.harness.target import Outcome, Settings, Target
from ngrc.study.real.cases import HORIZONS, LEVEL, METHOD_TITLES, Case, Scores
from ngrc.study.real.compare import OTHER_MACHINE, Sheet, one_seed, seed_rule
from ngrc.study.real.looks import METHOD_LOOKS, shared_legend
from ngrc.study.real.origin import Origin, beside, fixed_origin
from ngrc.study.real.printed.horizons import RUNTIME, SCORES, SECONDS, TABLE
from ngrc.study.real.printed.seeds import SCORES as SEEDED
from ngrc.study.real.recurrence import tried_at_choice
from ngrc.study.real.rescp import seeds
from ngrc.study.real.rounding import plain_reason
from ngrc.study.real.sources import Source, source_notes
from ngrc.study.real.words import best_sentence, coverage_sentence, digits_sentence

NAME = "real-horizons"
METHODS = tuple(method for method in METHOD_TITLES if method != "asymmetric")
"""The paper leaves the asymmetric intervals out here."""


def run(settings: Settings) -> Outcome:
    """Run every dataset at the three horizons and compare scores and seconds."""
    origin = fixed_origin(settings, HORIZONS, seeded=HORIZONS)
    checks = tuple(_checks(origin, settings))
    return Outcome(
        tables={"horizons": _table(origin), "runtime": _runtime(origin)},
        figures={"horizons": draw(partial(_figure, origin))},
        checks=checks,
        captions={
            "horizons": "Coverage and Winkler score at 95 % by horizon; ResCP is the mean over seeds.",
            "runtime": "Seconds of the interval method alone at H = 3 and 7, ours beside the paper's.",
        },
        findings=findings(origin, checks),
        notes=(
            f"{seed_rule(len(seeds(settings)))}. The printed numbers are of one seed.",
            "A residual joins a method's history only when its target has been observed, H steps after the forecast.",
            *source_notes(origin.sources),
        ),
    )


def findings(origin: Origin, checks: tuple[Check, ...]) -> tuple[str, ...]:
    """Agreement of the digits, coverage over the horizons, and how the score grows with them."""
    scores = {
        (f"{source.title} at H = {horizon}", method): origin.scores(source.key, horizon, method)
        for source in origin.sources
        for horizon in HORIZONS
        for method in METHODS
    }
    return (
        digits_sentence(checks),
        coverage_sentence({key: score.coverage for key, score in scores.items()}),
        best_sentence({key: score.winkler for key, score in scores.items()}),
        *(_growth(source.title, scores) for source in origin.sources),
    )


def _growth(title: str, scores: dict[tuple[str, str], Scores]) -> str:
    first, last = HORIZONS[0], HORIZONS[-1]
    ratios = [
        scores[f"{title} at H = {last}", method].winkler / scores[f"{title} at H = {first}", method].winkler
        for method in METHODS
    ]
    return (
        f"{title}: from H = {first} to {last} the Winkler score changes by a factor of {min(ratios):.2f} to "
        f"{max(ratios):.2f}, depending on the method."
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


def _checks(origin: Origin, settings: Settings) -> Iterator[Check]:
    for source in origin.sources:
        for horizon in HORIZONS:
            for method in METHODS:
                yield from _cells(Sheet(NAME, TABLE), origin, source, horizon, method, settings)
        for method in METHODS:
            for text, paper in SECONDS[source.key, method].items():
                ours = origin.seconds(source.key, int(text), method)
                yield Sheet(NAME, RUNTIME).shown(
                    source, f"H={text}, {method}, seconds", ours, paper, reason=OTHER_MACHINE
                )


def _cells(
    sheet: Sheet, origin: Origin, source: Source, horizon: int, method: str, settings: Settings
) -> Iterator[Check]:
    printed, cell = SCORES[source.key, str(horizon), method], f"H={horizon}, {method}"
    if method == "rescp":
        case = Case(source.key, horizon)
        for measure, ours in origin.rescp(source.key, horizon).items():
            paper = one_seed(printed[measure], SEEDED[source.key, str(horizon)][measure].spread, ours)
            reason = tried_at_choice(case, origin.fits, settings, measure, ours, paper)
            yield sheet.seeds(source, f"{cell}, {measure}", ours, paper, reason=reason)
        return
    run = origin.runs[source.key, horizon]
    for place, (measure, score) in enumerate(origin.scores(source.key, horizon, method)._asdict().items()):
        reason = partial(plain_reason, method, [run], itemgetter((0, place)), printed[measure])
        yield sheet.exact(source, f"{cell}, {measure}", score, printed[measure], reason)


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
    "for an outcome. Does the one-step comparison persist as the horizon grows?",
    run,
)
