"""`ngrc intervals FILE`: intervals around forecasts that came from elsewhere."""

import json
from pathlib import Path
from typing import Any

import click
import polars as pl

from ngrc._atomic import write_whole
from ngrc.backtesting.summary import finite
from ngrc.cli.options import HELP, level_option
from ngrc.cli.source import say
from ngrc.cli.tables import choices
from ngrc.external import ExternalIntervals, around
from ngrc.intervals import METHODS
from ngrc.series.forecasts import Forecasts, read_forecasts

OFFERED = tuple(name for name in METHODS if name != "bayes")


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
    if out is not None:
        _check_out(file, out)
    rows = read_forecasts(file, time=time, outcome=outcome, forecast=forecast)
    found = around(
        rows.outcomes, rows.forecasts, method, horizon=horizon, level=level, calibration=calibration, seed=seed,
        where=rows.where,
    )  # fmt: skip
    table = interval_table(rows, found)
    if out is not None:
        write_whole(out, table.write_csv)
    elif not as_json:
        click.echo(table.write_csv(), nl=False)
    if as_json:
        click.echo(json.dumps(summary(file, rows, found), allow_nan=False))
    elif out is not None:
        click.echo(f"{sentence(found)}\nwrote {out}")
    else:
        say([sentence(found)])
    say(_remarks(rows, found))


def _check_out(file: Path, out: Path) -> None:
    if out.resolve() == file.resolve():
        raise ValueError(
            f"--out {out} would replace the input, of which only the later rows are kept; name another file"
        )
    if out.suffix not in ("", ".csv", ".txt"):
        raise ValueError(f"--out writes CSV, got {out.name!r}; name it .csv")


def interval_table(rows: Forecasts, found: ExternalIntervals) -> pl.DataFrame:
    """One row an interval: time as the file has it, outcome, forecast, lower and upper end."""
    wanted = slice(found.start, rows.forecasts.size)
    columns: dict[str, Any] = {} if rows.times is None else {"time": rows.times[wanted]}
    columns |= {"y": pl.Series(rows.outcomes[wanted]).fill_nan(None), "forecast": rows.forecasts[wanted]}
    return pl.DataFrame(columns | {"lower": found.lower, "upper": found.upper})


def summary(file: Path, rows: Forecasts, found: ExternalIntervals) -> dict[str, Any]:
    """What was done and how it scored, ready for JSON."""
    return {
        "file": file.name,
        "method": found.method,
        "level": found.level,
        "horizon": found.horizon,
        "rows": {
            "calibration": found.start - found.first,
            "scored": found.scored,
            "future": int(found.lower.size) - found.scored,
        },
        "coverage": finite(found.coverage),
        "width": finite(found.width),
        "winkler": finite(found.winkler),
        "infinite": found.infinite,
        "selected": dict(found.selected),
        "guarantee": found.guarantee,
        "notes": _remarks(rows, found),
    }


def sentence(found: ExternalIntervals) -> str:
    """The result in one line."""
    future = int(found.lower.size) - found.scored
    chosen = f" ({choices(found.selected)})" if found.selected else ""
    scored = (
        f"coverage {found.coverage:.3f} and Winkler score {found.winkler:.4g} over {found.scored:,} rows"
        if found.scored
        else "no outcome to score by"
    )
    return (
        f"{found.method}{chosen} at {100 * found.level:g} %, horizon {found.horizon}: {scored}, mean width "
        f"{found.width:.4g}; {found.start - found.first:,} rows calibrated, {future} in the future"
    )


def _remarks(rows: Forecasts, found: ExternalIntervals) -> list[str]:
    remarks = list(rows.notes)
    if found.first:
        remarks.append(f"{found.first} row(s) before the first forecast were left out")
    if found.infinite:
        remarks.append(
            f"{found.infinite} of {found.lower.size} intervals are infinite: too few calibration rows for level "
            f"{found.level:g}"
        )
    return remarks
