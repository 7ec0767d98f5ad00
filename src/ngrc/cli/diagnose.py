"""`ngrc diagnose SERIES`: which interval to trust, what the forecast leaves undone, and why."""

import json
from dataclasses import asdict
from typing import Any

import click

from ngrc.backtesting.summary import finite
from ngrc.cli.options import HELP, Request, chosen_split, level_option, series_options, split_options
from ngrc.cli.shape import build_model, check_preset, model_options
from ngrc.cli.source import one_target, open_recording, say
from ngrc.cli.tables import console
from ngrc.diagnosis import Diagnosis
from ngrc.diagnosis import diagnose as examine
from ngrc.diagnosis.forecast import ForecastCheck
from ngrc.forecasters.facts import record_of, report_of
from ngrc.series import Series
from ngrc.validation import check_level


@click.command(context_settings=HELP)
@series_options
@model_options
@split_options
@level_option
@click.option("--json", "as_json", is_flag=True, help="One JSON object on standard output.")
def diagnose(
    request: Request,
    level: float,
    as_json: bool,
    split: str | None,
    refit_every: int | None,
    window: int | None,
    **shape: Any,
) -> None:
    """Say which interval to trust on SERIES, what the forecast leaves undone, and why.

    Nothing of it rests on the test block.
    """
    nominal = check_level(level)
    check_preset(**shape)
    splitter = chosen_split(split, refit_every, window, preset=shape["preset"])
    one_target(request, "diagnose")
    recording = open_recording(request)
    (data,) = recording.targets
    model = build_model(request.source, data.name, len(data), **shape)
    diagnosis = examine(
        data, model, exog=recording.channels, known=request.known, level=nominal, split=splitter
    )
    remarks = (diagnosis.spikes.remark, diagnosis.run.link.remark)
    notes = [*data.notes, *(remark for remark in remarks if remark)]
    if as_json:
        click.echo(json.dumps(_plain(data, diagnosis, notes), allow_nan=False))
        return
    _show(data, diagnosis)
    say(notes)


def _plain(series: Series, diagnosis: Diagnosis, notes: list[str]) -> dict[str, Any]:
    dimension = None if diagnosis.dimension is None else asdict(diagnosis.dimension)
    return {
        "series": series.name,
        "horizon": diagnosis.run.blocks.horizon,
        "level": diagnosis.level,
        "selection": record_of(diagnosis.run.model),
        "diagnostics": {name: finite(value) for name, value in asdict(diagnosis.diagnostics).items()},
        "residuals": {name: finite(value) for name, value in asdict(diagnosis.shape).items()},
        "dimension": dimension,
        "bayes_coverage": {
            "predicted": finite(diagnosis.predicted_coverage),
            "observed": finite(diagnosis.observed_coverage),
        },
        "advice": asdict(diagnosis.advice),
        "forecast": _forecast(diagnosis.forecast),
        "notes": notes,
    }


def _forecast(check: ForecastCheck) -> dict[str, Any]:
    return {
        "count": check.count,
        "lags": check.lags,
        "periods": check.periods,
        "comparisons": [
            {**asdict(comparison), "words": comparison.words} for comparison in check.comparisons
        ],
        "findings": [asdict(finding) for finding in check.findings],
    }


def _show(series: Series, diagnosis: Diagnosis) -> None:
    out, numbers, shape = console(), diagnosis.diagnostics, diagnosis.shape
    out.print(f"{series.name}: use {diagnosis.advice.method} at {100 * diagnosis.level:g} %", style="bold")
    for reason in diagnosis.advice.reasons:
        out.print(f"  because {reason}")
    for change in diagnosis.advice.changes:
        out.print(f"  it would change with {change}")
    if report_of(diagnosis.run.model):
        out.print(f"model: {report_of(diagnosis.run.model)}")
    out.print(
        f"dimension: p/n {numbers.p_over_n:.4f}, d_eff/n {numbers.d_eff_over_n:.4f}\n"
        f"residual scale: fit {numbers.tau_fit:.4g}, calibration {numbers.tau_cal:.4g}, test {numbers.tau_test:.4g}\n"
        f"radius: rho_q {numbers.rho_q:.3f} = shape {numbers.shape:.3f} x scale {numbers.scale:.3f}\n"
        f"shape: excess kurtosis {shape.excess_kurtosis:.2f}, skew {shape.skew:+.2f}, correlation of e "
        f"{shape.autocorrelation:+.2f} and of |e| {shape.clustering:+.2f}, drift of scale {shape.drift:.2f}\n"
        f"Bayesian coverage: predicted {diagnosis.predicted_coverage:.3f}, observed on the "
        f"test block {diagnosis.observed_coverage:.3f}"
    )
    _show_forecast(diagnosis.forecast)


def _show_forecast(check: ForecastCheck) -> None:
    out = console()
    if check.lags is None:
        out.print(
            f"forecast: {check.count} calibration residuals show nothing: too few, or without any error"
        )
        return
    out.print(f"forecast: {', '.join(comparison.words for comparison in check.comparisons)}")
    for finding in check.findings:
        # The comparison has said it already.
        if finding.kind != "naive":
            out.print(f"  {finding.words}")
        out.print(f"    remedy: {finding.remedy}")
    if not check.findings:
        first, last = check.lags
        cycles = "".join(f", a cycle of {period:g}" for period in check.periods)
        out.print(
            f"  nothing is left in {check.count} calibration residuals: no correlation at lags {first} to {last}"
            f"{cycles}, no dependence on the level, no drift, no spikes"
        )
