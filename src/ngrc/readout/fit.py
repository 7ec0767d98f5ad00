"""From rows and a penalty, or a grid of them, to a readout."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ngrc._types import FloatArray
from ngrc.features.rows import Rows
from ngrc.readout.convention import STANDARD, Convention
from ngrc.readout.fitted import Readout
from ngrc.readout.forecast import forecast_rows
from ngrc.readout.gram import Gram
from ngrc.readout.moments import design_gram, nested_grams
from ngrc.readout.penalty import Validation, choose_penalty, inner_rows
from ngrc.readout.solve import Solution, solve


@dataclass(frozen=True, slots=True)
class Solved:
    """A readout as far as its forecasts need it: half of what a whole one costs.

    Parameters
    ----------
    gram, penalty, convention
        What was solved.
    solution
        On the standardised columns.
    intercept, coefficients
        On the raw ones.
    """

    gram: Gram
    penalty: float
    convention: Convention
    solution: Solution
    intercept: float
    coefficients: FloatArray

    @classmethod
    def of(cls, rows: Rows, gram: Gram, penalty: float, convention: Convention) -> "Solved":
        """Solve the moments of `rows`."""
        solution = solve(rows, gram, penalty)
        coefficients = solution.weights / gram.scales
        # Centred columns leave the intercept an equation of its own, (1 + lambda_0) w_0 = mean(y). Back to raw columns:
        # w'(r - means) / scales = c'r - means'c with c = w / scales.
        intercept = gram.target_mean * convention.share(penalty) - float(gram.means @ coefficients)
        return cls(gram, penalty, convention, solution, intercept, coefficients)

    def readout(self, rows: Rows) -> Readout:
        """The whole readout, from the rows that were solved."""
        residuals = rows.target - forecast_rows(rows, self.intercept, self.coefficients)
        gram, penalty, root = self.gram, self.penalty, self.solution.root(self.penalty)
        return Readout(
            penalty=penalty,
            intercept=self.intercept,
            coefficients=self.coefficients,
            standardised=self.solution.weights,
            means=gram.means,
            scales=gram.scales,
            count=gram.count,
            # The intercept's part is 1 / (1 + lambda_0), as is its weight.
            d_eff=self.convention.share(penalty) + self.solution.dimension(penalty, root),
            fit_scale=float(np.sqrt(np.mean(residuals**2))),
            solver=self.solution.solver,
            intercept_penalty=self.convention.intercept_penalty(penalty),
            root=root / gram.scales[:, None],
        )


def fit_readout(
    rows: Rows, penalty: float, convention: Convention = STANDARD, gram: Gram | None = None
) -> Readout:
    """Fit the ridge readout on `rows`.

    Parameters
    ----------
    rows
        Fit rows with their targets.
    penalty
        lambda in the normalised convention.
    convention
        Intercept and scaling of the columns.
    gram
        The rows' moments where they are known already.
    """
    gram = design_gram(rows, convention) if gram is None else gram
    return Solved.of(rows, gram, penalty, convention).readout(rows)


def select_readout(
    rows: Rows, ridges: Sequence[float], convention: Convention = STANDARD
) -> tuple[Readout, Validation]:
    """Choose the penalty by chronological validation and refit on all rows; the rows are summed once."""
    inner, full = nested_grams(rows, inner_rows(rows.count, rows.horizon), convention)
    validation = choose_penalty(rows, ridges, convention, inner)
    return fit_readout(rows, validation.best, convention, full), validation
