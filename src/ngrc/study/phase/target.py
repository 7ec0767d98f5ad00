"""Experiment 2: in proportional dimension the signal decides which interval is wider; coverage follows."""

from functools import partial
from typing import Any

import numpy as np
import polars as pl

from ngrc._normal import gaussian_radius
from ngrc._types import FloatArray
from ngrc.study.harness.compare import against_formula, equal, nominal
from ngrc.study.harness.estimate import Estimate, error_columns, estimate, standard_error
from ngrc.study.harness.figure import draw
from ngrc.study.harness.record import Cell, Check
from ngrc.study.harness.replicate import replicate
from ngrc.study.harness.target import Outcome, Settings, Target
from ngrc.study.phase.cells import (
    BAYES,
    BAYES_COVERAGE,
    CALIBRATION,
    LEVEL,
    MEASURES,
    RATIOS,
    REPS,
    RIDGES,
    SNRS,
    SPLIT,
    SPLIT_COVERAGE,
    TEST,
    replication,
)
from ngrc.study.phase.figure import phase_figure, verification_figure
from ngrc.study.simulated.finite import absolute_normal, expected_score
from ngrc.theory import phase

NAME = "phase"
PHASE, VERIFICATION = "fig:sim_hd_phase", "fig:sim_hd_width_verification"


def run(settings: Settings) -> Outcome:
    """Simulate, tabulate and compare with finite traces and Marchenko-Pastur limits."""
    reps = settings.replications(REPS, quick=4)
    samples = np.array(replicate(replication, reps, name=NAME, seed=settings.seed, jobs=settings.jobs))
    return Outcome(
        tables={"phase": table(samples)},
        figures={
            "phase": draw(partial(phase_figure, samples)),
            "width_verification": draw(partial(verification_figure, samples)),
        },
        checks=tuple(_checks(samples)),
        captions={
            "phase": "Top: limit of the squared-width difference and the equal-width boundary SNR = "
            "gamma/lambda. Middle: simulated differences (points) and finite traces (lines). Bottom: "
            "Bayesian coverage (points) and its limit (lines); the dotted line is 95 %.",
            "width_verification": "Simulated squared widths against their finite traces; the dashed line is "
            "equality.",
        },
        notes=(
            f"{reps} replications (the paper: {REPS}), seed {settings.seed}; noise variance known.",
            "The paper prints no table for this experiment. Compared are its formulas: squared widths with "
            "the mean of their finite traces, Bayesian coverage with its limit. The k-th of 400 scores lies "
            "above its quantile on average, which the tolerance adds.",
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
        record |= error_columns(MEASURES, mean[index], error[index])
        records.append(record | {"bayes_coverage_limit": limit.coverage_bayes})
    return pl.DataFrame(records)


def _checks(samples: FloatArray) -> list[Check]:
    # By how much the mean square of the order statistic exceeds the squared quantile it estimates, as a share.
    surplus = expected_score(absolute_normal, CALIBRATION, LEVEL, power=2) / gaussian_radius(LEVEL) ** 2 - 1.0
    checks = []
    for index in np.ndindex(samples.shape[1:-1]):
        ratio, ridge, snr = RATIOS[index[0]], RIDGES[index[1]], SNRS[index[2]]
        name = f"gamma {ratio:g}, lambda {ridge:g}, SNR {snr:g}"
        bayes, split, bayes_trace, split_trace, covered, _ = samples[(slice(None), *index)].T
        shift = surplus * float(split_trace.mean())
        pairs = (
            (PHASE, "squared width difference", bayes - split, bayes_trace - split_trace, shift),
            (VERIFICATION, "squared split width", split, split_trace, shift),
        )
        for where, measure, ours, trace, allowance in pairs:
            checks.append(_against_trace(Cell(NAME, where, f"{name}, {measure}"), ours, trace, allowance))
        if index[2] == 0:  # the Bayesian width does not depend on the signal
            place = Cell(NAME, VERIFICATION, f"gamma {ratio:g}, lambda {ridge:g}, squared Bayesian width")
            checks.append(_against_trace(place, bayes, bayes_trace, 0.0))
        checks.append(_against_limit(name, covered, phase(ratio, ridge, snr**0.5, 1.0, LEVEL).coverage_bayes))
    return [*checks, *_claims(samples)]


def _against_trace(cell: Cell, ours: FloatArray, trace: FloatArray, allowance: float) -> Check:
    """The traces are of the same designs, so the error is that of the paired difference."""
    paired = estimate(ours - trace)
    reason = "the mean of the finite traces of the same designs"
    reason += "; plus the surplus of the order statistic" if allowance else ""
    mean = Estimate(float(ours.mean()), paired.error, paired.count)
    return against_formula(cell, mean, float(trace.mean()) + allowance, REPS, reason)


def _against_limit(name: str, covered: FloatArray, limit: float) -> Check:
    counted = estimate(covered)
    # Coverages near one can agree in every replication; the error is never below that of counting misses.
    least = np.sqrt(limit * (1.0 - limit) / (TEST * counted.count))
    ours = Estimate(counted.mean, max(counted.error, float(least)), counted.count)
    cell = Cell(NAME, PHASE, f"{name}, Bayesian coverage")
    return against_formula(cell, ours, limit, REPS, "its limit in proportional dimension")


def _claims(samples: FloatArray) -> list[Check]:
    """What the text says of all cells at once."""
    difference = samples[..., BAYES] - samples[..., SPLIT]
    mean, error = difference.mean(axis=0), standard_error(difference)
    boundary = np.array([[[snr * ridge - ratio for snr in SNRS] for ridge in RIDGES] for ratio in RATIOS])
    # On the boundary a clear difference of either sign is wrong; rounded, SNR lambda - gamma is exactly zero there.
    clear = np.abs(mean) > 3.0 * error
    wrong = int(np.sum(clear & (np.sign(mean) != -np.sign(boundary.round(12)))))
    covered = samples[..., BAYES_COVERAGE]
    below = covered.mean(axis=0) + 3.0 * standard_error(covered) < LEVEL
    astray = int(np.sum(below & (boundary < 0)))
    # Cells of one replication share designs and noise: the mean over cells is one sample per replication.
    split = estimate(samples[..., SPLIT_COVERAGE].mean(axis=(1, 2, 3)))
    return [
        equal(Cell(NAME, PHASE, "cells with a clear difference of the wrong sign"), wrong, 0, kind="claim",
              reason="clear: more than 3 standard errors from zero"),
        equal(Cell(NAME, PHASE, "cells that undercover on the side where Bayes is wider"), astray, 0, kind="claim",
              reason="undercover: by more than 3 standard errors"),
        nominal(Cell(NAME, "sec:simulations", "split-conformal coverage, all cells"), split, LEVEL, REPS),
    ]  # fmt: skip


TARGET = Target(
    NAME,
    "Experiment 2: high-dimensional phase transition and coverage",
    "With Gaussian features and errors and p comparable to n, the Bayesian interval is wider than the "
    "conformal one when the signal is weaker than its prior expects (SNR below gamma/lambda) and narrower "
    "when it is stronger. Finite traces of the design predict both squared widths, each by itself and their "
    "difference, in all 54 cells, and the Marchenko-Pastur limit predicts the coverage: where the Bayesian "
    "interval is the narrower one it undercovers, so that its smaller width is bought with calibration and "
    "is no gain in efficiency.",
    run,
)
