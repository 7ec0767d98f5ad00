"""Noise scale when p/n does not vanish: two consistent estimators, and the raw training RMS for contrast."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from scipy import linalg, optimize

from ngrc._types import FloatArray
from ngrc.theory._check import check_matrix
from ngrc.validation import check_positive, check_vector

Method = Literal["gcv", "evidence", "raw"]
Edge = Literal["inside", "smallest", "largest", "given"]


@dataclass(frozen=True, slots=True)
class NoiseScale:
    """An estimate of sigma and the penalty it rests on."""

    scale: float
    """estimate of sigma, a standard deviation"""
    ridge: float
    """the penalty at which it was computed"""
    effective_dimension: float
    """tr H at that penalty, the intercept included"""
    method: Method
    edge: Edge
    """where the penalty lies; at the "smallest" with p >= n the estimate collapses to zero and must not be
    used, at the "largest" no signal was seen"""


@dataclass(frozen=True, slots=True)
class _Path:
    """Ridge regression at every penalty, in the eigenbasis of RR'/n."""

    values: FloatArray
    """eigenvalues of RR'/n, shape (k,)"""
    energy: FloatArray
    """squared coordinates of y along their eigenvectors, shape (k,)"""
    rest: float
    """squared norm of y outside the column space"""
    freedom: int
    """n, or n - 1 after an intercept"""

    def removed(self, ridge: float) -> FloatArray:
        """Eigenvalues of I - H on the column space; all others are 1."""
        return np.asarray(ridge / (self.values + ridge))

    def residual_squares(self, ridge: float) -> float:
        """||(I - H) y||^2."""
        return float(self.removed(ridge) ** 2 @ self.energy) + self.rest

    def evidence_squares(self, ridge: float) -> float:
        """y'(I - H) y."""
        return float(self.removed(ridge) @ self.energy) + self.rest

    def residual_freedom(self, ridge: float) -> float:
        """Residual degrees of freedom, n - tr H."""
        return float(self.removed(ridge).sum()) + self.freedom - self.values.size

    def gcv(self, ridge: float) -> float:
        """Logarithm of RSS / (n - tr H)^2, up to a constant."""
        return float(np.log(self.residual_squares(ridge)) - 2.0 * np.log(self.residual_freedom(ridge)))

    def negative_evidence(self, ridge: float) -> float:
        """-2 log marginal likelihood with sigma profiled out, up to a constant."""
        determinant = -float(np.log(self.removed(ridge)).sum())
        return self.freedom * float(np.log(self.evidence_squares(ridge))) + determinant


def noise_scale(
    R: FloatArray,
    y: FloatArray,
    method: Method = "gcv",
    *,
    ridge: float | None = None,
    intercept: bool = False,
) -> NoiseScale:
    """Estimate the noise standard deviation of y = R w0 + e from one singular value decomposition.

    "gcv": sigma^2 = RSS/(n - tr H) at the penalty that minimises generalised cross-validation. "evidence":
    sigma^2 = y'(I - H)y/n at the penalty that maximises the marginal likelihood of the prior
    w ~ N(0, sigma^2/(n lambda) I). Both stay close to sigma^2 in proportional dimension when the signal is
    spread over the eigenvectors of the design. "raw": RSS/n, the training mean square, does not (appendix
    "Training residual scale in proportional dimension").

    Parameters
    ----------
    R
        Design, shape (n, p); n < p allowed.
    y
        Response, shape (n,).
    method
        "gcv", "evidence" or "raw"; the last takes the penalty of generalised cross-validation.
    ridge
        Use this penalty instead of choosing one.
    intercept
        Fit an unpenalised intercept: centre both, and count one degree of freedom.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> R = rng.standard_normal((400, 200))
    >>> y = R @ rng.standard_normal(200) / 14 + rng.standard_normal(400)
    >>> [round(noise_scale(R, y, method).scale, 2) for method in ("gcv", "evidence", "raw")]
    [1.09, 1.09, 0.93]
    """
    if method not in get_args(Method):
        raise ValueError(f"method must be 'gcv', 'evidence' or 'raw', got {method!r}")
    path = _path(R, y, intercept)
    criterion = path.negative_evidence if method == "evidence" else path.gcv
    penalty, edge = _minimise(criterion, path) if ridge is None else (check_positive(ridge, "ridge"), "given")
    if method == "gcv":
        variance = path.residual_squares(penalty) / path.residual_freedom(penalty)
    elif method == "evidence":
        variance = path.evidence_squares(penalty) / path.freedom
    else:
        variance = path.residual_squares(penalty) / (path.freedom + intercept)
    used = float(path.values.size - path.removed(penalty).sum()) + intercept
    return NoiseScale(float(np.sqrt(variance)), penalty, used, method, edge)


def _path(R: FloatArray, y: FloatArray, intercept: bool) -> _Path:
    design, response = check_matrix(R, "R"), check_vector(y, "y")
    rows = design.shape[0]
    if response.size != rows:
        raise ValueError(f"y must have one value for each of the {rows} rows, got {response.size}")
    if intercept:
        design, response = design - design.mean(axis=0), response - response.mean()
    freedom = rows - intercept
    left, singular, _ = linalg.svd(design / np.sqrt(rows), full_matrices=False, check_finite=False)
    # Zero singular values carry no direction of their own: their share of y belongs to the rest.
    kept = singular > singular[0] * max(design.shape) * np.finfo(float).eps
    energy = (left[:, kept].T @ response) ** 2
    total = float(response @ response)
    if not kept.any() or total == 0.0:
        raise ValueError("R and y must vary; a constant design or response carries no noise scale")
    rest = max(total - float(energy.sum()), 0.0) if energy.size < freedom else 0.0
    return _Path(singular[kept] ** 2, energy, rest, freedom)


def _minimise(criterion: Callable[[float], float], path: _Path) -> tuple[float, Edge]:
    """Global minimiser over the penalties at which anything still changes: a grid, then Brent's method."""
    bottom, top = np.log(path.values[-1]), np.log(path.values[0])
    grid = np.linspace(bottom - 12.0, top + 12.0, 121)
    best = int(np.argmin([criterion(float(np.exp(point))) for point in grid]))
    low, high = grid[max(best - 1, 0)], grid[min(best + 1, grid.size - 1)]
    found = optimize.minimize_scalar(
        lambda point: criterion(float(np.exp(point))),
        bounds=(low, high),
        method="bounded",
        options={"xatol": 1e-8},
    )
    # Near its ends a criterion is flat to rounding, so the edge is a region and not the last grid point.
    edge: Edge = "smallest" if found.x < bottom - 10.0 else "largest" if found.x > top + 8.0 else "inside"
    return float(np.exp(found.x)), edge
