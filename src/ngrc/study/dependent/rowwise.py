"""Quantile and coverage row by row, where rows are too unlike each other for their second moment to tell.

Over a Gaussian readout w0 ~ N(0, SNR QQ'/q), Q of q orthonormal columns, and over the noise, the residual of a new row
r is exactly N(0, tau^2(r)) with

    tau^2(r) = 1 + SNR |lambda Q'A r|^2 / q + r'A S A r / n.

The scores are then draws from a mixture of these laws, and W_C/2 is its quantile; the finite trace replaces the mixture
by one normal law of the same variance. The Bayesian interval covers row r with probability 2 Phi(z s(r)/tau(r)) - 1,
s^2(r) = 1 + r'A r / n, and s = tau where QQ'/q SNR = I/(n lambda): its prior is then the readout's law.
"""

from dataclasses import dataclass

import numpy as np
from scipy import special

from ngrc._types import FloatArray
from ngrc.readout.spectrum import Spectrum

STEPS, REACH = 50, 1e4
"""Halvings of a bracket, down to 1e-15 of it; and how far from gamma/lambda a boundary is looked for."""


def coverage_of(radii: FloatArray, variances: FloatArray) -> FloatArray:
    """Mean over the last axis of P(|N(0, variance)| <= radius), shapes that broadcast to (..., m)."""
    shares: FloatArray = special.erf(radii / np.sqrt(2.0 * variances)).mean(axis=-1)
    return shares


def mixture_quantile(variances: FloatArray, level: float) -> FloatArray:
    """Radius with `coverage_of` equal to the level, shape (..., m) -> (...).

    Examples
    --------
    >>> round(float(mixture_quantile(np.ones(3), 0.95)), 6)
    1.959964
    """
    # The quantile of a mixture lies between those of its narrowest and its widest component.
    single = special.ndtri(0.5 + 0.5 * level)
    low, high = (single * np.sqrt(bound(variances, axis=-1)) for bound in (np.min, np.max))
    for _ in range(STEPS):
        middle = 0.5 * (low + high)
        below = coverage_of(middle[..., None], variances) < level
        low, high = np.where(below, middle, low), np.where(below, high, middle)
    quantile: FloatArray = 0.5 * (low + high)
    return quantile


@dataclass(frozen=True, slots=True)
class RowVariances:
    """tau^2 of every row apart from the signal's strength, shapes (m,).

    Parameters
    ----------
    signal
        |lambda Q'A r|^2 / q, to be multiplied with the SNR.
    noise
        1 + r'A S A r / n.
    """

    signal: FloatArray
    noise: FloatArray

    @classmethod
    def of(cls, spectrum: Spectrum, rows: FloatArray, basis: FloatArray, ridge: float) -> "RowVariances":
        """Of rows, shape (m, p), and readouts in the span of `basis`, shape (p, q)."""
        rotated = rows @ spectrum.vectors
        kept = spectrum.values * spectrum.inverse(ridge)
        # lambda A = I - S A, also in directions without data.
        removed = rows @ basis - (rotated * kept) @ (spectrum.vectors.T @ basis)
        return cls(
            signal=np.sum(removed**2, axis=1) / basis.shape[1],
            noise=1.0 + rotated**2 @ (spectrum.values * spectrum.inverse(ridge) ** 2) / spectrum.rows,
        )

    def at(self, snr: FloatArray | float) -> FloatArray:
        """The variances tau^2, shape (..., m)."""
        variances: FloatArray = np.multiply.outer(np.asarray(snr), self.signal) + self.noise
        return variances

    def boundary(self, radius: float, level: float, snr: float) -> float | None:
        """Multiple of `snr` at which the mixture's quantile is `radius`; None where there is none within `REACH`."""
        low, high = -np.log(REACH), np.log(REACH)
        # Coverage falls as the signal grows.
        wide = np.array([radius])
        weakest, strongest = (float(coverage_of(wide, self.at(snr * np.exp(end)))) for end in (low, high))
        if not weakest > level > strongest:
            return None
        for _ in range(STEPS):
            middle = 0.5 * (low + high)
            above = float(coverage_of(wide, self.at(snr * np.exp(middle)))) > level
            low, high = (middle, high) if above else (low, middle)
        return float(np.exp(0.5 * (low + high)))
