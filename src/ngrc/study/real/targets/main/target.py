"""The main real-data table: six procedures around one NGRC forecast, and what explains their widths."""

from functools import partial

from ngrc.study.harness.figure import draw
from ngrc.study.harness.record import Check
from ngrc.study.harness.target import Outcome, Settings, Target
from ngrc.study.real.cases import HORIZONS, LEVEL, METHOD_TITLES
from ngrc.study.real.compare import seed_rule
from ngrc.study.real.origin import Origin, fixed_origin
from ngrc.study.real.rescp import seeds
from ngrc.study.real.selections import pairs_by_seed, selection_table
from ngrc.study.real.sources import source_notes
from ngrc.study.real.targets.main.checks import main_checks
from ngrc.study.real.targets.main.figure import efficiency_figure, spike_figure
from ngrc.study.real.targets.main.protocol import protocol_checks
from ngrc.study.real.targets.main.spikes import spike_days, spike_note, spike_table
from ngrc.study.real.targets.main.tables import (
    decomposition,
    diagnostics,
    main_table,
    selected,
    sizes,
)
from ngrc.study.real.words import best_sentence, coverage_sentence, digits_sentence

NAME = "real-main"
CAPTIONS = {
    "main": "One-step scores at 95 % on the standardised scale; columns ending in _paper are the printed ones. ResCP "
    "is the mean over seeds at the paper's temperature and window; below it what it selects itself.",
    "exchange_spikes": "Exchange scored over all test days and without the isolated spikes.",
    "diagnostics": "Dimension, residual scale of each block, calibration quantile and rho_q = q / (z tau_fit).",
    "decomposition": "rho_q = shape x scale. The last two columns divide the rounded entries of the table before.",
    "selected": "What was selected on the fit and calibration blocks, ResCP's with the first seed.",
    "selection_by_seed": "The temperature and window that ResCP selects, by how many seeds.",
    "split_sizes": "Observations and rows of the three blocks.",
    "efficiency": "Coverage error against mean width (top) and Winkler score (bottom) at 95 %. The vertical line is "
    "exact coverage; points left of it undercover, and their small width is no gain.",
    "spikes": "Left: the days around the two spikes and two intervals. Right: Winkler scores with (filled) and "
    "without (hollow) the two days.",
}


def run(settings: Settings) -> Outcome:
    """Fit, put all procedures around the forecasts, and compare every printed number."""
    origin = fixed_origin(settings, HORIZONS, seeded=(1,))
    series = next(source.series for source in origin.sources if source.key == "exchange")
    exchange, seeded = origin.runs["exchange", 1], origin.seeded["exchange", 1]
    days = spike_days(series, exchange)
    without = spike_table(series, exchange, seeded, days)
    picks = pairs_by_seed(origin.runs, origin.fits, settings)
    checks = (*main_checks(NAME, origin, picks, settings), *protocol_checks(NAME, origin))
    return Outcome(
        tables={
            "main": main_table(origin),
            "exchange_spikes": without,
            "diagnostics": diagnostics(origin),
            "decomposition": decomposition(origin),
            "selected": selected(origin),
            "selection_by_seed": selection_table(origin.sources, picks),
            "split_sizes": sizes(origin),
        },
        figures={
            "efficiency": draw(partial(efficiency_figure, origin)),
            "spikes": draw(partial(spike_figure, series, exchange, without, days)),
        },
        checks=checks,
        captions=CAPTIONS,
        findings=(*findings(origin, checks), spike_note(series, without, days)),
        notes=_notes(origin, settings),
    )


def findings(origin: Origin, checks: tuple[Check, ...]) -> tuple[str, ...]:
    """Agreement of the digits, coverage, scores, and whether rho_q orders the widths."""
    scores = {
        (source.title, method): origin.scores(source.key, 1, method)
        for source in origin.sources
        for method in METHOD_TITLES
    }
    ordered = [
        source.title
        for source in origin.sources
        if (scores[source.title, "split"].width > scores[source.title, "bayes"].width)
        == (origin.runs[source.key, 1].diagnostics[LEVEL].rho_q > 1.0)
    ]
    return (
        digits_sentence(checks),
        coverage_sentence({key: score.coverage for key, score in scores.items()}),
        best_sentence({key: score.winkler for key, score in scores.items()}),
        "rho_q tells which interval is the wider, split conformal above 1 and Bayesian below, on "
        f"{len(ordered)} of {len(origin.sources)} series ({', '.join(ordered) or 'none'}).",
    )


def _notes(origin: Origin, settings: Settings) -> tuple[str, ...]:
    return (
        f"{seed_rule(len(seeds(settings)))}. The printed numbers are of one seed.",
        "Seconds are of the method alone; ResCP's with its own tuning.",
        *source_notes(origin.sources),
    )


TARGET = Target(
    NAME,
    "Real data: six procedures around one NGRC forecast",
    "Six interval procedures around the same one-step forecasts: which of them holds 95 %, at what width and score, "
    "and does rho_q, which separates the residuals' shape from a change of scale between the blocks, tell whether the "
    "Bayesian or the split-conformal interval is the wider?",
    run,
)
