"""The kernel matrix's one decomposition, which answers for every penalty, target and new row."""

from dataclasses import dataclass, field

import numpy as np

from ngrc._types import FloatArray
from ngrc.readout.dual_frame import Cross
from ngrc.readout.refine import ROUNDING
from ngrc.readout.spectrum import EPS, pseudo_inverse


@dataclass(frozen=True, slots=True)
class DualSpectrum:
    """Eigenvalues and eigenvectors of K/n = ZZ'/n.

    Parameters
    ----------
    values
        All n eigenvalues, shape (n,); those at rounding level are exactly zero.
    vectors
        Their orthonormal eigenvectors as columns, shape (n, n).
    rounding
        Size of the errors that rounding may have left in `values`.
    smallest
        Smallest eigenvalue of a direction that the target may have.
    """

    values: FloatArray = field(repr=False)
    vectors: FloatArray = field(repr=False)
    rounding: float
    smallest: float

    @classmethod
    def of_kernel(cls, kernel: FloatArray, size: float, centred: bool) -> "DualSpectrum":
        """From K itself, shape (n, n), overwritten; `size` is its norm before anything was taken off it."""
        count = kernel.shape[0]
        if not np.isfinite(size):
            raise ValueError(
                "the kernel of the products overflows; clip or rescale the inputs, or use a lower degree"
            )
        kernel /= count
        values, vectors = np.linalg.eigh(kernel)
        # Below n eps of the largest an eigenvalue is rounding of the others; as a divisor it would be noise.
        values = np.where(values > count * EPS * values[-1], values, 0.0)
        return cls(values, vectors, ROUNDING * size / count, smallest_value(values, centred))

    @classmethod
    def of_triangle(cls, triangle: FloatArray, centred: bool) -> "DualSpectrum":
        """From the triangle of a QR decomposition of Z', shape (at most n, n); K is never formed."""
        count = triangle.shape[1]
        values = np.zeros(count)
        _, singular, right = np.linalg.svd(triangle)
        largest = float(singular.max(initial=0.0))
        singular = np.where(singular > count * EPS * largest, singular, 0.0)
        values[: singular.size] = singular**2 / count
        # An error e of a singular value moves its square by 2 sigma e: at s = lambda, by 2 sqrt(s_max lambda) eps. As a
        # number for every penalty the square of e stands here; what counts is that no digit below it is believed.
        rounding = (ROUNDING * largest) ** 2 / count
        return cls(values, np.ascontiguousarray(right.T), rounding, smallest_value(np.sort(values), centred))

    @property
    def count(self) -> int:
        """Number of fit rows n."""
        return int(self.values.size)

    def lost(self, ridge: float) -> float:
        """Share of K/n + lambda I, in its weakest direction, that may be rounding."""
        floor = self.smallest + ridge
        return self.rounding / floor if floor > 0 else np.inf

    def inverse(self, ridge: float) -> FloatArray:
        """Eigenvalues of (K/n + lambda I)^+, shape (n,)."""
        return pseudo_inverse(self.values, ridge)

    def solve(self, right: FloatArray, ridges: FloatArray) -> FloatArray:
        """(K/n + lambda I)^+ of every column of `right`, shape (n, m), one penalty each."""
        coordinates = self.vectors.T @ right
        for column, ridge in enumerate(ridges):
            coordinates[:, column] *= self.inverse(ridge)
        return self.vectors @ coordinates

    def path(self, response: FloatArray, ridges: FloatArray) -> FloatArray:
        """Weights of rows, (K/n + lambda I)^+ y / n, shape (n, m) for m penalties; zero where one is infinite."""
        return self.solve(np.tile(response[:, None], ridges.size), ridges) / self.count

    def residuals(self, response: FloatArray, ridge: float) -> FloatArray:
        """What is left, y - K alpha: y times lambda / (s + lambda) along every eigenvector: nothing cancels."""
        if np.isinf(ridge):
            return response
        inverse = self.inverse(ridge)
        kept = ridge * inverse if ridge > 0 else (inverse == 0).astype(float)
        return self.vectors @ (kept * (self.vectors.T @ response))

    def dimension(self, ridge: float) -> float:
        """Return tr K/n (K/n + lambda I)^+."""
        return float(self.values @ self.inverse(ridge))

    def leverage(self, cross: Cross, ridge: float, width: int) -> tuple[FloatArray, FloatArray]:
        """z'(Z'Z/n + lambda I)^-1 z / n of new rows from their kernel alone, and what may be rounding of it.

        As v = Z'u / sqrt(n s) is the unit direction in the columns' space of an eigenvector u, (z'v)^2 is
        (u'k)^2 / (n s); what of z lies in no such direction carries 1 / lambda, or nothing at a penalty of zero.

        Returns
        -------
        leverages, doubts
            Shape (m,) each.
        """
        known = self.values > 0
        values = self.values[known]
        rotated = (self.vectors[:, known].T @ cross.kernel) ** 2 / (self.count * values[:, None])
        spread = self.inverse(ridge)[known] @ rotated / self.count
        if values.size == width or not 0 < ridge < np.inf:
            return spread, np.zeros_like(spread)
        # By Pythagoras, z'z - k'K^+ k. With c = K^+ k, an error E of K moves the last term by c'Ec, one of k by 2c'E.
        empty = np.maximum(cross.squares - rotated.sum(axis=0), 0.0)
        length = np.sqrt((1.0 / (self.count * values)) @ rotated)
        return spread + empty / (self.count * ridge), self.rounding * length * (2.0 + length) / ridge


def smallest_value(ascending: FloatArray, centred: bool) -> float:
    """Smallest eigenvalue, one zero left out where rows are centred: that of a constant, which the target has not."""
    left = ascending[1:] if centred else ascending
    return float(left[0]) if left.size else 0.0
