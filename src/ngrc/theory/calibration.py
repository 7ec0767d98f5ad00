"""What a finite calibration block leaves open: the uniform radius of an empirical law, and the width it allows."""

from dataclasses import dataclass
from math import ceil, inf, log, sqrt

from ngrc.theory.laws import ResidualLaw
from ngrc.validation import check_count, check_level, check_positive


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
    # 1e-9: a product that exceeds a whole number by rounding is that number.
    share = ceil((m + 1) * nominal - 1e-9) / m
    low, high = share - radius, share + radius
    return WidthBand(
        lower=2.0 * law.absolute_quantile(low) if 0.0 < low < 1.0 else 0.0 if low <= 0.0 else inf,
        upper=2.0 * law.absolute_quantile(high) if high < 1.0 else inf,
    )
