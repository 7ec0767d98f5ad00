"""What the temporal transfer showed, in words made from its numbers."""

from collections.abc import Sequence

import numpy as np

from ngrc._types import FloatArray
from ngrc.study.harness.estimate import Estimate
from ngrc.study.harness.record import Check
from ngrc.study.simulated.transfer import CASES, RHO, SEPARATIONS
from ngrc.study.simulated.trial import LEVEL, MEASURES
from ngrc.study.simulated.words import chance, listed
from ngrc.study.temporal.cells import COVERAGE_WINDOWS, REACH, WIDTH_WINDOWS
from ngrc.theory import beta_mixing_ar1, required_separation, transfer_bound

WIDTH, TRACE, COVERAGE, DISTANCE = (
    MEASURES.index(name) for name in ("W_C", "W_C_trace", "split_coverage", "residual_ks")
)


def findings(samples: FloatArray, distances: Sequence[Estimate], checks: Sequence[Check]) -> tuple[str, ...]:
    """Sentences on the approach to independent windows and on the bound."""
    return (_approach(samples, distances), _widths(samples), _bound(samples), chance(checks))


def _approach(samples: FloatArray, distances: Sequence[Estimate]) -> str:
    mean = samples.mean(axis=0)
    widths = [f"{distance.mean:.3f}" for distance in distances]
    residual = [f"{value:.3f}" for value in mean[:-1, DISTANCE]]
    return (
        f"At separations {listed([str(separation) for separation in SEPARATIONS])} the distribution of the conformal "
        f"width lies {listed(widths)} from that of independent windows; the residual's distance to normality is "
        f"{listed(residual)}, and {mean[-1, DISTANCE]:.3f} for independent windows."
    )


def _widths(samples: FloatArray) -> str:
    mean = samples.mean(axis=0)
    errors = mean[:, WIDTH] / mean[:, TRACE] - 1.0
    worst, covered = int(np.argmax(np.abs(errors))), mean[:, COVERAGE]
    return (
        f"Mean width and mean finite trace differ by at most {abs(errors[worst]):.1%} (separation {CASES[worst]}); "
        f"coverage lies between {covered.min():.3f} and {covered.max():.3f}."
    )


def _bound(samples: FloatArray) -> str:
    last = SEPARATIONS[-1]
    bound = transfer_bound(COVERAGE_WINDOWS, beta_mixing_ar1(RHO, last - REACH), 1.0 - LEVEL).failure
    missed = 1.0 - float(samples[:, len(SEPARATIONS) - 1, COVERAGE].mean())
    first = required_separation(RHO, WIDTH_WINDOWS, 1.0, REACH).origins
    return (
        f"The proven bound says nothing before separation {first}; at {last} it allows a miscoverage of {bound:.3f}, "
        f"where {missed:.3f} is seen."
    )
