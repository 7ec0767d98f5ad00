"""The fitted dual readout, as a value."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from ngrc._types import FloatArray
from ngrc.readout.dual_columns import Columns
from ngrc.readout.dual_frame import Frame, block_width
from ngrc.readout.dual_refine import refined_leverage, row_parts
from ngrc.readout.dual_spectrum import DualSpectrum
from ngrc.readout.fitted import with_intercept
from ngrc.readout.spectrum import Regression

DualSolver = Literal["kernel", "qr"]

# Share of a result that may be rounding by the bounds below before it is computed from the columns. The bounds were
# three to a hundred times what was lost on seven sorts of series, so that eight digits are kept.
DIGITS = 3e-8
# Numbers in the kernel between a block of new rows and the fit rows: 32 MB, a few of which are alive at once.
BLOCK = 1 << 22


@dataclass(frozen=True, slots=True)
class DualReadout:
    """Ridge readout from n x n numbers, w = Z'alpha with alpha = (ZZ'/n + lambda I)^-1 y/n.

    The face of `Readout`, but for new rows, which come as `Columns` of the kind that was fitted.
    Everything is in the units of the standardised series.

    Parameters
    ----------
    penalty
        lambda in the normalised convention.
    intercept
        Intercept that goes with `coefficients`.
    count
        Number of fit rows n.
    d_eff
        Effective dimension, the intercept included.
    fit_scale
        Root mean square of the fit residuals.
    solver
        "kernel" where the kernel matrix was decomposed, "qr" where rounding called for the columns themselves.
    intercept_penalty
        0 when the intercept is free, lambda when it is penalised, infinite when there is none.
    share
        The intercept's part of `d_eff` and of n times a leverage.
    frame
        Fit rows and what the penalty sees of them.
    spectrum
        Decomposition of their kernel matrix.
    target
        What was fitted, shape (n,).
    alpha
        Weights of the fit rows, shape (n,).
    standardised
        Weights of the columns as the penalty sees them, shape (width,); None where forecasts come from the kernel.
    """

    penalty: float
    intercept: float
    count: int
    d_eff: float
    fit_scale: float
    solver: DualSolver
    intercept_penalty: float
    share: float
    frame: Frame = field(repr=False)
    spectrum: DualSpectrum = field(repr=False)
    target: FloatArray = field(repr=False)
    alpha: FloatArray = field(repr=False)
    standardised: FloatArray | None = field(repr=False)

    @property
    def coefficients(self) -> FloatArray:
        """Weights of the raw design columns, shape (p - 1,); made in blocks of columns where none are held."""
        weights = self.standardised
        if weights is None:
            weights = self.frame.transposed(self.alpha[:, None])[:, 0]
        return weights / self.frame.scales if self.frame.scales.size else weights

    def predict(self, new: Columns) -> FloatArray:
        """Forecasts of new rows, shape (m,)."""
        if self.standardised is not None:
            return self.intercept + raw_products(new, self.coefficients)
        parts = [part.kernel(self.frame.columns) @ self.alpha for part in self._parts(new)]
        return self.intercept + np.concatenate(parts) if parts else np.empty(0)

    def leverage(self, new: Columns) -> FloatArray:
        """Leverages r'(R'R + n lambda D)^-1 r of new rows, shape (m,); directions without data count 1/(n lambda)."""
        parts = [self._leverage(part) for part in self._parts(new)]
        return np.concatenate(parts) + self.share / self.count if parts else np.empty(0)

    def _leverage(self, new: Columns) -> FloatArray:
        if self.solver == "qr" and 0 < self.penalty < np.inf:
            return refined_leverage(self.frame, self.spectrum, new, self.penalty)
        leverages, doubts = self.spectrum.leverage(self.frame.cross(new), self.penalty, self.frame.width)
        # A row in the data's directions, or nearly: what lies outside them is a difference of two large numbers.
        unsure = doubts > DIGITS * leverages
        if unsure.any():
            leverages[unsure] = refined_leverage(self.frame, self.spectrum, new.take(unsure), self.penalty)
        return leverages

    def _parts(self, new: Columns) -> Iterator[Columns]:
        return row_parts(new, BLOCK // self.count)

    def regression(self) -> Regression:
        """The fit's spectrum and V'Z'y/n, in the coordinates of its own eigenvectors, which are therefore the axes.

        As in `Readout.regression`, a penalised intercept beside centred columns is one more direction.
        """
        mean = float(self.target.mean()) if self.frame.convention.centred else 0.0
        known = self.spectrum.values > 0
        values = self.spectrum.values[known]
        # V'Z'y/n = sqrt(s/n) u'y as v = Z'u / sqrt(n s).
        projection = np.sqrt(values / self.count) * (self.spectrum.vectors[:, known].T @ (self.target - mean))
        found = Regression(self.count, values.size, values, np.eye(values.size), projection)
        return with_intercept(found, mean, self.intercept_penalty)


def raw_products(columns: Columns, coefficients: FloatArray) -> FloatArray:
    """The rows' raw columns times their coefficients, shape (m,), in blocks of columns."""
    total, stop = np.zeros(columns.count), 0
    for block in columns.blocks(block_width(columns.count)):
        start, stop = stop, stop + block.shape[1]
        total += block @ coefficients[start:stop]
    return total
