"""Both recurrences on Experiment 4, as rows of the same table."""

from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from ngrc._types import FloatArray
from ngrc.intervals import IntervalMethod
from ngrc.study.harness.estimate import Estimate, estimate
from ngrc.study.harness.printed import Printed, printed
from ngrc.study.harness.replicate import replicate
from ngrc.study.harness.target import Settings
from ngrc.study.rescp.distances import RECURRENCES, side_by_side
from ngrc.study.volterra.cells import MEASURES, Replication, policies, replication
from ngrc.study.volterra.pilot import APPENDIX
from ngrc.study.volterra.printed import REPS as PAPER_REPS
from ngrc.study.volterra.printed import ROWS
from ngrc.study.volterra.recurrences import TEMPERATURE

REPS, QUICK_REPS = 50, 3
"""Half of the paper's: enough to tell the recurrences apart, at half the cost."""
POLICIES = {"rescp-all": "all history", "rescp-fifo": "FIFO of 800"}
CONDITIONS = {
    "constant noise": {"coverage": "constant_coverage", "width": "constant_width"},
    "high noise": {"coverage": "high_noise_coverage", "width": "high_noise_width"},
}


def volterra_records(settings: Settings) -> list[dict[str, Any]]:
    """One row per policy, condition and recurrence, at the appendix's reservoir and one temperature."""
    fixed = replace(APPENDIX, temperature=TEMPERATURE)
    methods: dict[str, IntervalMethod] = {}
    for recurrence in RECURRENCES:
        layer = policies(replace(fixed, recurrence=recurrence))
        methods |= {f"{recurrence} {policy}": method for policy, method in layer.items()}
    count = QUICK_REPS if settings.quick else min(REPS, settings.replications(REPS))
    task = partial(replication, methods=methods)
    # The evaluation's own name, hence its own sequences.
    runs: list[Replication] = replicate(task, count, name="volterra", seed=settings.seed, jobs=settings.jobs)
    measures = np.array([one.measures for one in runs])
    places = {name: place for place, name in enumerate(methods)}
    return [
        {"dataset": "Volterra", "case": f"{title}, {condition}", "recurrence": recurrence}
        | side_by_side(
            _means(measures[:, places[f"{recurrence} {policy}"]], names), _print(policy, names), PAPER_REPS
        )
        for policy, title in POLICIES.items()
        for condition, names in CONDITIONS.items()
        for recurrence in RECURRENCES
    ]


def _means(samples: FloatArray, names: dict[str, str]) -> dict[str, Estimate]:
    return {measure: estimate(samples[:, MEASURES.index(name)]) for measure, name in names.items()}


def _print(policy: str, names: dict[str, str]) -> dict[str, Printed]:
    return {measure: printed(ROWS[policy].measures[MEASURES.index(name)]) for measure, name in names.items()}
