"""`ngrc intervals FILE`: intervals around forecasts that came from elsewhere."""

import json
import sys
from pathlib import Path
from typing import Any

import click
import polars as pl

from ngrc._text import percent
from ngrc.backtesting.summary import finite, plain
from ngrc.cli.assumed import STANDARD_INPUT, file_name
from ngrc.cli.bands import show_bands
from ngrc.cli.destination import check_out, out_option, write_result
from ngrc.cli.grammar import Count, Name, command, unknown
from ngrc.cli.options import json_option, levels_option, seed_option
from ngrc.cli.progress import watched
from ngrc.cli.source import say
from ngrc.cli.tables import choices
from ngrc.external import ExternalBand, ExternalIntervals, around
from ngrc.features.bounds import Bounds
from ngrc.intervals import METHODS
from ngrc.intervals.defaults import USUAL
from ngrc.series.forecasts import Forecasts, read_forecasts

OFFERED = tuple(name for name in METHODS if name != "bayes")
"""Methods that need residuals alone; `bayes` needs the leverage of a fitted readout."""


@command(
    "ngrc intervals mine.csv",
    "ngrc intervals mine.csv --horizon 24 --level 80,95 --lower 0 --out bands.csv",
    "ngrc intervals mine.csv --y sold --forecast plan --method adaptive --json",
)
@click.argument("file", type=click.Path(path_type=Path, allow_dash=True))
@click.option("--time", help="Column of the times; one called time or date by default, none needed.")
@click.option("--y", "outcome", default="y", show_default=True, help="Column of the outcomes.")
@click.option("--forecast", default="forecast", show_default=True, help="Column of the forecasts.")
@click.option(
    "--method",
    shell_complete=Name(OFFERED, "method").shell_complete,
    default=USUAL,
    show_default=True,
    help=f"One of {', '.join(OFFERED)}.",
)
@click.option(
    "--horizon",
    type=Count(),
    default=1,
    show_default=True,
    help="How many steps ahead a forecast reaches: rows from its making to its target.",
)
@levels_option
@click.option("--lower", type=float, help="Least value an outcome can take; no end goes below.")
@click.option("--upper", type=float, help="Largest value an outcome can take; no end goes above.")
@click.option(
    "--calibration", type=float, default=0.5, show_default=True, help="Share of the rows that only calibrate."
)
@seed_option
@out_option()
@json_option
def intervals(
    file: Path,
    time: str | None,
    outcome: str,
    forecast: str,
    method: str,
    horizon: int,
    levels: tuple[float, ...],
    lower: float | None,
    upper: float | None,
    calibration: float,
    seed: int,
    out: Path | None,
    as_json: bool,
) -> None:
    """Put intervals around the forecasts in FILE, which has columns time, y and forecast; - is standard input.

    The last rows, at most as many as the horizon, may lack y: the future. At a terminal scores and the newest rows,
    rounded; in a pipe all rows as CSV.
    """
    check_out(out, [] if str(file) == STANDARD_INPUT else [file])
    # Not by the option's type: bayes is a method too, and why it cannot be had here is said by `around`.
    if method not in METHODS:
        raise ValueError(unknown("method", method, OFFERED))
    with watched():
        rows = read_forecasts(file, time=time, outcome=outcome, forecast=forecast)
        bands = around(
            rows.outcomes, rows.forecasts, method, horizon=horizon, level=levels, calibration=calibration, lower=lower,
            upper=upper, times=rows.clock, seed=seed, where=rows.where,
        )  # fmt: skip
    notes = _remarks(rows, bands, Bounds(lower, upper))
    table, report = interval_table(rows, bands), summary(file, bands, notes)
    if out is not None:
        write_result(out, table, report | {"intervals": plain_rows(table)}, err=as_json)
    # Standard output is the table or the JSON object, whichever was asked for; words about it go to standard error.
    elif not as_json and sys.stdout.isatty():
        show_bands(file_name(str(file)), table, bands)
    elif not as_json:
        click.echo(table.write_csv(), nl=False)
    if as_json:
        click.echo(json.dumps(report, allow_nan=False))
    elif out is not None:
        click.echo("\n".join(sentences(bands)))
    else:
        say(sentences(bands))
    say(notes)


def plain_rows(table: pl.DataFrame) -> list[dict[str, Any]]:
    """The rows ready for JSON; an end that does not exist is None."""
    # Times of a typed source become text; numbers stay numbers.
    if "time" in table.columns and not table.schema["time"].is_numeric():
        table = table.with_columns(pl.col("time").cast(pl.String))
    return [
        {name: finite(value) if isinstance(value, float) else value for name, value in row.items()}
        for row in table.iter_rows(named=True)
    ]


def interval_table(rows: Forecasts, bands: ExternalIntervals) -> pl.DataFrame:
    """One row per interval: time as the file has it, outcome, forecast, lower and upper end of every level.

    The columns of one level are `lower` and `upper`, those of several `lower_80`, `upper_80` and so on.
    """
    span = slice(bands.start, rows.forecasts.size)
    columns: dict[str, Any] = {} if rows.times is None else {"time": rows.times[span]}
    # A future outcome is an empty field, as in the file that came in, and not the text NaN.
    columns |= {"y": pl.Series(rows.outcomes[span]).fill_nan(None), "forecast": rows.forecasts[span]}
    if len(bands.bands) == 1:
        return pl.DataFrame(columns | {"lower": bands.lower, "upper": bands.upper})
    for band in bands.bands:
        level = percent(band.level)
        columns |= {f"lower_{level}": band.lower, f"upper_{level}": band.upper}
    return pl.DataFrame(columns)


def summary(file: Path, bands: ExternalIntervals, notes: list[str]) -> dict[str, Any]:
    """What was done and how it scored, ready for JSON; the scores of the first level, and in `levels` those of each."""
    first = _scores(bands.bands[0])
    return {
        "file": file_name(str(file)),
        "method": bands.method,
        "level": first["level"],
        "horizon": bands.horizon,
        "rows": {
            "calibration": bands.start - bands.first,
            "scored": bands.scored,
            "future": int(bands.lower.size) - bands.scored,
        },
        **first,
        "levels": [_scores(band) for band in bands.bands],
        "crps": finite(bands.crps),
        "bounds": {"lower": bands.bounds.lower, "upper": bands.bounds.upper},
        "guarantee": bands.guarantee,
        "notes": notes,
    }


def _scores(band: ExternalBand) -> dict[str, Any]:
    return {
        "level": band.level,
        "coverage": finite(band.coverage),
        "width": finite(band.width),
        "winkler": finite(band.winkler),
        "infinite": band.infinite,
        "selected": {name: plain(value) for name, value in band.selected.items()},
    }


def sentences(bands: ExternalIntervals) -> list[str]:
    """The result, one line per level."""
    future = int(bands.lower.size) - bands.scored
    rows = f"{bands.start - bands.first:,} rows calibrated, {future} in the future"
    lines = [f"{_sentence(bands, band)}; {rows}" for band in bands.bands]
    if len(lines) > 1 and bands.scored:
        lines.append(f"CRPS from the ends of {len(lines)} levels: {bands.crps:.4g}")
    return lines


def _sentence(bands: ExternalIntervals, band: ExternalBand) -> str:
    parameters = f" ({choices(band.selected)})" if band.selected else ""
    scores = (
        f"coverage {band.coverage:.3f} and Winkler score {band.winkler:.4g} over {bands.scored:,} rows"
        if bands.scored
        else "no outcome to score by"
    )
    return (
        f"{bands.method}{parameters} at {percent(band.level)} %, horizon {bands.horizon}: {scores}, mean width "
        f"{band.width:.4g}"
    )


def _remarks(rows: Forecasts, bands: ExternalIntervals, given: Bounds) -> list[str]:
    remarks = list(rows.notes)
    if bands.first:
        remarks.append(f"{bands.first} row(s) before the first forecast were left out")
    for name, bound, asked in (
        ("least", bands.bounds.lower, given.lower),
        ("largest", bands.bounds.upper, given.upper),
    ):
        if bound != asked:
            remarks.append(
                f"the calibrating outcomes pile up on {bound:g}, their {name}: ends are cut to it until an outcome "
                "crosses it"
            )
    remarks += [
        f"{band.infinite} of {band.lower.size} intervals are infinite: too few calibration rows for level "
        f"{band.level:g}"
        for band in bands.bands
        if band.infinite
    ]
    return remarks
