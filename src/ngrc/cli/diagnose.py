"""`ngrc diagnose SERIES`: which interval to trust, what the forecast leaves undone, and why."""

import json
from dataclasses import asdict
from math import isfinite
from typing import Any

import click

from ngrc.backtesting.summary import finite
from ngrc.cli.evidence import plain_evidence, show_evidence
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
        "evidence": plain_evidence(diagnosis.evidence),
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
    out, advice = console(), diagnosis.advice
    out.print(f"{series.name}: use {advice.method} at {100 * diagnosis.level:g} %", style="bold")
    out.print(f"  because {advice.evidence}")
    first, *others = advice.reasons
    out.print(f"  the rules name {advice.by_rules} because {first}")
    for reason in others:
        out.print(f"  and find that {reason}")
    for change in advice.changes:
        out.print(f"  the rules would change with {change}")
    show_evidence(diagnosis.evidence, diagnosis.level)
    if report_of(diagnosis.run.model):
        out.print(f"model: {report_of(diagnosis.run.model)}")
    for line in facts_in_words(diagnosis):
        out.print(line)
    _show_forecast(diagnosis.forecast)


def facts_in_words(diagnosis: Diagnosis) -> list[str]:
    """Dimension, scales, radius, shape and Bayesian coverage, one line each, without any number that is none."""
    numbers, shape = diagnosis.diagnostics, diagnosis.shape
    lines = [
        f"dimension: p/n {_said(numbers.p_over_n, '.4f')}, d_eff/n {_said(numbers.d_eff_over_n, '.4f')}",
        f"residual scale: fit {_said(numbers.tau_fit, '.4g')}, calibration {_said(numbers.tau_cal, '.4g')}, "
        f"test {_said(numbers.tau_test, '.4g')}",
        f"radius: rho_q {_said(numbers.rho_q, '.3f')} = shape {_said(numbers.shape, '.3f')} x scale "
        f"{_said(numbers.scale, '.3f')}",
    ]
    if isfinite(shape.drift):
        lines.append(
            f"shape: excess kurtosis {shape.excess_kurtosis:.2f}, skew {shape.skew:+.2f}, correlation of e "
            f"{shape.autocorrelation:+.2f} and of |e| {shape.clustering:+.2f}, drift of scale {shape.drift:.2f}"
        )
    else:
        lines.append(f"shape: {shape.count} calibration residuals show none: too few, or all the same")
    if isfinite(diagnosis.predicted_coverage):
        lines.append(
            f"Bayesian coverage: predicted {diagnosis.predicted_coverage:.3f}, observed on the test block "
            f"{diagnosis.observed_coverage:.3f}"
        )
    return lines


def _said(value: float, form: str) -> str:
    return format(value, form) if isfinite(value) else "unknown"


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
