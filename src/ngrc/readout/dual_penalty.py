"""The dual readout's penalty, chosen by chronological validation inside the fit rows as the primal's is."""

from collections.abc import Sequence

import numpy as np

from ngrc._types import BoolArray, FloatArray
from ngrc.readout.convention import STANDARD, Convention
from ngrc.readout.dual import Decomposition, column_weights, fit_dual, rounding_bounds
from ngrc.readout.dual_columns import Columns
from ngrc.readout.dual_readout import DualReadout
from ngrc.readout.penalty import Validation, doubtful_choices, inner_rows


def select_dual(
    columns: Columns,
    target: FloatArray,
    ridges: Sequence[float],
    horizon: int,
    convention: Convention = STANDARD,
) -> tuple[DualReadout, Validation]:
    """Choose the penalty by chronological validation and refit on all rows."""
    validation = choose_dual_penalty(columns, target, ridges, horizon, convention)
    return fit_dual(columns, target, validation.best, convention), validation


def choose_dual_penalty(
    columns: Columns,
    target: FloatArray,
    ridges: Sequence[float],
    horizon: int,
    convention: Convention = STANDARD,
    decomposition: Decomposition | None = None,
) -> Validation:
    """Score every penalty on the last fifth of the fit rows, as `readout.penalty.choose_penalty` does.

    Parameters
    ----------
    columns, target
        All fit rows and their outcomes, shape (n,).
    ridges
        Candidate penalties, all above zero.
    horizon
        H; the H - 1 rows after the inner fit are guards.
    convention
        Which columns the penalty sees, and what becomes of the intercept.
    decomposition
        Of the inner rows, floor(0.8 n), where it is known already: several targets share it.
    """
    count = inner_rows(columns.count, horizon)
    last = columns.part(count + horizon - 1, columns.count)
    parts = Decomposition.of(columns.part(0, count), convention) if decomposition is None else decomposition
    inner, outcomes = target[:count], target[count + horizon - 1 :]
    penalties = np.array(ridges, dtype=np.float64)
    response = parts.response(inner)
    alpha = parts.alpha(parts.spectrum, response, penalties)
    mean = float(inner.mean()) if convention.centred else 0.0
    constants = mean * convention.shares(penalties)

    def errors(forecasts: FloatArray, chosen: slice | BoolArray) -> FloatArray:
        residuals = outcomes[:, None] - constants[chosen] - forecasts
        return np.asarray(np.sqrt(np.mean(np.square(residuals), axis=0)))

    scores = errors(parts.frame.cross(last).kernel.T @ alpha, slice(None))
    doubtful = doubtful_choices(scores, rounding_bounds(parts.spectrum, alpha))
    if doubtful.any():
        some = penalties[doubtful]
        spectrum = parts.spectrum if parts.precise(float(some.min())) else parts.orthogonal
        rows = parts.alpha(spectrum, response, some)
        weights = column_weights(parts, spectrum, response, rows, some)
        scores[doubtful] = errors(parts.frame.forecasts(weights, last), doubtful)
    return Validation(tuple(ridges), scores, last.count)
