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

import numpy as np

from ngrc._types import AnyArray, FloatArray
from ngrc.serve.overlap import clumping

RARE = 0.001
"""Share of windows in which a right method raises an alarm.

A page that is looked at all day must not cry without cause: of 200 outcomes at 95 % it is quiet from 89.5 % to 99 %.
"""
WINDOW = 200
"""Outcomes of a trailing coverage: enough to tell 95 % from 88 %, few enough to see a change within a day of hours."""
TOGETHER = 512
"""Bounds that are worked out at once: tables of less than a megabyte."""


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


@lru_cache(maxsize=1024)
def bounds(level: float, outcomes: int, step: int = 1) -> tuple[float, float]:
    """Smallest and largest coverage without an alarm: below and above each lies at most half of `RARE`.

    Examples
    --------
    >>> bounds(0.95, 200)
    (0.895, 0.99)
    >>> bounds(0.95, 200, step=24)[0] < 0.8
    True
    """
    low, high = all_bounds(np.array([level]), np.array([outcomes]), np.array([step]))
    return float(low[0]), float(high[0])


# Every entry takes some 3 milliseconds and 5 kilobytes; pages look at few steps and levels.
@lru_cache(maxsize=512)
def ladder(level: float, step: int) -> tuple[FloatArray, FloatArray]:
    """The bounds of 1, 2, ... `WINDOW` outcomes."""
    outcomes = np.arange(1, WINDOW + 1)
    return all_bounds(np.full(WINDOW, level), outcomes, np.full(WINDOW, step))


def all_bounds(levels: AnyArray, outcomes: AnyArray, steps: AnyArray) -> tuple[FloatArray, FloatArray]:
    """Bounds of many trailing coverages, some 15 microseconds each at 200 outcomes."""
    lows, highs = [np.empty(0)], [np.empty(0)]
    for begin in range(0, len(outcomes), TOGETHER):
        part = slice(begin, begin + TOGETHER)
        law, most = count_laws(levels[part], outcomes[part], steps[part]), int(np.max(outcomes[part]))
        # Sums from both sides: 1 - cumsum would lose the upper tail to rounding. What lies beyond a row's outcomes is
        # zero, and counts as passed from above.
        low = np.sum(np.cumsum(law, axis=1) <= RARE / 2.0, axis=1)
        high = most - np.sum(np.cumsum(law[:, ::-1], axis=1) <= RARE / 2.0, axis=1)
        lows.append(low / outcomes[part])
        highs.append(high / outcomes[part])
    return np.concatenate(lows), np.concatenate(highs)


def count_laws(levels: AnyArray, outcomes: AnyArray, steps: AnyArray) -> FloatArray:
    """Probabilities of 0, 1, ... covered outcomes, one row per coverage; zero beyond its outcomes."""
    given = zip(levels.tolist(), outcomes.tolist(), steps.tolist(), strict=True)
    spread = np.array([clumping(*one) for one in given])[:, None]
    p, m = np.asarray(levels, dtype=float)[:, None], np.asarray(outcomes)[:, None]
    counts = np.arange(int(np.max(outcomes)) + 1)
    factorials = log_rising(np.ones(1), counts)[0]
    rest = np.maximum(m - counts, 0)
    choices = factorials[m] - factorials[counts] - factorials[rest]
    # One outcome has no pair, and its count no spread beyond p (1 - p).
    alone = (spread <= 1.0 + 1e-12) | (m == 1)
    # A beta-binomial of pairwise correlation r has variance m p (1 - p) (1 + (m - 1) r), and r = 1 / (a + b + 1).
    weight = (m - 1) / np.where(alone, 1.0, spread - 1.0) - 1.0
    a, b = np.where(alone, 1.0, p * weight), np.where(alone, 1.0, (1.0 - p) * weight)
    # B(a + k, b + m - k) / B(a, b): of the Gammas nothing but their rising factorials is left.
    failing = np.take_along_axis(log_rising(b[:, 0], counts), rest, axis=1)
    clumped = (
        log_rising(a[:, 0], counts)
        + failing
        - np.take_along_axis(log_rising((a + b)[:, 0], counts), m, axis=1)
    )
    law = choices + np.where(alone, counts * np.log(p) + rest * np.log1p(-p), clumped)
    return np.asarray(np.where(counts <= m, np.exp(law), 0.0))


def log_rising(starts: FloatArray, counts: AnyArray) -> FloatArray:
    """Logarithms of x (x + 1) ... (x + k - 1) = Gamma(x + k) / Gamma(x), one row per x, for k = 0, 1, ... in `counts`.

    Examples
    --------
    >>> np.exp(log_rising(np.ones(1), np.arange(5))).round(9)
    array([[ 1.,  1.,  2.,  6., 24.]])
    """
    result = np.zeros((starts.size, counts.size))
    np.cumsum(np.log(starts[:, None] + counts[:-1]), axis=1, out=result[:, 1:])
    return result


def count_law(level: float, outcomes: int, step: int = 1) -> FloatArray:
    """Probabilities of 0, 1, ... m covered outcomes."""
    return np.asarray(count_laws(np.array([level]), np.array([outcomes]), np.array([step]))[0])
