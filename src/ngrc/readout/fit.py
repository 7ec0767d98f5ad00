"""From rows and a penalty, or a grid of them, to a readout."""

from collections.abc import Sequence
from typing import Literal

import numpy as np

from ngrc.features.rows import Rows
from ngrc.readout.fitted import Readout
from ngrc.readout.forecast import forecast_rows
from ngrc.readout.gram import Gram
from ngrc.readout.moments import design_gram, nested_grams
from ngrc.readout.penalty import Validation, choose_penalty, inner_rows
from ngrc.readout.solve import solve

Intercept = Literal["free", "penalised"]


def fit_readout(
    rows: Rows, penalty: float, intercept: Intercept = "free", gram: Gram | None = None
) -> Readout:
    """Fit the ridge readout on `rows`.

    Parameters
    ----------
    rows
        Fit rows with their targets.
    penalty
        lambda in the normalised convention.
    intercept
        "free" leaves the intercept out of the penalty, "penalised" is the theory's convention.
    gram
        The rows' moments where they are known already.
    """
    gram = design_gram(rows) if gram is None else gram
    solution = solve(rows, gram, penalty)
    intercept_penalty = penalty if intercept == "penalised" else 0.0
    # Centred columns leave the intercept an equation of its own, (1 + lambda_0) w_0 = mean(y): its weight and its part
    # of the effective dimension are both 1 / (1 + lambda_0).
    share = 1.0 / (1.0 + intercept_penalty)
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
        intercept_penalty=intercept_penalty,
        root=solution.root / gram.scales[:, None],
    )


def select_readout(
    rows: Rows, ridges: Sequence[float], intercept: Intercept = "free"
) -> tuple[Readout, Validation]:
    """Choose the penalty by chronological validation and refit on all rows; the rows are summed once."""
    inner, full = nested_grams(rows, inner_rows(rows.count, rows.horizon))
    validation = choose_penalty(rows, ridges, intercept, inner)
    return fit_readout(rows, validation.best, intercept, full), validation
