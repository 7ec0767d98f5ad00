"""Three shifted windows: how much of a result is the forecast period's."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import polars as pl

from ngrc._types import FloatArray
from ngrc.backtesting.results import Run
from ngrc.intervals.rescp.reservoir import Recurrence
from ngrc.study.harness.estimate import Estimate, estimate
from ngrc.study.harness.figure import draw, letter, panels, reference
from ngrc.study.harness.printed import Printed
from ngrc.study.harness.record import Check
from ngrc.study.harness.target import Outcome, Settings, Target
from ngrc.study.real.cases import DETERMINISTIC, LEVEL, METHOD_TITLES, Case, Scores, fitted, scores
from ngrc.study.real.compare import Reason, Sheet, one_seed, seed_rule
from ngrc.study.real.looks import METHOD_LOOKS
from ngrc.study.real.printed.windows import RMSE, SCORES, TABLE
from ngrc.study.real.recurrence import Fits, tried
from ngrc.study.real.rescp import bands, first_seeds, own_choice
from ngrc.study.real.rounding import plain_reason
from ngrc.study.real.sources import Source, source_notes, sources
from ngrc.study.real.words import digits_sentence

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
    runs
        One per window.
    rmse
        Shape (windows,).
    scores
        By method, shape (seeds, windows, 3): coverage, width and Winkler score; one seed where nothing is random.
    """

    source: Source
    runs: tuple[Run, ...]
    rmse: FloatArray
    scores: dict[str, FloatArray]


def run(settings: Settings) -> Outcome:
    """Run the three windows of every dataset and compare their means and standard deviations."""
    data = sources(settings)
    fits = fitted(data, [Case(source.key, shifted=True) for source in data], jobs=settings.jobs)
    results = _results(data, fits, settings)
    checks = tuple(
        check for result in results for check in _checks(result, partial(_text, result, fits, settings))
    )
    return Outcome(
        tables={"windows": _table(results), "single_windows": _single(results)},
        figures={"windows": draw(partial(_figure, results))},
        checks=checks,
        captions={
            "windows": "Means and standard deviations over three shifted windows. In the figure, small marks are the "
            "windows, large ones the means.",
            "single_windows": "The same, window by window; ResCP's are means over seeds.",
        },
        findings=(digits_sentence(checks), *(_stability(result) for result in results)),
        notes=(
            "Windows of 40 % fit, 20 % calibration and 20 % test start at 0, 10 and 20 % of the rows. They overlap: "
            "the standard deviation (n - 1) measures sensitivity to the period and is no standard error.",
            f"{seed_rule(len(first_seeds(settings, SEEDS)))}. Here {OWN_SELECTION}.",
            *source_notes(tuple(result.source for result in results)),
        ),
    )


def _stability(result: ShiftedScores) -> str:
    """Whose coverage varies least and most over the windows of one dataset."""
    spread = {method: _deviations(rows[:, :, 0]).mean if len(rows) > 1 else _window_spread(0, rows[0])
              for method, rows in result.scores.items()}  # fmt: skip
    least, most = (choose(spread, key=lambda method: spread[method]) for choose in (min, max))
    return (
        f"{result.source.title}: coverage varies least over the windows with {METHOD_TITLES[least]} (standard "
        f"deviation {spread[least]:.3f}) and most with {METHOD_TITLES[most]} ({spread[most]:.3f})."
    )


def _results(data: tuple[Source, ...], fits: Fits, settings: Settings) -> list[ShiftedScores]:
    local = _rescp(fits, settings)
    results = []
    for source in data:
        case = Case(source.key, shifted=True)
        table = {
            method: np.array([[scores(run, run.band(method, LEVEL)) for run in fits[case]]])
            for method in DETERMINISTIC
        }
        table["rescp"] = local[case]
        results.append(
            ShiftedScores(
                source, fits[case], np.array([run.rmse / run.scale[1] for run in fits[case]]), table
            )
        )
    return results


def _rescp(fits: Fits, settings: Settings, recurrence: Recurrence = "code") -> dict[Case, FloatArray]:
    """Scores of ResCP with its own choice by case, shape (seeds, windows, 3)."""
    layers = {
        case: [
            [own_choice(case, seed, window, recurrence) for window in range(len(runs))]
            for seed in first_seeds(settings, SEEDS)
        ]
        for case, runs in fits.items()
    }
    everything = [layer for group in layers.values() for row in group for layer in row]
    local = bands(everything, fits, jobs=settings.jobs)
    return {
        case: np.array([[scores(fits[case][layer.window], local[layer]) for layer in row] for row in group])
        for case, group in layers.items()
    }


def _text(result: ShiftedScores, fits: Fits, settings: Settings) -> FloatArray:
    """ResCP's scores on one dataset with the recurrence of its authors' text."""
    case = Case(result.source.key, shifted=True)
    return _rescp({case: fits[case]}, settings, "paper")[case]


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


def _checks(result: ShiftedScores, other: Callable[[], FloatArray]) -> Iterator[Check]:
    """All cells of one dataset; `other` gives ResCP's scores with the recurrence of its authors' text."""
    sheet, source = Sheet(NAME, TABLE), result.source
    yield from _mean_and_spread(sheet, source, "RMSE", result.rmse, RMSE[source.key])
    for method, rows in result.scores.items():
        for place, measure in enumerate(Scores._fields):
            paper, cell = SCORES[source.key, method][measure], f"{method}, {measure}"
            if method != "rescp":
                reasons = (
                    partial(plain_reason, method, result.runs, partial(_window_mean, place), paper),
                    partial(
                        plain_reason, method, result.runs, partial(_window_spread, place), _deviation(paper)
                    ),
                )
                yield from _mean_and_spread(sheet, source, cell, rows[0, :, place], paper, reasons)
                continue
            for label, reduce, printed in (
                ("", _means, paper),
                (", deviation", _deviations, _deviation(paper)),
            ):
                ours = reduce(rows[:, :, place])
                one = one_seed(printed, None, ours)
                reason = partial(tried, ours, one, partial(_reduced, reduce, other, place))
                yield sheet.seeds(source, f"{cell}{label}", ours, one, reason=reason)


def _means(values: FloatArray) -> Estimate:
    """Over seeds, of the mean over windows; shape (seeds, windows)."""
    return estimate(values.mean(axis=1))


def _deviations(values: FloatArray) -> Estimate:
    """Over seeds, of the deviation over windows; shape (seeds, windows)."""
    return estimate(values.std(axis=1, ddof=1))


def _reduced(
    reduce: Callable[[FloatArray], Estimate], other: Callable[[], FloatArray], place: int
) -> Estimate:
    return reduce(other()[:, :, place])


def _mean_and_spread(
    sheet: Sheet,
    source: Source,
    cell: str,
    values: FloatArray,
    paper: Printed,
    reasons: tuple[Reason, Reason] = ("", ""),
) -> Iterator[Check]:
    yield sheet.exact(source, cell, float(values.mean()), paper, reasons[0])
    deviation = float(values.std(ddof=1))
    yield sheet.exact(source, f"{cell}, deviation", deviation, _deviation(paper), reasons[1])


def _window_mean(place: int, scores: FloatArray) -> float:
    return float(scores[:, place].mean())


def _window_spread(place: int, scores: FloatArray) -> float:
    return float(scores[:, place].std(ddof=1))


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
    "The one-step comparison over three overlapping forecast periods: how much of it is the period's?",
    run,
)
