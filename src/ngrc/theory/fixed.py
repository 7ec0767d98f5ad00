"""Fixed dimension: the residual's shape alone decides whether the two intervals agree."""

from dataclasses import dataclass
from math import sqrt

from ngrc._normal import gaussian_radius
from ngrc.theory._check import check_nonnegative
from ngrc.theory.laws import LawLike, residual_law
from ngrc.validation import check_count, check_level


@dataclass(frozen=True, slots=True)
class FixedDimension:
    """Limits of both intervals in fixed dimension."""

    width_bayes: float
    """2 z tau"""
    width_conformal: float
    """2 q_e"""
    difference: float
    """2 (z tau - q_e)"""
    coverage_bayes: float
    """P(|e| <= z tau)"""
    coverage_conformal: float
    """1 - alpha"""
    rms: float
    """tau, the root mean square of the projection error"""
    quantile: float
    """q_e, the 1 - alpha quantile of |e|"""


def fixed_dimension(residual_law_or_sample: LawLike, level: float) -> FixedDimension:
    """Limits of the Gaussian readout and split-conformal intervals when p is fixed.

    W_B -> 2 z tau and W_C -> 2 q_e in probability, so W_B - W_C -> 2 (z tau - q_e) (theorem
    "Fixed-dimensional Bayesian-conformal width discrepancy"); coverage tends to P(|e| <= z tau) and 1 - alpha
    (corollary "Fixed-dimensional marginal coverage"). Here e is the error of the population least-squares
    projection, tau^2 = E e^2, q_e the 1 - alpha quantile of |e|. Assumes a stationary ergodic process with
    second moments, lambda_n -> 0, and the law of |e| continuous and strictly increasing at q_e (for
    the coverage also continuous at z tau); neither a linear truth
    nor mixing.

    Parameters
    ----------
    residual_law_or_sample
        A law of `ngrc.theory.laws`, its name ("gaussian", "laplace", "t5", "exponential"; unit rms), or a
        sample of residuals, shape (m,), whose empirical law is taken.
    level
        Nominal coverage 1 - alpha.

    Examples
    --------
    >>> limits = fixed_dimension("laplace", 0.95)
    >>> round(limits.difference, 4), round(limits.coverage_bayes, 4)
    (-0.3167, 0.9375)
    """
    nominal, law = check_level(level), residual_law(residual_law_or_sample)
    radius = gaussian_radius(nominal) * law.rms
    quantile = law.absolute_quantile(nominal)
    return FixedDimension(
        width_bayes=2.0 * radius,
        width_conformal=2.0 * quantile,
        difference=2.0 * (radius - quantile),
        coverage_bayes=law.absolute_cdf(radius),
        coverage_conformal=nominal,
        rms=law.rms,
        quantile=quantile,
    )


@dataclass(frozen=True, slots=True)
class DimensionCorrection:
    """How much parameter uncertainty widens the Bayesian interval over the fitted rows."""

    ratio: float
    """d_eff / n"""
    squared_factor: float
    """1 + d_eff / n, the mean of W_B^2 over the fit rows in units of 4 z^2 tau^2"""
    width_factor: float
    """its square root"""


def effective_dimension_correction(dimension: float, rows: int) -> DimensionCorrection:
    """Mean squared Bayesian width over the fitted rows, relative to 4 z^2 tau^2.

    (1/n) sum_t W_B(r_t)^2 = 4 z^2 tau^2 (1 + d_eff/n), an identity for every design (the
    effective-dimensional extension of the fixed-dimensional comparison). The correction vanishes when d_eff/n -> 0.

    Parameters
    ----------
    dimension
        d_eff = tr{S (S + lambda I)^-1}, see `effective_dimension`; at most n.
    rows
        n, the number of fitted rows.

    Examples
    --------
    >>> effective_dimension_correction(21.0, 100).width_factor
    1.1
    """
    count, size = check_count(rows, "rows"), check_nonnegative(dimension, "dimension")
    # A sum of n eigenvalue ratios that are all 1 may round above n; more than 1e-9 of it is a wrong argument.
    if size > count * (1.0 + 1e-9):
        raise ValueError(f"dimension must not exceed the {count} rows, got {size}")
    # W_B(r_t)^2 = 4 z^2 tau^2 (1 + leverage of r_t), and the n leverages sum to the trace d_eff.
    factor = 1.0 + size / count
    return DimensionCorrection(size / count, factor, sqrt(factor))
