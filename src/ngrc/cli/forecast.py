"""`ngrc forecast SERIES`: the coming values, with intervals."""

import json
from pathlib import Path
from typing import Any

import click
import polars as pl

from ngrc._atomic import write_text
from ngrc.ahead import Outlook, look_ahead
from ngrc.backtesting.summary import finite
from ngrc.cli.destination import check_csv
from ngrc.cli.options import HELP, build_model, check_preset, level_option, series_options, shape_options
from ngrc.cli.source import open_series, say, source_files
from ngrc.intervals import METHODS
from ngrc.series import Series
from ngrc.series.outward import time_text


@click.command(context_settings=HELP)
@series_options
@shape_options
@level_option
@click.option("--steps", type=int, default=1, show_default=True, help="How many coming values.")
@click.option("--method", default="adaptive", show_default=True, help=f"One of {', '.join(METHODS)}.")
@click.option(
    "--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Seed of the ResCP reservoir."
)
@click.option("--out", type=click.Path(path_type=Path), help="CSV file; standard output by default.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object on standard output.")
def forecast(
    series: str,
    column: str | None,
    time: str | None,
    resample: bool,
    level: float,
    steps: int,
    method: str,
    seed: int,
    out: Path | None,
    as_json: bool,
    **shape: Any,
) -> None:
    """Forecast the coming values of SERIES; each step has its own direct model and its own interval."""
    check_preset(**shape)
    # Before the series is read: a forecast that cannot be kept is not worth the wait.
    check_csv(out, source_files(series))
    data = open_series(series, column=column, time=time, resample=resample)
    model = build_model(series, data, horizon=1, **shape)
    outlook = look_ahead(data, model, steps=steps, method=method, level=level, seed=seed)
    table = _text_table(data, outlook).write_csv()
    if out is not None:
        write_text(out, table)
        # With --json standard output holds one JSON object and nothing else.
        click.echo(f"wrote {out}", err=as_json)
    if as_json:
        click.echo(json.dumps(_plain(data, outlook), allow_nan=False))
    elif out is None:
        click.echo(table, nl=False)
    say(_remarks(data, outlook))


def _text_table(series: Series, outlook: Outlook) -> pl.DataFrame:
    """The table with the times spelled as in the file."""
    if outlook.times is None:
        return pl.DataFrame(outlook.table)
    return pl.DataFrame(outlook.table).with_columns(pl.Series("time", time_text(outlook.times, series.style)))


def _plain(series: Series, outlook: Outlook) -> dict[str, Any]:
    times = (
        [None] * outlook.forecast.size if outlook.times is None else time_text(outlook.times, series.style)
    )
    rows = zip(times, outlook.forecast, outlook.lower, outlook.upper, outlook.selected, strict=True)
    return {
        "series": series.name,
        "level": outlook.level,
        "method": outlook.method,
        "steps": [
            {
                "step": step,
                "time": time,
                "forecast": float(middle),
                "lower": finite(float(lower)),
                "upper": finite(float(upper)),
                "selected": dict(selected),
            }
            for step, (time, middle, lower, upper, selected) in enumerate(rows, start=1)
        ],
        "guarantee": outlook.guarantee,
        "notes": _remarks(series, outlook),
    }


def _remarks(series: Series, outlook: Outlook) -> list[str]:
    # Both ends are infinite or neither: even the asymmetric ranks leave 1..m on both sides at once.
    infinite = sum(finite(float(upper)) is None for upper in outlook.upper)
    if not infinite:
        return list(series.notes)
    return [
        *series.notes,
        f"{infinite} interval(s) are infinite: too few calibration residuals for level {outlook.level:g}",
    ]
