"""Unique products of delay coordinates, by degree and then lexicographically."""

from functools import lru_cache
from itertools import combinations_with_replacement
from math import comb

import numpy as np

from ngrc._types import FloatArray


@lru_cache(maxsize=64)
def monomial_indices(lags: int, degree: int) -> tuple[tuple[int, ...], ...]:
    """Coordinates multiplied in each column, degrees 1 to `degree`.

    Examples
    --------
    >>> monomial_indices(2, 2)
    ((0,), (1,), (0, 0), (0, 1), (1, 1))
    """
    return tuple(
        index for power in range(1, degree + 1) for index in combinations_with_replacement(range(lags), power)
    )


def monomial_count(lags: int, degree: int) -> int:
    """Number of monomials of degree 1 to `degree` in `lags` coordinates."""
    return comb(lags + degree, degree) - 1


def monomials(z: FloatArray, degree: int, extras: FloatArray | None = None) -> FloatArray:
    """All monomials of the rows of `z` of degree 1 to `degree`.

    Parameters
    ----------
    z
        Delay vectors, shape (n, k).
    degree
        Highest total degree, at least 1.
    extras
        Further columns to set after the monomials, shape (n, q).

    Returns
    -------
    FloatArray
        Shape (n, C(k + degree, degree) - 1 + q), each column contiguous, in the order of `monomial_indices`.

    Examples
    --------
    >>> monomials(np.array([[2.0, 3.0]]), 2)
    array([[2., 3., 4., 6., 9.]])
    """
    lags = z.shape[1]
    count = monomial_count(lags, degree)
    # Made as rows and returned transposed: each product is one pass over contiguous memory.
    columns = np.empty((count + (0 if extras is None else extras.shape[1]), z.shape[0]))
    columns[:lags] = z.T
    if extras is not None:
        columns[count:] = extras.T
    for lag, factors, products in _factors(lags, degree):
        np.multiply(columns[lag], columns[factors], out=columns[products])
    return columns.T


@lru_cache(maxsize=64)
def _factors(lags: int, degree: int) -> tuple[tuple[int, slice, slice], ...]:
    """Products in the order in which they are made: a coordinate, the columns that it multiplies, and the results'."""
    found = []
    stop = lags
    for power in range(1, degree):
        # Times each coordinate, the monomials of this power that start at or after it: every product once, in order.
        position = stop
        for lag in range(lags):
            # Monomials of one power whose factors are all at or after `lag` stand together at its end.
            width = comb(lags - lag + power - 1, power)
            found.append((lag, slice(stop - width, stop), slice(position, position + width)))
            position += width
        stop = position
    return tuple(found)


def monomial_name(index: tuple[int, ...], names: tuple[str, ...]) -> str:
    """Product of the named coordinates, repeated factors as powers.

    Examples
    --------
    >>> monomial_name((0, 0, 1), ("x[t]", "x[t-1]"))
    'x[t]^2*x[t-1]'
    """
    powers = {lag: index.count(lag) for lag in index}
    return "*".join(names[lag] if power == 1 else f"{names[lag]}^{power}" for lag, power in powers.items())
