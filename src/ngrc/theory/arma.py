"""From a rational memory kernel to an ARMA model."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ngrc._types import FloatArray
from ngrc.validation import check_vector


@dataclass(frozen=True, slots=True, eq=False)
class Arma:
    """Phi(L) x_t = Theta(L) u_t, both in ascending powers of the lag operator, starting with 1."""

    phi: FloatArray
    """Phi = (CA - B)/Phi_0, shape (p + 1,)"""
    theta: FloatArray
    """Theta = C/C_0, shape (q + 1,)"""
    innovation_scale: float
    """u_t = innovation_scale * e_t, the price of the normalisation"""

    @property
    def autoregressive(self) -> FloatArray:
        """phi_1..phi_p of x_t = sum phi_j x_{t-j} + ..., shape (p,)."""
        return -self.phi[1:]

    @property
    def moving_average(self) -> FloatArray:
        """theta_1..theta_q of past innovations, shape (q,)."""
        return self.theta[1:]

    @property
    def stationary(self) -> bool:
        """Whether every root of Phi lies outside the unit circle."""
        return _roots_outside(self.phi)

    @property
    def invertible(self) -> bool:
        """Whether every root of Theta lies outside the unit circle."""
        return _roots_outside(self.theta)


def arma_from_kernel(local: ArrayLike, numerator: ArrayLike, denominator: ArrayLike) -> Arma:
    """ARMA form of A(L) x_t = K(L) x_t + e_t with a rational memory operator K = B/C.

    Multiplying by C gives {C A - B} x_t = C e_t, so Phi = CA - B and Theta = C, here normalised to leading
    coefficients 1. A finite kernel (C constant) only lengthens the autoregression: past states never become a
    moving average. Common factors of Phi and Theta are kept. Source: appendix "Discretization and connection
    to ARMA-type models".

    Parameters
    ----------
    local, numerator, denominator
        Coefficients of A, B and C in ascending powers of L. C_0 and C_0 A_0 - B_0 must not be zero.

    Examples
    --------
    An exponential memory K = 0.3 L/(1 - 0.5 L) on an autoregression A = 1 - 0.9 L:

    >>> model = arma_from_kernel([1.0, -0.9], [0.0, 0.3], [1.0, -0.5])
    >>> model.autoregressive.round(4), model.moving_average
    (array([ 1.7 , -0.45]), array([-0.5]))
    """
    A, B, C = (
        check_vector(part, name) for part, name in zip((local, numerator, denominator), "ABC", strict=True)
    )
    if min(A.size, B.size, C.size) == 0:
        raise ValueError("A, B and C must each have at least one coefficient; use [0.0] for no memory")
    # Ascending powers of L multiply by convolution. K usually has B_0 = 0, memory of the past alone; a B_0 moves x_t
    # itself to the left side, and may cancel it.
    phi = np.polynomial.polynomial.polysub(np.convolve(C, A), B)
    if C[0] == 0 or phi[0] == 0:
        raise ValueError(
            f"C_0 and C_0 A_0 - B_0 must differ from zero for a causal form, got {C[0]} and {phi[0]}; "
            "cancel common powers of L"
        )
    return Arma(_trimmed(phi / phi[0]), _trimmed(C / C[0]), float(C[0] / phi[0]))


def _trimmed(coefficients: FloatArray) -> FloatArray:
    return np.trim_zeros(coefficients, "b")


def _roots_outside(coefficients: FloatArray) -> bool:
    # On the circle is not outside: a unit root is neither stationary nor invertible.
    return bool((np.abs(np.polynomial.polynomial.polyroots(coefficients)) > 1.0).all())
