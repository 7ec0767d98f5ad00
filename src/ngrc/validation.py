"""Checks at the border: each says what was expected, what came and what to do."""

from collections.abc import Iterable
from itertools import pairwise
from numbers import Integral, Real
from typing import Any

import numpy as np

from ngrc._types import FloatArray


def check_level(level: Any) -> float:
    """Return a nominal coverage in (0, 1); 50 and more, below 100, is read as per cent.

    Examples
    --------
    >>> check_level(0.9), check_level(95)
    (0.9, 0.95)
    """
    if isinstance(level, bool) or not isinstance(level, Real):
        raise ValueError(f"level must be a number in (0, 1), got {level!r}; use 0.95 for 95 %")
    value = float(level)
    # Per cent only where nothing else can be meant: 5 may be alpha, and 1 a whole or a hundredth. Rounded, as
    # 80.1 / 100 is 0.8009999999999999, which would be another level than the 0.801 that somebody else types.
    if 50.0 <= value < 100.0:
        value = round(value / 100.0, 12)
    if not 0.0 < value < 1.0:
        raise ValueError(
            f"level must be in (0, 1), or 50 to below 100 as per cent, got {level!r}; use 0.95 for 95 %"
        )
    return value


def check_count(value: Any, name: str, minimum: int = 1) -> int:
    """Return `value` as an int that is at least `minimum`."""
    # The usual case first: a look at the abstract class takes as long as the rest.
    if type(value) is int and value >= minimum:
        return value
    # bool is an Integral, and lags=True is a mistake.
    if isinstance(value, bool) or not isinstance(value, Integral):
        raise ValueError(f"{name} must be a whole number of at least {minimum}, got {value!r}")
    if value < minimum:
        raise ValueError(f"{name} must be at least {minimum}, got {value}")
    return int(value)


LONGEST_PATH = 2_000
"""Steps that are forecast at once, at most: each has a readout, residuals and intervals of its own, together about a
megabyte and a tenth of a second per step."""

SHORT_PATH = 24
"""Steps that are forecast of any series, however short: a day of hours, two years of months."""


def longest_path(observations: int) -> int:
    """Steps that a series of so many observations is forecast at most: as many, within `SHORT_PATH`, `LONGEST_PATH`.

    Examples
    --------
    >>> longest_path(6), longest_path(300), longest_path(10**6)
    (24, 300, 2000)
    """
    return min(max(observations, SHORT_PATH), LONGEST_PATH)


def check_path(value: Any, name: str = "horizon") -> int:
    """Return the number of steps of a path, at most `LONGEST_PATH`."""
    steps = check_count(value, name)
    if steps > LONGEST_PATH:
        raise ValueError(
            f"{name} must be at most {LONGEST_PATH} where all steps are forecast, got {steps}; forecast fewer steps, "
            "or a coarser series"
        )
    return steps


def check_positive(value: Any, name: str) -> float:
    """Return `value` as a finite float above zero."""
    if type(value) is float and 0.0 < value < np.inf:
        return value
    if isinstance(value, bool) or not isinstance(value, Real) or not 0.0 < float(value) < np.inf:
        raise ValueError(f"{name} must be a finite number above zero, got {value!r}")
    return float(value)


def check_vector(values: Any, name: str) -> FloatArray:
    """Return a finite one-dimensional float64 array."""
    # np.asarray would drop the mask and take the numbers under it for data.
    if isinstance(values, np.ma.MaskedArray) and np.ma.is_masked(values):
        raise ValueError(f"{name} must not be masked; fill or drop the masked values first")
    try:
        raw = np.asarray(values)
        # Text ("1.5"), booleans, dates and complex numbers would all pass astype(float64), some with a loss.
        if raw.dtype.kind not in "iufO":
            raise TypeError(f"got values of type {raw.dtype}")
        array = raw.astype(np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{name} must hold numbers: {error}") from None
    if array.ndim != 1:
        raise ValueError(f"{name} must be one-dimensional, got shape {array.shape}")
    finite = np.isfinite(array)
    if not finite.all():
        bad = np.flatnonzero(~finite)
        raise ValueError(f"{name} must be finite, got {array[bad[0]]} at position {bad[0]}")
    return array


def check_grid(values: Iterable[float], name: str) -> tuple[float, ...]:
    """Return a non-empty tuple of finite positive candidates."""
    grid = tuple(check_positive(value, f"each value of {name}") for value in values)
    if not grid:
        raise ValueError(f"{name} must hold at least one candidate, got none")
    return grid


def check_levels(levels: Any) -> tuple[float, ...]:
    """Return one or several nominal coverages, each once; a number is one.

    Examples
    --------
    >>> check_levels(0.9), check_levels([50 / 100, 95])
    ((0.9,), (0.5, 0.95))
    """
    # A text and an array without axes are iterable too; they go on whole, to the check of one level.
    many = isinstance(levels, Iterable) and not isinstance(levels, str | bytes)
    many = many and getattr(levels, "ndim", 1) != 0
    checked = tuple(check_level(level) for level in (levels if many else (levels,)))
    if not checked:
        raise ValueError("give at least one level, got an empty list; use 0.95 for 95 %")
    twice = [level for place, level in enumerate(checked) if level in checked[:place]]
    if twice:
        raise ValueError(f"level {twice[0]:g} is given twice; give each level once")
    return checked


def check_probabilities(values: Iterable[float]) -> tuple[float, ...]:
    """Return a non-empty tuple of rising probabilities in (0, 1).

    Examples
    --------
    >>> check_probabilities([0.1, 0.5])
    (0.1, 0.5)
    """
    checked = tuple(check_positive(value, "each probability") for value in values)
    if not checked:
        raise ValueError("give at least one probability in (0, 1), got none")
    if checked[-1] >= 1.0 or any(later <= earlier for earlier, later in pairwise(checked)):
        raise ValueError(
            f"probabilities must rise and lie in (0, 1), got {', '.join(f'{value:g}' for value in checked)}"
        )
    return checked
