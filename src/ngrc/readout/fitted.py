"""The fitted readout, as a value."""

from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from ngrc._blocks import block_diagonal
from ngrc._kernels.models import whitening_squares
from ngrc._types import FloatArray
from ngrc.readout.spectrum import EPS, Regression

Solver = Literal["gram", "svd"]


@dataclass(frozen=True, slots=True)
class Readout:
    """Ridge readout w = (R'R/n + lambda D)^-1 R'y/n on standardised columns.

    Everything is in the units of the standardised series.

    Parameters
    ----------
    penalty
        lambda in the normalised convention.
    intercept
        Intercept that goes with `coefficients`.
    coefficients
        Weights of the raw design columns, shape (p - 1,).
    standardised
        Weights of the centred and scaled columns, shape (p - 1,).
    means, scales
        Column means and standard deviations over the fit rows, shape (p - 1,).
    count
        Number of fit rows n.
    d_eff
        Effective dimension tr S (S + lambda D)^-1, the intercept included.
    fit_scale
        Root mean square of the fit residuals.
    solver
        "gram" where the moment matrix was solved, "svd" where its condition called for the design itself.
    intercept_penalty
        Penalty on the intercept: 0 when it is free, lambda when it is penalised.
    root
        Upper triangular U with U U' = (C + lambda V)^+, C the covariance matrix of the raw columns and V the
        squares of `scales` on a diagonal, shape (p - 1, p - 1).
    """

    penalty: float
    intercept: float
    coefficients: FloatArray = field(repr=False)
    standardised: FloatArray = field(repr=False)
    means: FloatArray = field(repr=False)
    scales: FloatArray = field(repr=False)
    count: int
    d_eff: float
    fit_scale: float
    solver: Solver
    intercept_penalty: float
    root: FloatArray = field(repr=False)

    def predict(self, design: FloatArray) -> FloatArray:
        """Forecasts of explicit raw design rows, shape (m, p - 1) to (m,)."""
        return self.intercept + design @ self.coefficients

    def leverage(self, design: FloatArray) -> FloatArray:
        """Leverages r'(R'R + n lambda D)^-1 r of raw design rows.

        Parameters
        ----------
        design
            Raw columns without the intercept, shape (m, p - 1).

        Returns
        -------
        FloatArray
            Shape (m,).
        """
        squares = whitening_squares(self.root.T, design, self.means)
        # n times the leverage: the columns' part and, uncorrelated with it, the intercept's 1 / (1 + lambda_0).
        return np.asarray((squares + 1.0 / (1.0 + self.intercept_penalty)) / self.count)

    def regression(self) -> Regression:
        """The fit's spectrum and V'Z'y/n on the standardised columns Z, from the root and the weights alone.

        Neither the rows nor their moments are needed again. A penalised intercept is one more column, of ones.
        """
        # W = diag(scales) U has W W' = (S + lambda I)^+: its singular values are (s + lambda)^-1/2.
        vectors, singular, _ = np.linalg.svd(self.root * self.scales[:, None])
        rounding = singular.size * EPS
        shifted = np.zeros_like(singular)
        known = singular > rounding * singular.max(initial=0.0)
        shifted[known] = singular[known] ** -2
        # s + lambda - lambda: what is below the rounding of either is no direction of the data. A root from the
        # moments carries the rounding of the largest eigenvalue besides.
        largest = float(shifted.max(initial=0.0)) if self.solver == "gram" else self.penalty
        values = shifted - self.penalty
        values[values <= rounding * largest] = 0.0
        # c = (S + lambda I) w
        projection = shifted * (vectors.T @ self.standardised)
        found = Regression(self.count, values.size, values, vectors, projection)
        share = 1.0 / (1.0 + self.intercept_penalty)
        mean = (self.intercept + float(self.means @ self.coefficients)) / share if share else 0.0
        return with_intercept(found, mean, self.intercept_penalty)


def with_intercept(found: Regression, mean: float, penalty: float) -> Regression:
    """A regression on centred columns, with one more column, of ones, where the intercept is penalised.

    Examples
    --------
    >>> found = Regression(9, 1, np.ones(1), np.eye(1), np.ones(1))
    >>> with_intercept(found, 2.0, 0.5).projection
    array([1., 2.])
    """
    if not 0.0 < penalty < np.inf:
        return found
    values, projection = np.append(found.values, 1.0), np.append(found.projection, mean)
    vectors = block_diagonal(found.vectors, np.ones((1, 1)))
    return Regression(found.rows, values.size, values, vectors, projection)
