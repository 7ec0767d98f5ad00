"""Raw design columns in blocks of columns: explicit ones, or products made a block at a time."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import chain, combinations_with_replacement, islice
from math import comb
from typing import Protocol, Self

import numpy as np

from ngrc._types import BoolArray, FloatArray
from ngrc.readout.kernel import polynomial_kernel, polynomial_squares


class Columns(Protocol):
    """Rows of raw design columns, the intercept left out."""

    @property
    def count(self) -> int:
        """Number of rows."""
        ...

    @property
    def width(self) -> int:
        """Number of columns p - 1."""
        ...

    def take(self, chosen: slice | BoolArray) -> Self:
        """Some rows of these."""
        ...

    def part(self, start: int, stop: int) -> Self:
        """Rows start..stop-1 of these."""
        ...

    def blocks(self, size: int) -> Iterator[FloatArray]:
        """Consecutive columns, at most `size` at once, each of shape (count, at most size)."""
        ...

    def kernel(self, other: Self) -> FloatArray:
        """Inner products of these rows with those of `other`, shape (count, other.count)."""
        ...

    def squares(self) -> FloatArray:
        """Each row's inner product with itself, shape (count,)."""
        ...


@dataclass(frozen=True, slots=True)
class ExplicitColumns:
    """Columns that are held already.

    Parameters
    ----------
    design
        Shape (n, p - 1).
    """

    design: FloatArray

    @property
    def count(self) -> int:
        """Number of rows."""
        return int(self.design.shape[0])

    @property
    def width(self) -> int:
        """Number of columns."""
        return int(self.design.shape[1])

    def take(self, chosen: slice | BoolArray) -> "ExplicitColumns":
        """Some rows of these."""
        return ExplicitColumns(self.design[chosen])

    def part(self, start: int, stop: int) -> "ExplicitColumns":
        """Rows start..stop-1 of these."""
        return self.take(slice(start, stop))

    def blocks(self, size: int) -> Iterator[FloatArray]:
        """Consecutive columns, at most `size` at once."""
        for start in range(0, self.width, size):
            yield self.design[:, start : start + size]

    def kernel(self, other: "ExplicitColumns") -> FloatArray:
        """Inner products with the rows of `other`."""
        return self.design @ other.design.T

    def squares(self) -> FloatArray:
        """Each row's inner product with itself."""
        return np.asarray(np.einsum("ij,ij->i", self.design, self.design))


@dataclass(frozen=True, slots=True)
class ProductColumns:
    """All unique products of some factors, by degree and then lexicographically; made a block at a time.

    Parameters
    ----------
    factors
        Shape (n, k): delays of one channel or of several.
    degree, lowest
        Highest and lowest degree.

    Examples
    --------
    >>> np.hstack(list(ProductColumns(np.array([[2.0, 3.0]]), 3, 3).blocks(2)))
    array([[ 8., 12., 18., 27.]])
    """

    factors: FloatArray
    degree: int
    lowest: int = 2

    def __post_init__(self) -> None:
        """Refuse degrees that make no product."""
        if not 1 <= self.lowest <= self.degree:
            raise ValueError(
                f"products need 1 <= lowest <= degree, got {self.lowest} and {self.degree}; leave them out instead"
            )

    @property
    def count(self) -> int:
        """Number of rows."""
        return int(self.factors.shape[0])

    @property
    def width(self) -> int:
        """Number of columns."""
        factors = int(self.factors.shape[1])
        return sum(
            comb(factors + power - 1, power) for power in range(self.lowest, self.degree + 1) if factors
        )

    def take(self, chosen: slice | BoolArray) -> "ProductColumns":
        """Some rows of these."""
        return replace(self, factors=self.factors[chosen])

    def part(self, start: int, stop: int) -> "ProductColumns":
        """Rows start..stop-1 of these."""
        return self.take(slice(start, stop))

    def blocks(self, size: int) -> Iterator[FloatArray]:
        """Consecutive columns, at most `size` at once, each column contiguous."""
        # Rows of the transposed array are whole columns: each product is one pass over contiguous memory.
        factors = np.ascontiguousarray(self.factors.T)
        for power in range(self.lowest, self.degree + 1):
            indices = combinations_with_replacement(range(factors.shape[0]), power)
            while index := tuple(islice(indices, size)):
                yield products(factors, index).T

    def kernel(self, other: "ProductColumns") -> FloatArray:
        """Inner products with the rows of `other`, in time that does not grow with the number of products."""
        return polynomial_kernel(self.factors, other.factors, self.lowest, self.degree)

    def squares(self) -> FloatArray:
        """Each row's inner product with itself."""
        return polynomial_squares(self.factors, self.lowest, self.degree)


@dataclass(frozen=True, slots=True)
class JoinedColumns:
    """Several sorts of columns side by side, in order.

    Parameters
    ----------
    pieces
        `ExplicitColumns` and `ProductColumns` of the same rows.
    """

    pieces: tuple[ExplicitColumns | ProductColumns, ...]

    def __post_init__(self) -> None:
        """Refuse pieces of different rows."""
        counts = sorted({piece.count for piece in self.pieces})
        if len(counts) != 1:
            raise ValueError(
                f"all columns must have the same rows, got {counts}; make them from the same targets"
            )

    @property
    def count(self) -> int:
        """Number of rows."""
        return self.pieces[0].count

    @property
    def width(self) -> int:
        """Number of columns."""
        return sum(piece.width for piece in self.pieces)

    def take(self, chosen: slice | BoolArray) -> "JoinedColumns":
        """Some rows of these."""
        return JoinedColumns(tuple(piece.take(chosen) for piece in self.pieces))

    def part(self, start: int, stop: int) -> "JoinedColumns":
        """Rows start..stop-1 of these."""
        return self.take(slice(start, stop))

    def blocks(self, size: int) -> Iterator[FloatArray]:
        """Consecutive columns, at most `size` at once."""
        return chain.from_iterable(piece.blocks(size) for piece in self.pieces)

    def kernel(self, other: "JoinedColumns") -> FloatArray:
        """Inner products with the rows of `other`, whose pieces are of the same sorts."""
        total = np.zeros((self.count, other.count))
        for mine, theirs in zip(self.pieces, other.pieces, strict=True):
            # One sort each: a piece of another sort has no such method and no meaning here.
            total += mine.kernel(theirs)  # type: ignore[arg-type]
        return total

    def squares(self) -> FloatArray:
        """Each row's inner product with itself."""
        return np.asarray(np.sum([piece.squares() for piece in self.pieces], axis=0))


def monomial_columns(
    coordinates: FloatArray, degree: int, extras: FloatArray | None = None, product_lags: int | None = None
) -> JoinedColumns:
    """Coordinates, the products of the first `product_lags` of them, and thin columns beside: in this order.

    Parameters
    ----------
    coordinates
        Shape (n, k).
    degree
        Highest degree; 1 makes no products.
    extras
        Shape (n, q).
    product_lags
        How many coordinates, from the first, are multiplied with each other; all by default.

    Examples
    --------
    >>> columns = monomial_columns(np.array([[2.0, 3.0]]), 2, np.array([[7.0]]))
    >>> np.hstack(list(columns.blocks(2)))
    array([[2., 3., 4., 6., 9., 7.]])
    """
    pieces: list[ExplicitColumns | ProductColumns] = [ExplicitColumns(coordinates)]
    if degree > 1:
        pieces.append(ProductColumns(coordinates[:, :product_lags], degree))
    if extras is not None:
        pieces.append(ExplicitColumns(extras))
    return JoinedColumns(tuple(pieces))


def products(factors: FloatArray, index: tuple[tuple[int, ...], ...]) -> FloatArray:
    """Products of the named rows of `factors`, shape (len(index), n).

    From the last factor to the first, as `features.monomials` multiplies: the columns are the same to the bit.
    """
    power = len(index[0])
    table = np.fromiter(chain.from_iterable(index), np.intp, len(index) * power).reshape(len(index), power)
    columns = factors[table[:, power - 1]]
    for position in range(power - 2, -1, -1):
        columns *= factors[table[:, position]]
    return columns
