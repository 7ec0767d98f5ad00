"""Rows of the three blocks, and how many observations they ask for."""

from collections.abc import Callable
from typing import NamedTuple

from ngrc.validation import check_count

LEAST_ROWS = 4
"""Fewest rows of a fit block, and fewest usable residuals of a calibration block.

Set by hand as a floor against nonsense: of fewer residuals neither a scale nor a quantile says anything.
"""


class Sizes(NamedTuple):
    """Rows of the three blocks."""

    fit: int
    calibration: int
    test: int

    def enough(self, horizon: int) -> bool:
        """Whether every block can do its work at a horizon H.

        5 H fit rows, because the penalty is chosen on the last fifth of them, of which H - 1 are guards; 2 H usable
        residuals beyond the least, because tuning cuts them once more with the same delay.
        """
        usable = self.calibration - 2 * (horizon - 1)
        return (
            self.fit >= max(LEAST_ROWS, 5 * horizon) and usable >= LEAST_ROWS + 2 * horizon and self.test >= 1
        )


def check_fractions(*fractions: float) -> None:
    """Refuse shares that are not positive, or that leave no room for the last block."""
    # Not zero: the test block's share is a difference, and 1 - 0.7 - 0.3 is 6e-17.
    if min(fractions) < 1e-6 or sum(fractions) > 1.0 + 1e-9:
        raise ValueError(
            f"block shares must be positive and leave room for the test block, got {fractions[:2]}; try 0.4 and 0.4"
        )


def check_room(enough: Callable[[int], bool], n: int, first_target: int, horizon: int) -> None:
    """Refuse a series of n observations whose rows are not enough, and say how many observations would do."""
    check_count(horizon, "horizon")
    if enough(max(n - first_target, 0)):
        return
    # Where the horizon itself is the mistake, the number of observations it would take is no advice.
    if horizon >= n:
        raise ValueError(
            f"horizon {horizon} reaches beyond the series of {n} observation{'s' * (n != 1)}; use a shorter one"
        )
    memory = first_target - horizon + 1
    raise ValueError(
        f"the series is too short: {first_target + _least_rows(enough)} observations are needed for "
        f"{memory} observation{'s' * (memory != 1)} of memory, horizon {horizon} and three blocks, got {n}; "
        "give more observations, fewer lags or a shorter horizon"
    )


def _least_rows(enough: Callable[[int], bool]) -> int:
    """Smallest number of rows that is enough, by doubling and halving: more rows never shrink a block."""
    high = 1
    while not enough(high):
        high *= 2
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high
