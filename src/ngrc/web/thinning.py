"""Long curves thinned to what a screen shows: by the extremes of each stretch, never by averages."""

from dataclasses import dataclass

import numpy as np

from ngrc._types import FloatArray, IntArray


@dataclass(frozen=True, slots=True)
class Thinning:
    """Which positions of a long curve are drawn, the same for every curve of a chart.

    Parameters
    ----------
    positions
        Positions on the axis, rising.
    stretch
        Observations per stretch; 1 where everything is drawn.
    count
        Length of the curves.
    """

    positions: IntArray
    stretch: int
    count: int

    @property
    def whole(self) -> bool:
        """Whether every value is drawn."""
        return self.stretch == 1

    def of(self, values: FloatArray) -> FloatArray:
        """The values to draw, one per position.

        Of a stretch its smallest and its largest value, in the order in which they came, at its first and its last
        position: a spike stays as high as it is, and moves by less than a stretch. A missing value (NaN) is passed
        over, and a stretch of nothing else stays missing; an infinite one is an extreme like any other.
        """
        if self.whole:
            return values
        drawn = np.empty(self.positions.size)
        full = self.count // self.stretch
        blocks = values[: full * self.stretch].reshape(full, self.stretch)
        drawn[: 2 * full] = _ordered(blocks).ravel()
        if self.positions.size > 2 * full:
            rest = values[full * self.stretch :]
            drawn[2 * full :] = _ordered(rest[None, :]).ravel()[: self.positions.size - 2 * full]
        return drawn


def thinning(count: int, most: int) -> Thinning:
    """At most about `most` positions of `count`.

    Examples
    --------
    >>> kept = thinning(10, 4)
    >>> kept.positions.tolist(), kept.stretch
    ([0, 4, 5, 9], 5)
    >>> kept.of(np.array([0.0, 9.0, 1.0, -5.0, 2.0, 3.0, 3.0, 8.0, 3.0, 4.0])).tolist()
    [9.0, -5.0, 3.0, 8.0]
    """
    if count <= most:
        return Thinning(np.arange(count), 1, count)
    stretch = max(-(-2 * count // most), 2)
    starts = np.arange(0, count, stretch)
    ends = np.minimum(starts + stretch, count) - 1
    # A last stretch of one value has one position.
    positions = np.unique(np.stack([starts, ends], axis=1).ravel())
    return Thinning(positions, stretch, count)


def _ordered(blocks: FloatArray) -> FloatArray:
    """Smallest and largest value of each row, shape (n, 2), in the order in which they stand there."""
    missing = np.isnan(blocks)
    low_side, high_side = np.where(missing, np.inf, blocks), np.where(missing, -np.inf, blocks)
    low, high = low_side.min(axis=1), high_side.max(axis=1)
    rising = np.argmin(low_side, axis=1) <= np.argmax(high_side, axis=1)
    drawn = np.stack([np.where(rising, low, high), np.where(rising, high, low)], axis=1)
    drawn[missing.all(axis=1)] = np.nan
    return drawn
