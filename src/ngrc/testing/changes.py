"""Other futures: what comes after a cut becomes something else, of the same length, gaps staying gaps.

Each change finds leaks that another would pass over: a shift keeps differences, a reversal keeps the mean, one value
alone is all that a look of a single step sees, and a spike is what a robust statistic lets through otherwise.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from ngrc._types import FloatArray
from ngrc.testing.given import Given

Rule = Callable[[FloatArray, float, np.random.Generator], FloatArray]

# In standard deviations of the input: beyond anything that it holds, and so far that clips and medians do not hide it.
SHIFT, SPIKE = 10.0, 1e6


def _alone(tail: FloatArray, spread: float, rng: np.random.Generator) -> FloatArray:
    changed = tail.copy()
    changed[0] += rng.uniform(1.0, 3.0) * spread
    return changed


def _shifted(tail: FloatArray, spread: float, rng: np.random.Generator) -> FloatArray:
    return tail + SHIFT * spread


def _noisy(tail: FloatArray, spread: float, rng: np.random.Generator) -> FloatArray:
    return tail + spread * rng.standard_normal(tail.size)


def _spiked(tail: FloatArray, spread: float, rng: np.random.Generator) -> FloatArray:
    changed = tail.copy()
    changed[0] += SPIKE * spread
    return changed


def _reversed(tail: FloatArray, spread: float, rng: np.random.Generator) -> FloatArray:
    return tail[::-1].copy()


CHANGES: Mapping[str, Rule] = MappingProxyType(
    {
        "one other value": _alone,
        "a shift": _shifted,
        "noise": _noisy,
        "a spike": _spiked,
        "the order reversed": _reversed,
    }
)


@dataclass(frozen=True, slots=True)
class Domain:
    """Values that an input may take; changes keep to them, so that a logarithm or a bound is not what is tested.

    Examples
    --------
    >>> Domain.of(np.array([2.0, 4.0])), Domain.of(np.array([-2.0, 4.0]))
    (Domain(lower=1.0, upper=inf), Domain(lower=-inf, upper=inf))
    """

    lower: float
    upper: float

    @classmethod
    def of(cls, values: FloatArray) -> "Domain":
        """Above zero where all values are, else anything."""
        least = float(np.nanmin(values))
        # Half of the least, not zero: a logarithm is the reason.
        return cls(0.5 * least if least >= 0.0 else -np.inf, np.inf)

    def held(self, changed: FloatArray, before: FloatArray) -> FloatArray:
        """The changed values, turned back where they would leave the domain."""
        inside = np.clip(changed, self.lower, self.upper)
        # Cut at the bound where it stood already it would be no change.
        middle = 0.5 * (self.lower + self.upper) if np.isfinite(self.upper) else self.lower
        still = (changed != before) & (inside == before)
        return np.where(still, middle, inside)


def changed_after(
    given: Given, name: str, cut: int, rule: Rule, domain: Domain, rng: np.random.Generator
) -> Given | None:
    """The same up to the row `cut`, and that input another after it; None where the rule changes nothing.

    Examples
    --------
    >>> given = Given({"y": np.array([1.0, 2.0, np.nan, 4.0, 5.0])})
    >>> changed_after(given, "y", 1, CHANGES["the order reversed"], Domain.of(given.y), np.random.default_rng(0)).y
    array([ 1.,  2., nan,  5.,  4.])
    """
    values = given.inputs[name].copy()
    columns = values.reshape(given.size, -1)
    for column in columns.T:
        places = cut + 1 + np.flatnonzero(np.isfinite(column[cut + 1 :]))
        if places.size:
            before = column[places]
            column[places] = domain.held(rule(before, _spread(given.inputs[name]), rng), before)
    if np.array_equal(values, given.inputs[name], equal_nan=True):
        return None
    return given.replaced(name, values)


def _spread(values: FloatArray) -> float:
    """Standard deviation of an input; its size, or one, where it is constant."""
    spread = float(np.nanstd(values))
    return spread or float(np.nanmax(np.abs(values))) or 1.0
