"""Marchenko-Pastur moments by quadrature, and how far a real Gaussian design of finite size lies from them."""

from dataclasses import dataclass

import numpy as np

from ngrc._types import FloatArray

NODES = 4000
"""Midpoints of the angle: the rule is spectrally exact, and for the penalties of the study to 1e-12 with these."""


@dataclass(frozen=True, slots=True)
class FiniteTraces:
    """E tr A and E tr A^2 of A = (R'R/n + lambda I)^-1, R of n independent rows N(0, I_p), up to O(1/n)."""

    first: float
    second: float


def inverse_moments(gamma: float, ridge: float, orders: int) -> FloatArray:
    """Limits of tr(A^k)/p for k = 1, ..., `orders`, the atom at zero included.

    By quadrature in the angle, x = 1 + gamma + 2 sqrt(gamma) cos t, so that nothing is shared with the closed forms of
    `ngrc.theory`.

    Examples
    --------
    >>> inverse_moments(0.5, 0.2, 2).round(6)
    array([1.216991, 2.074971])
    """
    angle = (np.arange(NODES) + 0.5) * np.pi / NODES
    x = 1.0 + gamma + 2.0 * np.sqrt(gamma) * np.cos(angle)
    # Density times dx: sqrt((b - x)(x - a)) / (2 pi gamma x) dx = (2/pi) sin^2 t / x dt.
    weights = 2.0 / NODES * np.sin(angle) ** 2 / x
    atom = max(1.0 - 1.0 / gamma, 0.0)
    powers = np.arange(1, orders + 1)[:, None]
    moments: FloatArray = (weights * (x + ridge) ** -powers).sum(axis=1) + atom * float(ridge) ** -powers[
        :, 0
    ]
    return moments


def finite_traces(rows: int, columns: int, ridge: float) -> FiniteTraces:
    """Traces of a finite real Gaussian design: p times the limit, plus a shift that does not grow with n.

    E tr(S - z)^-1 - p m(z) -> gamma k^3 / (1 - gamma k^2)^2, k = c/(1 + c), c the companion's Stieltjes transform
    (Bai and Silverstein 2004, theorem 1.1, the real case, doi:10.1214/aop/1078415845); the second trace is its
    derivative in z, with dc/dz = c^2 / (1 - gamma k^2). Evaluated at z = -lambda.

    Examples
    --------
    >>> traces = finite_traces(400, 200, 0.2)
    >>> round(traces.first - 200 * 1.216991, 2)
    0.42
    """
    gamma = columns / rows
    first, second = inverse_moments(gamma, ridge, 2)
    # From RR'/n, which shares the eigenvalues of S but for zeros: its law has ratio 1/gamma, penalty lambda/gamma.
    companion = inverse_moments(1.0 / gamma, ridge / gamma, 1)[0] / gamma
    k = companion / (1.0 + companion)
    rest = 1.0 - gamma * k**2
    return FiniteTraces(
        first=float(columns * first + gamma * k**3 / rest**2),
        second=float(columns * second + gamma * k**4 * (3.0 * rest + 4.0 * gamma * k**2) / rest**4),
    )
