"""`ngrc diagnose SERIES`: which interval to trust, and why."""

import json
from dataclasses import asdict
from typing import Any

import click

from ngrc.backtesting.summary import finite
from ngrc.cli.options import HELP, build_model, check_preset, level_option, model_options, series_options
from ngrc.cli.source import open_series, say
from ngrc.cli.tables import console
from ngrc.diagnosis import Diagnosis
from ngrc.diagnosis import diagnose as examine
from ngrc.series import Series
from ngrc.validation import check_level


@click.command(context_settings=HELP)
@series_options
@model_options
@level_option
@click.option("--json", "as_json", is_flag=True, help="One JSON object on standard output.")
def diagnose(
    series: str,
    column: str | None,
    time: str | None,
    resample: bool,
    level: float,
    as_json: bool,
    **shape: Any,
) -> None:
    """Say which interval to trust on SERIES, and why; the advice never looks at the test block."""
    nominal = check_level(level)
    check_preset(**shape)
    loaded = open_series(series, column=column, time=time, resample=resample)
    found = examine(loaded, build_model(series, loaded, **shape), level=nominal)
    notes = [*loaded.notes, *([found.spikes.remark] if found.spikes.remark else [])]
    if as_json:
        click.echo(json.dumps(_plain(loaded, found, notes), allow_nan=False))
        return
    _show(loaded, found)
    say(notes)


def _plain(series: Series, found: Diagnosis, notes: list[str]) -> dict[str, Any]:
    dimension = None if found.dimension is None else asdict(found.dimension)
    return {
        "series": series.name,
        "horizon": found.run.blocks.horizon,
        "level": found.level,
        "diagnostics": {name: finite(value) for name, value in asdict(found.diagnostics).items()},
        "residuals": {name: finite(value) for name, value in asdict(found.shape).items()},
        "dimension": dimension,
        "bayes_coverage": {
            "predicted": finite(found.predicted_coverage),
            "observed": finite(found.observed_coverage),
        },
        "advice": asdict(found.advice),
        "notes": notes,
    }


def _show(series: Series, found: Diagnosis) -> None:
    out, shown, shape = console(), found.diagnostics, found.shape
    out.print(f"{series.name}: use {found.advice.method} at {100 * found.level:g} %", style="bold")
    for reason in found.advice.reasons:
        out.print(f"  because {reason}")
    for change in found.advice.changes:
        out.print(f"  it would change with {change}")
    out.print(
        f"dimension: p/n {shown.p_over_n:.4f}, d_eff/n {shown.d_eff_over_n:.4f}\n"
        f"residual scale: fit {shown.tau_fit:.4g}, calibration {shown.tau_cal:.4g}, test {shown.tau_test:.4g}\n"
        f"radius: rho_q {shown.rho_q:.3f} = shape {shown.shape:.3f} x scale {shown.scale:.3f}\n"
        f"shape: excess kurtosis {shape.excess_kurtosis:.2f}, skew {shape.skew:+.2f}, correlation of e "
        f"{shape.autocorrelation:+.2f} and of |e| {shape.clustering:+.2f}, drift of scale {shape.drift:.2f}\n"
        f"Bayesian coverage: predicted {found.predicted_coverage:.3f}, observed on the "
        f"test block {found.observed_coverage:.3f}"
    )
