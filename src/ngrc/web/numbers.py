"""Numbers of a drawing, with as many digits as can be seen and no more."""

import numpy as np

from ngrc._types import FloatArray

MOST_DIGITS = 300
"""Decimals at most: ten to the power of 308 is the largest that a float holds."""


def decimals(finest: float) -> int:
    """Decimals that keep differences of `finest`; below zero where tens or hundreds are fine enough.

    Examples
    --------
    >>> decimals(0.02), decimals(1.0), decimals(300.0), decimals(0.0)
    (2, 0, -2, 0)
    """
    if not (np.isfinite(finest) and finest > 0.0):
        return 0
    return min(-int(np.floor(np.log10(finest))), MOST_DIGITS)


def rounded(values: FloatArray, digits: int) -> list[float | None]:
    """Values with so many decimals, None where there is no number.

    Examples
    --------
    >>> rounded(np.array([1.23456789, np.inf]), 3)
    [1.235, None]
    """
    kept = np.round(np.asarray(values, dtype=np.float64), digits)
    return [float(value) if np.isfinite(value) else None for value in kept]


def counted(values: FloatArray, digits: int) -> list[int | None]:
    """Values as whole numbers of the last decimal, which are shorter to write; None where there is no number.

    Examples
    --------
    >>> counted(np.array([1.23456789, np.nan]), 3)
    [1235, None]
    """
    units = np.asarray(values, dtype=np.float64) * 10.0**digits
    return [round(float(value)) if np.isfinite(value) else None for value in units]
