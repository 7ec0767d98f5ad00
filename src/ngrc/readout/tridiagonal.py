"""Ridge weights of many penalties without eigenvectors: S = Q T Q' with T tridiagonal serves every penalty alike.

(S + lambda I)^-1 c = Q (T + lambda I)^-1 Q'c, and a tridiagonal system costs as much as it has numbers. Q stays the
product of reflections that it is found as (Golub and Van Loan, "Matrix Computations", section 8.3).
"""

from dataclasses import dataclass

import numpy as np
from scipy.linalg.lapack import dormqr, dsytrd

from ngrc._kernels.models import tridiagonal_solutions
from ngrc._types import FloatArray


@dataclass(frozen=True, slots=True)
class Tridiagonal:
    """A symmetric matrix as Q T Q'.

    Parameters
    ----------
    diagonal, beside
        Of T, shapes (p,) and (p - 1,).
    reflections, factors
        Q as LAPACK has it, shapes (p, p - 1) and (p - 1,): it leaves the first coordinate alone.

    Examples
    --------
    >>> S = np.array([[2.0, 1.0, 0.5], [1.0, 3.0, 0.0], [0.5, 0.0, 1.0]])
    >>> weights = Tridiagonal.of(S).solve(np.ones((3, 2)), np.array([0.1, np.inf]))
    >>> np.allclose(weights[:, 0], np.linalg.solve(S + 0.1 * np.eye(3), np.ones(3))), weights[:, 1]
    (True, array([0., 0., 0.]))
    """

    diagonal: FloatArray
    beside: FloatArray
    reflections: FloatArray
    factors: FloatArray

    @classmethod
    def of(cls, matrix: FloatArray) -> "Tridiagonal":
        """Of a symmetric matrix, shape (p, p) with p > 1."""
        # The transpose of a symmetric matrix is itself, and already in the order that LAPACK wants.
        packed, diagonal, beside, factors, _ = dsytrd(matrix.T, lower=1)
        # Reflections begin one row down. A view from there on, as long as before: its last row is never read, and
        # nothing is copied.
        size = diagonal.size
        below = packed.ravel(order="K")[1 : 1 + size * (size - 1)].reshape((size, size - 1), order="F")
        return cls(diagonal, beside, below, factors)

    def solve(self, right: FloatArray, penalties: FloatArray) -> FloatArray:
        """(S + lambda I)^-1 of every column of `right`, shape (p, m), each with a penalty of its own.

        NaN where S + lambda I is not positive definite, or rounding says so; an infinite penalty leaves zeros.
        """
        return self._solved(self._turned(right, "T").T, penalties)

    def path(self, cross: FloatArray, penalties: FloatArray) -> FloatArray:
        """Weights of one response at every penalty, shape (p, m), as `solve` has them."""
        return self._solved(self._turned(cross[:, None], "T").T, penalties)

    def _solved(self, turned: FloatArray, penalties: FloatArray) -> FloatArray:
        """Q (T + lambda I)^-1 of right sides that are turned already, one per row, or one for all penalties."""
        return self._turned(tridiagonal_solutions(self.diagonal, self.beside, turned, penalties).T, "N")

    def _turned(self, columns: FloatArray, way: str) -> FloatArray:
        """Q times the columns ("N"), or Q' times them ("T")."""
        result = np.empty_like(columns)
        result[0] = columns[0]
        # 32 columns of work space per column: LAPACK's blocks.
        work = 32 * columns.shape[1]
        result[1:] = dormqr("L", way, self.reflections, self.factors, columns[1:], work)[0]
        return result
