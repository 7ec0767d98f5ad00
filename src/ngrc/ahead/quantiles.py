"""Quantiles out of the ends of levels: p is the lower end of the level 1 - 2p, or the upper end of 2p - 1."""

from collections.abc import Mapping, Sequence

import numpy as np

from ngrc._types import FloatArray
from ngrc.intervals.base import Offsets

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

    Each is an end of its own level, whatever the others are. Where two cross they are exchanged, which brings them
    nearer to the quantiles of any law (rearrangement; Chernozhukov, Fernandez-Val and Galichon 2010,
    doi:10.3982/ECTA7880); the median, for which no interval was calibrated, moves between its neighbours instead.

    Parameters
    ----------
    probabilities
        Rising, each with its `level_of` among the levels of `offsets`.
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
    given = np.array(probabilities)
    columns = np.stack([_column(probability, offsets) for probability in probabilities], axis=1)
    median = np.array([level_of(probability) == MIDDLE for probability in probabilities])
    columns[:, ~median] = np.sort(columns[:, ~median], axis=1)
    below, above = columns[:, ~median & (given < 0.5)], columns[:, ~median & (given > 0.5)]
    if below.size:
        columns[:, median] = np.maximum(columns[:, median], below[:, -1:])
    if above.size:
        columns[:, median] = np.minimum(columns[:, median], above[:, :1])
    return columns


def _column(probability: float, offsets: Mapping[float, Offsets]) -> FloatArray:
    """One quantile of all steps, as it comes."""
    level = level_of(probability)
    lower, upper = offsets[level].lower[-1], offsets[level].upper[-1]
    if level == MIDDLE:
        return np.asarray(0.5 * (lower + upper))
    return np.asarray(lower if probability < 0.5 else upper)
