"""When a trailing coverage is further from its level than chance alone takes it.

Of m outcomes a right method of level p covers Binomial(m, p), where misses are independent. Forecasts h steps ahead
have errors that overlap, and their misses come together up to lag h - 1: the count then spreads c times as wide,

    Var = m p (1 - p) c,    c = 1 + 2 sum_{k < h} (1 - k/m) r_k,

with r_k the correlation of two misses k apart. How much errors overlap is not known beforehand, so that the most is
taken: an h-step error is a sum of h innovations, whose correlations add up to the most where all weigh the same
((sum w)^2 <= h sum w^2), as in a random walk, and then errors k apart correlate by 1 - k/h. The law of the count is
the beta-binomial with that mean and variance, which is the binomial itself where c = 1. It is exact there; of random
walks, whose windows are no more than eight steps long, it raises up to three times as many alarms as it should.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import sqrt

import numpy as np
from scipy.special import betaln, gammaln, ndtr

from ngrc._normal import gaussian_radius
from ngrc._types import FloatArray

RARE = 0.001
"""Share of windows in which a right method raises an alarm.

A page that is looked at all day must not cry without cause: of 200 outcomes at 95 % it is quiet from 89.5 % to 99 %.
"""
WINDOW = 200
"""Outcomes of a trailing coverage: enough to tell 95 % from 88 %, few enough to see a change within a day of hours."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """A trailing coverage beside what chance allows: all three are shares of `outcomes`."""

    outcomes: int
    coverage: float
    low: float
    high: float

    @property
    def state(self) -> str:
        """`"low"` (intervals too narrow) and `"high"` (too wide) are alarms; `"within"` is none."""
        if self.coverage < self.low:
            return "low"
        return "high" if self.coverage > self.high else "within"


def judge(covered: Sequence[bool], level: float, *, step: int = 1, window: int = WINDOW) -> Judgement | None:
    """The newest `window` of the flags against the level; None without any.

    Parameters
    ----------
    covered
        Whether each outcome lay within its interval, the oldest first.
    level
        Nominal coverage of the intervals.
    step
        How many steps ahead the forecasts reached; misses overlap where it is above 1.

    Examples
    --------
    >>> judge([True] * 95 + [False] * 5, 0.95).state, judge([True] * 80 + [False] * 20, 0.95).state
    ('within', 'low')
    """
    newest = covered[-window:]
    if not len(newest):
        return None
    low, high = bounds(level, len(newest), step)
    return Judgement(len(newest), sum(newest) / len(newest), low, high)


@lru_cache(maxsize=8192)
def bounds(level: float, outcomes: int, step: int = 1) -> tuple[float, float]:
    """Smallest and largest coverage without an alarm: below and above each lies at most half of `RARE`.

    Examples
    --------
    >>> bounds(0.95, 200)
    (0.895, 0.99)
    >>> bounds(0.95, 200, step=24)[0] < 0.8
    True
    """
    law = count_law(level, outcomes, step)
    # Sums from both sides: 1 - cumsum would lose the upper tail to rounding.
    low = int(np.searchsorted(np.cumsum(law), RARE / 2.0, side="right"))
    high = outcomes - int(np.searchsorted(np.cumsum(law[::-1]), RARE / 2.0, side="right"))
    return low / outcomes, high / outcomes


def count_law(level: float, outcomes: int, step: int = 1) -> FloatArray:
    """Probabilities of 0, 1, ... m covered outcomes."""
    counts = np.arange(outcomes + 1)
    choices = gammaln(outcomes + 1) - gammaln(counts + 1) - gammaln(outcomes - counts + 1)
    spread = clumping(level, outcomes, step)
    # One outcome has no pair, and its count no spread beyond p (1 - p).
    if spread <= 1.0 + 1e-12 or outcomes == 1:
        law = choices + counts * np.log(level) + (outcomes - counts) * np.log1p(-level)
    else:
        # A beta-binomial of pairwise correlation r has variance m p (1 - p) (1 + (m - 1) r), and r = 1 / (a + b + 1).
        weight = (outcomes - 1) / (spread - 1.0) - 1.0
        a, b = level * weight, (1.0 - level) * weight
        law = choices + betaln(counts + a, outcomes - counts + b) - betaln(a, b)
    return np.asarray(np.exp(law))


def clumping(level: float, outcomes: int, step: int) -> float:
    """How many misses count as one: c of the formula above.

    Examples
    --------
    >>> clumping(0.9, 100, 1), round(clumping(0.9, 100, 7), 1)
    (1.0, 3.5)
    """
    lags = range(1, min(step, outcomes))
    return 1.0 + 2.0 * sum((1.0 - lag / outcomes) * miss_correlation(level, 1.0 - lag / step) for lag in lags)


@lru_cache(maxsize=8192)
def miss_correlation(level: float, correlation: float) -> float:
    """Correlation of two misses of normal errors that have this correlation.

    P(both miss) is the integral of phi(x) P(the other misses | x) over |x| > q, by symmetry twice that over x > q.

    Examples
    --------
    >>> abs(miss_correlation(0.9, 0.0)) < 1e-12, round(miss_correlation(0.5, 0.9), 3)
    (True, 0.545)
    """
    radius, rest = gaussian_radius(level), sqrt(1.0 - correlation * correlation)
    # Beyond 9 standard deviations lies 1e-19; 200 nodes leave an error below 1e-9 up to a correlation of 0.999.
    nodes, weights = np.polynomial.legendre.leggauss(200)
    half = 0.5 * (max(radius, 1.0) + 9.0 - radius)
    x = radius + half * (nodes + 1.0)
    other = ndtr((-radius - correlation * x) / rest) + ndtr((correlation * x - radius) / rest)
    both = 2.0 * half * float(np.sum(weights * np.exp(-0.5 * x * x) * other)) / sqrt(2.0 * np.pi)
    miss = 1.0 - level
    return (both - miss * miss) / (miss * level)
