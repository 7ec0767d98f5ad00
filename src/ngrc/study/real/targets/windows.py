"""Three shifted windows: how much of a result is the forecast period's."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import polars as pl

from ngrc._types import FloatArray
from ngrc.study.harness.estimate import estimate
from ngrc.study.harness.figure import draw, letter, panels, reference
from ngrc.study.harness.printed import Printed
from ngrc.study.harness.record import Check
from ngrc.study.harness.target import Outcome, Settings, Target
from ngrc.study.real.cases import DETERMINISTIC, LEVEL, METHOD_TITLES, Case, Scores, fitted, scores
from ngrc.study.real.compare import SEED_RULE, Sheet
from ngrc.study.real.looks import METHOD_LOOKS
from ngrc.study.real.printed.windows import RMSE, SCORES, TABLE
from ngrc.study.real.rescp import bands, first_seeds, own_choice
from ngrc.study.real.sources import Source, source_notes, sources

NAME = "real-windows"
SEEDS = 5
"""Each seed selects for itself in each window, so that the spread over seeds includes the selection's."""
OWN_SELECTION = (
    "temperature and window of ResCP are selected anew in every window and by every seed; the paper prints one seed, "
    "and neither what it selected nor a deviation over seeds, so that the error of its number is one seed's of ours"
)


@dataclass(frozen=True, slots=True)
class ShiftedScores:
    """Scores over the windows of one dataset.

    Parameters
    ----------
    source
        The series.
    rmse
        Shape (windows,).
    scores
        By method, shape (seeds, windows, 3): coverage, width and Winkler score; one seed where nothing is random.
    """

    source: Source
    rmse: FloatArray
    scores: dict[str, FloatArray]


def run(settings: Settings) -> Outcome:
    """Run the three windows of every dataset and compare their means and standard deviations."""
    results = _results(settings)
    return Outcome(
        tables={"windows": _table(results), "single_windows": _single(results)},
        figures={"windows": draw(partial(_figure, results))},
        checks=tuple(check for result in results for check in _checks(result)),
        captions={
            "windows": "Means and standard deviations over three shifted windows. In the figure, small marks are the "
            "windows, large ones the means.",
            "single_windows": "The same, window by window; ResCP's are means over seeds.",
        },
        notes=(
            "Windows of 40 % fit, 20 % calibration and 20 % test start at 0, 10 and 20 % of the rows. They overlap: "
            "the standard deviation (n - 1) measures sensitivity to the period and is no standard error.",
            f"{SEED_RULE}. Here {OWN_SELECTION}; ours are means over {len(first_seeds(settings, SEEDS))} seeds.",
            *source_notes(tuple(result.source for result in results)),
        ),
    )


def _results(settings: Settings) -> list[ShiftedScores]:
    data = sources(settings)
    cases = {source.key: Case(source.key, shifted=True) for source in data}
    runs = fitted(data, cases.values(), jobs=settings.jobs)
    layers = {
        (key, seed, window): own_choice(case, seed, window)
        for key, case in cases.items()
        for seed in first_seeds(settings, SEEDS)
        for window in range(len(runs[case]))
    }
    local = bands(layers.values(), runs, jobs=settings.jobs)
    results = []
    for source in data:
        parts = runs[cases[source.key]]
        table = {
            method: np.array([[scores(run, run.band(method, LEVEL)) for run in parts]])
            for method in DETERMINISTIC
        }
        table["rescp"] = np.array(
            [
                [scores(run, local[layers[source.key, seed, run.window]]) for run in parts]
                for seed in first_seeds(settings, SEEDS)
            ]
        )
        results.append(ShiftedScores(source, np.array([run.rmse / run.scale[1] for run in parts]), table))
    return results


def _spread(name: str, values: FloatArray, paper: Printed) -> dict[str, float | None]:
    """Mean and deviation over windows, shape (seeds, windows), both averaged over the seeds."""
    return {
        name: float(values.mean()),
        f"{name}_sd": float(values.std(axis=1, ddof=1).mean()),
        f"{name}_paper": paper.value,
        f"{name}_sd_paper": paper.spread,
    }


def _table(results: list[ShiftedScores]) -> pl.DataFrame:
    records = []
    for result in results:
        key = result.source.key
        for method, rows in result.scores.items():
            record: dict[str, Any] = {"dataset": result.source.title, "method": METHOD_TITLES[method]}
            for place, measure in enumerate(Scores._fields):
                record |= _spread(measure, rows[:, :, place], SCORES[key, method][measure])
            records.append(record | _spread("rmse", result.rmse[np.newaxis], RMSE[key]))
    return pl.DataFrame(records)


def _single(results: list[ShiftedScores]) -> pl.DataFrame:
    records = [
        {"dataset": result.source.title, "window": window + 1, "method": METHOD_TITLES[method], "rmse": rmse}
        | dict(zip(Scores._fields, rows[:, window].mean(axis=0).tolist(), strict=True))
        for result in results
        for window, rmse in enumerate(result.rmse.tolist())
        for method, rows in result.scores.items()
    ]
    return pl.DataFrame(records)


def _checks(result: ShiftedScores) -> Iterator[Check]:
    sheet, source = Sheet(NAME, TABLE), result.source
    yield from _mean_and_spread(sheet, source, "RMSE", result.rmse, RMSE[source.key])
    for method, rows in result.scores.items():
        for place, measure in enumerate(Scores._fields):
            paper, cell, values = (
                SCORES[source.key, method][measure],
                f"{method}, {measure}",
                rows[:, :, place],
            )
            if method != "rescp":
                yield from _mean_and_spread(sheet, source, cell, values[0], paper)
                continue
            yield sheet.one_seed(source, cell, estimate(values.mean(axis=1)), paper)
            deviations = estimate(values.std(axis=1, ddof=1))
            yield sheet.one_seed(source, f"{cell}, deviation", deviations, _deviation(paper))


def _mean_and_spread(
    sheet: Sheet, source: Source, cell: str, values: FloatArray, paper: Printed
) -> Iterator[Check]:
    yield sheet.exact(source, cell, float(values.mean()), paper)
    yield sheet.exact(source, f"{cell}, deviation", float(values.std(ddof=1)), _deviation(paper))


def _deviation(paper: Printed) -> Printed:
    # Printed to the same place as the mean.
    assert paper.spread is not None
    return Printed(paper.spread, paper.unit)


def _figure(results: list[ShiftedScores]) -> Any:
    count = len(results)
    figure, grid = panels(2, count, max(2.7 * count, 4.5), 5.2)
    for column, result in enumerate(results):
        for place, (method, rows) in enumerate(result.scores.items()):
            look = METHOD_LOOKS[method]
            means = rows.mean(axis=0)
            for row, values in enumerate((means[:, 0], means[:, 2])):
                axes = grid[row, column]
                axes.plot(
                    values, np.full(values.size, place), look.marker, color=look.color, ms=4, mfc="none"
                )
                axes.plot(values.mean(), place, look.marker, color=look.color, ms=8)
        reference(grid[0, column], LEVEL, vertical=True)
        letter(grid[0, column], "abcd"[column], result.source.title)
        for axes in grid[:, column]:
            axes.set_yticks(
                range(len(METHOD_TITLES)),
                METHOD_TITLES.values() if column == 0 else [""] * len(METHOD_TITLES),
            )
            axes.invert_yaxis()
        grid[0, column].set_xlabel("coverage")
        grid[1, column].set_xlabel("Winkler score")
    return figure


TARGET = Target(
    NAME,
    "Real data: three shifted windows",
    "The one-step comparison over three overlapping forecast periods. Adaptive CP is stable; on Exchange every method "
    "that does not adapt varies much from period to period.",
    run,
)
