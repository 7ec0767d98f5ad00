"""From where the short series are forecast: the last few ends that leave the whole path observed."""

MOST = 3
"""Ends per series."""
FEWEST_OBSERVATIONS = 10
"""Observations that a fit has at least, and never fewer than one season and one."""


def ends(size: int, season: int, steps: int) -> tuple[int, ...]:
    """How many observations each fit has: the last ends, one path apart, the latest first.

    Examples
    --------
    >>> ends(28, 1, 6), ends(21, 1, 6), ends(60, 12, 12)
    ((22, 16, 10), (15,), (48, 36, 24))
    """
    fewest = max(FEWEST_OBSERVATIONS, season + 1)
    return tuple(end for end in (size - back * steps for back in range(1, MOST + 1)) if end >= fewest)
