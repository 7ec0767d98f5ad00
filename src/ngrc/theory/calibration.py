"""What a finite calibration block leaves open: the radius of an empirical law, and how far a quantile can move."""

from dataclasses import dataclass
from math import ceil, inf, log, sqrt

import numpy as np

from ngrc._types import FloatArray
from ngrc.theory._check import check_nonnegative
from ngrc.theory.laws import ResidualLaw
from ngrc.validation import check_count, check_level, check_positive, check_vector


def dkw_radius(count: int, failure: float = 0.05) -> float:
    """sqrt(log(2/delta)/(2m)): sup |F_m - F| exceeds it with probability at most delta.

    The Dvoretzky-Kiefer-Wolfowitz inequality with Massart's constant, for independent scores of any law. Source:
    appendix "Background on Standard Technical Tools"; it gives the m^-1/2 of every conformal width.

    Parameters
    ----------
    count
        m, the number of scores.
    failure
        delta in (0, 1).

    Examples
    --------
    >>> round(dkw_radius(400), 4)
    0.0679
    """
    chance = check_positive(failure, "failure")
    if chance >= 1.0:
        raise ValueError(f"failure must be a probability in (0, 1), got {failure!r}")
    return sqrt(log(2.0 / chance) / (2.0 * check_count(count, "count")))


@dataclass(frozen=True, slots=True)
class WidthBand:
    """Between which ends a split-conformal width lies."""

    lower: float
    upper: float
    """infinite where the block is too small to say"""


def conformal_width_band(law: ResidualLaw, level: float, count: int, failure: float = 0.05) -> WidthBand:
    """Ends between which the width 2 q of split conformal lies with probability at least 1 - delta.

    q is the k-th of m scores |e|, k = ceil((m + 1) level). Where |F_m - F| <= eps everywhere, F_m at a point with
    F >= k/m + eps has reached k/m and at one with F < k/m - eps has not, so that q lies between the quantiles at
    k/m - eps and k/m + eps. Source: proofs of "Finite-trace width comparison" and "Quadratic-NGRC width
    approximation", there as O(m^-1/2).

    Parameters
    ----------
    law
        Law of the residuals given the fit; Gaussian with rms^2 = sigma^2 + Q_n in the theorem.
    level
        Nominal coverage.
    count
        m, the number of calibration scores.
    failure
        delta in (0, 1).

    Examples
    --------
    >>> from ngrc.theory import Gaussian
    >>> band = conformal_width_band(Gaussian(), 0.9, count=2000)
    >>> round(band.lower, 2), round(band.upper, 2)
    (3.03, 3.64)
    """
    nominal, m, radius = check_level(level), check_count(count, "count"), dkw_radius(count, failure)
    share = _rank(m, nominal) / m
    low, high = share - radius, share + radius
    return WidthBand(
        lower=2.0 * law.absolute_quantile(low) if 0.0 < low < 1.0 else 0.0 if low <= 0.0 else inf,
        upper=2.0 * law.absolute_quantile(high) if high < 1.0 else inf,
    )


@dataclass(frozen=True, slots=True)
class QuantileBand:
    """Between which ends a corrected quantile lies; infinite where an end is past the scores."""

    lower: float
    upper: float


def quantile_stability(reference: FloatArray, change: float, level: float) -> QuantileBand:
    """Where the corrected quantile of scores can lie that differ from reference scores by `change` on average.

    If the mean of |S_i - S_i^0| is at most delta, no more than j scores differ by more than m delta/(j + 1), so that
    for every j the k-th score lies between S^0_(k-j) - m delta/(j + 1) and S^0_(k+j) + m delta/(j + 1); the best j is
    taken for each end. The band closes as delta -> 0: an average change is enough, none need be small one by one.
    Source: the lemma "Quantile stability under average score perturbations", whose proof this makes explicit.

    Parameters
    ----------
    reference
        Scores S^0, shape (m,), finite.
    change
        delta >= 0.
    level
        Nominal coverage; k = ceil((m + 1) level).

    Examples
    --------
    >>> quantile_stability(np.arange(1.0, 20.0), 0.0, 0.5)
    QuantileBand(lower=10.0, upper=10.0)
    >>> quantile_stability(np.arange(1.0, 20.0), 0.1, 0.5)
    QuantileBand(lower=8.1, upper=11.9)
    """
    scores = np.sort(check_vector(reference, "reference"))
    m, total = scores.size, scores.size * check_nonnegative(change, "change")
    k = _rank(check_count(m, "the number of reference scores"), check_level(level))
    shifts = total / (1.0 + np.arange(m + 1))
    padded = np.concatenate([np.full(m + 1, -inf), scores, np.full(m + 2, inf)])
    # S^0_(r) stands at m + r of the padded scores; ranks below one are -inf, above m +inf.
    ranks = m + k + np.arange(m + 1)
    upper = np.min(padded[ranks] + shifts)
    lower = np.max(padded[2 * (m + k) - ranks] - shifts)
    return QuantileBand(float(lower), float(upper))


def _rank(count: int, level: float) -> int:
    # Written again and not taken from the methods, so that a theorem does not share their errors. 1e-9: a product that
    # exceeds a whole number by rounding is that number.
    return ceil((count + 1) * level - 1e-9)
