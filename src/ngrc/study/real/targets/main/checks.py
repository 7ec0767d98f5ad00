"""Every printed number of the one-step analysis against ours."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from operator import itemgetter

import numpy as np

from ngrc._normal import gaussian_radius
from ngrc._types import FloatArray
from ngrc.study.harness.record import Check
from ngrc.study.harness.target import Settings
from ngrc.study.real.cases import DETERMINISTIC, LEVEL, Case
from ngrc.study.real.compare import OTHER_MACHINE, Sheet, one_seed
from ngrc.study.real.origin import Origin
from ngrc.study.real.printed.main import (
    DECOMPOSED,
    DECOMPOSITION,
    DIAGNOSED,
    DIAGNOSTICS,
    MAIN,
    RMSE,
    SCORES,
    SIZES,
    SPLIT,
)
from ngrc.study.real.printed.seeds import SCORES as SEEDED
from ngrc.study.real.printed.selected import SELECTED
from ngrc.study.real.printed.selected import TABLE as SELECTION
from ngrc.study.real.recurrence import tried_at_choice
from ngrc.study.real.rounding import plain_reason
from ngrc.study.real.selections import Picks, paper_pair, selection_reason
from ngrc.study.real.sources import Source
from ngrc.study.real.targets.main.tables import block_sizes, from_rounded, selections, standardised


def main_checks(target: str, origin: Origin, picks: Picks, settings: Settings) -> tuple[Check, ...]:
    """All checks of `real-main`; `picks` is what ResCP selects over seeds."""
    checks: list[Check] = []
    for source in origin.sources:
        checks += _scores(Sheet(target, MAIN), origin, source, settings)
        checks += _diagnostics(Sheet(target, DIAGNOSTICS), origin, source)
        checks += _decomposition(Sheet(target, DECOMPOSITION), origin, source)
    for source in origin.sources:
        for horizon in (horizon for dataset, horizon in origin.runs if dataset == source.key):
            checks += _selection(Sheet(target, SELECTION), origin, source, horizon, picks)
            checks += _sizes(Sheet(target, SIZES), origin, source, horizon)
    return tuple(checks)


def _scores(sheet: Sheet, origin: Origin, source: Source, settings: Settings) -> Iterator[Check]:
    run = origin.runs[source.key, 1]
    yield sheet.exact(source, "RMSE", run.rmse / run.scale[1], RMSE[source.key])
    for method in DETERMINISTIC:
        scored, printed = origin.scores(source.key, 1, method), SCORES[source.key, method]
        for place, (measure, ours) in enumerate(scored._asdict().items()):
            paper = printed[measure]
            reason = partial(plain_reason, method, [run], itemgetter((0, place)), paper)
            yield sheet.exact(source, f"{method}, {measure}", ours, paper, reason)
        paper = printed["error"]
        reason = partial(plain_reason, method, [run], _points, paper)
        cell = f"{method}, coverage error in points"
        yield sheet.exact(source, cell, _points(np.array([scored])), paper, reason)
        yield _seconds(sheet, origin, source, method)
    yield from _rescp(sheet, origin, source, settings)
    yield _seconds(sheet, origin, source, "rescp")


def _points(scores: FloatArray) -> float:
    """Coverage error in percentage points; shape (1, 3)."""
    return float(100.0 * (scores[0, 0] - LEVEL))


def _seconds(sheet: Sheet, origin: Origin, source: Source, method: str) -> Check:
    ours, paper = origin.seconds(source.key, 1, method), SCORES[source.key, method]["seconds"]
    return sheet.shown(source, f"{method}, seconds", ours, paper, reason=OTHER_MACHINE)


def _rescp(sheet: Sheet, origin: Origin, source: Source, settings: Settings) -> Iterator[Check]:
    printed, case = SCORES[source.key, "rescp"], Case(source.key)
    ours = origin.rescp(source.key, 1)
    for measure, estimate in ours.items():
        paper = one_seed(printed[measure], SEEDED[source.key, "1"][measure].spread, estimate)
        reason = tried_at_choice(case, origin.fits, settings, measure, estimate, paper)
        yield sheet.seeds(source, f"rescp, {measure}", estimate, paper, reason=reason)
    points = 100.0 * (ours["coverage"].mean - LEVEL)
    same = "the coverage in other units"
    yield sheet.shown(source, "rescp, coverage error in points", points, printed["error"], reason=same)


def _diagnostics(sheet: Sheet, origin: Origin, source: Source) -> Iterator[Check]:
    run, printed = origin.runs[source.key, 1], DIAGNOSED[source.key,]
    yield sheet.equal(source, "fit rows", run.blocks.fit_rows, int(printed["fit_rows"].value))
    ours = standardised(run)
    for name, paper in printed.items():
        if name != "fit_rows":
            yield sheet.exact(source, name, ours[name], paper)


def _decomposition(sheet: Sheet, origin: Origin, source: Source) -> Iterator[Check]:
    """The printed factors come from the rounded entries of the table of diagnostics, ours from unrounded ones."""
    ours, entries = standardised(origin.runs[source.key, 1]), DIAGNOSED[source.key,]
    rounded = from_rounded(entries)
    tau, quantile, before = (entries[name].value for name in ("tau_cal", "q_cal", "tau_fit"))
    z = gaussian_radius(LEVEL)
    quotients = {
        "shape": f"{quantile:g} / ({z:.2f} x {tau:g}) = {rounded['shape']:.3f}",
        "scale": f"{tau:g} / {before:g} = {rounded['scale']:.3f}",
    }
    reasons = {
        name: f"the printed value comes from rounded entries, {text}; ours is from unrounded ones"
        for name, text in quotients.items()
    }
    for name, paper in DECOMPOSED[source.key,].items():
        yield sheet.exact(source, name, ours[name], paper, reasons.get(name, ""))


def _selection(sheet: Sheet, origin: Origin, source: Source, horizon: int, picks: Picks) -> Iterator[Check]:
    ours, printed = selections(origin, source.key, horizon), SELECTED[source.key, horizon]
    for name in ("ridge", "rate", "decay"):
        yield sheet.equal(source, f"H={horizon}, {name}", ours[name], getattr(printed, name).value)
    reason = selection_reason(source.key, horizon, picks[source.key, horizon])
    temperature = printed.temperature.value
    some = paper_pair(source.key, horizon) in picks[source.key, horizon]
    check = sheet.equal(source, f"H={horizon}, ResCP temperature", ours["temperature"], temperature, reason)
    yield _of_some_seed(check, some)
    # "all" has no number; it is shown as the size of the whole history.
    mine, theirs = (
        _window_size(window, origin, source.key, horizon) for window in (ours["window"], printed.window)
    )
    yield _of_some_seed(sheet.equal(source, f"H={horizon}, ResCP window", mine, theirs, reason), some)


def _of_some_seed(check: Check, some: bool) -> Check:
    """A choice by one seed: within where another of our seeds makes the paper's."""
    return replace(check, verdict="within") if check.verdict == "different" and some else check


def _window_size(window: int | str, origin: Origin, dataset: str, horizon: int) -> float:
    return (
        float(origin.runs[dataset, horizon].blocks.history_rows) if isinstance(window, str) else float(window)
    )


def _sizes(sheet: Sheet, origin: Origin, source: Source, horizon: int) -> Iterator[Check]:
    printed = SPLIT[source.key, str(horizon)]
    for name, rows in block_sizes(origin, source.key, horizon).items():
        # The length of a series does not depend on the horizon: it is compared once.
        if name != "observations" or horizon == 1:
            yield sheet.equal(source, f"H={horizon}, {name}", rows, int(printed[name].value))
