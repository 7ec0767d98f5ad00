"""ResCP over seeds: how much of its scores is chance."""

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np
import polars as pl

from ngrc._types import FloatArray
from ngrc.intervals.rescp.method import Sampler
from ngrc.study.harness.estimate import estimate
from ngrc.study.harness.figure import LOOKS, draw, letter, panels
from ngrc.study.harness.record import Check
from ngrc.study.harness.target import Outcome, Settings, Target
from ngrc.study.real.cases import HORIZONS, Case, Scores, fitted, scores
from ngrc.study.real.compare import Sheet, five_seeds, seed_rule
from ngrc.study.real.looks import shared_legend
from ngrc.study.real.printed.seeds import PAPER_SEEDS, SCORES, TABLE
from ngrc.study.real.recurrence import Fits, tried_at_choice
from ngrc.study.real.rescp import SAMPLERS, at_choice, bands, over_seeds, seeds
from ngrc.study.real.sources import Source, source_notes, sources

NAME = "real-seeds"
EXTREME = "an extreme over a few seeds has no known error; mean and deviation are judged instead"

Results = dict[tuple[str, int, Sampler], FloatArray]
"""Scores by dataset, horizon and sampler, shape (seeds, 3)."""


def run(settings: Settings) -> Outcome:
    """Repeat ResCP at the paper's temperature and window over seeds, with both samplers."""
    data = sources(settings)
    cases = {(source.key, horizon): Case(source.key, horizon) for source in data for horizon in HORIZONS}
    fits = fitted(data, cases.values(), jobs=settings.jobs)
    results = _results(cases, fits, settings)
    return Outcome(
        tables={"seeds": _table(data, results), "single_seeds": _single(data, results, settings)},
        figures={"seeds": draw(partial(_figure, data, results))},
        checks=tuple(_checks(data, results, fits, settings)),
        captions={
            "seeds": "Means and standard deviations over seeds. In the figure, marks are single seeds, and the grey "
            "bar is the paper's mean with its range (coverage) or two standard deviations (Winkler score).",
            "single_seeds": "Every seed.",
        },
        findings=(_cause(results),),
        notes=(
            f"The stochastic sampler; the paper has {PAPER_SEEDS} seeds. {seed_rule(len(seeds(settings)))}.",
            *source_notes(data),
        ),
    )


def _cause(results: Results) -> str:
    """Whether the draws or the reservoir make the seeds differ."""
    ratios = [
        # Both over the same seeds, hence the same reservoirs: what the ratio leaves is the draws.
        _spread_ratio(results[key, horizon, "exact"], values)
        for (key, horizon, sampler), values in results.items()
        if sampler == "stochastic"
    ]
    return (
        "The stochastic sampler is the authors' and the one compared. The exact one takes weighted quantiles, so its "
        "spread over seeds is the reservoir's alone: the standard deviation of its coverage is "
        f"{np.median(ratios):.2f} times the stochastic one's (median over datasets and horizons)."
    )


def _spread_ratio(exact: FloatArray, stochastic: FloatArray) -> float:
    """Deviation of exact over stochastic coverage, over the seeds that both have."""
    return float(exact[:, 0].std() / stochastic[: len(exact), 0].std())


def _results(cases: dict[tuple[str, int], Case], runs: Fits, settings: Settings) -> Results:
    layers = {
        (*key, sampler): over_seeds(case, runs[case][0], settings, sampler)
        for key, case in cases.items()
        for sampler in SAMPLERS
    }
    shown = [layer for case in cases.values() for layer in at_choice(case, runs[case][0], settings)]
    local = bands(shown, runs, jobs=settings.jobs)
    return {
        key: np.array([scores(runs[layer.case][0], local[layer]) for layer in group])
        for key, group in layers.items()
    }


def _table(data: tuple[Source, ...], results: Results) -> pl.DataFrame:
    titles = {source.key: source.title for source in data}
    records = []
    for (key, horizon, sampler), values in results.items():
        printed = SCORES[key, str(horizon)] if sampler == "stochastic" else None
        record: dict[str, Any] = {"dataset": titles[key], "horizon": horizon, "sampler": sampler}
        for measure, column in zip(Scores._fields, values.T, strict=True):
            record |= {measure: column.mean(), f"{measure}_sd": column.std(ddof=1)}
            record |= {f"{measure}_paper": printed[measure].value if printed else None}
            record |= {f"{measure}_sd_paper": printed[measure].spread if printed else None}
        coverage = values[:, 0]
        record |= {"least_coverage": coverage.min(), "largest_coverage": coverage.max()}
        record |= {
            f"{name}_coverage_paper": printed[name].value if printed else None
            for name in ("least", "largest")
        }
        records.append(record)
    return pl.DataFrame(records, infer_schema_length=None)


def _single(data: tuple[Source, ...], results: Results, settings: Settings) -> pl.DataFrame:
    titles = {source.key: source.title for source in data}
    records = [
        {"dataset": titles[key], "horizon": horizon, "sampler": sampler, "seed": seed}
        | dict(zip(Scores._fields, row, strict=True))
        for (key, horizon, sampler), values in results.items()
        for seed, row in enumerate(values.tolist(), settings.seed)
    ]
    return pl.DataFrame(records)


def _checks(data: tuple[Source, ...], results: Results, fits: Fits, settings: Settings) -> Iterator[Check]:
    sheet = Sheet(NAME, TABLE)
    for source in data:
        for horizon in HORIZONS:
            values, printed = results[source.key, horizon, "stochastic"], SCORES[source.key, str(horizon)]
            for measure, column in zip(Scores._fields, values.T, strict=True):
                ours, cell = estimate(column), f"H={horizon}, {measure}"
                paper = five_seeds(printed[measure])
                reason = tried_at_choice(Case(source.key, horizon), fits, settings, measure, ours, paper)
                yield sheet.seeds(source, cell, ours, paper, reason=reason)
                yield sheet.deviation(source, cell, ours, printed[measure])
            coverage = values[:, 0]
            for name, extreme in (("least", coverage.min()), ("largest", coverage.max())):
                cell = f"H={horizon}, {name} coverage"
                yield sheet.shown(source, cell, float(extreme), printed[name], reason=EXTREME)


def _figure(data: tuple[Source, ...], results: Results) -> Any:
    count = len(data)
    figure, grid = panels(2, count, max(2.7 * count, 4.5), 5.2)
    for column, source in enumerate(data):
        for row, measure in enumerate((0, 2)):
            _panel(grid[row, column], source, results, measure)
        letter(grid[0, column], "abcd"[column], source.title)
        grid[1, column].set_xlabel("horizon, steps")
    grid[0, 0].set_ylabel("coverage")
    grid[1, 0].set_ylabel("Winkler score")
    shared_legend(figure, grid[0, -1], 3)
    return figure


def _panel(axes: Any, source: Source, results: Results, measure: int) -> None:
    for place, horizon in enumerate(HORIZONS):
        printed = SCORES[source.key, str(horizon)]
        paper = printed[Scores._fields[measure]]
        around = 2.0 * float(paper.spread or 0.0)
        ends = (printed["least"].value, printed["largest"].value) if measure == 0 else (
            paper.value - around, paper.value + around)  # fmt: skip
        label = "the paper" if place == 0 else None
        if not source.stand_in:
            axes.fill_between((place - 0.35, place + 0.35), *ends, color="0.85", lw=0, label=label)
            axes.plot((place - 0.35, place + 0.35), (paper.value, paper.value), color="0.4", lw=1.2)
        for side, (look, sampler) in enumerate(zip(LOOKS, SAMPLERS, strict=False)):
            values = results[source.key, horizon, sampler][:, measure]
            label = f"{sampler} sampler" if place == 0 else None
            across = np.full(values.size, place - 0.15 + 0.3 * side)
            axes.plot(across, values, look.marker, color=look.color, ms=5, mfc="none", label=label)
    axes.set_xticks(range(len(HORIZONS)), [str(horizon) for horizon in HORIZONS])


TARGET = Target(
    NAME,
    "Real data: ResCP over seeds",
    "ResCP draws a random reservoir and, in the authors' form, random residuals. With forecasts, split, temperature "
    "and window held fixed, how far do its scores move by chance alone?",
    run,
)
