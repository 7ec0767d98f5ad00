"""The spectral ridge: one decomposition of S = R'R/n answers for every penalty lambda, response and trace.

With S = V diag(s) V', (S + lambda I)^-1 = V diag(1 / (s + lambda)) V' + (I - VV') / lambda. Four sources give s and V:
the design, the smaller of its two Gram matrices, its moment matrix, or the triangle of its QR decomposition.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np

from ngrc._types import FloatArray

EPS = float(np.finfo(np.float64).eps)
RANK = 1e-10
"""At a penalty of zero, a direction whose singular value is at most this share of the largest has no coefficient. A
direction without data is left with a singular value of up to 1e-13 by rounding, which is another on another processor;
as a divisor it would decide the solution."""


@dataclass(frozen=True, slots=True)
class ResolventTraces:
    """Traces of the resolvent A = (S + lambda I)^-1 weighted by a feature covariance Sigma."""

    resolvent: float
    """tr(Sigma A)"""
    sandwich: float
    """tr(Sigma A S A)"""
    squared: float
    """tr(Sigma A^2)"""


@dataclass(frozen=True, slots=True)
class Spectrum:
    """Eigenvalues and eigenvectors of S = R'R/n.

    Parameters
    ----------
    rows, columns
        n and p of the design.
    values
        Eigenvalues of S, shape (k,), never negative; the other p - k are zero.
    vectors
        Their orthonormal eigenvectors as columns, shape (p, k).
    """

    rows: int
    columns: int
    values: FloatArray
    vectors: FloatArray

    @classmethod
    def of_design(cls, design: FloatArray) -> "Spectrum":
        """From the singular values of the design, shape (n, p) with n < p allowed; nothing is squared first.

        Examples
        --------
        >>> Spectrum.of_design(np.array([[2.0, 0.0], [0.0, 1.0]])).values
        array([2. , 0.5])
        """
        rows, columns = design.shape
        _, singular, right = thin_svd(design)
        return cls(rows, columns, singular**2, np.ascontiguousarray(right.T))

    @classmethod
    def of_smaller_gram(cls, design: FloatArray) -> "Spectrum":
        """From R'R/n or RR'/n, whichever is smaller: several times quicker than `of_design`.

        Exact enough where the penalty is far above the rounding error of S, as in every experiment of the study.

        Examples
        --------
        >>> Spectrum.of_smaller_gram(np.array([[2.0, 0.0], [0.0, 1.0]])).values
        array([2. , 0.5])
        """
        rows, columns = design.shape
        gram = (design.T @ design if columns <= rows else design @ design.T) / rows
        values, vectors = np.linalg.eigh(gram)
        # Largest first, as singular values come; S has no negative eigenvalue, only rounding below zero.
        values, vectors = np.maximum(values[::-1], 0.0), vectors[:, ::-1]
        if columns > rows:
            # RR' knows a direction of R only where its eigenvalue is above rounding; dividing by less makes noise.
            rank = int(np.sum(values > columns * EPS * values[0]))
            values, vectors = values[:rank], vectors[:, :rank]
            # From u with RR'u/n = s u: v = R'u / sqrt(n s) is the unit eigenvector of S.
            vectors = design.T @ (vectors / np.sqrt(rows * values))
        return cls(rows, columns, values, np.ascontiguousarray(vectors))

    def inverse(self, ridge: float | FloatArray) -> FloatArray:
        """Eigenvalues of (S + lambda I)^+, shape (k,), or (k, m) of m penalties."""
        return pseudo_inverse(self.values if np.ndim(ridge) == 0 else self.values[:, None], ridge)

    def shrinkage(self, ridge: float) -> FloatArray:
        """Eigenvalues lambda / (s + lambda) of what ridge regression removes, shape (k,); lambda > 0."""
        return np.asarray(ridge / (self.values + ridge))

    def effective_dimension(self, ridge: float) -> float:
        """Return tr S (S + lambda I)^-1."""
        return float(self.values @ self.inverse(ridge))

    def root(self, ridge: float) -> FloatArray:
        """W with W W' = (S + lambda I)^+ on the span of the vectors, shape (p, k)."""
        return self.vectors * np.sqrt(self.inverse(ridge))

    def solve(self, moments: FloatArray, ridge: float | FloatArray) -> FloatArray:
        """(S + lambda I)^-1 R'Y/n of several responses; lambda > 0, one for all or one per response.

        Parameters
        ----------
        moments
            R'Y/n, shape (p, q).
        ridge
            A number, or shape (q,).
        """
        coordinates = self.vectors.T @ moments
        solution: FloatArray = self.vectors @ (coordinates / (self.values[:, None] + ridge))
        return solution

    def leverages(self, features: FloatArray, ridges: Sequence[float]) -> FloatArray:
        """r'(R'R + n lambda I)^-1 r of new features, shape (m, p) -> (penalties, m); every lambda > 0.

        Directions without data count too: they carry the prior's 1/(n lambda).
        """
        rotated = (features @ self.vectors) ** 2
        penalties = np.asarray(ridges, dtype=np.float64)
        if not (penalties > 0).all():
            raise ValueError(f"a leverage needs penalties above zero, got {list(ridges)}")
        spread: FloatArray = rotated @ (1.0 / (self.values[:, None] + penalties))
        if self.values.size < self.columns:
            # What of r lies outside the data's directions, by Pythagoras; rounding may put it below zero.
            empty = np.einsum("ij,ij->i", features, features) - rotated.sum(axis=1)
            spread += np.maximum(empty, 0.0)[:, None] / penalties
        return np.ascontiguousarray(spread.T) / self.rows

    def shrunk(self, vector: FloatArray, ridge: float) -> FloatArray:
        """The vector lambda A v: what ridge regression removes from the coefficient v, shape (p,)."""
        coordinates = self.vectors.T @ vector
        inside: FloatArray = self.vectors @ (coordinates * self.shrinkage(ridge))
        if self.values.size == self.columns:
            return inside
        # Directions without data are removed entirely; with k = p this term would be rounding noise only.
        return inside + (vector - self.vectors @ coordinates)

    def traces(self, ridge: float, covariance: FloatArray | None = None) -> ResolventTraces:
        """tr(Sigma A), tr(Sigma A S A) and tr(Sigma A^2); Sigma = I when `covariance` is None."""
        if covariance is None:
            weights, empty = np.ones(self.values.size), float(self.columns - self.values.size)
        else:
            # v'Sigma v of every direction: traces with functions of S need the diagonal only.
            weights = np.einsum("ij,ij->j", self.vectors, covariance @ self.vectors)
            empty = 0.0
            if self.values.size < self.columns:
                empty = max(float(np.trace(covariance) - weights.sum()), 0.0)
        inverse = self.inverse(ridge)
        return ResolventTraces(
            resolvent=float(weights @ inverse) + empty / ridge,
            sandwich=float(weights @ (self.values * inverse**2)),
            squared=float(weights @ inverse**2) + empty / ridge**2,
        )


@dataclass(frozen=True, slots=True)
class Regression(Spectrum):
    """The spectrum of a design together with one response's cross moments c = R'y/n.

    A zero penalty gives the solution of least norm on the directions of the data, those above `RANK`.

    Parameters
    ----------
    projection
        V'c, shape (k,).
    """

    projection: FloatArray

    @classmethod
    def of_moments(cls, matrix: FloatArray, cross: FloatArray, rows: int) -> "Regression":
        """From S, shape (p, p), and c, shape (p,), of that many rows."""
        values, vectors = np.linalg.eigh(matrix)
        # Below p eps of the largest an eigenvalue is rounding of the others; as a divisor it would be noise.
        floor = values.size * EPS * max(float(values[-1]), 0.0) if values.size else 0.0
        return cls(rows, values.size, np.where(values > floor, values, 0.0), vectors, vectors.T @ cross)

    @classmethod
    def of_triangle(cls, triangle: FloatArray, rows: int) -> "Regression":
        """From the triangle of a QR decomposition of (R, y), shape (at most p + 1, p + 1); S is never formed."""
        return cls.of_triangles(triangle, rows, 1)[0]

    @classmethod
    def of_triangles(cls, triangle: FloatArray, rows: int, count: int) -> "list[Regression]":
        """One per response from the triangle of (R, Y), the last `count` columns being responses."""
        width = triangle.shape[1] - count
        # Fewer rows than columns leave a trapezium, filled up with zeros. With R = QT the responses enter as Q'Y, the
        # triangle's last columns, and R'Y = T'Q'Y.
        square, responses = np.zeros((width, width)), np.zeros((width, count))
        square[: triangle.shape[0]] = triangle[:width, :width]
        responses[: triangle.shape[0]] = triangle[:width, width:]
        left, singular, right = np.linalg.svd(square)
        floor = max(rows, width) * EPS * singular.max(initial=0.0)
        singular = np.where(singular > floor, singular, 0.0)
        values, vectors = singular**2 / rows, right.T
        projections = singular[:, None] * (left.T @ responses) / rows
        return [cls(rows, width, values, vectors, projection) for projection in projections.T]

    def path(self, ridges: FloatArray) -> FloatArray:
        """Coefficients w = (S + lambda I)^-1 c of every penalty, zero included, shape (p, m) for m penalties."""
        return self.vectors @ (self.inverse(ridges) * self.projection[:, None])


def pseudo_inverse(values: FloatArray, ridge: float | FloatArray) -> FloatArray:
    """Eigenvalues of (S + lambda I)^+ from those of S, penalties broadcast against them; at zero, those above `RANK`.

    Examples
    --------
    >>> pseudo_inverse(np.array([2.0, 1e-24]), 0.0), pseudo_inverse(np.array([2.0, 0.0]), 0.5)
    (array([0.5, 0. ]), array([0.4, 2. ]))
    """
    # Eigenvalues are squares of singular values.
    known = values > RANK**2 * values.max(initial=0.0)
    shifted = values + ridge
    return np.divide(1.0, shifted, out=np.zeros_like(shifted), where=known | (np.asarray(ridge) > 0.0))


def thin_svd(design: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Left vectors, singular values and right vectors of R / sqrt(n), shapes (n, k), (k,) and (k, p)."""
    scaled = design / np.sqrt(design.shape[0])
    left, singular, right = np.linalg.svd(scaled, full_matrices=False)
    return left, singular, right


def check_penalty(value: Any) -> float:
    """Return `value` as a float that is not negative; infinity leaves no weight."""
    if isinstance(value, bool) or not isinstance(value, Real) or not 0 <= float(value) <= np.inf:
        raise ValueError(f"a ridge penalty must be a number, zero or above, got {value!r}")
    return float(value)
