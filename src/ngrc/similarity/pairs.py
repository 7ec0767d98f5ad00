"""The narrowest pair of weighted quantiles that holds the level between them."""

import numpy as np

from ngrc._jit import jit
from ngrc._types import FloatArray
from ngrc.order.quantiles import weight_target
from ngrc.similarity.ordered import Positions

MARGIN = 0.001
WIDTH_TIE = 1e-12


def lower_tails(alpha: float, pairs: int) -> FloatArray:
    """Lower tail shares beta of the candidate pairs [Q(beta), Q(1 - alpha + beta)], ascending.

    linspace(0.001, alpha - 0.001, pairs) as in the ResCP code. Two cases it leaves open: at alpha <= 0.002,
    where that range is empty, the margin is alpha / 4; a single pair has equal tails.

    Examples
    --------
    >>> lower_tails(0.05, 3), lower_tails(0.05, 1), lower_tails(0.002, 2)
    (array([0.001, 0.025, 0.049]), array([0.025]), array([0.0005, 0.0015]))
    """
    if pairs == 1:
        return np.array([alpha / 2.0])
    margin = MARGIN if alpha > 2.0 * MARGIN else alpha / 4.0
    return np.linspace(margin, alpha - margin, pairs)


@jit
def narrowest(lower: FloatArray, upper: FloatArray) -> int:
    """Index of the smallest upper - lower; the first among those that differ by rounding only."""
    best = 0
    for i in range(1, lower.size):
        slack = WIDTH_TIE * (abs(lower[i]) + abs(upper[i]))
        if upper[i] - lower[i] < upper[best] - lower[best] - slack:
            best = i
    return best


@jit
def exact_pair(
    values: FloatArray,
    tilted: FloatArray,
    order: Positions,
    count: int,
    first: int,
    total: float,
    tails: FloatArray,
    alpha: float,
    doubt: float,
) -> tuple[float, float, bool]:
    """Narrowest pair of inverse-CDF quantiles under the weights (j - first) tilted_j of sum `total`.

    Also says whether it might be another pair if each weight were off by a factor within 1 +- doubt / 2. The
    cumulative share F is then off by at most doubt F (1 - F). A candidate is in doubt if its ends differ between
    those bounds; it matters if it is the pair chosen, or could be as narrow.
    """
    window = (values, tilted, order, count, first, total)
    lower, upper = quantile_pairs(window, tails, alpha, 0.0)
    best = narrowest(lower, upper)
    width = upper[best] - lower[best]
    doubtful = False
    if doubt > 0.0:
        lower_least, upper_least = quantile_pairs(window, tails, alpha, doubt)
        lower_most, upper_most = quantile_pairs(window, tails, alpha, -doubt)
        for i in range(tails.size):
            if lower_least[i] < lower_most[i] or upper_least[i] < upper_most[i]:
                slack = WIDTH_TIE * (abs(lower[i]) + abs(upper[i]))
                doubtful |= i == best or upper_least[i] - lower_most[i] <= width + slack
    return lower[best], upper[best], doubtful


@jit
def quantile_pairs(
    window: tuple[FloatArray, FloatArray, Positions, int, int, float],
    tails: FloatArray,
    alpha: float,
    bias: float,
) -> tuple[FloatArray, FloatArray]:
    """Q(beta) and Q(1 - alpha + beta) of every candidate, with the share F read as F + bias F (1 - F).

    Each tail is walked from its own end, so that the middle of the distribution is never visited.
    """
    values, tilted, order, count, first, total = window
    lower, upper = np.empty(tails.size), np.empty(tails.size)
    place = 0
    below = tilted[order[0]] * (order[0] - first)
    for i in range(tails.size):
        target = weight_target(tails[i], total)
        while below + bias * below * (1.0 - below / total) < target and place < count - 1:
            place += 1
            below += tilted[order[place]] * (order[place] - first)
        lower[i] = values[order[place]]
    place, above = count - 1, 0.0
    for i in range(tails.size - 1, -1, -1):
        target = weight_target(1.0 - alpha + tails[i], total)
        while place > 0:
            beyond = above + tilted[order[place]] * (order[place] - first)
            if total - beyond + bias * beyond * (1.0 - beyond / total) < target:
                break
            above = beyond
            place -= 1
        upper[i] = max(values[order[place]], lower[i])
    return lower, upper
