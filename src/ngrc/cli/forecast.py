"""`ngrc forecast SERIES`: the coming values, with intervals."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
import polars as pl

from ngrc._atomic import write_text
from ngrc.ahead import Outlook, look_ahead_together
from ngrc.ahead.calibrated import BANDS, Band
from ngrc.backtesting.summary import finite, plain
from ngrc.cli.destination import check_csv
from ngrc.cli.options import HELP, Request, levels_option, refit_options, series_options
from ngrc.cli.shape import build_model, check_preset, shape_options
from ngrc.cli.source import open_recording, say, source_files
from ngrc.forecasters.facts import record_of, report_of
from ngrc.intervals import METHODS
from ngrc.series import Series
from ngrc.series.outward import time_text
from ngrc.validation import check_probabilities

PAPER_FIT = 0.6
"""Share of the rows that is fitted under the paper's preset; the rest calibrates."""


@click.command(context_settings=HELP)
@series_options
@shape_options
@refit_options
@levels_option
@click.option(
    "--band",
    type=click.Choice(BANDS),
    default="pointwise",
    show_default=True,
    help="What the level is of: each step, or the whole path inside.",
)
@click.option("--quantiles", metavar="P,P,...", help="Quantiles beside the ends, such as 0.1,0.5,0.9.")
@click.option("--steps", type=int, default=1, show_default=True, help="How many coming values.")
@click.option(
    "--method",
    help=f"One of {', '.join(METHODS)}; by default auto, or student where residuals are few.",
)
@click.option(
    "--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Seed of the ResCP reservoir."
)
@click.option("--out", type=click.Path(path_type=Path), help="CSV file; standard output by default.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object on standard output.")
def forecast(
    request: Request,
    levels: tuple[float, ...],
    band: Band,
    quantiles: str | None,
    steps: int,
    method: str | None,
    seed: int,
    out: Path | None,
    as_json: bool,
    refit_every: int | None,
    window: int | None,
    **shape: Any,
) -> None:
    """Forecast the coming values of SERIES; each step has its own readout and its own interval."""
    check_preset(**shape)
    probabilities = () if quantiles is None else check_probabilities(_numbers(quantiles))
    # Before the series is read: a forecast that cannot be kept is not worth the wait.
    check_csv(out, source_files(request.source))
    recording = open_recording(request)
    targets = recording.targets
    model = build_model(
        request.source, targets[0].name, len(targets[0]), horizon=1, together=len(targets) > 1, **shape
    )
    # The paper's preset fits once, unless refits are asked for.
    once = PAPER_FIT if shape["preset"] and refit_every is None and window is None else None
    outlooks = look_ahead_together(
        targets, model, exog=recording.channels, known=request.known, steps=steps, method=method, level=levels,
        band=band, fit=once, refit_every=refit_every, window=window, seed=seed,
    )  # fmt: skip
    drawn = [_quantiles(outlook, probabilities) for outlook in outlooks]
    table = _text_table(targets, outlooks, drawn).write_csv()
    if out is not None:
        write_text(out, table)
        # With --json standard output holds one JSON object and nothing else.
        click.echo(f"wrote {out}", err=as_json)
    notes = _remarks(targets, outlooks, chosen=method is None)
    if as_json:
        click.echo(json.dumps(_plain(targets, outlooks, drawn, notes), allow_nan=False))
    elif out is None:
        click.echo(table, nl=False)
    # On standard error, as standard output is the table.
    for line in report_of(outlooks[0].model).splitlines():
        click.echo(f"ngrc: model: {line}", err=True)
    say(notes)


def _numbers(text: str) -> list[float]:
    """Probabilities between commas."""
    try:
        return [float(part) for part in text.split(",")]
    except ValueError:
        raise ValueError(f"--quantiles takes numbers between commas, such as 0.1,0.9, got {text!r}") from None


def _quantiles(outlook: Outlook, probabilities: Sequence[float]) -> pl.DataFrame:
    """One column per probability; none where none is asked for."""
    return pl.DataFrame(outlook.quantiles(probabilities)) if probabilities else pl.DataFrame()


def _text_table(
    targets: Sequence[Series], outlooks: Sequence[Outlook], quantiles: Sequence[pl.DataFrame]
) -> pl.DataFrame:
    """The tables with the times spelled as in the file; of several targets below each other, by step."""
    tables = []
    for series, outlook, columns in zip(targets, outlooks, quantiles, strict=True):
        table = pl.DataFrame(outlook.table).hstack(columns)
        if outlook.times is not None:
            table = table.with_columns(pl.Series("time", time_text(outlook.times, series.style)))
        if len(targets) > 1:
            table = table.insert_column(0, pl.Series("series", [series.name] * len(table)))
        tables.append(table)
    # Stable, so that of each step the targets stand in the order in which they were named.
    return tables[0] if len(tables) == 1 else pl.concat(tables).sort("step", maintain_order=True)


def _plain(
    targets: Sequence[Series],
    outlooks: Sequence[Outlook],
    quantiles: Sequence[pl.DataFrame],
    notes: list[str],
) -> dict[str, Any]:
    first = outlooks[0]
    several = len(targets) > 1
    steps = [
        _steps(series, outlook, columns, several)
        for series, outlook, columns in zip(targets, outlooks, quantiles, strict=True)
    ]
    return {
        "series": [series.name for series in targets] if several else targets[0].name,
        "level": first.level,
        "levels": list(first.levels),
        "band": first.band,
        "method": first.method,
        "steps": [step for together in zip(*steps, strict=True) for step in together],
        "guarantee": first.guarantee,
        "refits": first.refits,
        "selection": record_of(first.model),
        "notes": notes,
    }


def _steps(series: Series, outlook: Outlook, quantiles: pl.DataFrame, several: bool) -> list[dict[str, Any]]:
    times = (
        [None] * outlook.forecast.size if outlook.times is None else time_text(outlook.times, series.style)
    )
    rows = zip(times, outlook.forecast, outlook.lower, outlook.upper, outlook.selected, strict=True)
    return [
        {
            **({"series": series.name} if several else {}),
            "step": step,
            "time": time,
            "forecast": float(middle),
            "lower": finite(float(lower)),
            "upper": finite(float(upper)),
            "intervals": {
                f"{level:.10g}": {
                    "lower": finite(float(low[step - 1])),
                    "upper": finite(float(high[step - 1])),
                }
                for level, (low, high) in outlook.bands.items()
            },
            **{name: finite(float(quantiles[name][step - 1])) for name in quantiles.columns},
            "selected": {name: plain(value) for name, value in selected.items()},
        }
        for step, (time, middle, lower, upper, selected) in enumerate(rows, start=1)
    ]


def _remarks(targets: Sequence[Series], outlooks: Sequence[Outlook], *, chosen: bool) -> list[str]:
    """What is worth knowing about the file and the intervals; `chosen` where the method was left to the library."""
    # Of several targets each remark with its name, but for those of the first, which are about the file too.
    notes = [
        *targets[0].notes,
        *(f"{series.name}: {note}" for series in targets[1:] for note in series.notes),
    ]
    if chosen and outlooks[0].method == "student":
        notes.append(
            "few residuals to calibrate on: intervals are those of method student, which allows for their number; "
            "--method takes another"
        )
    borrowing = [step for step, chosen in enumerate(outlooks[0].selected, 1) if "residuals_of_step" in chosen]
    if borrowing:
        nearer = outlooks[0].selected[-1]["residuals_of_step"]
        notes.append(
            f"too few residuals of steps {borrowing[0]} to {borrowing[-1]}: they borrow those of step {nearer}, "
            "wider by the square root of the steps' ratio"
        )
    notes += [note for outlook in outlooks for note in outlook.notes if note not in notes]
    for level in outlooks[0].levels:
        infinite = sum(
            finite(float(lower)) is None or finite(float(upper)) is None
            for outlook in outlooks
            for lower, upper in zip(*outlook.bands[level], strict=True)
        )
        if infinite:
            notes.append(
                f"{infinite} interval(s) have an infinite end: too few calibration residuals for level {level:g}, "
                "or a transform without an end there"
            )
    return notes
