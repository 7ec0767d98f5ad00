"""What Experiment 3 showed, in words made from its numbers."""

from collections.abc import Sequence

import numpy as np

from ngrc._types import FloatArray
from ngrc.study.harness.record import Check
from ngrc.study.quadratic.cells import BOUND, DESIGNS, DIFFUSENESS, DIMENSIONS, FITTED, SIGNALS
from ngrc.study.quadratic.formulas import COVERAGE, DISTANCE, SPLIT, SPLIT_TRACE, trace_ratios
from ngrc.study.simulated.trial import LEVEL, MEASURES
from ngrc.study.simulated.words import chance

BAYES_COVERAGE = MEASURES.index("bayes_coverage")


def findings(independent: FloatArray, designs: FloatArray, checks: Sequence[Check]) -> tuple[str, ...]:
    """Sentences on diffuseness, widths, coverage and the limit."""
    return (
        _diffuseness(independent),
        _designs(designs),
        _widths(independent, designs),
        _coverage(designs),
        _limit(independent),
        chance(checks),
    )


def _diffuseness(independent: FloatArray) -> str:
    mean = independent.mean(axis=0)
    parts = [
        f"{signal.lower()} signal {mean[0, j, DIFFUSENESS]:.3f} and {mean[-1, j, DIFFUSENESS]:.3f} (residual "
        f"distance to normality {mean[0, j, DISTANCE]:.3f} and {mean[-1, j, DISTANCE]:.3f})"
        for j, signal in enumerate(SIGNALS)
    ]
    share = float((independent[..., FITTED] / independent[..., BOUND]).max())
    return (
        f"Largest direction of the ridge bias at d = {DIMENSIONS[0]} and {DIMENSIONS[-1]}: {'; '.join(parts)}. The "
        f"residual distance is at most {share:.2f} of Stein's bound given the fit."
    )


def _designs(designs: FloatArray) -> str:
    distance = designs[..., DISTANCE].mean(axis=0)
    parts = [f"{design} {row[0]:.3f} and {row[1]:.3f}" for design, row in zip(DESIGNS, distance, strict=True)]
    return f"Residual distance to normality at d = {DIMENSIONS[-1]}, concentrated and diffuse: {'; '.join(parts)}."


def _widths(independent: FloatArray, designs: FloatArray) -> str:
    """Where the mean conformal width lies furthest from its mean finite trace."""
    names = [f"independent quadratic features, d = {dimension}" for dimension in DIMENSIONS]
    names += [f"{design}, d = {DIMENSIONS[-1]}" for design in DESIGNS]
    means = np.concatenate([independent.mean(axis=0)[..., : len(MEASURES)], designs.mean(axis=0)])
    errors = means[..., SPLIT] / means[..., SPLIT_TRACE] - 1.0
    i, j = np.unravel_index(int(np.argmax(np.abs(errors))), errors.shape)
    return (
        f"The mean conformal width differs from its mean finite trace by at most {abs(errors[i, j]):.1%}, "
        f"{means[i, j, SPLIT]:.2f} against {means[i, j, SPLIT_TRACE]:.2f} ({names[i]}, {SIGNALS[j].lower()} signal); "
        f"at d = {DIMENSIONS[-1]} by at most {np.abs(errors[len(DIMENSIONS) - 1 :]).max():.1%}."
    )


def _coverage(designs: FloatArray) -> str:
    mean = designs.mean(axis=0)
    split, bayes = mean[..., COVERAGE], mean[..., BAYES_COVERAGE]
    i, j = np.unravel_index(int(np.argmax(np.abs(split - LEVEL))), split.shape)
    return (
        f"At d = {DIMENSIONS[-1]} split conformal covers between {split.min():.3f} and {split.max():.3f}, furthest "
        f"from {LEVEL:g} for {DESIGNS[i]}, {SIGNALS[j].lower()}; the Bayesian interval between {bayes.min():.3f} and "
        f"{bayes.max():.3f}."
    )


def _limit(independent: FloatArray) -> str:
    ratios = trace_ratios(independent, 1)
    return (
        f"For quadratic features the conformal finite trace of the diffuse signal is {ratios[0]:.2f} times its limit "
        f"in proportional dimension at d = {DIMENSIONS[0]} and {ratios[-1]:.2f} times at d = {DIMENSIONS[-1]}."
    )
