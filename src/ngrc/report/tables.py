"""The tables of a page."""

from collections.abc import Iterable
from math import isfinite

import numpy as np

from ngrc.diagnosis.evidence import Trial
from ngrc.report.coming import Coming
from ngrc.report.intervals import IntervalRow
from ngrc.report.record import Record
from ngrc.report.words import decimal, number, percent
from ngrc.web.numbers import decimals
from ngrc.web.tables import Cell, Row, table

MARK = "best"
"""What the best row says, so that its colour is not the only mark."""


def figure_of(value: float) -> Cell:
    """A number that sorts by itself."""
    return Cell(number(value), value)


def coming_table(coming: Coming, *, timed: bool) -> str:
    """One row per coming step with both ends of every level of the method that leads."""
    widest_first = sorted(coming.bands, reverse=True)
    headings = ["step", "time" if timed else "observation", "forecast"]
    headings += [f"{end} {percent(level)}" for level in widest_first for end in ("lower", "upper")]
    digits = coming.digits
    rows = (
        Row(
            (
                Cell(str(step + 1), step + 1),
                Cell(coming.times[step]),
                fixed(float(coming.forecast[step]), digits),
                *(fixed(float(end[step]), digits) for level in widest_first for end in coming.bands[level]),
            )
        )
        for step in range(coming.forecast.size)
    )
    return table(headings, rows, name="Coming values")


def alike(values: Iterable[float]) -> int:
    """Decimals under which the numbers of a column line up: four digits of a usual one."""
    known = [abs(value) for value in values if isfinite(value) and value != 0.0]
    return decimals(1e-3 * float(np.median(known))) if known else 0


def fixed(value: float, digits: int) -> Cell:
    """A number with so many decimals, which sorts by itself."""
    return Cell(decimal(value, digits), value)


def point_table(record: Record) -> str:
    """The model beside naive forecasts."""
    digits = alike(row.mae for row in record.points)
    rows = (
        Row(
            (
                Cell(row.name),
                fixed(row.rmse, digits),
                fixed(row.mae, digits),
                fixed(row.mase, 3),
                Cell(MARK if row.best else ""),
            ),
            "best" if row.best else "",
        )
        for row in record.points
    )
    caption = (
        "Best is the smallest RMSE. MASE is the MAE over that of repeating the last season (or the last value, where "
        "there is no season) in the fit block."
    )
    return table(
        ("forecast", "RMSE", "MAE", "MASE", "mark"), rows, caption=caption, name="Errors of the forecasts"
    )


def interval_table(record: Record) -> str:
    """Every method at every level, the highest level first."""
    ordered = sorted(record.intervals, key=lambda row: -row.level)
    headings = (
        "method",
        "level",
        "coverage",
        "error, points",
        "width",
        "Winkler",
        "mark",
        "seconds",
        "chosen",
    )
    caption = (
        "Best is the smallest Winkler score of its level: the mean width plus what misses cost. The error is "
        "that of the coverage, in percentage points."
    )
    digits = alike(row.width for row in ordered)
    return table(
        headings, (_interval(row, digits) for row in ordered), caption=caption, name="Scores of the intervals"
    )


def _interval(row: IntervalRow, digits: int) -> Row:
    chosen = ", ".join(f"{name} {_said(value)}" for name, value in row.chosen.items())
    infinite = f"{row.infinite:,} without a bound" if row.infinite else ""
    return Row(
        (
            Cell(row.method),
            Cell(percent(row.level), row.level),
            Cell(f"{row.coverage:.3f}", row.coverage),
            Cell(f"{row.coverage_error:+.2f}", row.coverage_error),
            fixed(row.width, digits),
            fixed(row.winkler, digits),
            Cell(MARK if row.best else ""),
            Cell(f"{row.seconds:.2f}" if row.seconds >= 0.005 else "< 0.01", row.seconds),
            Cell("; ".join(part for part in (chosen, infinite) if part)),
        ),
        "best" if row.best else "",
    )


def _said(value: object) -> str:
    return number(value) if isinstance(value, float) else str(value)


def trial_table(trials: tuple[Trial, ...], judged: int, level: float) -> str:
    """What each method would have scored on the calibration block."""
    digits = alike(trial.winkler for trial in trials)
    rows = (
        Row(
            (
                Cell(trial.method),
                fixed(trial.winkler, digits),
                fixed(trial.difference, digits) if isfinite(trial.winkler) else Cell(""),
                fixed(trial.error, digits) if isfinite(trial.winkler) else Cell(""),
                Cell(f"{trial.coverage:.3f}", trial.coverage),
            )
        )
        for trial in trials
    )
    caption = f"Tried on {judged:,} calibration residuals at {percent(level)}, before the test block"
    return table(("method", "Winkler", "above the best", "error of that", "coverage"), rows, caption=caption)
