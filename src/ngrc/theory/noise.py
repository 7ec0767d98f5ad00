"""Noise scale when p/n does not vanish: two consistent estimators, and the raw training RMS for contrast."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from scipy import optimize

from ngrc._types import FloatArray
from ngrc.readout.spectrum import Spectrum, thin_svd
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
class _Residuals:
    """What ridge regression leaves of one response at every penalty."""

    spectrum: Spectrum
    """of the design, without directions at rounding level, shape (k,)"""
    energy: FloatArray
    """squared coordinates of y along the eigenvectors of RR'/n, shape (k,)"""
    rest: float
    """squared norm of y outside the column space"""
    freedom: int
    """n, or n - 1 after an intercept"""

    # The eigenvalues of I - H are the spectrum's shrinkage on the column space and 1 outside it.

    def squares(self, ridge: float) -> float:
        """||(I - H) y||^2."""
        return float(self.spectrum.shrinkage(ridge) ** 2 @ self.energy) + self.rest

    def evidence_squares(self, ridge: float) -> float:
        """y'(I - H) y."""
        return float(self.spectrum.shrinkage(ridge) @ self.energy) + self.rest

    def degrees(self, ridge: float) -> float:
        """Residual degrees of freedom, n - tr H."""
        return float(self.spectrum.shrinkage(ridge).sum()) + self.freedom - self.energy.size

    def dimension(self, ridge: float) -> float:
        """Tr H without the intercept."""
        return float(self.energy.size - self.spectrum.shrinkage(ridge).sum())

    def gcv(self, ridge: float) -> float:
        """Logarithm of RSS / (n - tr H)^2, up to a constant."""
        return float(np.log(self.squares(ridge)) - 2.0 * np.log(self.degrees(ridge)))

    def negative_evidence(self, ridge: float) -> float:
        """-2 log marginal likelihood with sigma profiled out, up to a constant."""
        # y ~ N(0, sigma^2 (I - H)^-1): the determinant of its covariance is one over the product of the shrinkages.
        determinant = -float(np.log(self.spectrum.shrinkage(ridge)).sum())
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
    residuals = _residuals(R, y, intercept)
    criterion = residuals.negative_evidence if method == "evidence" else residuals.gcv
    if ridge is None:
        penalty, edge = _minimise(criterion, residuals.spectrum.values)
    else:
        penalty, edge = check_positive(ridge, "ridge"), "given"
    if method == "gcv":
        variance = residuals.squares(penalty) / residuals.degrees(penalty)
    elif method == "evidence":
        variance = residuals.evidence_squares(penalty) / residuals.freedom
    else:
        variance = residuals.squares(penalty) / (residuals.freedom + intercept)  # over n, as the fit scale is
    return NoiseScale(
        scale=float(np.sqrt(variance)),
        ridge=penalty,
        effective_dimension=residuals.dimension(penalty) + intercept,
        method=method,
        edge=edge,
    )


def _residuals(R: FloatArray, y: FloatArray, intercept: bool) -> _Residuals:
    design, response = check_matrix(R, "R"), check_vector(y, "y")
    rows = design.shape[0]
    if response.size != rows:
        raise ValueError(f"y must have one value for each of the {rows} rows, got {response.size}")
    if intercept:
        design, response = design - design.mean(axis=0), response - response.mean()
    freedom = rows - intercept
    left, singular, right = thin_svd(design)
    # Zero singular values carry no direction of their own: their share of y belongs to the rest.
    significant = singular > singular[0] * max(design.shape) * np.finfo(float).eps
    energy = (left[:, significant].T @ response) ** 2
    total = float(response @ response)
    if not significant.any() or total == 0.0:
        raise ValueError("R and y must vary; a constant design or response carries no noise scale")
    # With as many directions as degrees of freedom nothing of y lies outside: the difference would be rounding, and a
    # criterion that divides by vanishing degrees would take it for noise.
    rest = max(total - float(energy.sum()), 0.0) if energy.size < freedom else 0.0
    spectrum = Spectrum(rows, design.shape[1], singular[significant] ** 2, right[significant].T)
    return _Residuals(spectrum, energy, rest, freedom)


def _minimise(criterion: Callable[[float], float], values: FloatArray) -> tuple[float, Edge]:
    """Global minimiser over the penalties at which anything still changes: a grid, then Brent's method."""
    # exp(12) beyond either end of the spectrum the shrinkage is 0 or 1 to five digits: nothing is left to find.
    # 121 points put neighbours a fifth of a unit of log lambda apart for a spectrum of no width.
    bottom, top = np.log(values[-1]), np.log(values[0])
    grid = np.linspace(bottom - 12.0, top + 12.0, 121)
    best = int(np.argmin([criterion(float(np.exp(point))) for point in grid]))
    low, high = grid[max(best - 1, 0)], grid[min(best + 1, grid.size - 1)]
    minimum = optimize.minimize_scalar(
        lambda point: criterion(float(np.exp(point))),
        bounds=(low, high),
        method="bounded",
        options={"xatol": 1e-8},
    )
    # Near its ends a criterion is flat to rounding, so the edge is a region and not the last grid point.
    edge: Edge = "smallest" if minimum.x < bottom - 10.0 else "largest" if minimum.x > top + 8.0 else "inside"
    return float(np.exp(minimum.x)), edge
