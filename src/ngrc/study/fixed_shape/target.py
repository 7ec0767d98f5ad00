"""Experiment 1: in fixed dimension the residual's shape alone decides whether the two intervals agree."""

from functools import partial
from typing import Any

import numpy as np
import polars as pl

from ngrc._types import FloatArray
from ngrc.study.fixed_shape.cells import LAWS, LEVELS, MEASURES, REPS, SCALE_RATIO, limits, replication
from ngrc.study.fixed_shape.checks import NAME, checks
from ngrc.study.fixed_shape.figure import shape_figure
from ngrc.study.fixed_shape.findings import findings
from ngrc.study.harness.estimate import standard_error
from ngrc.study.harness.figure import draw
from ngrc.study.harness.replicate import replicate
from ngrc.study.harness.target import Outcome, Settings, Target


def run(settings: Settings) -> Outcome:
    """Simulate, tabulate and compare with the limits of the fixed-dimensional theorem."""
    reps = settings.replications(REPS)
    samples = np.array(replicate(replication, reps, name=NAME, seed=settings.seed, jobs=settings.jobs))
    compared = checks(samples)
    return Outcome(
        tables={"fixed_shape": _table(samples)},
        figures={"fixed_shape": draw(partial(shape_figure, samples))},
        checks=tuple(compared),
        findings=findings(samples, compared),
        captions={
            "fixed_shape": "Left: Bayesian minus split-conformal width and its limit. Middle: Bayesian "
            "coverage and its limit. Right: split-conformal coverage; dashed lines are the nominal levels."
        },
        notes=(
            f"{reps} replications (the paper: {REPS}), seed {settings.seed}.",
            "The paper prints no table for this experiment. Formulas are its limits, moved by what 800 rows and 800 "
            "scores are known to shift; claims are the levels that its text calls nominal.",
        ),
    )


def _table(samples: FloatArray) -> pl.DataFrame:
    mean, error = samples.mean(axis=0), standard_error(samples)
    records = []
    for i, (law, row) in enumerate(zip(LAWS.values(), limits(), strict=True)):
        for j, (level, limit) in enumerate(zip(LEVELS, row, strict=True)):
            record: dict[str, Any] = {"residuals": law, "level": level}
            expected = (limit.difference, limit.coverage_bayes, limit.coverage_conformal)
            for k, measure in enumerate(MEASURES[:SCALE_RATIO]):
                record |= {
                    measure: mean[i, j, k],
                    f"{measure}_se": error[i, j, k],
                    f"{measure}_limit": expected[k],
                }
            records.append(record)
    return pl.DataFrame(records)


TARGET = Target(
    NAME,
    "Experiment 1: residual shape and fixed-dimensional agreement",
    "With five features and 800 rows parameter uncertainty is negligible. The Bayesian radius is z times the training "
    "RMS, the conformal one a quantile of the absolute residual, and whether the two agree is a matter of the "
    "residual's shape and of the level. Asked is how far they differ, and what each covers, for Gaussian, Laplace, "
    "Student and centred exponential errors at four levels.",
    run,
)
