"""Forecasts of rows from raw coefficients, the quadratic map without its columns."""

import numpy as np

from ngrc._types import FloatArray
from ngrc.features.rows import Rows


def forecast_rows(rows: Rows, intercept: float, coefficients: FloatArray) -> FloatArray:
    """Forecasts c + b'z + z'Qz + g'e of every row, z its delays and e its Fourier and memory columns.

    Parameters
    ----------
    rows
        The rows; no outcome is read.
    intercept, coefficients
        Weights of the raw columns, shape (p - 1,) without the intercept.

    Returns
    -------
    FloatArray
        Shape (n,).
    """
    degree, lags = rows.feature_map.degree, rows.feature_map.lags
    if degree > 2:
        parts = [block.design @ coefficients for block in rows.blocks()]
        return intercept + np.concatenate(parts) if parts else np.empty(0)
    linear, extra = coefficients[:lags], coefficients[coefficients.size - rows.feature_map.extra_count :]
    form = np.zeros((lags, lags))
    if degree == 2:
        form[np.triu_indices(lags)] = coefficients[lags : coefficients.size - extra.size]
    result = np.full(rows.count, intercept)
    for block in rows.blocks():
        here = slice(block.first - rows.first, block.stop - rows.first)
        delays = block.delays
        # z'Qz + b'z = (Q'z + b)'z: O(k^2) per row, and no column of products is made.
        inner = delays @ form
        inner += linear
        result[here] += np.einsum("ij,ij->i", inner, delays)
        if extra.size:
            result[here] += block.extras @ extra
    return result


def forecast_columns(rows: Rows, intercepts: FloatArray, coefficients: FloatArray) -> FloatArray:
    """Forecasts of several readouts at once, shape (n, m) from coefficients of shape (p - 1, m)."""
    # One matrix product with the explicit columns serves all readouts; quadratic forms would come one by one.
    parts = [block.design @ coefficients for block in rows.blocks()]
    return intercepts + np.concatenate(parts)
