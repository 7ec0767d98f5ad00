"""Noise scale when p/n does not vanish: two consistent estimators with their errors, and the raw training RMS."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from ngrc._minimum import bounded_minimum
from ngrc._types import FloatArray
from ngrc.theory.noise_error import Kind, scale_error
from ngrc.theory.residuals import RidgeResiduals
from ngrc.validation import check_positive

Method = Kind
Edge = Literal["inside", "smallest", "largest", "given"]
Collapse = Literal["raise", "keep"]


@dataclass(frozen=True, slots=True)
class NoiseScale:
    """An estimate of sigma with its standard error, and the penalty it rests on."""

    scale: float
    """estimate of sigma, a standard deviation"""
    error: float
    """standard error of `scale` given the design and the signal; infinite where the estimate collapsed"""
    ridge: float
    """the penalty at which it was computed"""
    effective_dimension: float
    """tr H at that penalty, the intercept included"""
    method: Method
    edge: Edge
    """where the penalty lies; at the "largest" no signal was seen, at the "smallest" nothing is shrunk"""
    collapsed: bool
    """whether every row is interpolated: the scale is then an artefact near zero, and no estimate"""


def noise_scale(
    R: FloatArray,
    y: FloatArray,
    method: Method = "gcv",
    *,
    ridge: float | None = None,
    intercept: bool = False,
    collapse: Collapse = "raise",
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
    collapse
        What to do where the smallest penalty is chosen and the columns interpolate every row, which leaves nothing to
        estimate from: "raise" an error, or "keep" the estimate, marked as `collapsed`, for simulations that count it.

    Notes
    -----
    `error` is the delta-method standard error under Gaussian noise, given design and signal; it includes how the
    chosen penalty moves with the noise, and not the bias of the estimate. Within Monte-Carlo error it is the spread of
    the estimate over new noise at p/n of 0.1, 0.5 and 2 with n = 400 (tests). It does not hold where the penalty often
    falls on an edge: there the error is that of a given penalty. With p/n = 2 and a strong signal (s = 3 sigma,
    n = 200) a tenth to a quarter of the draws collapse and the spread is up to 1.5 times the error. Of "raw" it is the
    spread around a limit that is not sigma.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> R = rng.standard_normal((400, 200))
    >>> y = R @ rng.standard_normal(200) / 14 + rng.standard_normal(400)
    >>> [round(noise_scale(R, y, method).scale, 2) for method in ("gcv", "evidence", "raw")]
    [1.09, 1.09, 0.93]
    >>> round(noise_scale(R, y, "gcv").error, 2)
    0.05
    """
    return noise_scale_of(
        RidgeResiduals.of_design(R, y, intercept=intercept), method, ridge=ridge, collapse=collapse
    )


def noise_scale_of(
    residuals: RidgeResiduals,
    method: Method = "gcv",
    *,
    ridge: float | None = None,
    collapse: Collapse = "raise",
) -> NoiseScale:
    """`noise_scale` from a decomposition that is at hand: one design's spectrum serves many responses.

    Parameters as for `noise_scale`.

    Examples
    --------
    >>> from ngrc.theory import spectrum
    >>> rng = np.random.default_rng(0)
    >>> R, noise = rng.standard_normal((400, 200)), rng.standard_normal((2, 400))
    >>> design = spectrum(R)
    >>> [
    ...     round(noise_scale_of(RidgeResiduals.of_moments(design, R.T @ e / 400, e @ e / 400)).scale, 2)
    ...     for e in noise
    ... ]
    [1.06, 0.95]
    """
    if method not in get_args(Method):
        raise ValueError(f"method must be 'gcv', 'evidence' or 'raw', got {method!r}")
    if collapse not in get_args(Collapse):
        raise ValueError(f"collapse must be 'raise' or 'keep', got {collapse!r}")
    criterion = residuals.negative_evidence if method == "evidence" else residuals.gcv
    if ridge is None:
        penalty, edge = _minimise(residuals, criterion)
    else:
        penalty, edge = check_positive(ridge, "ridge"), "given"
    collapsed = edge == "smallest" and residuals.rest == 0.0
    if collapsed and collapse == "raise":
        raise ValueError(
            f"the noise scale cannot be estimated: the columns interpolate all {residuals.rows} rows and "
            f"{method} chooses no shrinkage; give more rows or fewer columns, or give a penalty"
        )
    scale = float(np.sqrt(_variance(residuals, method, penalty)))
    return NoiseScale(
        scale=scale,
        error=np.inf
        if collapsed
        else scale_error(residuals, method, penalty, scale, chosen=edge == "inside"),
        ridge=penalty,
        effective_dimension=residuals.dimension(penalty) + (residuals.rows - residuals.freedom),
        method=method,
        edge=edge,
        collapsed=collapsed,
    )


def _variance(residuals: RidgeResiduals, method: Method, penalty: float) -> float:
    if method == "gcv":
        return residuals.squares(penalty) / residuals.degrees(penalty)
    if method == "evidence":
        return residuals.evidence_squares(penalty) / residuals.freedom
    return residuals.squares(penalty) / residuals.rows  # over n, as the fit scale is


def _minimise(residuals: RidgeResiduals, criterion: Callable[[float], float]) -> tuple[float, Edge]:
    """Global minimiser over the penalties at which anything still changes."""
    # exp(12) beyond either end of the spectrum the shrinkage is 0 or 1 to five digits: nothing is left to find.
    # 121 points put neighbours a fifth of a unit of log lambda apart for a spectrum of no width.
    bottom, top = np.log(residuals.values.min()), np.log(residuals.values.max())
    best = _search(criterion, np.linspace(bottom - 12.0, top + 12.0, 121))
    # Near its ends a criterion is flat to rounding, so the edge is a region and not the last grid point.
    edge: Edge = "smallest" if best < bottom - 10.0 else "largest" if best > top + 8.0 else "inside"
    # Five digits are not enough where noise is below a hundred-thousandth of the signal, as in simulated systems: with
    # rows to spare the search goes on to where doubles end. Without, there is nothing to be found but interpolation.
    if edge == "smallest" and residuals.rest > 0.0:
        best = _search(criterion, np.linspace(bottom - 72.0, bottom - 12.0, 121))
    return float(np.exp(best)), edge


def _search(criterion: Callable[[float], float], grid: FloatArray) -> float:
    """Logarithm of the best penalty: a grid, then Brent's method between the neighbours of its best point."""
    best = int(np.argmin([criterion(float(np.exp(point))) for point in grid]))
    low, high = grid[max(best - 1, 0)], grid[min(best + 1, grid.size - 1)]
    return bounded_minimum(lambda point: criterion(float(np.exp(point))), float(low), float(high), 1e-8)[0]
