"""Experiment 2: in proportional dimension the signal decides which interval is wider; coverage follows."""

from functools import partial
from typing import Any

import numpy as np
import polars as pl

from ngrc._normal import gaussian_radius
from ngrc._types import FloatArray
from ngrc.study.harness.estimate import error_columns, standard_error
from ngrc.study.harness.figure import draw
from ngrc.study.harness.replicate import replicate
from ngrc.study.harness.target import Outcome, Settings, Target
from ngrc.study.phase.cells import (
    BAYES,
    LEVEL,
    MEASURES,
    RATIOS,
    REPS,
    RIDGES,
    SNRS,
    SPLIT,
    replication,
)
from ngrc.study.phase.checks import NAME, checks
from ngrc.study.phase.figure import phase_figure, verification_figure
from ngrc.study.phase.findings import findings
from ngrc.study.phase.noise import noise_checks, noise_findings, noise_table
from ngrc.study.phase.noise_figure import noise_figure
from ngrc.theory import phase


def run(settings: Settings) -> Outcome:
    """Simulate, tabulate and compare with finite traces and Marchenko-Pastur limits."""
    reps = settings.replications(REPS, quick=4)
    samples = np.array(replicate(replication, reps, name=NAME, seed=settings.seed, jobs=settings.jobs))
    compared = [*checks(samples), *noise_checks(samples)]
    return Outcome(
        tables={"phase": table(samples), "noise": noise_table(samples)},
        figures={
            "phase": draw(partial(phase_figure, samples)),
            "width_verification": draw(partial(verification_figure, samples)),
            "noise_scale": draw(partial(noise_figure, samples)),
        },
        checks=tuple(compared),
        captions={
            "phase": "Top: limit of the squared-width difference and the equal-width boundary SNR = "
            "gamma/lambda. Middle: simulated differences (points) and finite traces (lines). Bottom: "
            "Bayesian coverage (points) and its limit (lines); the dotted line is 95 %.",
            "width_verification": "Simulated squared widths against their finite traces; the dashed line is "
            "equality.",
            "noise_scale": "Coverage of the Bayesian interval with sigma known, and with sigma estimated from the "
            "fitted rows; the dashed line is the limit with the training RMS, the dotted one 95 %. Not in the paper.",
            "noise": "Estimates of sigma = 1 and what the Bayesian interval covers with them: the training RMS (fit), "
            "and the scales at the penalties of generalised cross-validation and of the largest evidence. An estimate "
            "collapses where no shrinkage is chosen and every row is interpolated. Not in the paper.",
        },
        findings=(*findings(samples, compared), noise_findings(samples)),
        notes=(
            f"{reps} replications (the paper: {REPS}), seed {settings.seed}; noise variance known, but for "
            "the table of its estimates.",
            "The paper prints no table for this experiment. Formulas are the finite traces of the same designs and the "
            "Marchenko-Pastur limits; both are moved by what is known of 400 rows and 400 scores: the k-th of 400 "
            "scores lies above its quantile on average, and traces of a real Gaussian design exceed their limits by a "
            "term of order 1/n.",
        ),
    )


def table(samples: FloatArray) -> pl.DataFrame:
    """One row per cell: means, standard errors, limits and the predicted ordering."""
    mean, error = samples.mean(axis=0), standard_error(samples)
    difference = samples[..., BAYES] - samples[..., SPLIT]
    gap, gap_error = difference.mean(axis=0), standard_error(difference)
    records = []
    for index in np.ndindex(gap.shape):
        ratio, ridge, snr = RATIOS[index[0]], RIDGES[index[1]], SNRS[index[2]]
        limit = phase(ratio, ridge, snr**0.5, 1.0, LEVEL)
        record: dict[str, Any] = {"gamma": ratio, "lambda": ridge, "snr": snr, "ordering": limit.ordering}
        record |= {"difference": gap[index], "difference_se": gap_error[index]}
        record |= {"difference_limit": 4.0 * gaussian_radius(LEVEL) ** 2 * limit.gap}
        record |= error_columns(MEASURES, mean[index][: len(MEASURES)], error[index][: len(MEASURES)])
        records.append(record | {"bayes_coverage_limit": limit.coverage_bayes})
    return pl.DataFrame(records)


TARGET = Target(
    NAME,
    "Experiment 2: high-dimensional phase transition and coverage",
    "With Gaussian features and errors and p comparable to n, theory says that the Bayesian interval is wider than the "
    "conformal one when the signal is weaker than its prior expects (SNR below gamma/lambda) and narrower when it is "
    "stronger, and that it then undercovers: its smaller width would be bought with calibration. Asked is whether "
    "finite traces of the design give both squared widths and their difference in 54 cells, and whether the "
    "Marchenko-Pastur limits give the difference and the coverage; and, beyond the paper, what the interval covers "
    "when the noise scale is estimated from the fitted rows.",
    run,
)
