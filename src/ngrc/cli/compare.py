"""`ngrc compare SERIES`: every interval method around one forecast, side by side."""

import json
from pathlib import Path
from typing import Any

import click
import polars as pl

from ngrc._text import percent
from ngrc.backtesting.accuracy import accuracies
from ngrc.backtesting.entry import backtest
from ngrc.backtesting.results import Backtest, Run
from ngrc.backtesting.summary import summary
from ngrc.cli.assumed import reading, say_reading, title
from ngrc.cli.destination import check_out, out_option, write_result
from ngrc.cli.finished import Finished
from ngrc.cli.grammar import command
from ngrc.cli.options import (
    Request,
    chosen_split,
    json_option,
    levels_option,
    methods_option,
    seed_option,
    series_options,
    split_options,
)
from ngrc.cli.panels import deliver, open_long
from ngrc.cli.progress import watched
from ngrc.cli.shape import build_model, check_preset, model_options
from ngrc.cli.slow import quick_methods, slow_remark
from ngrc.cli.source import one_target, open_recording, source_files
from ngrc.cli.tables import accuracy_table, choice_lines, console, method_table, paragraph, scaled_by, walked
from ngrc.forecasters.facts import report_of
from ngrc.intervals.defaults import USUAL
from ngrc.panel import backtests
from ngrc.series.panels import SeveralSeriesError


@command(
    "ngrc compare load.csv",
    "ngrc compare load.csv --horizon 24 --period 24,168 --level 80,95",
    "ngrc compare load.csv --method auto,split --method adaptive --out scores.csv",
    "ngrc compare exchange --preset paper --horizon 7 --json",
)
@series_options
@model_options
@split_options
@levels_option
@methods_option
@seed_option
@out_option()
@json_option
def compare(
    request: Request,
    levels: tuple[float, ...],
    methods: tuple[str, ...],
    seed: int,
    out: Path | None,
    as_json: bool,
    split: str | None,
    refit_every: int | None,
    window: int | None,
    **shape: Any,
) -> None:
    """Compare interval methods on SERIES: a file, - for standard input, or a dataset (ngrc data list).

    The forecast --horizon steps ahead is judged on the last fifth of the rows, beside naive forecasts, with every
    method around it; the best row of each table bears a star.
    """
    # Options are checked before the file is read, which may take seconds.
    check_preset(**shape)
    splitter = chosen_split(split, refit_every, window, preset=shape["preset"])
    one_target(request, "compare")
    check_out(out, source_files(request.source))
    finished = Finished()
    with watched(finished.hear, finished.table):
        try:
            recording = open_recording(request)
        except SeveralSeriesError:
            long = open_long(request, "compare", ("preset",))
            copy = build_model(request.source, long.table.value, long.length, **shape)
            answer = backtests(
                long.table.frame, shape["horizon"], level=levels, model=copy, methods=methods or (USUAL,),
                split=splitter, seed=seed, **long.columns,
            )  # fmt: skip
            deliver(long, answer, out, as_json, horizon=shape["horizon"], levels=list(levels))
        (data,) = recording.targets
        model = build_model(request.source, data.name, len(data), **shape)
        usual, left_out = quick_methods(len(data))
        asked, left_out = (methods, ()) if methods else (usual, left_out)
        result = backtest(
            data, model, exog=recording.channels, known=request.known, level=levels, methods=asked,
            split=splitter, seed=seed,
        )  # fmt: skip
        report = summary(result, *levels)
    taken = reading(request.source, data, result.runs[0].model)
    report |= {"left_out": list(left_out), "read": taken}
    report["notes"] += [slow_remark(name, len(data)) for name in left_out]
    if out is not None:
        write_result(out, score_table(result), report, err=as_json)
    if as_json:
        # NaN is no JSON; a number that does not exist is null, and one that was missed raises here.
        click.echo(json.dumps(report, allow_nan=False))
    elif out is None:
        _show(title(request.source, data), result, levels, report["crps"])
    say_reading(taken, report["notes"])


def score_table(result: Backtest) -> pl.DataFrame:
    """One row per level and method: the table of the backtest, as polars has it."""
    return pl.DataFrame(result.table)


def _show(name: str, result: Backtest, levels: tuple[float, ...], crps: dict[str, float | None]) -> None:
    run, out = result.runs[0], console()
    blocks = run.blocks
    paragraph(
        out,
        f"{name}: {len(result.series):,} observations, horizon {blocks.horizon}; fit {blocks.fit_rows:,}, "
        f"calibration {blocks.calibration_rows:,}, test {blocks.test_rows:,} rows",
    )
    paragraph(out, walked(run))
    paragraph(out, f"{type(run.model).__name__} with {run.facts}")
    for line in report_of(run.model).splitlines():
        paragraph(out, line.strip(), indent=" " * (len(line) - len(line.lstrip())))
    found = accuracies(result, run)
    out.print(accuracy_table(found, f"Forecasts, over {blocks.test_rows:,} test rows"))
    paragraph(out, scaled_by(found))
    for level in levels:
        _show_level(run, level)
    if crps:
        scores = (f"{key} {'infinite' if score is None else f'{score:.4g}'}" for key, score in crps.items())
        paragraph(out, f"CRPS from the ends of {len(levels)} levels: {', '.join(scores)}")


def _show_level(run: Run, level: float) -> None:
    out = console()
    out.print(method_table(run, level, f"Intervals at {percent(level)} %", out.width))
    for line in choice_lines([band for band in run.bands if band.level == level], out.width):
        paragraph(out, line)
    numbers = run.diagnostics[level]
    paragraph(
        out,
        f"residual scale fit {numbers.tau_fit:.4g}, calibration {numbers.tau_cal:.4g}, test {numbers.tau_test:.4g}; "
        f"rho_q {numbers.rho_q:.3f} = shape {numbers.shape:.3f} x scale {numbers.scale:.3f}",
    )
