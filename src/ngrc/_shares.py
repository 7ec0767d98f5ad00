"""Shares of a number of rows, in whole rows."""

from math import floor

SLACK = 1e-9
"""Added before the floor: far above the rounding of a product of a share and a row count, far below one row.

The product of a share and 10^6 rows is off by less than 2e-10. The paper's block sizes come out to the row with it.
"""


def share(fraction: float, rows: int) -> int:
    """floor(fraction * rows), not fooled by products that fall just short: 0.29 * 100 is 28.999999999999996.

    Examples
    --------
    >>> share(0.29, 100), share(0.4, 7)
    (29, 2)
    """
    return floor(fraction * rows + SLACK)
