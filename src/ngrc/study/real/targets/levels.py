"""Five nominal levels: empirical against nominal coverage."""

from collections.abc import Iterator
from functools import partial
from operator import itemgetter
from typing import Any

import polars as pl

from ngrc.plot.calibration import calibration
from ngrc.study.harness.estimate import Estimate
from ngrc.study.harness.figure import draw, letter, panels
from ngrc.study.harness.record import Check
from ngrc.study.harness.target import Outcome, Settings, Target
from ngrc.study.real.cases import DETERMINISTIC, LEVEL, LEVELS, METHOD_TITLES, Case, Scores, fitted, scores
from ngrc.study.real.compare import Sheet, one_seed, seed_rule
from ngrc.study.real.looks import METHOD_LOOKS, shared_legend
from ngrc.study.real.printed.main import MAIN, SCORES
from ngrc.study.real.printed.seeds import SCORES as SEEDED
from ngrc.study.real.recurrence import Fits, tried_at_choice
from ngrc.study.real.rescp import Layer, at_choice, bands, chosen, estimates, over_seeds, seeds
from ngrc.study.real.rounding import plain_reason
from ngrc.study.real.sources import Source, source_notes, sources

NAME = "real-levels"

Results = dict[tuple[str, float, str], Scores]


def run(settings: Settings) -> Outcome:
    """Score all procedures at five levels around the one-step forecasts."""
    data = sources(settings)
    cases = {source.key: Case(source.key) for source in data}
    fits = fitted(data, cases.values(), jobs=settings.jobs)
    results, at_level = _results(cases, fits, settings)
    table = _table(data, results)
    worst = worst_errors(table)
    return Outcome(
        tables={"largest_errors": worst, "levels": table},
        figures={"calibration": draw(partial(_figure, data, results))},
        checks=tuple(_checks(data, results, at_level, fits, settings)),
        captions={
            "levels": "One-step scores at five nominal levels.",
            "largest_errors": "The largest coverage error of each procedure in percentage points, and where it occurs.",
            "calibration": "Empirical against nominal coverage; the dashed diagonal is exact marginal calibration. "
            "Points below it undercover.",
        },
        findings=(_claim(worst),),
        notes=(
            "The paper shows this as a figure without numbers. Compared are its 95 % points, which its main table "
            "prints.",
            f"{seed_rule(len(seeds(settings)))}. In tables and figure ResCP is of the first seed, at the temperature "
            "and window that the paper selected at 95 %. Adaptive and time-weighted CP are tuned anew at each level.",
            *source_notes(data),
        ),
    )


def _results(
    cases: dict[str, Case], runs: Fits, settings: Settings
) -> tuple[Results, dict[str, dict[str, Estimate]]]:
    """Scores at every level with the first seed, and ResCP's over seeds at 95 % by dataset."""
    layers = {
        (key, level): Layer(case, chosen(case, runs[case][0], settings.seed), level)
        for key, case in cases.items()
        for level in LEVELS
    }
    groups = {key: over_seeds(case, runs[case][0], settings) for key, case in cases.items()}
    shown = [layer for case in cases.values() for layer in at_choice(case, runs[case][0], settings)]
    local = bands(shown, runs, jobs=settings.jobs)
    results = {}
    for key, case in cases.items():
        run = runs[case][0]
        for level in LEVELS:
            for method in DETERMINISTIC:
                results[key, level, method] = scores(run, run.band(method, level))
            results[key, level, "rescp"] = scores(run, local[layers[key, level]])
    at_level = {
        key: estimates(runs[cases[key]][0], [local[layer] for layer in group])
        for key, group in groups.items()
    }
    return results, at_level


def _table(data: tuple[Source, ...], results: Results) -> pl.DataFrame:
    titles = {source.key: source.title for source in data}
    records: list[dict[str, Any]] = [
        {"dataset": titles[key], "level": level, "method": METHOD_TITLES[method]}
        | {"coverage": score.coverage, "error": 100.0 * (score.coverage - level)}
        | {"width": score.width, "winkler": score.winkler}
        for (key, level, method), score in results.items()
    ]
    return pl.DataFrame(records)


def _checks(
    data: tuple[Source, ...],
    results: Results,
    at_level: dict[str, dict[str, Estimate]],
    fits: Fits,
    settings: Settings,
) -> Iterator[Check]:
    sheet = Sheet(NAME, MAIN)
    for source in data:
        for method in METHOD_TITLES:
            paper, cell = SCORES[source.key, method]["coverage"], f"level {LEVEL:g}, {method}, coverage"
            if method == "rescp":
                ours = at_level[source.key]["coverage"]
                one = one_seed(paper, SEEDED[source.key, "1"]["coverage"].spread, ours)
                reason = tried_at_choice(Case(source.key), fits, settings, "coverage", ours, one)
                yield sheet.seeds(source, cell, ours, one, reason=reason)
            else:
                runs = fits[Case(source.key)]
                reason = partial(plain_reason, method, runs, itemgetter((0, 0)), paper)
                yield sheet.exact(source, cell, results[source.key, LEVEL, method].coverage, paper, reason)


def worst_errors(table: pl.DataFrame) -> pl.DataFrame:
    """The largest coverage error of each procedure, and where it has it."""
    largest = (
        table.sort(pl.col("error").abs(), descending=True).group_by("method", maintain_order=True).first()
    )
    # Least of the largest first: the procedure that is nowhere far off.
    return largest.reverse().select("method", "error", "dataset", "level")


def _claim(worst: pl.DataFrame) -> str:
    """What the table of largest errors says of the text's statement."""
    best = worst.row(0, named=True)
    others = worst["error"].abs()[1:].to_list()
    return (
        "The text says that no procedure is uniformly calibrated. Closest comes "
        f"{best['method']}, at most {abs(best['error']):.1f} points off over all series and levels here; the others "
        f"are off by {min(others):.1f} to {max(others):.1f} points somewhere."
    )


def _figure(data: tuple[Source, ...], results: Results) -> Any:
    columns = len(data)
    figure, grid = panels(1, columns, max(2.9 * columns, 4.2), 3.7)
    for place, (axes, source) in enumerate(zip(grid[0], data, strict=True)):
        covered = {
            method: [results[source.key, level, method].coverage for level in LEVELS]
            for method in METHOD_TITLES
        }
        calibration(
            LEVELS,
            covered,
            looks=METHOD_LOOKS,
            labels=METHOD_TITLES,
            diagonal=(0.78, 0.99),
            legend=False,
            ax=axes,
        )
        axes.set_ylabel("")
        letter(axes, "abcd"[place], source.title)
    grid[0, 0].set_ylabel("empirical coverage")
    shared_legend(figure, grid[0, 0], 6 if columns > 2 else 2)
    return figure


TARGET = Target(
    NAME,
    "Real data: calibration across nominal levels",
    "Coverage at 80, 85, 90, 95 and 97.5 % for all six procedures: is one that looks right at 95 % right elsewhere on "
    "the curve, and on every series?",
    run,
)
