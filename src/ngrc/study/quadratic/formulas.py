"""Experiment 3 against closed forms: exact coverage, Gaussian designs against their limits, Stein's bound."""

from math import log, sqrt

import numpy as np

from ngrc._normal import gaussian_radius
from ngrc._types import FloatArray
from ngrc.study.harness.compare import against_formula, holds, incomparable, nominal
from ngrc.study.harness.estimate import Estimate, estimate
from ngrc.study.harness.record import Cell, Check
from ngrc.study.quadratic.cells import BOUND, DESIGNS, DIFFUSENESS, DIMENSIONS, FITTED, SIGNALS
from ngrc.study.quadratic.identities import NAME, STEIN
from ngrc.study.simulated.finite import absolute_normal, expected_coverage, expected_score
from ngrc.study.simulated.marchenko_pastur import finite_traces, inverse_moments
from ngrc.study.simulated.trial import LEVEL, MEASURES, NOISE, RIDGE, TEST
from ngrc.theory import Phase, phase

DIFFUSENESS_TABLE, WIDTH_TABLE = "tab:sim_quadratic_diffuseness", "tab:sim_quadratic_widths"
SIGNAL, ASPECT = 2.0, 0.5
BAYES_TRACE, SPLIT, SPLIT_TRACE, COVERAGE, DISTANCE = (
    MEASURES.index(name) for name in ("W_B_trace", "W_C", "W_C_trace", "split_coverage", "residual_ks")
)
FACTOR = 4.0 * gaussian_radius(LEVEL) ** 2
MISSES = 1e-6
"""Chance that the empirical distance exceeds the population's by more than `sampling_floor`."""


def scores(dimension: int) -> int:
    """Calibration rows, twice the number of quadratic coordinates."""
    return dimension * (dimension + 1)


def limit() -> Phase:
    """What proportional dimension says of every design with p/n = 0.5 whose features are isotropic."""
    return phase(ASPECT, RIDGE, SIGNAL, NOISE, LEVEL)


def sampling_floor() -> float:
    """Radius of Dvoretzky, Kiefer and Wolfowitz around the empirical law of the test residuals."""
    return sqrt(log(2.0 / MISSES) / (2.0 * TEST))


def formula_checks(independent: FloatArray, designs: FloatArray) -> list[Check]:
    """Rows on the independent quadratic design by dimension and on the three designs at the largest."""
    gaussian = designs[:, DESIGNS.index("Independent Gaussian")]
    return [
        *_coverages(independent, gaussian),
        *_gaussian_widths(gaussian),
        *_quadratic_limits(independent),
        _bound(independent),
        *_orderings(independent),
        *_nominal(designs),
    ]


def _coverages(independent: FloatArray, gaussian: FloatArray) -> list[Check]:
    blocks = {f"d {d}, quadratic": (d, independent[:, i]) for i, d in enumerate(DIMENSIONS)}
    blocks |= {"independent Gaussian": (DIMENSIONS[-1], gaussian)}
    rows = []
    for name, (dimension, samples) in blocks.items():
        for j, signal in enumerate(SIGNALS):
            cell = Cell(NAME, WIDTH_TABLE, f"{name}, {signal}, split coverage of exchangeable rows")
            value, ours = expected_coverage(scores(dimension), LEVEL), estimate(samples[:, j, COVERAGE])
            reason = f"k/(m + 1) of the k-th of m = {scores(dimension)} scores"
            rows.append(against_formula(cell, ours, value, reason))
    return rows


def _gaussian_widths(samples: FloatArray) -> list[Check]:
    """Given the fit the residuals are normal here, so that both sides are known at these very sizes."""
    count, columns = scores(DIMENSIONS[-1]), scores(DIMENSIONS[-1]) // 2
    surplus = expected_score(absolute_normal, count, LEVEL, power=2) / gaussian_radius(LEVEL) ** 2
    traces, moments = finite_traces(count, columns, RIDGE), inverse_moments(ASPECT, RIDGE, 2)
    first, second = (float(shift) for shift in (traces.first, traces.second) - columns * moments)
    theory, moved = (
        limit(),
        f"limit in proportional dimension, moved to {count} rows by its term of order 1/n",
    )
    bayes = FACTOR * (theory.v_bayes + NOISE**2 * first / count)
    prior, truth = NOISE**2 / count, SIGNAL**2 * RIDGE / columns
    conformal = FACTOR * (theory.v_conformal + prior * first - RIDGE * (prior - truth) * second)
    cell = Cell(NAME, WIDTH_TABLE, "independent Gaussian, squared W_B trace against its limit")
    rows = [against_formula(cell, estimate(samples[:, 0, BAYES_TRACE] ** 2), bayes, moved)]
    for j, signal in enumerate(SIGNALS):
        squared, trace = samples[:, j, SPLIT] ** 2, samples[:, j, SPLIT_TRACE] ** 2
        cell = Cell(NAME, WIDTH_TABLE, f"independent Gaussian, {signal}, squared W_C trace against its limit")
        rows.append(against_formula(cell, estimate(trace), conformal, moved))
        paired = estimate(squared - surplus * trace)
        ours = Estimate(float(squared.mean()), paired.error, paired.count)
        cell = Cell(NAME, WIDTH_TABLE, f"independent Gaussian, {signal}, squared W_C against its trace")
        reason = "mean of the finite traces of the same designs, moved by the surplus of the order statistic"
        rows.append(against_formula(cell, ours, float(surplus * trace.mean()), reason))
    return rows


def trace_ratios(independent: FloatArray, signal: int) -> FloatArray:
    """Mean squared W_C trace over its limit, by dimension."""
    ratios: FloatArray = (
        (independent[:, :, signal, SPLIT_TRACE] ** 2).mean(axis=0) / FACTOR / limit().v_conformal
    )
    return ratios


def _quadratic_limits(independent: FloatArray) -> list[Check]:
    """Shown, not judged: quadratic features reach the limit only as the dimension grows, and no rate is known."""
    reason = "the limit holds as d grows; finite d has no formula, and the finite trace is the one to use"
    means = (independent[:, :, 1, SPLIT_TRACE] ** 2).mean(axis=0) / FACTOR
    return [
        incomparable(
            Cell(
                NAME,
                DIFFUSENESS_TABLE,
                f"d {dimension}, Diffuse, conformal variance by trace and in the limit",
            ),
            limit().v_conformal,
            reason,
            float(mean),
            kind="formula",
        )
        for dimension, mean in zip(DIMENSIONS, means, strict=True)
    ]


def _bound(independent: FloatArray) -> Check:
    below = independent[..., FITTED] <= independent[..., BOUND] + sampling_floor()
    cell = Cell(NAME, STEIN, "trials whose residual distance stays below Stein's bound")
    reason = f"the bound given each fit, and {sampling_floor():.3f} for {TEST} residuals (chance of a miss {MISSES:g})"
    return holds(cell, int(below.sum()), below.size, reason)


def _orderings(independent: FloatArray) -> list[Check]:
    rows = []
    for measure, name in ((DIFFUSENESS, "D_op"), (DISTANCE, "residual KS")):
        mean = independent[..., measure].mean(axis=0)
        cell = Cell(
            NAME, DIFFUSENESS_TABLE, f"dimensions where the concentrated signal has the larger {name}"
        )
        reason = "text: the concentrated construction retains a larger one"
        rows.append(holds(cell, int(np.sum(mean[:, 0] > mean[:, 1])), len(DIMENSIONS), reason))
        cell = Cell(NAME, DIFFUSENESS_TABLE, f"{name} of the diffuse signal is smaller at d 24 than at d 8")
        rows.append(
            holds(cell, int(mean[-1, 1] < mean[0, 1]), 1, "text: increasingly diffuse, increasingly Gaussian")
        )
    return rows


def _nominal(designs: FloatArray) -> list[Check]:
    rows = []
    for i, design in enumerate(DESIGNS):
        dependent = design == "Temporal quadratic"
        why = (
            "; overlapping windows are not exchangeable, and the independent designs beside them are"
            if dependent
            else ""
        )
        for j, signal in enumerate(SIGNALS):
            cell = Cell(NAME, WIDTH_TABLE, f"{design}, {signal}, split coverage is nominal")
            ours = estimate(designs[:, i, j, COVERAGE])
            rows.append(nominal(cell, ours, LEVEL, f"text: near the nominal level{why}"))
    return rows
