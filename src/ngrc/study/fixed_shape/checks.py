"""Experiment 1 against what its sizes should give, and against the text."""

import numpy as np

from ngrc._types import FloatArray
from ngrc.study.fixed_shape.cells import CALIBRATION, FIT, LAWS, LEVELS, MEASURES, SCALE_RATIO
from ngrc.study.fixed_shape.expected import Expected, FiniteShape
from ngrc.study.harness.compare import against_formula, equal, errors_allowed, incomparable, nominal
from ngrc.study.harness.estimate import estimate, standard_error
from ngrc.study.harness.record import Cell, Check
from ngrc.theory import residual_law

NAME = "fixed-shape"
FIGURE = "fig:sim_fixed_residual_shape"
SHIFTED = f"the theorem's limit, moved by what {FIT} rows and {CALIBRATION} scores are known to shift"
REASONS = (SHIFTED, SHIFTED, f"k/(m + 1) of the k-th of m = {CALIBRATION} exchangeable scores")
RATIO = "1 - p/n and what the penalty leaves; the noise drawn is divided out, so that n - p for n shows"


def checks(samples: FloatArray) -> list[Check]:
    """All comparisons of samples of shape (replications, laws, levels, measures)."""
    rows = []
    for i, law in enumerate(LAWS):
        finite = FiniteShape(residual_law(law))
        for j, level in enumerate(LEVELS):
            rows += _cell(law, level, samples[:, i, j], finite.at(level))
        cell = Cell(NAME, FIGURE, f"{law}, training mean square over the noise's own")
        ratio = estimate(samples[:, i, 0, SCALE_RATIO])
        rows.append(against_formula(cell, ratio, finite.scale_ratio, RATIO))
    return [*rows, _sides(samples)]


def _cell(law: str, level: float, samples: FloatArray, expected: Expected) -> list[Check]:
    name = f"{law}, level {level:g}"
    values = (expected.width_difference, expected.bayes_coverage, expected.split_coverage)
    rows = []
    for k, (value, reason) in enumerate(zip(values, REASONS, strict=True)):
        cell = Cell(NAME, FIGURE, f"{name}, {MEASURES[k].replace('_', ' ')}")
        rows.append(against_formula(cell, estimate(samples[:, k]), value, reason))
    # The text calls split-conformal coverage near nominal, and Bayesian coverage under Gaussian errors nominal.
    promised = ("split",) if law != "gaussian" else ("split", "bayes")
    for method in promised:
        k = MEASURES.index(f"{method}_coverage")
        cell = Cell(NAME, FIGURE, f"{name}, {method} coverage is nominal")
        reason = f"the text: nominal; the formula at {FIT} rows gives {values[k]:.4f}"
        rows.append(nominal(cell, estimate(samples[:, k]), level, reason))
    return rows


def _sides(samples: FloatArray) -> Check:
    """The text: other shapes make the Bayesian interval too wide or too narrow, and it covers accordingly."""
    agreement = clear_sides(samples, 0) * clear_sides(samples, 1)
    wrong, clear = int(np.sum(agreement < 0)), int(np.sum(agreement != 0))
    cell = Cell(NAME, FIGURE, "cells where the wider interval covers less")
    reason = (
        f"the text: corresponding over- or undercoverage; of {clear} cells where both are clear by "
        f"{errors_allowed(len(samples)):.1f} errors"
    )
    if clear == 0:
        return incomparable(cell, 0, reason, wrong, kind="claim")
    return equal(cell, wrong, 0, kind="claim", reason=reason)


def clear_sides(samples: FloatArray, measure: int) -> FloatArray:
    """+1 where a difference or a surplus of coverage is above zero by the errors allowed, -1 below; (laws, levels)."""
    mean, error = samples[..., measure].mean(axis=0), standard_error(samples[..., measure])
    centred = mean - (0.0 if measure == 0 else np.array(LEVELS))
    sides: FloatArray = np.sign(centred) * (np.abs(centred) > errors_allowed(len(samples)) * error)
    return sides
