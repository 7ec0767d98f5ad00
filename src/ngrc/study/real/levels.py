"""Five nominal levels: empirical against nominal coverage."""

from functools import partial
from typing import Any

import polars as pl

from ngrc.study.figure import draw, letter, panels
from ngrc.study.real.cases import DETERMINISTIC, LEVEL, LEVELS, METHOD_TITLES, Case, Scores, fitted, scores
from ngrc.study.real.compare import SEED_TOLERANCE, Sheet
from ngrc.study.real.looks import METHOD_LOOKS, shared_legend
from ngrc.study.real.main_checks import paper_seeds
from ngrc.study.real.main_printed import MAIN, SCORES
from ngrc.study.real.rescp import Layer, bands, chosen
from ngrc.study.real.sources import Source, source_notes, sources
from ngrc.study.record import Cell, Check, count
from ngrc.study.target import Outcome, Settings, Target

NAME, FIGURE = "real-levels", "fig:real_calibration_all"
CLOSE = 0.01
"""A procedure would be called calibrated if it stayed this close to nominal everywhere."""

Results = dict[tuple[str, float, str], Scores]


def run(settings: Settings) -> Outcome:
    """Score all procedures at five levels around the one-step forecasts."""
    found = sources(settings)
    results = _results(found, settings)
    return Outcome(
        tables={"levels": _table(found, results)},
        figures={"calibration": draw(partial(_figure, found, results))},
        checks=tuple(_checks(found, results)),
        captions={
            "levels": "One-step scores at five nominal levels.",
            "calibration": "Empirical against nominal coverage; the dashed diagonal is exact marginal calibration. "
            "Points below it undercover.",
        },
        notes=(
            "The paper shows this as a figure without numbers. Compared are its 95 % points, which its main table "
            "prints, and its statement that no procedure is calibrated everywhere.",
            f"{SEED_TOLERANCE}; here ResCP is of one seed, at the temperature and window the paper selected at 95 %. "
            "Adaptive and time-weighted CP are tuned anew at each level.",
            *source_notes(found),
        ),
    )


def _results(found: tuple[Source, ...], settings: Settings) -> Results:
    cases = {source.key: Case(source.key) for source in found}
    runs = fitted(found, cases.values(), jobs=settings.jobs)
    layers = {
        (key, level): Layer(case, chosen(case, runs[case][0], settings.seed), level)
        for key, case in cases.items()
        for level in LEVELS
    }
    local = bands(layers.values(), runs, jobs=settings.jobs)
    results = {}
    for key, case in cases.items():
        run = runs[case][0]
        for level in LEVELS:
            for method in DETERMINISTIC:
                results[key, level, method] = scores(run, run.band(method, level))
            results[key, level, "rescp"] = scores(run, local[layers[key, level]])
    return results


def _table(found: tuple[Source, ...], results: Results) -> pl.DataFrame:
    titles = {source.key: source.title for source in found}
    records: list[dict[str, Any]] = [
        {"dataset": titles[key], "level": level, "method": METHOD_TITLES[method]}
        | {"coverage": one.coverage, "error": 100.0 * (one.coverage - level)}
        | {"width": one.width, "winkler": one.winkler}
        for (key, level, method), one in results.items()
    ]
    return pl.DataFrame(records)


def _checks(found: tuple[Source, ...], results: Results) -> list[Check]:
    sheet, checks = Sheet(NAME, MAIN), []
    for source in found:
        for method in METHOD_TITLES:
            ours, paper = results[source.key, LEVEL, method].coverage, SCORES[source.key, method]["coverage"]
            cell = f"level {LEVEL:g}, {method}"
            if method == "rescp":
                reason = paper_seeds(source.key, 1, "coverage")
                checks.append(sheet.rescp(source, cell, "coverage", ours, paper, reason))
            else:
                checks.append(sheet.exact(source, f"{cell}, coverage", ours, paper))
    own = {source.key for source in found if not source.stand_in}
    return (
        [*checks, _claim({key: one for key, one in results.items() if key[0] in own})]
        if len(own) > 1
        else checks
    )


def _claim(results: Results) -> Check:
    """The text: no procedure is uniformly calibrated across datasets and levels."""
    calibrated = [
        method
        for method in METHOD_TITLES
        if all(abs(one.coverage - key[1]) <= CLOSE for key, one in results.items() if key[2] == method)
    ]
    where = Cell(
        NAME, FIGURE, f"procedures within {100 * CLOSE:g} point of nominal on every dataset and level"
    )
    return count(
        where, len(calibrated), 0, "the text: no procedure is uniformly calibrated; the bound is ours"
    )


def _figure(found: tuple[Source, ...], results: Results) -> Any:
    columns = len(found)
    figure, grid = panels(1, columns, max(2.9 * columns, 4.2), 3.7)
    for place, (axes, source) in enumerate(zip(grid[0], found, strict=True)):
        axes.plot((0.78, 0.99), (0.78, 0.99), "--", color="0.25", lw=1.0)
        for method, title in METHOD_TITLES.items():
            look = METHOD_LOOKS[method]
            empirical = [results[source.key, level, method].coverage for level in LEVELS]
            axes.plot(
                LEVELS,
                empirical,
                color=look.color,
                marker=look.marker,
                ls=look.linestyle,
                lw=1.1,
                ms=5,
                label=title,
            )
        axes.set_xticks(LEVELS, ["80", "85", "90", "95", "97.5"])
        axes.set_xlabel("nominal, %")
        letter(axes, "abcd"[place], source.title)
    grid[0, 0].set_ylabel("empirical coverage")
    shared_legend(figure, grid[0, 0], 6 if columns > 2 else 2)
    return figure


TARGET = Target(
    NAME,
    "Real data: calibration across nominal levels",
    "Coverage at 80, 85, 90, 95 and 97.5 % for all six procedures. A method that looks right at 95 % can be off "
    "elsewhere on the curve, and none is calibrated on every dataset at every level.",
    run,
)
