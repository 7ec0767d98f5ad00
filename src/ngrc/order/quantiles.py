"""The one corrected quantile that every conformal method uses.

Levels are read to twelve decimals: 0.55 * 100 is 55.00000000000001 in floating point, and a bare ceiling
would ask for the 56th score. The compiled kernels call the rank formulas that these functions call.
"""

import numpy as np

from ngrc._kernels import order as kernels
from ngrc._types import FloatArray
from ngrc.validation import check_level, check_vector


def conformal_rank(count: int, level: float) -> int:
    """Rank k = ceil((m + 1) level) of the corrected quantile among m scores; m + 1 stands for infinity.

    Examples
    --------
    >>> conformal_rank(99, 0.55), conformal_rank(100, 0.95), conformal_rank(10, 0.95)
    (55, 96, 11)
    """
    return kernels.conformal_rank(count, level)


def signed_ranks(count: int, level: float) -> tuple[int, int]:
    """Ranks floor((m + 1) alpha / 2) and ceil((m + 1)(1 - alpha / 2)) of two equal tails, alpha = 1 - level.

    Rank 0 stands for minus infinity and rank m + 1 for infinity. The two mirror each other about (m + 1) / 2,
    since floor((m + 1) a) = m + 1 - ceil((m + 1)(1 - a)).

    Examples
    --------
    >>> signed_ranks(100, 0.9), signed_ranks(10, 0.9)
    ((5, 96), (0, 11))
    """
    return kernels.signed_ranks(count, level)


def conformal_quantile(scores: FloatArray, level: float) -> float:
    """The k-th smallest of m scores, k = ceil((m + 1) level); infinite when k > m.

    Parameters
    ----------
    scores
        Conformity scores, shape (m,).
    level
        Nominal coverage in (0, 1).

    Examples
    --------
    >>> conformal_quantile(np.arange(1.0, 100.0), 0.95), conformal_quantile(np.ones(10), 0.95)
    (95.0, inf)
    """
    scores = check_vector(scores, "scores")
    rank = conformal_rank(scores.size, check_level(level))
    return _ranked(scores, rank)


def signed_quantiles(residuals: FloatArray, level: float) -> tuple[float, float]:
    """Lower and upper corrected quantiles of signed residuals, shape (m,), with equal tails.

    Examples
    --------
    >>> signed_quantiles(np.arange(1.0, 20.0), 0.9), signed_quantiles(np.ones(10), 0.9)
    ((1.0, 19.0), (-inf, inf))
    """
    residuals = check_vector(residuals, "residuals")
    lower, upper = signed_ranks(residuals.size, check_level(level))
    return _ranked(residuals, lower), _ranked(residuals, upper)


def _ranked(values: FloatArray, rank: int) -> float:
    if rank < 1:
        return -np.inf
    if rank > values.size:
        return np.inf
    return float(np.partition(values, rank - 1)[rank - 1])
