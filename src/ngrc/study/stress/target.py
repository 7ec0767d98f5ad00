"""Beyond the paper: which interval method holds its level where, on simulated residuals."""

from functools import partial

import numpy as np

from ngrc.study.harness.figure import draw
from ngrc.study.harness.replicate import replicate
from ngrc.study.harness.target import Outcome, Settings, Target
from ngrc.study.stress.adversary import REACH
from ngrc.study.stress.cells import LEFT_OUT, WINDOW, names, replication
from ngrc.study.stress.checks import NAME, stress_checks
from ngrc.study.stress.figure import width_figure, worst_figure
from ngrc.study.stress.findings import stress_findings
from ngrc.study.stress.laws import FREEDOM, LEVEL, PERIOD, Sizes
from ngrc.study.stress.tables import score_table

REPS = 20
FULL, QUICK = Sizes(), Sizes(calibration=500, test=1500, adversary=800)
CAPTIONS = {
    "coverage": f"Means over replications at {LEVEL:.0%}: share covered, its least value over {WINDOW} steps in a row "
    "(worst; least is the worst of all replications), share of such windows within four points of the level (steady), "
    "width of the finite intervals over that of the true law (against an adversary: of its reach), share of infinite "
    "intervals; standard errors under the endings _se.",
    "worst": f"Least coverage over {WINDOW} steps in a row, mean over replications; nominal is {LEVEL:g}. The "
    "first row is what chance does to an interval that knows the law; an adversary's is its reach.",
    "widths": "Mean width over that of the true law's central interval. Below one an interval is too narrow somewhere, "
    "or cleverly skewed.",
}


def run(settings: Settings) -> Outcome:
    """Every method on the same residuals, replication by replication."""
    sizes, reps = QUICK if settings.quick else FULL, settings.replications(REPS, quick=2)
    task = partial(replication, sizes=sizes)
    samples = np.array(replicate(task, reps, name=NAME, seed=settings.seed, jobs=settings.jobs))
    methods = names()
    table = score_table(samples, methods)
    return Outcome(
        tables={"coverage": table},
        figures={
            "worst": draw(partial(worst_figure, table)),
            "widths": draw(partial(width_figure, table)),
        },
        checks=tuple(stress_checks(samples, methods, sizes)),
        captions=CAPTIONS,
        findings=tuple(stress_findings(table, sizes)),
        notes=_notes(reps, settings, sizes),
    )


def _notes(reps: int, settings: Settings, sizes: Sizes) -> tuple[str, ...]:
    return (
        "A result of ours, not of the paper: residuals are drawn, no model is fitted.",
        f"{reps} replications (a full run: {REPS}), seed {settings.seed}: {sizes.calibration} residuals before the "
        f"first interval, {sizes.test} after it, {sizes.adversary} against the adversary. All methods of a replication "
        "see the same residuals, with their defaults; at H = 7 each becomes known seven steps after its interval.",
        f"Heavy tails are Student's with {FREEDOM:g} degrees of freedom, the skewed law is exponential, the seasonal "
        f"scale goes round a clock of {PERIOD} steps that methods which see it are told.",
        "The adversary sees every interval before it chooses: one percent beyond the upper end, never beyond "
        f"{REACH:g} times the calibration scale, and a calm residual where that would not miss, so that a method which "
        "forgets is lured again.",
        *(f"Left out: {name}; {reason}." for name, reason in LEFT_OUT.items()),
    )


TARGET = Target(
    NAME,
    "Beyond the paper: coverage under stress (our result)",
    "Which interval method keeps its level when residuals are exchangeable, heavy-tailed or skewed, when their scale "
    "jumps, drifts or goes round a clock, and when an adversary chooses each of them after it has seen the interval? "
    "Residuals are simulated, so that the true law's interval is known. For every method stand overall coverage, the "
    "worst coverage over any 500 steps in a row, and the width relative to somebody who knows the law; what is exact "
    "for exchangeable residuals, and what is promised for any sequence, is held against the simulation. This is a "
    "result of ours, not of the paper.",
    run,
    paper="this page",
)
