"""Which test targets are scored: all, and on Exchange also all but its glitch days.

Intervals are made of the whole series either way; only the scoring leaves days out.
"""

import numpy as np

from ngrc._types import BoolArray, FloatArray, IntArray

ALL, CLEAN = "all days", "without glitch days"
WINDOW = 500
"""Consecutive scored steps whose coverage is looked at."""
DEVIATIONS = 12.0
"""Robust deviations that both returns of a glitch exceed; the threshold of `ngrc.series.spikes`."""
REVERSAL = 0.1
"""Share of a return that may be left after the next one took it back: a wrong quote leaves nothing but the day's own
return, a tenth of twelve deviations and more."""


def glitch_days(returns: FloatArray) -> IntArray:
    """Positions of wrong quotes: two successive returns beyond twelve robust deviations, the second undoing the first.

    The deviation is 1.4826 times the median distance from the median. A crash, which stays, is no glitch.

    Examples
    --------
    >>> quiet = np.sin(np.arange(100.0))
    >>> quiet[[40, 41, 70]] = 30.0, -29.0, 30.0
    >>> glitch_days(quiet)
    array([40, 41])
    """
    away = np.abs(returns - np.median(returns))
    far = away > DEVIATIONS * 1.4826 * float(np.median(away))
    left = np.abs(returns[:-1] + returns[1:])
    pairs = np.flatnonzero(far[:-1] & far[1:] & (left <= REVERSAL * np.abs(returns[:-1])))
    return np.unique(np.concatenate([pairs, pairs + 1]))


def scored_days(dataset: str, values: FloatArray, test: slice) -> dict[str, BoolArray]:
    """Which of the test targets are scored, by the name of the choice; the last one is that which scores are judged on.

    At every horizon the same target days are left out.
    """
    chosen = {ALL: np.ones(test.stop - test.start, dtype=np.bool_)}
    # Only these returns are known to hold wrong quotes; elsewhere a spike is weather.
    if dataset == "exchange":
        kept = np.ones(values.size, dtype=np.bool_)
        kept[glitch_days(values)] = False
        chosen[CLEAN] = kept[test]
    return chosen
