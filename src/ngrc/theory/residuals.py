"""What ridge regression leaves of one response: its squares at every penalty, from one decomposition."""

from dataclasses import dataclass

import numpy as np

from ngrc._types import FloatArray
from ngrc.readout.spectrum import EPS, Regression, thin_svd
from ngrc.theory._check import check_matrix, check_nonnegative
from ngrc.theory.spectrum import DesignSpectrum
from ngrc.validation import check_vector

NEARLY_EXPLAINED = 1e-8
"""Share of the response's squares below which their difference keeps too few digits: half of them are lost by then."""


@dataclass(frozen=True, slots=True)
class RidgeResiduals:
    """What ridge regression leaves of one response at every penalty; make it by `of_design`, `of_moments` or `of_fit`.

    The eigenvalues of I - H are lambda / (s + lambda) on the column space and 1 outside it.
    """

    values: FloatArray
    """eigenvalues s > 0 of R'R/n, directions at rounding level left out, shape (k,)"""
    energy: FloatArray
    """squared coordinates of y along the eigenvectors of RR'/n, shape (k,)"""
    rest: float
    """squared norm of y outside the column space"""
    freedom: int
    """n, or n - 1 after an intercept"""
    rows: int
    """n"""

    @classmethod
    def of_design(cls, R: FloatArray, y: FloatArray, *, intercept: bool = False) -> "RidgeResiduals":
        """From a design, shape (n, p) with n < p allowed, and a response, shape (n,), by a thin SVD.

        Examples
        --------
        >>> RidgeResiduals.of_design(np.array([[1.0], [0.0]]), np.array([3.0, 4.0])).squares(0.5)
        18.25
        """
        design, response = check_matrix(R, "R"), check_vector(y, "y")
        rows = design.shape[0]
        if response.size != rows:
            raise ValueError(f"y must have one value for each of the {rows} rows, got {response.size}")
        if intercept:
            design, response = design - design.mean(axis=0), response - response.mean()
        left, singular, _ = thin_svd(design)
        # Zero singular values carry no direction of their own: their share of y belongs to the rest.
        significant = singular > singular[0] * max(design.shape) * EPS
        energy = (left[:, significant].T @ response) ** 2
        total = float(response @ response)
        rest = total - float(energy.sum())
        if rest < NEARLY_EXPLAINED * total:
            outside = response - left[:, significant] @ (left[:, significant].T @ response)
            rest = float(outside @ outside)
        return cls._settled(singular[significant] ** 2, energy, rest, rows, intercept)

    @classmethod
    def of_moments(
        cls, design: DesignSpectrum, moments: FloatArray, mean_square: float, *, intercept: bool = False
    ) -> "RidgeResiduals":
        """From a design's spectrum and the moments R'y/n and y'y/n: many responses share one decomposition.

        Parameters
        ----------
        design
            Spectrum of the design; of the centred one where there is an intercept.
        moments
            R'y/n, shape (p,).
        mean_square
            y'y/n; of the centred response where there is an intercept. What is left of it after the columns is a
            difference: noise below 1e-7 of the signal needs `of_design` or `of_fit`.
        intercept
            Whether both were centred for an unpenalised intercept, which costs one degree of freedom.

        Examples
        --------
        >>> from ngrc.theory import spectrum
        >>> R, y = np.array([[1.0], [0.0]]), np.array([3.0, 4.0])
        >>> round(RidgeResiduals.of_moments(spectrum(R), R.T @ y / 2, y @ y / 2).squares(0.5), 12)
        18.25
        """
        cross = check_vector(moments, "moments")
        if cross.size != design.columns:
            raise ValueError(
                f"moments must have one value for each of the {design.columns} columns, got {cross.size}"
            )
        rows, total = design.rows, design.rows * check_nonnegative(mean_square, "mean_square")
        # As R = sqrt(n) U diag(s)^1/2 V', U'y = sqrt(n) V'c / s^1/2. An eigenvalue of a Gram matrix below this is
        # rounding of the others, and as a divisor it would make energy of it.
        floor = max(rows, design.columns) * EPS * float(design.values.max(initial=0.0))
        significant = design.values > floor
        values = design.values[significant]
        energy = rows * (design.vectors[:, significant].T @ cross) ** 2 / values
        # Moments of no response would leave a negative rest; a few roundings of the sum are allowed.
        if float(energy.sum()) > total * (1.0 + 1e-6):
            raise ValueError(
                f"mean_square must be y'y/n of the response behind the moments, got {mean_square:g} where they alone "
                f"explain {float(energy.sum()) / rows:g}"
            )
        return cls._settled(values, energy, total - float(energy.sum()), rows, intercept)

    @classmethod
    def of_fit(
        cls, fit: Regression, ridge: float, mean_square: float, *, intercept: bool = False
    ) -> "RidgeResiduals":
        """From a ridge fit alone: its spectrum with V'R'y/n, its penalty and its mean squared residual.

        y'y is not needed: what the penalty leaves of the column space is known, and the rest of the residual squares
        lies outside. Nothing cancels where y is nearly explained, as it would in y'y less what is explained.

        Parameters
        ----------
        fit
            Spectrum and projection; eigenvalues at rounding level exactly zero.
        ridge
            lambda >= 0 of the fit.
        mean_square
            ||y - R w||^2 / n at that penalty.
        intercept
            Whether an unpenalised intercept was fitted besides.
        """
        significant = fit.values > 0
        values = fit.values[significant]
        energy = fit.rows * fit.projection[significant] ** 2 / values
        kept = float((ridge / (values + ridge)) ** 2 @ energy)
        squares = fit.rows * check_nonnegative(mean_square, "mean_square")
        return cls._settled(values, energy, squares - kept, fit.rows, intercept)

    @classmethod
    def _settled(
        cls, values: FloatArray, energy: FloatArray, rest: float, rows: int, intercept: bool
    ) -> "RidgeResiduals":
        freedom = rows - intercept
        # With as many directions as degrees of freedom nothing of y lies outside: the difference would be rounding, and
        # a criterion that divides by vanishing degrees would take it for noise.
        rest = max(rest, 0.0) if energy.size < freedom else 0.0
        if values.size == 0 or float(energy.sum()) + rest == 0.0:
            raise ValueError("R and y must vary; a constant design or response carries no noise scale")
        return cls(values, energy, rest, freedom, rows)

    @property
    def idle(self) -> int:
        """Degrees of freedom outside the column space."""
        return self.freedom - self.energy.size

    def shrinkage(self, ridge: float) -> FloatArray:
        """Eigenvalues lambda / (s + lambda) of I - H on the column space, shape (k,)."""
        return np.asarray(ridge / (self.values + ridge))

    def squares(self, ridge: float) -> float:
        """||(I - H) y||^2."""
        return float(self.shrinkage(ridge) ** 2 @ self.energy) + self.rest

    def evidence_squares(self, ridge: float) -> float:
        """y'(I - H) y."""
        return float(self.shrinkage(ridge) @ self.energy) + self.rest

    def degrees(self, ridge: float) -> float:
        """Residual degrees of freedom, n - tr H."""
        return float(self.shrinkage(ridge).sum()) + self.freedom - self.energy.size

    def dimension(self, ridge: float) -> float:
        """Tr H without the intercept."""
        return float(self.energy.size - self.shrinkage(ridge).sum())

    def gcv(self, ridge: float) -> float:
        """Logarithm of RSS / (n - tr H)^2, up to a constant."""
        return float(np.log(self.squares(ridge)) - 2.0 * np.log(self.degrees(ridge)))

    def negative_evidence(self, ridge: float) -> float:
        """-2 log marginal likelihood with sigma profiled out, up to a constant."""
        # y ~ N(0, sigma^2 (I - H)^-1): the determinant of its covariance is one over the product of the shrinkages.
        determinant = -float(np.log(self.shrinkage(ridge)).sum())
        return self.freedom * float(np.log(self.evidence_squares(ridge))) + determinant
