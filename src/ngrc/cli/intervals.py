"""`ngrc intervals FILE`: intervals around forecasts that came from elsewhere."""

import json
from pathlib import Path
from typing import Any

import click
import polars as pl

from ngrc._atomic import write_text
from ngrc.backtesting.summary import finite
from ngrc.cli.destination import check_csv
from ngrc.cli.options import HELP, level_option
from ngrc.cli.source import say
from ngrc.cli.tables import choices
from ngrc.external import ExternalIntervals, around
from ngrc.intervals import METHODS
from ngrc.series.forecasts import Forecasts, read_forecasts
from ngrc.series.wording import closest

OFFERED = tuple(name for name in METHODS if name != "bayes")
"""Methods that need residuals alone; `bayes` needs the leverage of a fitted readout."""


@click.command(context_settings=HELP)
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--time", help="Column of the times; one called time or date by default, none needed.")
@click.option("--y", "outcome", default="y", show_default=True, help="Column of the outcomes.")
@click.option("--forecast", default="forecast", show_default=True, help="Column of the forecasts.")
@click.option("--method", default="adaptive", show_default=True, help=f"One of {', '.join(OFFERED)}.")
@click.option(
    "--horizon", type=int, default=1, show_default=True, help="Rows from a forecast's making to its target."
)
@level_option
@click.option(
    "--calibration", type=float, default=0.5, show_default=True, help="Share of the rows that only calibrate."
)
@click.option(
    "--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Seed of the ResCP reservoir."
)
@click.option(
    "--out", type=click.Path(path_type=Path, dir_okay=False), help="CSV file; standard output by default."
)
@click.option("--json", "as_json", is_flag=True, help="A summary as one JSON object on standard output.")
def intervals(
    file: Path,
    time: str | None,
    outcome: str,
    forecast: str,
    method: str,
    horizon: int,
    level: float,
    calibration: float,
    seed: int,
    out: Path | None,
    as_json: bool,
) -> None:
    """Put intervals around the forecasts in FILE, a CSV or Parquet file with columns time, y and forecast.

    The last rows, at most as many as the horizon, may lack y: the future.
    """
    check_csv(out, [file])
    if method not in METHODS:
        raise ValueError(
            f"--method must be one of {', '.join(OFFERED)}, got {method!r}{closest(method, OFFERED)}"
        )
    rows = read_forecasts(file, time=time, outcome=outcome, forecast=forecast)
    bands = around(
        rows.outcomes, rows.forecasts, method, horizon=horizon, level=level, calibration=calibration, seed=seed,
        where=rows.where,
    )  # fmt: skip
    table = interval_table(rows, bands).write_csv()
    if out is not None:
        write_text(out, table)
    # Standard output is the table or the JSON object, whichever was asked for; words about it go to standard error.
    elif not as_json:
        click.echo(table, nl=False)
    if as_json:
        click.echo(json.dumps(summary(file, rows, bands), allow_nan=False))
    elif out is not None:
        click.echo(f"{sentence(bands)}\nwrote {out}")
    else:
        say([sentence(bands)])
    say(_remarks(rows, bands))


def interval_table(rows: Forecasts, bands: ExternalIntervals) -> pl.DataFrame:
    """One row per interval: time as the file has it, outcome, forecast, lower and upper end."""
    span = slice(bands.start, rows.forecasts.size)
    columns: dict[str, Any] = {} if rows.times is None else {"time": rows.times[span]}
    # A future outcome is an empty field, as in the file that came in, and not the text NaN.
    columns |= {"y": pl.Series(rows.outcomes[span]).fill_nan(None), "forecast": rows.forecasts[span]}
    return pl.DataFrame(columns | {"lower": bands.lower, "upper": bands.upper})


def summary(file: Path, rows: Forecasts, bands: ExternalIntervals) -> dict[str, Any]:
    """What was done and how it scored, ready for JSON."""
    return {
        "file": file.name,
        "method": bands.method,
        "level": bands.level,
        "horizon": bands.horizon,
        "rows": {
            "calibration": bands.start - bands.first,
            "scored": bands.scored,
            "future": int(bands.lower.size) - bands.scored,
        },
        "coverage": finite(bands.coverage),
        "width": finite(bands.width),
        "winkler": finite(bands.winkler),
        "infinite": bands.infinite,
        "selected": dict(bands.selected),
        "guarantee": bands.guarantee,
        "notes": _remarks(rows, bands),
    }


def sentence(bands: ExternalIntervals) -> str:
    """The result in one line."""
    future = int(bands.lower.size) - bands.scored
    parameters = f" ({choices(bands.selected)})" if bands.selected else ""
    scores = (
        f"coverage {bands.coverage:.3f} and Winkler score {bands.winkler:.4g} over {bands.scored:,} rows"
        if bands.scored
        else "no outcome to score by"
    )
    return (
        f"{bands.method}{parameters} at {100 * bands.level:g} %, horizon {bands.horizon}: {scores}, mean width "
        f"{bands.width:.4g}; {bands.start - bands.first:,} rows calibrated, {future} in the future"
    )


def _remarks(rows: Forecasts, bands: ExternalIntervals) -> list[str]:
    remarks = list(rows.notes)
    if bands.first:
        remarks.append(f"{bands.first} row(s) before the first forecast were left out")
    if bands.infinite:
        remarks.append(
            f"{bands.infinite} of {bands.lower.size} intervals are infinite: too few calibration rows for level "
            f"{bands.level:g}"
        )
    return remarks
