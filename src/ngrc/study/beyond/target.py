"""Beyond the paper: every interval method beside the paper's six, on its forecasts and on the automatic model's."""

from functools import partial

from ngrc.intervals import METHODS
from ngrc.study.beyond.around import surroundings
from ngrc.study.beyond.cells import scored
from ngrc.study.beyond.checks import NAME, beyond_checks
from ngrc.study.beyond.days import DEVIATIONS, REVERSAL, WINDOW
from ngrc.study.beyond.figure import coverage_figure, winkler_figure
from ngrc.study.beyond.findings import beyond_findings
from ngrc.study.beyond.tables import SIX, method_table, ratio_table, score_table
from ngrc.study.harness.figure import draw
from ngrc.study.harness.target import Outcome, Settings, Target
from ngrc.study.real.cases import HORIZONS, LEVELS
from ngrc.study.real.sources import Source, source_notes, sources

DATASETS = ("exchange", "beijing", "solar")
QUICK_LEVELS = (0.90, 0.95)

CAPTIONS = {
    "methods": "One row per forecaster and method over the cells of the judged levels, 80, 90 and 95 %: mean and worst "
    "Winkler score over that of the best of the paper's six in the same cell (Exchange without its glitch days), "
    f"lowest and highest coverage error in points and the share of windows of {WINDOW} steps whose coverage is within "
    "four points (all days), and the seconds of all datasets, horizons and levels.",
    "ratios": "Which of the paper's six has the lowest Winkler score in each cell, and every method's over it.",
    "scores": "Every score; width and Winkler score in units of the series as the paper standardises it.",
    "winkler": "Winkler score over that of the best of the paper's six in the same cell, mean over 80, 90 and 95 %; "
    "below one is better. Columns are datasets with the horizon, Exchange without its glitch days; methods above the "
    "line are the paper's.",
    "coverage": "Coverage less level in points, at that of 80, 90 and 95 % where it is furthest off, on the same days.",
}


def run(settings: Settings) -> Outcome:
    """Every method around both forecasters' forecasts."""
    loaded = {source.key: source for source in sources(settings)}
    data: tuple[Source, ...] = tuple(loaded[key] for key in DATASETS if key in loaded)
    horizons, levels = (HORIZONS[:1], QUICK_LEVELS) if settings.quick else (HORIZONS, LEVELS)
    places = surroundings(data, horizons, jobs=settings.jobs)
    # The paper's six first, the others in the order of every table.
    names = (*SIX, *(name for name in METHODS if name not in SIX))
    found = scored(places, names, levels, seed=settings.seed, jobs=settings.jobs)
    scores = score_table(data, {(place, name): found[place, name] for place in places for name in names})
    ratios = ratio_table(scores)
    methods = method_table(scores, ratios)
    return Outcome(
        tables={"methods": methods, "ratios": ratios, "scores": scores},
        figures={
            "winkler": draw(partial(winkler_figure, scores, ratios)),
            "coverage": draw(partial(coverage_figure, scores)),
        },
        checks=tuple(beyond_checks(scores, ratios)),
        captions=CAPTIONS,
        findings=tuple(beyond_findings(methods)),
        notes=(*NOTES, *source_notes(data)),
    )


NOTES = (
    "A result of ours, not of the paper. Every method has its defaults as a user gets them by name, the same in all "
    "cells; open parameters are tuned on the calibration residuals by each method's own rule. ResCP takes exact "
    "weighted quantiles and chooses its temperature and window by itself, at every level.",
    "The automatic model is fitted to the rows that the paper's NGRC is fitted to. Where it works on a transform of "
    "the series, intervals are made there and scored in the series' own units.",
    f"Glitch days of Exchange are wrong quotes: two successive returns beyond {DEVIATIONS:g} robust deviations, of "
    f"which the second takes back all but {100 * REVERSAL:g} % of the first at most. Intervals are made of the whole "
    "series; only the scores leave those target days out, the same at every horizon. Coverage is judged on all days, "
    "Winkler scores without them, and the best of the six is found on the same days.",
    f"Windows are all runs of {WINDOW} consecutive scored steps; they overlap.",
    "The stand-in for LA ozone is left out: the claims are made for the paper's own public series.",
    "Seconds are those of the clock on this machine; with several jobs, of processes that share it.",
)


TARGET = Target(
    NAME,
    "Beyond the paper: every interval method beside its six (our result)",
    "The paper's study ends with no procedure ahead everywhere. Here every interval method of the library is set "
    "beside the paper's six, around the forecasts of the paper's NGRC and around those of the automatic model, at "
    "horizons 1, 3 and 7 and five levels: coverage, width, Winkler score, coverage over windows of consecutive steps, "
    "seconds. One method, auto, is claimed to need no choosing, and is held against the best of the six in each cell. "
    "This is a result of ours, not of the paper.",
    run,
    paper="this page",
)
