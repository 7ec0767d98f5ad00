"""Quantiles out of the ends of levels: p is the lower end of the level 1 - 2p, or the upper end of 2p - 1."""

from collections.abc import Mapping, Sequence

import numpy as np

from ngrc._types import FloatArray
from ngrc.intervals.base import Offsets, nested

MIDDLE = 1e-6
"""Level whose two ends stand for the median: their centre is taken, and no method serves a level of zero."""


def level_of(probability: float) -> float:
    """The level that a quantile is an end of.

    Examples
    --------
    >>> level_of(0.1), level_of(0.9), level_of(0.5)
    (0.8, 0.8, 1e-06)
    """
    # To twelve decimals, as levels are read: 1 - 2 * 0.1 and 2 * 0.9 - 1 are one level.
    return max(round(abs(1.0 - 2.0 * probability), 12), MIDDLE)


def quantile_columns(probabilities: Sequence[float], offsets: Mapping[float, Offsets]) -> FloatArray:
    """The coming steps' quantiles around their forecasts, never crossing.

    Parameters
    ----------
    probabilities
        Each with its `level_of` among the levels of `offsets`.
    offsets
        By level, origins along the first axis and steps along the second; the coming ones stand last. They may cross.

    Returns
    -------
    FloatArray
        Shape (steps, probabilities).

    Examples
    --------
    >>> wide, tight = (Offsets(np.array([[low]]), np.array([[high]])) for low, high in ((-1.0, 2.0), (0.0, 1.0)))
    >>> quantile_columns([0.25, 0.5, 0.75], {0.5: wide, MIDDLE: tight}).tolist()
    [[-1.0, 0.5, 2.0]]
    """
    levels = sorted(level for level in offsets if level != MIDDLE)
    ends = dict(zip(levels, nested([offsets[level] for level in levels], levels), strict=True))
    columns = []
    for probability in probabilities:
        level = level_of(probability)
        if level in ends:
            columns.append((ends[level].lower if probability < 0.5 else ends[level].upper)[-1])
            continue
        middle = 0.5 * (offsets[level].lower[-1] + offsets[level].upper[-1])
        if levels:
            # The median gives way to the levels, as it is the one that no interval was calibrated for.
            middle = np.clip(middle, ends[levels[0]].lower[-1], ends[levels[0]].upper[-1])
        columns.append(middle)
    return np.stack(columns, axis=1)
