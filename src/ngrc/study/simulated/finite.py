"""The corrected quantile of a finite sample: its rank, its exact coverage and its mean."""

from collections.abc import Callable
from fractions import Fraction
from math import ceil

import numpy as np
from scipy import special

from ngrc._types import FloatArray

NODES = 1000
"""A hundred times as many nodes move E[q] of a normal law by 3e-6."""
Quantile = Callable[[FloatArray], FloatArray]


def corrected_rank(count: int, level: float) -> int:
    """The rank k = ceil((m + 1) level), in whole numbers.

    Written a second time, apart from `ngrc.order`: an error there must not move both sides of a comparison.

    Examples
    --------
    >>> corrected_rank(800, 0.99), corrected_rank(99, 0.55)
    (793, 55)
    """
    # The decimal that was meant, not the binary number next to it: 0.55 * 100 must be 55 and not a little more.
    rank = ceil((count + 1) * Fraction(str(level)))
    if rank > count:
        raise ValueError(f"level {level} needs more than {count} scores: the corrected quantile is infinite")
    return rank


def expected_coverage(count: int, level: float) -> float:
    """k/(m + 1): the k-th of m exchangeable scores exceeds a new one with exactly this probability.

    Examples
    --------
    >>> expected_coverage(400, 0.95) == 381 / 401
    True
    """
    return corrected_rank(count, level) / (count + 1)


def absolute_normal(shares: FloatArray) -> FloatArray:
    """Quantiles of |Z|, Z standard normal."""
    quantiles: FloatArray = -special.ndtri((1.0 - shares) / 2.0)
    return quantiles


def expected_score(quantile: Quantile, count: int, level: float, power: int = 1) -> float:
    """E[q^power] of the corrected quantile q of `count` independent scores.

    The k-th of m uniform order statistics is Beta(k, m + 1 - k), so q is the scores' quantile at such a draw; the
    mean is taken over equally likely nodes. It exceeds the population quantile where the tail is convex.

    Parameters
    ----------
    quantile
        Quantile function of one score.
    count
        m, the number of scores.
    level
        Nominal coverage.
    power
        1 for the mean, 2 for the mean square.

    Examples
    --------
    >>> round(expected_score(absolute_normal, 400, 0.95), 4)
    1.9696
    """
    rank = corrected_rank(count, level)
    # Midpoints of equally likely slices: no node at zero or one, where a quantile may be infinite.
    nodes = special.betaincinv(rank, count + 1 - rank, (np.arange(NODES) + 0.5) / NODES)
    return float(np.mean(quantile(nodes) ** power))
