"""Bounds that outcomes are found to obey, and how long they stand.

Power at night and prices with a floor pile up on their least value, which no forecast error tells. Where at least one
in a hundred of the known outcomes, and at least five, equal their least (largest) value exactly, that value is taken as
a bound until an outcome that crosses it becomes known.
"""

from dataclasses import dataclass
from math import ceil

import numpy as np

from ngrc._types import BoolArray, FloatArray
from ngrc.features.bounds import Bounds

SHARE = 0.01
"""Of the known outcomes on the bound. Rounded values repeat their extremes as well: of series of 300 Gaussian ones,
rounded to a third of their scale, 3 % seem bounded below. Such a bound costs the outcomes that cross it before the
first of them is known, at most as many as the horizon."""
LEAST = 5
"""Outcomes on the bound at the least: in a short series two equal ones are a coincidence."""


def found_bounds(values: FloatArray) -> Bounds:
    """The bounds that known outcomes obey; none in a series that is constant.

    Parameters
    ----------
    values
        Known outcomes, finite, shape (n,).

    Examples
    --------
    >>> night_and_day = np.array([0.0, 0.0, 3.1, 7.4, 2.2, 0.0] * 10)
    >>> found_bounds(night_and_day)
    Bounds(lower=0.0, upper=7.4)
    >>> found_bounds(np.arange(60.0))
    Bounds(lower=None, upper=None)
    """
    if values.size == 0:
        return Bounds()
    least, largest = float(values.min()), float(values.max())
    if least == largest:
        return Bounds()
    needed = max(LEAST, ceil(SHARE * values.size))
    return Bounds(
        lower=least if np.count_nonzero(values == least) >= needed else None,
        upper=largest if np.count_nonzero(values == largest) >= needed else None,
    )


@dataclass(frozen=True, slots=True)
class Limits:
    """Found bounds over a block of intervals.

    Parameters
    ----------
    bounds
        As found before the first interval.
    lower, upper
        What stands when each interval is issued, infinite where nothing does, shape (n,).
    outcomes
        Those of the block that are known by now, shape (m,) with m <= n.
    """

    bounds: Bounds
    lower: FloatArray
    upper: FloatArray
    outcomes: FloatArray

    def cut(self, lower: FloatArray, upper: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Each end within the limit on its side, where the other end is; an interval wholly beyond is left alone.

        The method knows the bound too and has moved such an interval where that is right; where most outcomes lie on
        the bound it has not, and a cut would turn the misses that it counts on into hits.
        """
        low = np.where(upper >= self.lower, np.maximum(lower, self.lower), lower)
        high = np.where(lower <= self.upper, np.minimum(upper, self.upper), upper)
        return low, high

    def at(self, places: BoolArray) -> "Limits":
        """Those of some intervals of the block, all of whose outcomes are known."""
        return Limits(self.bounds, self.lower[places], self.upper[places], self.outcomes[places])

    @property
    def kept(self) -> BoolArray:
        """Which known outcomes of the block keep to what stood when their interval was issued, shape (m,)."""
        scored = slice(0, self.outcomes.size)
        inside: BoolArray = (self.lower[scored] <= self.outcomes) & (self.outcomes <= self.upper[scored])
        return inside


def found_limits(outcomes: FloatArray, known: int, steps: int) -> Limits | None:
    """Bounds found in what is known at the first interval of a block, each until it is known to be crossed.

    Parameters
    ----------
    outcomes
        In target order to the end of the block; NaN at the very end, where they are still to come.
    known
        How many of them are known when the first interval is issued; one more for every interval after it.
    steps
        Intervals, for the last so many targets.

    Returns
    -------
    Limits or None
        None where no bound is found.

    Examples
    --------
    >>> limits = found_limits(np.array([0.0] * 5 + [4.0, 1.0, -2.0, 3.0, 2.0]), known=6, steps=4)
    >>> limits.bounds.lower, limits.lower.tolist()
    (0.0, [0.0, 0.0, -inf, -inf])
    """
    bounds = found_bounds(outcomes[:known])
    if not bounds.given:
        return None
    # Interval s is issued when s outcomes of `later` are known; NaN crosses nothing.
    later = outcomes[known : known + steps]
    block = outcomes[outcomes.size - steps :]
    low, high = -np.inf, np.inf
    return Limits(
        bounds,
        np.full(steps, low) if bounds.lower is None else _standing(bounds.lower, low, later < bounds.lower),
        np.full(steps, high) if bounds.upper is None else _standing(bounds.upper, high, later > bounds.upper),
        block[~np.isnan(block)],
    )


def _standing(bound: float, gone: float, crossed: BoolArray) -> FloatArray:
    """The bound before each outcome becomes known, and what takes its place once one has crossed it."""
    before = np.concatenate([[False], np.logical_or.accumulate(crossed)])[: crossed.size]
    return np.where(before, gone, bound)
