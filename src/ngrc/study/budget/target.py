"""Experiment 5: the fitting-calibration tradeoff under equal and unequal data budgets."""

from functools import partial
from typing import Any

import numpy as np
import polars as pl

from ngrc._types import FloatArray
from ngrc.study.budget.cells import BUDGET, DIMENSIONS, LEVEL, MEASURES, RATIOS, REPS, SHARES, replication
from ngrc.study.budget.figure import equal_figure, unequal_figure
from ngrc.study.budget.findings import findings
from ngrc.study.budget.formulas import BAYES, EQUAL, NAME, SAME, UNEQUAL, coverage_checks, error_checks
from ngrc.study.harness.compare import exact, holds, incomparable
from ngrc.study.harness.estimate import error_columns, standard_error
from ngrc.study.harness.figure import draw
from ngrc.study.harness.printed import printed
from ngrc.study.harness.record import Cell, Check
from ngrc.study.harness.replicate import replicate
from ngrc.study.harness.target import Outcome, Settings, Target

# Text: aspect ratios of the setting and of the first three Bayesian budgets.
ASPECTS = {10: printed("0.025"), 300: printed("0.75")}
UNEQUAL_ASPECTS = tuple(map(printed, ("1.5", "1.0", "0.75")))


def run(settings: Settings) -> Outcome:
    """Simulate both budget comparisons and check what the text says of them."""
    reps = settings.replications(REPS)
    samples = np.array(replicate(replication, reps, name=NAME, seed=settings.seed, jobs=settings.jobs))
    compared = [
        *_setting_checks(),
        *coverage_checks(samples),
        *error_checks(samples),
        *_ordering_checks(samples),
    ]
    return Outcome(
        tables={"budget": _table(samples)},
        figures={
            "equal_budget": draw(partial(equal_figure, samples)),
            "unequal_budget": draw(partial(unequal_figure, samples)),
        },
        checks=tuple(compared),
        findings=findings(samples, compared),
        captions={
            "equal_budget": "Bayesian ridge fits all 400 rows; split conformal fits a share and calibrates "
            "on the rest. Means over replications with 1.96 standard errors (band: Bayes).",
            "unequal_budget": "Split conformal has 400 rows, Bayesian ridge a multiple. Bars and bands are 1.96 "
            "standard errors. Dotted: equal budgets; dashed: as many rows as features.",
        },
        notes=(
            f"{reps} paired replications (the paper: {REPS}), seed {settings.seed}; noise variance known to Bayes.",
            "The paper prints no table for this experiment. Compared are the aspect ratios it prints, the coverage its "
            "text calls near nominal and the orderings it states, counted over settings; formulas are exact coverages "
            "and mean squared errors.",
            "Bayesian coverage near the interpolation threshold has no formula here: at 300 features it is not yet "
            "its limit in proportional dimension.",
        ),
    )


def _table(samples: FloatArray) -> pl.DataFrame:
    mean, error = samples.mean(axis=0), standard_error(samples)
    names = [("split", share, round(share * BUDGET)) for share in SHARES]
    names += [("bayes", ratio, round(ratio * BUDGET)) for ratio in RATIOS]
    records = []
    for i, columns in enumerate(DIMENSIONS):
        for j, (method, share, rows) in enumerate(names):
            record: dict[str, Any] = {
                "p": columns,
                "method": method,
                "share": share,
                "fit_rows": rows,
            }
            records.append(record | error_columns(MEASURES, mean[i, j], error[i, j]))
    return pl.DataFrame(records)


def _setting_checks() -> list[Check]:
    checks = [exact(Cell(NAME, EQUAL, f"p/B at p = {p}"), p / BUDGET, paper) for p, paper in ASPECTS.items()]
    for ratio, paper in zip(RATIOS, UNEQUAL_ASPECTS, strict=False):
        cell = Cell(NAME, UNEQUAL, f"p/N_B at N_B/N_C = {ratio:g}")
        checks.append(exact(cell, DIMENSIONS[1] / (ratio * BUDGET), paper))
    return checks


def _ordering_checks(samples: FloatArray) -> list[Check]:
    """Statements about means, each counted over the settings it is made for."""
    mean = samples.mean(axis=0)
    claims: list[tuple[str, str, int, int, str]] = []
    for k, measure in enumerate(MEASURES[1:], start=1):
        for i, columns in enumerate(DIMENSIONS):
            larger = int(np.sum(mean[i, :BAYES, k] > mean[i, SAME, k]))
            cell = f"p = {columns}, shares where split conformal has the larger {measure}"
            claims.append((EQUAL, cell, larger, len(SHARES), "text: across the considered range"))
        falling = int(np.sum(np.diff(mean[1, :BAYES, k]) < 0))
        cell = f"p = 300, steps in the share that lower the {measure}"
        claims.append(
            (
                EQUAL,
                cell,
                falling,
                len(SHARES) - 1,
                "text: increasing the share improves; at 10 features the change is below the errors",
            )
        )
        few, many = mean[1, BAYES:SAME, k], mean[1, SAME:, k]
        worse = int(np.sum(few[:, None] > many))
        cell = f"p = 300, pairs of budgets, up to p and above it, where the smaller has the larger {measure}"
        claims.append(
            (
                UNEQUAL,
                cell,
                worse,
                few.size * many.size,
                "text: worse at or beyond the interpolation threshold",
            )
        )
    low = samples[:, 1, BAYES : BAYES + 2, 0]
    conservative = int(np.sum(low.mean(axis=0) - 3.0 * standard_error(low) > LEVEL))
    cell = "p = 300, budgets up to N_B = p with conservative coverage"
    claims.append((UNEQUAL, cell, conservative, 2, "text: conservative; here by more than 3 standard errors"))
    # Neighbouring means lie so close that fewer replications put some in the wrong order by chance.
    if len(samples) >= REPS:
        return [holds(Cell(NAME, table, cell), ours, paper, why) for table, cell, ours, paper, why in claims]
    few = f"orderings of means need the paper's {REPS} replications"
    return [
        incomparable(Cell(NAME, table, cell), paper, few, ours, kind="claim")
        for table, cell, ours, paper, _ in claims
    ]


TARGET = Target(
    NAME,
    "Experiment 5: fitting-calibration tradeoff under controlled data budgets",
    "Split conformal prediction must keep rows back for calibration, which are then missed in the fit. Asked is what "
    "that costs in width, Winkler score and RMSE with 10 and with 300 features and 400 rows, beside Bayesian ridge on "
    "the whole budget and on half to twice of it, and at what coverage.",
    run,
)
