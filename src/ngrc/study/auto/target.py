"""Beyond the paper: the automatic model on the paper's split, beside the paper's four forecasters."""

from functools import partial

from ngrc.study.auto.cells import plans, scores
from ngrc.study.auto.checks import NAME, auto_checks
from ngrc.study.auto.figure import ratio_figure
from ngrc.study.auto.findings import auto_findings
from ngrc.study.auto.tables import member_table, score_table, search_table
from ngrc.study.harness.figure import draw
from ngrc.study.harness.target import Outcome, Settings, Target
from ngrc.study.real.cases import HORIZONS, Case, fitted
from ngrc.study.real.sources import source_notes, sources

CAPTIONS = {
    "scores": "RMSE over the paper's test block in units of the series as the paper standardises it: the automatic "
    "model fitted to the paper's fit rows, with FixedOrigin() as typed, and walking forward; the paper's map and the "
    "last value, run here; the paper's four forecasters as it prints them, one step ahead.",
    "searches": "What each search did inside its fit block. Errors of the combination and of naive, seasonal naive and "
    "linear forecasts are on the validation rows, over that of the last value. Walking forward, the row is of the "
    "model that made the first test forecast.",
    "members": "What was chosen: members of every combination with their weights, columns in words and penalties.",
    "ratios": "RMSE relative to the paper's map, by horizon; below one is better.",
}


def run(settings: Settings) -> Outcome:
    """Fit the automatic model and the paper's map at every horizon of every dataset."""
    data = sources(settings)
    found = scores(plans(data), jobs=settings.jobs)
    cases = [Case(source.key, horizon) for source in data for horizon in HORIZONS]
    table = score_table(data, found, fitted(data, cases, jobs=settings.jobs))
    return Outcome(
        tables={
            "scores": table,
            "searches": search_table(data, found),
            "members": member_table(data, found),
        },
        figures={"ratios": draw(partial(ratio_figure, table))},
        checks=tuple(auto_checks(data, table)),
        captions=CAPTIONS,
        findings=tuple(auto_findings(data, table, found)),
        notes=(*NOTES, *source_notes(data)),
    )


NOTES = (
    "A result of ours, not of the paper: AutoNGRC(horizon=H) is told nothing else. Periods, columns, target, "
    "transform, penalties and weights are chosen by folds inside the fit block, before the first calibration target; "
    "times go along where the dataset has them.",
    "Judged is the fit to the rows that the paper's own NGRC is fitted to. FixedOrigin() as typed begins and ends a "
    "few rows earlier, as the automatic model waits for no lags; walking forward uses more rows. Both are shown "
    "beside it, and all three are scored on the same targets in the same units.",
    "The paper prints the RMSE of its four forecasters one step ahead alone. Its NGRC further ahead is run here, as "
    "in real-horizons.",
    "Seconds are those of the clock on this machine; with several jobs, of processes that share it.",
)


TARGET = Target(
    NAME,
    "Beyond the paper: the automatic model on its split (our result)",
    "The paper gives every forecaster lags and periods by dataset. What does a model reach that is told the horizon "
    "and nothing else, and chooses its columns, target, transform, penalties and combination inside its own fit block? "
    "On the paper's split of its datasets its error is held against the best of the paper's four forecasters one step "
    "ahead, and against the paper's NGRC further ahead. This is a result of ours, not of the paper.",
    run,
    paper="this page",
)
