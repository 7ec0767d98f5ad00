"""One task's fitted readout; what it shares with the others it holds by reference."""

from dataclasses import dataclass, field

import numpy as np

from ngrc._types import FloatArray
from ngrc.readout.bordered import Bordered
from ngrc.readout.fitted import Solver, with_intercept
from ngrc.readout.gram import Gram
from ngrc.readout.spectrum import Regression


@dataclass(frozen=True, slots=True)
class TaskReadout:
    """Ridge readout of one task, with the face of `Readout`.

    Parameters
    ----------
    penalty, intercept, coefficients, d_eff, fit_scale, solver, intercept_penalty
        As in `Readout`.
    gram
        The rows' moments.
    inverse
        The decomposition that answers for the leverage: the common one, bordered, or the design's own.
    """

    penalty: float
    intercept: float
    coefficients: FloatArray = field(repr=False)
    d_eff: float
    fit_scale: float
    solver: Solver
    intercept_penalty: float
    gram: Gram = field(repr=False)
    inverse: Bordered = field(repr=False)

    @property
    def count(self) -> int:
        """Number of fit rows n."""
        return self.gram.count

    @property
    def means(self) -> FloatArray:
        """Column means over the fit rows, shape (p - 1,)."""
        return self.gram.means

    @property
    def scales(self) -> FloatArray:
        """Column standard deviations over the fit rows, shape (p - 1,)."""
        return self.gram.scales

    def predict(self, design: FloatArray) -> FloatArray:
        """Forecasts of explicit raw design rows, shape (m, p - 1) to (m,)."""
        return self.intercept + design @ self.coefficients

    def leverage(self, design: FloatArray) -> FloatArray:
        """Leverages r'(R'R + n lambda D)^-1 r of raw design rows, shape (m, p - 1) to (m,)."""
        squares = self.inverse.quadratic((design - self.means) / self.scales, self.penalty)
        return np.asarray((squares + 1.0 / (1.0 + self.intercept_penalty)) / self.count)

    def regression(self) -> Regression:
        """The fit's spectrum and V'Z'y/n on the standardised columns Z."""
        found = Regression.of_moments(self.gram.matrix, self.gram.cross, self.count)
        return with_intercept(found, self.gram.target_mean, self.intercept_penalty)
