"""One eigendecomposition, bordered by thin blocks: the ridge of a matrix of which only a border differs.

With S = [A B; B' D], A = V diag(s) V' decomposed once and B~ = V'B, the inverse of S + lambda I needs no more than the
Schur complement M = D + lambda I - B~' diag(1 / (s + lambda)) B~, as many rows as the border has.
"""

from dataclasses import dataclass

import numpy as np

from ngrc._kernels.models import cholesky_factor, cholesky_inverse, cholesky_solutions
from ngrc._types import FloatArray
from ngrc.readout.spectrum import pseudo_inverse


@dataclass(frozen=True, slots=True)
class Bordered:
    """Eigenvalues and eigenvectors of the common block, and the border in their coordinates.

    Parameters
    ----------
    values, vectors
        Of A, shapes (p,) and (p, p); no value negative.
    border
        B~ = V'B, shape (p, q).
    corner
        D, shape (q, q).

    Examples
    --------
    >>> S = np.array([[2.0, 1.0], [1.0, 3.0]])
    >>> bordered = Bordered(np.array([2.0]), np.eye(1), S[:1, 1:], S[1:, 1:])
    >>> solution = bordered.solve(np.ones((2, 1)), np.array([0.5]))
    >>> np.allclose(solution, np.linalg.solve(S + 0.5 * np.eye(2), np.ones((2, 1))))
    True
    """

    values: FloatArray
    vectors: FloatArray
    border: FloatArray
    corner: FloatArray

    def solve(self, right: FloatArray, penalties: FloatArray) -> FloatArray:
        """(S + lambda I)^-1 of every column of `right`, shape (p + q, m), each with a penalty of its own above zero."""
        size = self.values.size
        inverse = 1.0 / (self.values[:, None] + penalties)
        inner = inverse * (self.vectors.T @ right[:size])
        if not self.corner.size:
            return np.asarray(self.vectors @ inner)
        rest = right[size:] - self.border.T @ inner
        outer = np.empty_like(rest)
        for place, penalty in enumerate(penalties):
            outer[:, [place]] = cholesky_solutions(self._factor(penalty), rest[:, [place]])
        inner -= inverse * (self.border @ outer)
        return np.vstack((self.vectors @ inner, outer))

    def path(self, cross: FloatArray, penalties: FloatArray) -> FloatArray:
        """Coefficients of one response at every penalty, infinite ones included, shape (p + q, m)."""
        weights = np.zeros((cross.size, penalties.size))
        finite = np.isfinite(penalties)
        right = np.repeat(cross[:, None], int(finite.sum()), axis=1)
        weights[:, finite] = self.solve(right, penalties[finite])
        return weights

    def complement(self, penalty: float) -> FloatArray:
        """The Schur complement M, shape (q, q)."""
        weighted = self.border / (self.values + penalty)[:, None]
        complement = self.corner - self.border.T @ weighted
        complement.flat[:: complement.shape[0] + 1] += penalty
        return np.asarray(complement)

    def dimension(self, penalty: float) -> float:
        """Effective dimension tr S (S + lambda I)^-1 = p + q - lambda tr (S + lambda I)^-1."""
        if np.isinf(penalty):
            return 0.0
        inverse = self._inverse(penalty)
        if not self.corner.size:
            return float(self.values @ inverse)
        weighted = self.border * inverse[:, None]
        inside = np.eye(self.corner.shape[0]) + weighted.T @ weighted
        trace = float(inverse.sum())
        trace += float(np.trace(cholesky_solutions(self._factor(penalty), inside)))
        return float(self.values.size + self.corner.shape[0] - penalty * trace)

    def quadratic(self, rows: FloatArray, penalty: float) -> FloatArray:
        """z'(S + lambda I)^-1 z of every row z, shape (n, p + q) to (n,)."""
        if np.isinf(penalty):
            return np.zeros(rows.shape[0])
        size = self.values.size
        rotated = rows[:, :size] @ self.vectors
        inverse = self._inverse(penalty)
        result = np.square(rotated) @ inverse
        if self.corner.size:
            rest = rows[:, size:] - (rotated * inverse) @ self.border
            whitened = rest @ cholesky_inverse(self._factor(penalty)).T
            result += np.einsum("ij,ij->i", whitened, whitened)
        return np.asarray(result)

    def _factor(self, penalty: float) -> FloatArray:
        """The Cholesky factor of the Schur complement, shape (q, q)."""
        factor = np.empty_like(self.corner)
        if not cholesky_factor(self.complement(penalty), 0.0, factor):
            raise np.linalg.LinAlgError(
                f"the Schur complement at penalty {penalty:g} is not positive definite"
            )
        return factor

    def _inverse(self, penalty: float) -> FloatArray:
        """Eigenvalues of (A + lambda I)^+, shape (p,)."""
        return pseudo_inverse(self.values, penalty)


def decompose(matrix: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Eigenvalues, none negative, and eigenvectors of a moment matrix."""
    values, vectors = np.linalg.eigh(matrix)
    # A moment matrix has no negative eigenvalue, only rounding below zero.
    return np.maximum(values, 0.0), vectors
