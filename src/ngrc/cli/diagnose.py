"""`ngrc diagnose SERIES`: which interval to trust, what the forecast leaves undone, and why."""

import json
from dataclasses import asdict
from math import isfinite
from pathlib import Path
from typing import Any

import click

from ngrc._text import percent
from ngrc.backtesting.places import place_remarks
from ngrc.backtesting.summary import finite
from ngrc.cli.assumed import reading, say_reading, title
from ngrc.cli.destination import check_out, out_option, write_result
from ngrc.cli.evidence import plain_evidence, show_evidence
from ngrc.cli.grammar import command
from ngrc.cli.options import Request, chosen_split, json_option, level_option, series_options, split_options
from ngrc.cli.progress import watched
from ngrc.cli.shape import build_model, check_preset, model_options
from ngrc.cli.source import one_target, open_recording, source_files
from ngrc.cli.tables import console, paragraph
from ngrc.cli.wording import as_typed
from ngrc.diagnosis import Diagnosis
from ngrc.diagnosis import diagnose as examine
from ngrc.diagnosis.forecast import ForecastCheck
from ngrc.forecasters.facts import record_of, report_of
from ngrc.series import Series


@command(
    "ngrc diagnose load.csv",
    "ngrc diagnose load.csv --horizon 24 --period 24,168 --level 90",
    "ngrc diagnose load.csv --horizon 24 --out diagnosis.json",
)
@series_options
@model_options
@split_options
@level_option
@out_option(["json"])
@json_option
def diagnose(
    request: Request,
    level: float,
    out: Path | None,
    as_json: bool,
    split: str | None,
    refit_every: int | None,
    window: int | None,
    **shape: Any,
) -> None:
    """Say which interval to trust on SERIES, what the forecast leaves undone, and why.

    SERIES is a file, - for standard input, or a dataset (ngrc data list). Nothing of it rests on the test block.
    """
    check_preset(**shape)
    splitter = chosen_split(split, refit_every, window, preset=shape["preset"])
    one_target(request, "diagnose")
    check_out(out, source_files(request.source), ["json"])
    with watched():
        recording = open_recording(request)
        (data,) = recording.targets
        model = build_model(request.source, data.name, len(data), **shape)
        diagnosis = examine(
            data, model, exog=recording.channels, known=request.known, level=level, split=splitter
        )
    link = diagnosis.run.link.remark
    notes = [*data.notes, *place_remarks(data, diagnosis.spikes), *([link] if link else [])]
    taken = reading(request.source, data, diagnosis.run.model)
    report = _plain(data, diagnosis, notes) | {"read": taken}
    if out is not None:
        write_result(out, None, report, formats=["json"], err=as_json)
    if as_json:
        click.echo(json.dumps(report, allow_nan=False))
    elif out is None:
        _show(title(request.source, data), diagnosis)
    say_reading(taken, notes)


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
        "findings": [{**asdict(finding), "options": as_typed(finding.remedy)} for finding in check.findings],
    }


def _show(name: str, diagnosis: Diagnosis) -> None:
    out, advice = console(), diagnosis.advice
    paragraph(out, f"{name}: use {advice.method} at {percent(diagnosis.level)} %", style="bold")
    paragraph(out, f"because {advice.evidence}", indent="  ")
    first, *others = advice.reasons
    paragraph(out, f"the rules name {advice.by_rules} because {first}", indent="  ")
    for reason in others:
        paragraph(out, f"and find that {reason}", indent="  ")
    for change in advice.changes:
        paragraph(out, f"the rules would change with {as_typed(change)}", indent="  ")
    show_evidence(diagnosis.evidence, diagnosis.level)
    for line in report_of(diagnosis.run.model).splitlines():
        paragraph(out, f"model: {line.strip()}")
    for line in facts_in_words(diagnosis):
        paragraph(out, line)
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
        paragraph(
            out, f"forecast: {check.count} calibration residuals show nothing: too few, or without any error"
        )
        return
    paragraph(out, f"forecast: {', '.join(comparison.words for comparison in check.comparisons)}")
    for finding in check.findings:
        # The comparison has said it already.
        if finding.kind != "naive":
            paragraph(out, finding.words, indent="  ")
        paragraph(out, f"remedy: {as_typed(finding.remedy)}", indent="    ")
    if not check.findings:
        first, last = check.lags
        cycles = "".join(f", a cycle of {period:g}" for period in check.periods)
        paragraph(
            out,
            f"nothing is left in {check.count} calibration residuals: no correlation at lags {first} to {last}"
            f"{cycles}, no dependence on the level, no drift, no spikes",
            indent="  ",
        )
