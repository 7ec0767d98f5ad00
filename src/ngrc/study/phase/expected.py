"""What Experiment 2 should show with 400 rows: the limits in proportional dimension, moved to that size."""

from dataclasses import dataclass
from math import exp, pi, sqrt

from ngrc._normal import gaussian_coverage, gaussian_radius
from ngrc.study.phase.cells import CALIBRATION, FIT, LEVEL
from ngrc.study.simulated.finite import absolute_normal, expected_score
from ngrc.study.simulated.marchenko_pastur import finite_traces, inverse_moments
from ngrc.theory import Phase, phase

FACTOR = 4.0 * gaussian_radius(LEVEL) ** 2
"""From variances to squared widths."""
SURPLUS = expected_score(absolute_normal, CALIBRATION, LEVEL, power=2) / gaussian_radius(LEVEL) ** 2 - 1.0
"""By how much the mean square of the order statistic exceeds the squared quantile it estimates, as a share. Exact
here: given the fit the scores are normal, with the variance whose mean is the conformal trace."""


@dataclass(frozen=True, slots=True)
class Expected:
    """Expectations in one cell."""

    bayes_trace: float
    """of the squared Bayesian width, by its trace"""
    difference_trace: float
    """of the difference of squared widths, by their traces"""
    difference: float
    """of the simulated difference: the surplus of the order statistic is taken off"""
    coverage: float
    """of the Bayesian interval"""


def expected(ratio: float, ridge: float, snr: float, rows: int = FIT) -> Expected:
    """Limits of `ngrc.theory.phase` in one cell, and the shifts of a design with that many rows.

    The limits are taken from the theory itself and only moved, so that an error there, as a flipped sign of the gap,
    is an error here.
    """
    limit, columns = phase(ratio, ridge, sqrt(snr), 1.0, LEVEL), round(ratio * rows)
    traces, moments = finite_traces(rows, columns, ridge), inverse_moments(ratio, ridge, 2)
    first, second = traces.first / rows - ratio * moments[0], traces.second / columns - moments[1]
    bayes = limit.v_bayes + float(first)
    # P - V - B = lambda (sigma^2 gamma - s^2 lambda) tr(A^2)/p.
    gap = limit.gap + ridge * (ratio - snr * ridge) * float(second)
    conformal = limit.v_conformal + float(first) - ridge * (ratio - snr * ridge) * float(second)
    return Expected(
        bayes_trace=FACTOR * bayes,
        difference_trace=FACTOR * gap,
        difference=FACTOR * (gap - SURPLUS * conformal),
        coverage=_coverage(limit, bayes, conformal, (ratio, ridge, snr, rows)),
    )


def _coverage(limit: Phase, bayes: float, conformal: float, cell: tuple[float, float, float, int]) -> float:
    """Limit of the coverage and its shift of order 1/n.

    Given a test row r the residual is N(b, 1 + V_r) with b = lambda r'A w0, and the radius z sqrt(1 + h_r). Coverage
    g(U, T) = P(|N(0, T)| <= z sqrt U) at U = 1 + h, T = 1 + B + V is expanded to second order in what scatters: h_r and
    V_r over test rows, B over designs, and h_r and V_r together with b^2, by E[(b^2 - B) F(b)] = B^2 E[F''(b)] and
    F'' = 2 dF/dT.
    """
    ratio, ridge, snr, rows = cell
    # tr(A^k)/n; A S A = A - lambda A^2.
    _, a2, a3, a4 = (ratio * float(moment) for moment in inverse_moments(ratio, ridge, 4))
    columns, strength = ratio * rows, snr * ridge**2
    leverage = 2.0 * a2 / rows
    mixed = 2.0 * (a2 - ridge * a3) / rows
    sandwich = 2.0 * (a2 - 2.0 * ridge * a3 + ridge**2 * a4) / rows
    with_leverage, with_sandwich = strength * a3 / columns, strength * (a3 - ridge * a4) / columns
    bias = 2.0 * strength**2 / columns * (a4 / ratio - (a2 / ratio) ** 2)
    root = gaussian_radius(LEVEL) * sqrt(bayes / conformal)
    density = root * exp(-(root**2) / 2.0) / sqrt(2.0 * pi)
    curve_bayes = -density * (root**2 + 1.0) / (2.0 * bayes**2)
    curve_mixed = density * (root**2 - 1.0) / (2.0 * bayes * conformal)
    curve_conformal = density * (3.0 - root**2) / (2.0 * conformal**2)
    bent = 0.5 * curve_bayes * leverage + curve_mixed * (mixed + 2.0 * with_leverage)
    bent += curve_conformal * (0.5 * (sandwich + bias) + 2.0 * with_sandwich)
    moved = gaussian_coverage(root) - gaussian_coverage(
        gaussian_radius(LEVEL) * sqrt(limit.v_bayes / limit.v_conformal)
    )
    return limit.coverage_bayes + moved + bent
