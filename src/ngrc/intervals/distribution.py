"""Ends of several levels as quantiles of the outcome's law."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from ngrc._types import FloatArray
from ngrc.metrics import crps, pinball
from ngrc.validation import check_probabilities

# Digits that tell probabilities apart: (1 - 0.9) / 2 is 0.04999999999999999, and 0.05 is meant.
_DIGITS = 12


def end_probabilities(level: float) -> tuple[float, float]:
    """Of the lower and the upper end of a level.

    Examples
    --------
    >>> end_probabilities(0.9)
    (0.05, 0.95)
    """
    return round((1.0 - level) / 2.0, _DIGITS), round((1.0 + level) / 2.0, _DIGITS)


@dataclass(frozen=True, slots=True)
class Distribution:
    """Quantiles of consecutive outcomes: both ends of every level.

    Parameters
    ----------
    probabilities
        Rising, two per level.
    values
        Shape (n, 2 L), one column per probability.
    """

    probabilities: tuple[float, ...]
    values: FloatArray

    @classmethod
    def of(cls, levels: Sequence[float], lower: Sequence[FloatArray], upper: Sequence[FloatArray]) -> Self:
        """Of levels, each once, and their ends, one array of shape (n,) for each.

        Examples
        --------
        >>> ends = [np.array([-1.0]), np.array([-2.0])], [np.array([1.0]), np.array([3.0])]
        >>> Distribution.of([0.5, 0.9], *ends)
        Distribution(probabilities=(0.05, 0.25, 0.75, 0.95), values=array([[-2., -1.,  1.,  3.]]))
        """
        columns: dict[float, FloatArray] = {}
        for level, low, high in zip(levels, lower, upper, strict=True):
            below, above = end_probabilities(level)
            columns |= {below: low, above: high}
        rising = tuple(sorted(columns))
        return cls(rising, np.stack([columns[probability] for probability in rising], axis=1))

    def at(self, probabilities: Sequence[float], centre: FloatArray) -> FloatArray:
        """Quantiles at probabilities between the outermost ends, shape (n, K), never crossing where ends are nested.

        An end where a level has one there, else on the straight line between the neighbouring ends: the median is then
        half-way between both ends of the lowest level. Beside an infinite end there is no such line: the outer
        neighbour is taken, and for the median the `centre`, shape (n,), within both ends.

        Examples
        --------
        >>> law = Distribution((0.25, 0.75), np.array([[-1.0, 3.0]]))
        >>> law.at([0.25, 0.5, 0.6], np.zeros(1))
        array([[-1. ,  1. ,  1.8]])
        """
        asked = check_probabilities(probabilities)
        first, last = self.probabilities[0], self.probabilities[-1]
        outside = [value for value in asked if not first <= round(value, _DIGITS) <= last]
        if outside:
            raise ValueError(
                f"probability {outside[0]:g} lies outside {first:g} to {last:g}, the ends of the widest level; ask for "
                f"a level of at least {round(abs(1 - 2 * outside[0]), _DIGITS):g}"
            )
        return np.stack([self._at(round(value, _DIGITS), centre) for value in asked], axis=1)

    def _at(self, probability: float, centre: FloatArray) -> FloatArray:
        place = int(np.searchsorted(self.probabilities, probability))
        right = self.values[:, place]
        if self.probabilities[place] == probability:
            return right
        left = self.values[:, place - 1]
        before, after = self.probabilities[place - 1], self.probabilities[place]
        share = (probability - before) / (after - before)
        outer = left if probability < 0.5 else right if probability > 0.5 else np.clip(centre, left, right)
        finite = np.isfinite(left) & np.isfinite(right)
        with np.errstate(invalid="ignore"):
            line = (1.0 - share) * left + share * right
        # The line rounds, and must not leave its two ends.
        return np.where(finite, np.clip(line, left, right), outer)

    def pinball(self, outcomes: FloatArray) -> tuple[float, ...]:
        """Mean pinball loss at each probability over the first outcomes, NaN where there is none."""
        if not outcomes.size:
            return (float("nan"),) * len(self.probabilities)
        known = self.values[: outcomes.size]
        return tuple(
            pinball(outcomes, known[:, place], probability)
            for place, probability in enumerate(self.probabilities)
        )

    def crps(self, outcomes: FloatArray) -> float:
        """Mean CRPS over the first outcomes, as `metrics.crps` has it from these probabilities; NaN without any."""
        return (
            crps(outcomes, self.values[: outcomes.size], self.probabilities)
            if outcomes.size
            else float("nan")
        )
