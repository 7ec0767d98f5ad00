"""Iterative refinement: the digits that squaring the design cost, won back from the design itself.

The moment matrix C carries rounding errors of about eps |C|, which move the forecasts by up to
eps |C| |w| / (2 sqrt lambda). The gradient Z'(y - Zw)/n - lambda w, formed from the rows, does not.
"""

from collections.abc import Callable

import numpy as np

from ngrc._types import FloatArray
from ngrc.features.rows import Rows
from ngrc.readout.forecast import forecast_columns, forecast_rows
from ngrc.readout.gram import Gram
from ngrc.readout.lagged import Signals, column_sources, lagged_sums

# In units of the series' scale: six digits below what any table prints.
TOLERANCE = 1e-10
# Each round gains two digits or more (see CONTRACTION), so that four settle whatever can settle.
ROUNDS = 4
# Part of a later row that lies outside the span of the fit rows, in units of the columns' scales: a guess on the safe
# side for validation and test rows.
OUTSIDE = 0.01
# Rounding in the moments over the penalty: the factor by which a round shrinks the error that is left.
CONTRACTION = 0.01
# Errors of the moments measured against long doubles were up to 2.4 eps |C|.
ROUNDING = 10.0 * float(np.finfo(np.float64).eps)

Solve = Callable[[FloatArray], FloatArray]


def error_bounds(gram: Gram, weights: FloatArray, penalties: FloatArray) -> FloatArray:
    """Bound on the forecasts' RMS error, in the series' scale, from rounding in the moments.

    Parameters
    ----------
    gram
        Moments.
    weights
        Coefficients on the standardised columns, shape (p - 1, m).
    penalties
        Shape (m,), all above zero.
    """
    # An error E of C moves w by (C + lambda I)^-1 E w and forecasts by Z times that. Their RMS is at most
    # max_s sqrt(s) / (s + lambda) = 1 / (2 sqrt lambda), attained at s = lambda, times |E| |w|.
    size = ROUNDING * gram.norm
    return np.asarray(size * np.linalg.norm(weights, axis=0) / (2.0 * np.sqrt(penalties)))


def hopeless(gram: Gram, penalty: float) -> bool:
    """Whether rounding in the moments is so near the penalty that refinement would converge slowly or not."""
    return bool(ROUNDING * gram.norm > CONTRACTION * penalty)


def needs_refinement(gram: Gram, weights: FloatArray, penalty: float) -> bool:
    """Whether rounding in the moments may show in forecasts, of rows like these or outside their span."""
    # Outside the span of the fit rows the factor sqrt(s) / (s + lambda) becomes OUTSIDE / lambda, which is
    # 2 OUTSIDE / sqrt(lambda) times the bound.
    bound = float(error_bounds(gram, weights[:, None], np.array([penalty]))[0])
    return bool(bound * max(1.0, OUTSIDE * 2.0 / np.sqrt(penalty)) > TOLERANCE)


def refine(
    rows: Rows, gram: Gram, weights: FloatArray, penalties: FloatArray, solve: Solve
) -> tuple[FloatArray, FloatArray]:
    """Improve approximate ridge coefficients until their forecasts stand still.

    Parameters
    ----------
    rows, gram
        Rows and their moments.
    weights
        Coefficients on the standardised columns, shape (p - 1, m).
    penalties
        Shape (m,).
    solve
        Approximate inverse of (C + lambda I), applied to every column of a (p - 1, m) array.

    Returns
    -------
    weights, changes
        Refined coefficients, and by how much the last round moved forecasts, shape (m,): the RMS over the
        rows, plus a share of the coefficients' own change for rows outside the span of these.
    """
    changes = np.full(penalties.size, np.inf)
    for _ in range(ROUNDS):
        step = solve(gradient(rows, gram, weights) - penalties * weights)
        weights = weights + step
        inside = np.sqrt(np.maximum(np.einsum("ij,ij->j", step, gram.matrix @ step), 0.0))
        changes = inside + OUTSIDE * np.linalg.norm(step, axis=0)
        if np.all(changes <= TOLERANCE):
            break
    return weights, changes


def gradient(rows: Rows, gram: Gram, weights: FloatArray) -> FloatArray:
    """Z'(y - mean(y) - Zw)/n from the rows, shape (p - 1, m) like `weights`."""
    coefficients = weights / gram.scales[:, None]
    intercepts = gram.target_mean - gram.means @ coefficients
    # One readout is forecast by its quadratic form; several by one product with the explicit columns.
    if weights.shape[1] == 1:
        forecasts = forecast_rows(rows, float(intercepts[0]), coefficients[:, 0])[:, None]
    else:
        forecasts = forecast_columns(rows, intercepts, coefficients)
    residuals = rows.target[:, None] - forecasts
    return centred_products(rows, gram.means, residuals) / gram.scales[:, None] / rows.count


def centred_products(rows: Rows, means: FloatArray, residuals: FloatArray) -> FloatArray:
    """(R - means)' residuals, shape (p - 1, m), without the design where the map has a core."""
    core = rows.feature_map.core
    if core is None:
        total = np.zeros((means.size, residuals.shape[1]))
        for block in rows.blocks():
            here = slice(block.first - rows.first, block.stop - rows.first)
            total += (block.design - means).T @ residuals[here]
        return total
    lag, signal = column_sources(core)
    signals = Signals.of(rows)
    products = lagged_sums(signals, residuals.T, own=False)[lag, :, signal]
    # The signals were shifted by constants of their own: take off what is left to the columns' means.
    products -= np.outer(means[: lag.size] - signals.shift[signal], residuals.sum(axis=0))
    extras = (rows.extras - means[lag.size :]).T @ residuals
    return np.vstack((products, extras))
