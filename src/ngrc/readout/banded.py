"""Ridge weights of many penalties without eigenvectors: S = Q B Q' with B banded serves every penalty alike.

(S + lambda I)^-1 c = Q (B + lambda I)^-1 Q'c, and a banded system costs as much as it has numbers. Q stays the product
of block reflections that it is found as; `src/kernels/models/banded.hpp` has the formulas and their sources.
"""

from dataclasses import dataclass

from ngrc._kernels.models import banded_reduce, banded_solutions
from ngrc._types import FloatArray


@dataclass(frozen=True, slots=True)
class Banded:
    """A symmetric matrix as Q B Q'.

    Parameters
    ----------
    band
        The lower half of B, which is zero beyond eight places from its diagonal, shape (p, 9): at (i, d) stands
        B[i, i - 8 + d].
    reflections, factors
        Q as the product of I - V T V', all V and all T one after the other, shapes (rows, 8) and (8 blocks, 8).

    Examples
    --------
    >>> import numpy as np
    >>> S = np.array([[2.0, 1.0, 0.5], [1.0, 3.0, 0.0], [0.5, 0.0, 1.0]])
    >>> weights = Banded.of(S).solve(np.ones((3, 2)), np.array([0.1, np.inf]))
    >>> np.allclose(weights[:, 0], np.linalg.solve(S + 0.1 * np.eye(3), np.ones(3))), weights[:, 1]
    (True, array([0., 0., 0.]))
    """

    band: FloatArray
    reflections: FloatArray
    factors: FloatArray

    @classmethod
    def of(cls, matrix: FloatArray) -> "Banded":
        """Of a symmetric matrix, shape (p, p)."""
        return cls(*banded_reduce(matrix))

    def solve(self, right: FloatArray, penalties: FloatArray) -> FloatArray:
        """(S + lambda I)^-1 of every column of `right`, shape (p, m), each with a penalty of its own.

        NaN where S + lambda I is not positive definite, or rounding says so; an infinite penalty leaves zeros.
        """
        return banded_solutions(self.band, self.reflections, self.factors, right, penalties)

    def path(self, cross: FloatArray, penalties: FloatArray) -> FloatArray:
        """Weights of one response at every penalty, shape (p, m), as `solve` has them."""
        return self.solve(cross[:, None], penalties)
