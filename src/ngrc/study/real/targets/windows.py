"""Three shifted windows: how much of a result is the forecast period's."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import polars as pl

from ngrc._types import FloatArray
from ngrc.study.harness.figure import draw, letter, panels, reference
from ngrc.study.harness.printed import Printed
from ngrc.study.harness.record import Check
from ngrc.study.harness.target import Outcome, Settings, Target
from ngrc.study.real.cases import DETERMINISTIC, LEVEL, METHOD_TITLES, Case, Scores, fitted, scores
from ngrc.study.real.compare import SEED_TOLERANCE, Sheet
from ngrc.study.real.looks import METHOD_LOOKS
from ngrc.study.real.printed.windows import RMSE, SCORES, TABLE
from ngrc.study.real.rescp import bands, own_choice
from ngrc.study.real.sources import Source, source_notes, sources

NAME = "real-windows"
OWN_SELECTION = (
    "temperature and window of ResCP are selected anew in every window; the paper does not print what it selected "
    "there, and the selection moves with the seed"
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
        By method, shape (windows, 3): coverage, width and Winkler score.
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
            "single_windows": "The same, window by window.",
        },
        notes=(
            "Windows of 40 % fit, 20 % calibration and 20 % test start at 0, 10 and 20 % of the rows. They overlap: "
            "the standard deviation (n - 1) measures sensitivity to the period and is no standard error.",
            f"{SEED_TOLERANCE}. Here {OWN_SELECTION}.",
            *source_notes(tuple(result.source for result in results)),
        ),
    )


def _results(settings: Settings) -> list[ShiftedScores]:
    data = sources(settings)
    cases = {source.key: Case(source.key, shifted=True) for source in data}
    runs = fitted(data, cases.values(), jobs=settings.jobs)
    layers = {
        (key, window): own_choice(case, settings, window)
        for key, case in cases.items()
        for window in range(len(runs[case]))
    }
    local = bands(layers.values(), runs, jobs=settings.jobs)
    results = []
    for source in data:
        parts = runs[cases[source.key]]
        table = {
            method: np.array([scores(run, run.band(method, LEVEL)) for run in parts])
            for method in DETERMINISTIC
        }
        table["rescp"] = np.array([scores(run, local[layers[source.key, run.window]]) for run in parts])
        results.append(ShiftedScores(source, np.array([run.rmse / run.scale[1] for run in parts]), table))
    return results


def _spread(name: str, values: FloatArray, paper: Printed) -> dict[str, float | None]:
    return {
        name: float(values.mean()),
        f"{name}_sd": float(values.std(ddof=1)),
        f"{name}_paper": paper.value,
        f"{name}_sd_paper": paper.spread,
    }


def _table(results: list[ShiftedScores]) -> pl.DataFrame:
    records = []
    for result in results:
        key = result.source.key
        for method, rows in result.scores.items():
            record: dict[str, Any] = {"dataset": result.source.title, "method": METHOD_TITLES[method]}
            for measure, values in zip(Scores._fields, rows.T, strict=True):
                record |= _spread(measure, values, SCORES[key, method][measure])
            records.append(record | _spread("rmse", result.rmse, RMSE[key]))
    return pl.DataFrame(records)


def _single(results: list[ShiftedScores]) -> pl.DataFrame:
    records = [
        {"dataset": result.source.title, "window": window + 1, "method": METHOD_TITLES[method], "rmse": rmse}
        | dict(zip(Scores._fields, rows[window].tolist(), strict=True))
        for result in results
        for window, rmse in enumerate(result.rmse.tolist())
        for method, rows in result.scores.items()
    ]
    return pl.DataFrame(records)


def _checks(result: ShiftedScores) -> Iterator[Check]:
    sheet, source = Sheet(NAME, TABLE), result.source
    yield from _mean_and_spread(sheet, source, "RMSE", result.rmse, RMSE[source.key])
    for method, rows in result.scores.items():
        for measure, values in zip(Scores._fields, rows.T, strict=True):
            paper, cell = SCORES[source.key, method][measure], f"{method}, {measure}"
            if method != "rescp":
                yield from _mean_and_spread(sheet, source, cell, values, paper)
                continue
            yield sheet.rescp(source, method, measure, float(values.mean()), paper, reason=OWN_SELECTION)
            deviation = float(values.std(ddof=1))
            why = "a standard deviation of three values that move with the seed"
            yield sheet.shown(
                source, f"{cell}, deviation", deviation, _deviation(paper), reason=why, kind="seed"
            )


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
            for row, values in enumerate((rows[:, 0], rows[:, 2])):
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
