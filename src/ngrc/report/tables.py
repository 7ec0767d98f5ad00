"""The tables of a page."""

from math import isfinite

from ngrc.diagnosis.evidence import Trial
from ngrc.report.intervals import IntervalRow
from ngrc.report.record import Record
from ngrc.report.words import number, percent
from ngrc.web.tables import Cell, Row, table

MARK = "best"
"""What the best row says, so that its colour is not the only mark."""


def figure_of(value: float) -> Cell:
    """A number that sorts by itself."""
    return Cell(number(value), value)


def coming_table(record: Record) -> str:
    """One row per coming step with both ends of every level."""
    coming = record.coming
    if coming is None:
        return ""
    widest_first = sorted(coming.bands, reverse=True)
    headings = ["step", "time" if record.clock.times is not None else "observation", "forecast"]
    headings += [f"{end} {percent(level)}" for level in widest_first for end in ("lower", "upper")]
    rows = (
        Row(
            (
                Cell(str(step + 1), step + 1),
                Cell(coming.times[step]),
                figure_of(float(coming.forecast[step])),
                *(figure_of(float(end[step])) for level in widest_first for end in coming.bands[level]),
            )
        )
        for step in range(coming.forecast.size)
    )
    return table(headings, rows, name="Coming values")


def point_table(record: Record) -> str:
    """The model beside naive forecasts."""
    rows = (
        Row(
            (
                Cell(row.name),
                figure_of(row.rmse),
                figure_of(row.mae),
                figure_of(row.mase),
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
    return table(headings, map(_interval, ordered), caption=caption, name="Scores of the intervals")


def _interval(row: IntervalRow) -> Row:
    chosen = ", ".join(f"{name} {_said(value)}" for name, value in row.chosen.items())
    infinite = f"{row.infinite:,} without a bound" if row.infinite else ""
    return Row(
        (
            Cell(row.method),
            Cell(percent(row.level), row.level),
            Cell(f"{row.coverage:.3f}", row.coverage),
            Cell(f"{row.coverage_error:+.2f}", row.coverage_error),
            figure_of(row.width),
            figure_of(row.winkler),
            Cell(MARK if row.best else ""),
            Cell(f"{row.seconds:.2g}", row.seconds),
            Cell("; ".join(part for part in (chosen, infinite) if part)),
        ),
        "best" if row.best else "",
    )


def _said(value: object) -> str:
    return number(value) if isinstance(value, float) else str(value)


def trial_table(trials: tuple[Trial, ...], judged: int, level: float) -> str:
    """What each method would have scored on the calibration block."""
    rows = (
        Row(
            (
                Cell(trial.method),
                figure_of(trial.winkler),
                figure_of(trial.difference) if isfinite(trial.winkler) else Cell(""),
                figure_of(trial.error) if isfinite(trial.winkler) else Cell(""),
                Cell(f"{trial.coverage:.3f}", trial.coverage),
            )
        )
        for trial in trials
    )
    caption = f"Tried on {judged:,} calibration residuals at {percent(level)}, before the test block"
    return table(("method", "Winkler", "above the best", "error of that", "coverage"), rows, caption=caption)
