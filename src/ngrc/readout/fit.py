"""From rows and a penalty, or a grid of them, to a readout."""

from collections.abc import Sequence

import numpy as np

from ngrc.features.rows import Rows
from ngrc.readout.convention import STANDARD, Convention
from ngrc.readout.fitted import Readout
from ngrc.readout.forecast import forecast_rows
from ngrc.readout.gram import Gram
from ngrc.readout.moments import design_gram, nested_grams
from ngrc.readout.penalty import Validation, choose_penalty, inner_rows
from ngrc.readout.solve import solve


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
    solution = solve(rows, gram, penalty)
    # Centred columns leave the intercept an equation of its own, (1 + lambda_0) w_0 = mean(y): its weight and its part
    # of the effective dimension are both 1 / (1 + lambda_0).
    share = convention.share(penalty)
    coefficients = solution.weights / gram.scales
    # Back to raw columns: w'(r - means) / scales = c'r - means'c with c = w / scales.
    constant = gram.target_mean * share - float(gram.means @ coefficients)
    residuals = rows.target - forecast_rows(rows, constant, coefficients)
    return Readout(
        penalty=penalty,
        intercept=constant,
        coefficients=coefficients,
        standardised=solution.weights,
        means=gram.means,
        scales=gram.scales,
        count=gram.count,
        d_eff=share + solution.dimension,
        fit_scale=float(np.sqrt(np.mean(residuals**2))),
        solver=solution.solver,
        intercept_penalty=convention.intercept_penalty(penalty),
        root=solution.root / gram.scales[:, None],
    )


def select_readout(
    rows: Rows, ridges: Sequence[float], convention: Convention = STANDARD
) -> tuple[Readout, Validation]:
    """Choose the penalty by chronological validation and refit on all rows; the rows are summed once."""
    inner, full = nested_grams(rows, inner_rows(rows.count, rows.horizon), convention)
    validation = choose_penalty(rows, ridges, convention, inner)
    return fit_readout(rows, validation.best, convention, full), validation
