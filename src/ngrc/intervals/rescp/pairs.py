"""The narrowest pair of weighted quantiles that holds the level between them."""

from typing import TypeAlias

import numpy as np

from ngrc._jit import jit
from ngrc._types import BoolArray, FloatArray
from ngrc.intervals.rescp.ordered import Positions
from ngrc.order.quantiles import weight_target

# values, tilted, order, how many, the oldest's position, and the sum of the weights (j - oldest) tilted_j
Window: TypeAlias = tuple[FloatArray, FloatArray, Positions, int, int, float]
MARGIN = 0.001  # the ResCP authors' least tail share
# Widths of equal pairs differ by rounding, at most 1e-15 of their ends; real ones by far more.
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
def exact_pair(window: Window, tails: FloatArray, alpha: float, doubt: float) -> tuple[float, float, bool]:
    """Narrowest pair of inverse-CDF quantiles, and whether it might be another one.

    If each weight is off by a factor within 1 +- doubt / 2, a tail's share F is off by at most doubt F. A candidate
    is unsure if that could move one of its ends; it matters if it is the one chosen, or could be as narrow.
    """
    count = tails.size
    lower, highest_lower = np.empty(count), np.empty(count)
    upper, lowest_upper = np.empty(count), np.empty(count)
    unsure = np.zeros(count, dtype=np.bool_)
    walk_up(window, tails, doubt, lower, highest_lower, unsure)
    walk_down(window, 1.0 - alpha + tails, doubt, upper, lowest_upper, unsure)
    # The two walks sum from opposite ends, so that at a level near zero rounding could make them pass each other.
    for i in range(count):
        upper[i] = max(upper[i], lower[i])
    best = narrowest(lower, upper)
    width = upper[best] - lower[best]
    doubtful = False
    for i in range(count):
        if unsure[i]:
            slack = WIDTH_TIE * (abs(lower[i]) + abs(upper[i]))
            doubtful |= i == best or lowest_upper[i] - highest_lower[i] <= width + slack
    return lower[best], upper[best], doubtful


@jit
def walk_up(
    window: Window, shares: FloatArray, doubt: float, ends: FloatArray, highest: FloatArray, unsure: BoolArray
) -> None:
    """Quantiles at ascending shares, from the smallest value up: the first place with enough weight at or below.

    `highest` is where the walk would stop if the weight so far were overstated by the doubt.
    """
    values, tilted, order, count, first, total = window
    place, below = 0, 0.0
    weight = tilted[order[0]] * (order[0] - first)
    for i in range(shares.size):
        target = weight_target(shares[i], total)
        while below + weight < target and place < count - 1:
            below += weight
            place += 1
            weight = tilted[order[place]] * (order[place] - first)
        ends[i] = values[order[place]]
        # Two ways to be wrong: the weight up to here falls short once corrected, or the weight before it is enough.
        ahead, reached = place, below + weight
        while reached * (1.0 - doubt) < target and ahead < count - 1:
            ahead += 1
            reached += tilted[order[ahead]] * (order[ahead] - first)
        highest[i] = values[order[ahead]]
        unsure[i] |= ahead > place or below * (1.0 + doubt) >= target


@jit
def walk_down(
    window: Window, shares: FloatArray, doubt: float, ends: FloatArray, lowest: FloatArray, unsure: BoolArray
) -> None:
    """Quantiles at descending shares, from the largest value down, so that the middle is never visited.

    `lowest` is where the walk would stop if the weight above were overstated by the doubt.
    """
    values, tilted, order, count, first, total = window
    place, above = count - 1, 0.0
    weight = tilted[order[place]] * (order[place] - first)
    for i in range(shares.size - 1, -1, -1):
        target = weight_target(shares[i], total)
        # Step down while what lies below this place would still reach the target.
        while total - (above + weight) >= target and place > 0:
            above += weight
            place -= 1
            weight = tilted[order[place]] * (order[place] - first)
        ends[i] = values[order[place]]
        ahead, passed = place, above + weight
        while total - passed * (1.0 - doubt) >= target and ahead > 0:
            ahead -= 1
            passed += tilted[order[ahead]] * (order[ahead] - first)
        lowest[i] = values[order[ahead]]
        unsure[i] |= ahead < place or total - above * (1.0 + doubt) < target
