"""Ridge solutions in the normalised convention, one decomposition for every penalty."""

from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np

from ngrc._types import FloatArray


@dataclass(frozen=True, slots=True)
class Spectrum:
    """Eigenvalues and vectors of a moment matrix S, and the cross moments in their basis.

    Parameters
    ----------
    values
        Eigenvalues of S, shape (p,), never negative; those at rounding level are exactly zero.
    vectors
        Eigenvectors as columns, shape (p, p).
    projection
        V'c of the cross moments c, shape (p,).
    """

    values: FloatArray
    vectors: FloatArray
    projection: FloatArray

    @classmethod
    def of(cls, matrix: FloatArray, cross: FloatArray) -> "Spectrum":
        """Decompose a symmetric moment matrix."""
        values, vectors = np.linalg.eigh(matrix)
        floor = values.size * np.finfo(np.float64).eps * max(float(values[-1]), 0.0) if values.size else 0.0
        return cls(np.where(values > floor, values, 0.0), vectors, vectors.T @ cross)

    def inverse(self, penalty: float) -> FloatArray:
        """Eigenvalues of (S + penalty I)^+, shape (p,)."""
        shifted = self.values + penalty
        return np.divide(1.0, shifted, out=np.zeros_like(shifted), where=shifted > 0)

    def path(self, penalties: FloatArray) -> FloatArray:
        """Coefficients w = (S + lambda I)^-1 c of every penalty, shape (p, m) for m penalties."""
        weights = np.stack([self.inverse(penalty) * self.projection for penalty in penalties], axis=1)
        return self.vectors @ weights

    def effective_dimension(self, penalty: float) -> float:
        """Return tr S (S + lambda I)^-1."""
        return float(self.values @ self.inverse(penalty))

    def root(self, penalty: float) -> FloatArray:
        """W with W W' = (S + lambda I)^+, shape (p, p)."""
        return self.vectors * np.sqrt(self.inverse(penalty))


def check_penalty(value: Any) -> float:
    """Return `value` as a finite float that is not negative."""
    if isinstance(value, bool) or not isinstance(value, Real) or not 0 <= float(value) < np.inf:
        raise ValueError(f"a ridge penalty must be a finite number, zero or above, got {value!r}")
    return float(value)
