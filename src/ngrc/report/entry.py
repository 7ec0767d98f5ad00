"""`make_report`: from a series to a page; `report_on`: from a finished backtest to the same page."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from time import perf_counter
from typing import Any

from ngrc._progress import tell
from ngrc.ahead import Outlook, look_ahead
from ngrc.backtesting.entry import backtest
from ngrc.backtesting.methods import Methods, labelled_methods
from ngrc.backtesting.results import Backtest, Run
from ngrc.diagnosis import Diagnosis, diagnose_backtest
from ngrc.forecasters.base import Forecaster
from ngrc.intervals.base import IntervalMethod
from ngrc.intervals.defaults import USUAL, resolve
from ngrc.presets import default_model
from ngrc.report.clock import clock_of
from ngrc.report.coming import coming_of, other_outlooks
from ngrc.report.described import described
from ngrc.report.diagnosed import diagnosed
from ngrc.report.intervals import calibration_curves, further_bands, interval_rows, trailing_window
from ngrc.report.points import point_rows
from ngrc.report.provenance import provenance_of
from ngrc.report.quality import quality_of
from ngrc.report.record import Record
from ngrc.report.residuals import residuals_of
from ngrc.report.subject import subject_of
from ngrc.report.value import Report, report_of_record
from ngrc.series import as_series
from ngrc.splits import Splitter, WalkForward
from ngrc.validation import check_levels

LEVELS = (0.5, 0.8, 0.95)
"""A fan of half, most and nearly all outcomes."""
ONE_FIT = 0.6
"""Share of the rows that is fitted for the coming values where the split fits once, as in `ngrc forecast`."""
STAGES = ("backtest", "coming values", "diagnosis", "calibration", "page")


def make_report(
    series: Any,
    model: Forecaster | None = None,
    *,
    exog: Any = None,
    known: Sequence[str] = (),
    horizon: int = 1,
    level: float | Sequence[float] = LEVELS,
    methods: Methods | None = None,
    split: Splitter | None = None,
    refit_every: int | None = None,
    window: int | None = None,
    seed: int = 0,
    command: str = "",
) -> Report:
    """Everything about one series on one page that opens without any other file.

    The coming values with intervals, how forecasts and intervals did out of sample, the shape of the errors, the model
    in words, the diagnosis and the state of the data. Parameters are those of `backtest`, and:

    Parameters
    ----------
    horizon
        Steps ahead: the coming values reach so far, and the test judges the forecast that far ahead.
    level
        Nominal coverages of the intervals; tables and diagnosis are told at the highest.
    methods
        As `backtest` takes them. The first that is named leads the coming values, the others can be ticked; where none
        is named, the one that `look_ahead` chooses leads. What the diagnosis advises is shown beside them.
    command
        What the page says it was made by; the call by default.

    Examples
    --------
    >>> import ngrc, numpy as np
    >>> y = np.sin(np.arange(400) / 5) + np.random.default_rng(0).normal(0, 0.1, 400)
    >>> report = ngrc.make_report(y, ngrc.NGRC(lags=4), methods=["split", "adaptive"])
    >>> report.record.methods[:2], report.html[:15]
    (('split', 'adaptive'), '<!DOCTYPE html>')
    """
    begin = perf_counter()
    observations, levels = as_series(series), check_levels(level)
    forecaster: Forecaster = default_model() if model is None else model
    said = command or _call(observations.name, model, horizon, levels)
    result = backtest(
        series, forecaster, exog=exog, known=known, horizon=horizon, level=levels, methods=methods, split=split,
        refit_every=refit_every, window=window, seed=seed,
    )  # fmt: skip
    _tell("backtest")
    run = result.runs[0]
    labelled = labelled_methods(methods, leverage=run.leverage is not None, seed=seed)
    walk = split if split is not None else WalkForward(refit_every=refit_every, window=window)
    label, first = (None, None) if methods is None else next(iter(labelled.items()))
    outlook, why = None, ""
    others: tuple[Outlook, ...] = ()
    try:
        outlook = _coming(series, forecaster, exog, known, horizon, levels, first, walk, seed)
    except ValueError as reason:
        # Columns that are known ahead may end with the series: what was tested is worth a page, which says the reason.
        why = str(reason)
    else:
        # Under the label that its scores have.
        outlook = outlook if label is None else replace(outlook, method=label)
        others = other_outlooks(outlook, labelled, run.blocks.history_rows, asked=methods is not None)
    _tell("coming values")
    return report_on(
        result,
        methods=labelled,
        outlook=outlook,
        others=others,
        why=why,
        source=series,
        exog=exog,
        command=said,
        begin=begin,
    )


def report_on(
    result: Backtest,
    *,
    methods: Mapping[str, IntervalMethod] | None = None,
    outlook: Outlook | None = None,
    others: Sequence[Outlook] = (),
    why: str = "this page is about a finished backtest",
    source: Any = None,
    exog: Any = None,
    command: str = "",
    begin: float | None = None,
) -> Report:
    """The page of a finished backtest's first run.

    Parameters
    ----------
    result
        What `backtest` returned.
    methods
        The methods behind its bands, for the calibration curve over more levels than were run; None leaves the curve
        to those.
    outlook
        The coming values, as `look_ahead` returned them.
    others
        The same by further methods, as `Outlook.with_method` gives them.
    why
        Why there are none, where there are none.
    source, exog
        What `backtest` was given, where it was more than a `Series`.
    command
        What the page says it was made by.
    begin
        `perf_counter()` when the work began.
    """
    began = perf_counter() if begin is None else begin
    run = result.runs[0]
    levels = tuple(sorted(run.diagnostics))
    diagnosis = diagnose_backtest(result, level=max(levels), source=source, exog=exog)
    _tell("diagnosis")
    run, asked = _with_advised(result, run, diagnosis, methods)
    advised = diagnosis.advice.method
    if outlook is not None and advised not in {outlook.method, *(one.method for one in others)}:
        method = asked.get(advised, resolve(advised))
        others = (*others, *other_outlooks(outlook, {advised: method}, run.blocks.history_rows, asked=False))
    record = _record(result, run, diagnosis, asked, (outlook, others), why, levels, command, began)
    report = report_of_record(record)
    _tell("page")
    return report


def _record(
    result: Backtest,
    run: Run,
    diagnosis: Diagnosis,
    methods: Mapping[str, IntervalMethod],
    ahead: tuple[Outlook | None, Sequence[Outlook]],
    why: str,
    levels: tuple[float, ...],
    command: str,
    began: float,
) -> Record:
    series, test, (outlook, others) = result.series, run.blocks.test, ahead
    clock = clock_of(series, None if outlook is None else outlook.times)
    periods = diagnosis.forecast.periods
    curves = calibration_curves(run, series, methods)
    _tell("calibration")
    return Record(
        subject=subject_of(
            result, run, clock_of(series), [f"{period:g} steps" for period in periods], levels
        ),
        clock=clock,
        values=series.values,
        missing=series.missing,
        test_start=test.start,
        outcomes=series.values[test],
        forecasts=run.forecasts[test],
        coming=None if outlook is None else coming_of(outlook, clock, series.notes, others),
        coming_why="" if outlook is not None else why,
        points=point_rows(result, run),
        intervals=interval_rows(series.values, run, result.came(run)),
        window=trailing_window(int(result.came(run).sum())),
        calibration=curves,
        residuals=residuals_of(run, series, periods),
        diagnosis=diagnosed(diagnosis),
        model=described(run.model if outlook is None else outlook.model, run.blocks.horizon),
        quality=quality_of(result, clock),
        provenance=provenance_of(command, perf_counter() - began),
        shown=_shown(run, diagnosis.advice.method),
    )


def _coming(
    series: Any,
    model: Forecaster,
    exog: Any,
    known: Sequence[str],
    horizon: int,
    levels: Sequence[float],
    method: IntervalMethod | None,
    split: Splitter,
    seed: int,
) -> Outlook:
    walk = isinstance(split, WalkForward)
    return look_ahead(
        series,
        model,
        exog=exog,
        known=known,
        steps=horizon,
        level=levels,
        method=method,
        fit=None if walk else ONE_FIT,
        refit_every=split.refit_every if isinstance(split, WalkForward) else None,
        window=split.window if isinstance(split, WalkForward) else None,
        seed=seed,
    )


def _with_advised(
    result: Backtest, run: Run, diagnosis: Diagnosis, methods: Mapping[str, IntervalMethod] | None
) -> tuple[Run, dict[str, IntervalMethod]]:
    """The run with a band of the advised method at every level, and the methods behind its bands."""
    advised = diagnosis.advice.method
    asked = dict(methods or {})
    if advised in {band.method for band in run.bands}:
        return run, asked
    # The advice rests on the calibration block alone, so that its test scores are as honest as any other's.
    method = resolve(advised)
    levels = tuple(dict.fromkeys(band.level for band in run.bands))
    bands = further_bands(run, result.series, {advised: method}, levels)
    every = [*run.bands, *bands]
    ordered = tuple(band for level in levels for band in every if band.level == level)
    return replace(run, bands=ordered), asked | ({advised: method} if methods is not None else {})


def _shown(run: Run, advised: str) -> str:
    have = [band.method for band in run.bands]
    return next(name for name in (advised, USUAL, have[0]) if name in have)


def _call(name: str, model: Forecaster | None, horizon: int, levels: Sequence[float]) -> str:
    said = "" if model is None else f", {model!r}"
    return f"ngrc.make_report({name}{said}, horizon={horizon}, level={list(levels)})"


def _tell(stage: str) -> None:
    tell("report", STAGES.index(stage) + 1, len(STAGES), stage)
