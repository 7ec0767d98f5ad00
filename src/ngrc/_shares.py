"""Shares of a number of rows, in whole rows."""

from math import floor

SLACK = 1e-9
"""Far above the rounding of a product of a share and any row count in use, far below one row."""


def share(fraction: float, rows: int) -> int:
    """floor(fraction * rows), not fooled by products that fall just short: 0.29 * 100 is 28.999999999999996.

    Examples
    --------
    >>> share(0.29, 100), share(0.4, 7)
    (29, 2)
    """
    return floor(fraction * rows + SLACK)
