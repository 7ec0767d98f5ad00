"""`ngrc compare SERIES`: every interval method around one forecast, side by side."""

import json
from typing import Any

import click

from ngrc.backtesting.entry import backtest
from ngrc.backtesting.results import Run
from ngrc.backtesting.summary import summary
from ngrc.cli.options import HELP, Request, chosen_split, levels_option, series_options, split_options
from ngrc.cli.shape import build_model, check_preset, model_options
from ngrc.cli.source import one_target, open_recording, say
from ngrc.cli.tables import console, method_table, walked
from ngrc.forecasters.facts import report_of
from ngrc.intervals import METHODS
from ngrc.series import Series


@click.command(context_settings=HELP)
@series_options
@model_options
@split_options
@levels_option
@click.option(
    "--method",
    "methods",
    multiple=True,
    help=f"Repeatable: {', '.join(METHODS)}; by default all but student.",
)
@click.option(
    "--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Seed of the ResCP reservoir."
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object on standard output.")
def compare(
    request: Request,
    levels: tuple[float, ...],
    methods: tuple[str, ...],
    seed: int,
    as_json: bool,
    split: str | None,
    refit_every: int | None,
    window: int | None,
    **shape: Any,
) -> None:
    """Compare interval methods on SERIES: a CSV or Parquet file, or exchange, solar, beijing, ozone."""
    # Options are checked before the file is read, which may take seconds.
    check_preset(**shape)
    splitter = chosen_split(split, refit_every, window, preset=shape["preset"])
    one_target(request, "compare")
    recording = open_recording(request)
    (data,) = recording.targets
    model = build_model(request.source, data.name, len(data), **shape)
    result = backtest(
        data, model, exog=recording.channels, known=request.known, level=levels, methods=methods or None,
        split=splitter, seed=seed,
    )  # fmt: skip
    report = summary(result, *levels)
    if as_json:
        # NaN is no JSON; a number that does not exist is null, and one that was missed raises here.
        click.echo(json.dumps(report, allow_nan=False))
    else:
        _show(data, result.runs[0], report["naive_rmse"])
        for level in levels:
            _show_level(result.runs[0], level)
        if report["crps"]:
            scores = (
                f"{name} {'infinite' if score is None else f'{score:.4g}'}"
                for name, score in report["crps"].items()
            )
            console().print(f"CRPS from the ends of {len(levels)} levels: {', '.join(scores)}")
        say(report["notes"])


def _show(series: Series, run: Run, naive: float) -> None:
    out, blocks = console(), run.blocks
    out.print(
        f"{series.name}: {series.values.size:,} observations, horizon {blocks.horizon}; "
        f"fit {blocks.fit_rows:,}, calibration {blocks.calibration_rows:,}, test {blocks.test_rows:,} rows"
    )
    out.print(walked(run))
    name = type(run.model).__name__
    out.print(f"{name} with {run.facts}; test RMSE {run.rmse:.4g} (last value: {naive:.4g})")
    if report_of(run.model):
        out.print(report_of(run.model))


def _show_level(run: Run, level: float) -> None:
    out = console()
    out.print(method_table(run, level, f"Intervals at {100 * level:g} %"))
    numbers = run.diagnostics[level]
    out.print(
        f"residual scale fit {numbers.tau_fit:.4g}, calibration {numbers.tau_cal:.4g}, test {numbers.tau_test:.4g}; "
        f"rho_q {numbers.rho_q:.3f} = shape {numbers.shape:.3f} x scale {numbers.scale:.3f}"
    )
