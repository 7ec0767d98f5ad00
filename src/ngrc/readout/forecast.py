"""Forecasts of rows from raw coefficients, the quadratic map without its columns."""

from functools import lru_cache

import numpy as np

from ngrc._types import FloatArray, IntArray
from ngrc.features.rows import BLOCK, Rows


def forecast_rows(rows: Rows, intercept: float, coefficients: FloatArray) -> FloatArray:
    """Forecasts c + b'z + z'Qz + g'e of every row, z its delays and e its thin columns.

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
    core = rows.feature_map.core
    if rows.explicit is not None and 0 < rows.count <= BLOCK:
        return intercept + rows.explicit @ coefficients
    if core is None or rows.explicit is not None:
        parts = [block.design @ coefficients for block in rows.blocks()]
        return intercept + np.concatenate(parts) if parts else np.empty(0)
    linear, extra = coefficients[: core.lags], coefficients[core.count :]
    many = core.product_lags
    form = np.zeros((many, many))
    form[_triangle(many)] = coefficients[core.lags : core.count]
    result = np.full(rows.count, intercept)
    for block in rows.blocks():
        here = slice(block.first - rows.first, block.stop - rows.first)
        delays = block.delays
        if many == core.lags:
            # z'Qz + b'z = (Q'z + b)'z: O(k^2) per row, and no column of products is made.
            inner = delays @ form
            inner += linear
            result[here] += np.einsum("ij,ij->i", inner, delays)
        else:
            first = delays[:, :many]
            result[here] += delays @ linear + np.einsum("ij,ij->i", first @ form, first)
        if extra.size:
            result[here] += block.extras @ extra
    return result


# Few, as the places of 100 lags are 80 kB.
@lru_cache(maxsize=16)
def _triangle(size: int) -> tuple[IntArray, IntArray]:
    """Places on and above the diagonal, row by row: the order in which products stand in a design."""
    return np.triu_indices(size)


def forecast_columns(rows: Rows, intercepts: FloatArray, coefficients: FloatArray) -> FloatArray:
    """Forecasts of several readouts at once, shape (n, m) from coefficients of shape (p - 1, m)."""
    # One matrix product with the explicit columns serves all readouts; quadratic forms would come one by one.
    parts = [block.design @ coefficients for block in rows.blocks()]
    return intercepts + np.concatenate(parts)
