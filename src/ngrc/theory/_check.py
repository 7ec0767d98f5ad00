"""Border checks that only the theory needs."""

from numbers import Real
from typing import Any

import numpy as np

from ngrc._types import FloatArray


def check_number(value: Any, name: str) -> float:
    """Return `value` as a finite float."""
    if isinstance(value, bool) or not isinstance(value, Real) or not np.isfinite(float(value)):
        raise ValueError(f"{name} must be a finite number, got {value!r}")
    return float(value)


def check_nonnegative(value: Any, name: str) -> float:
    """Return `value` as a finite float of at least zero."""
    number = check_number(value, name)
    if number < 0:
        raise ValueError(f"{name} must be a finite number of at least zero, got {value!r}")
    return number


def check_matrix(values: Any, name: str) -> FloatArray:
    """Return a finite, non-empty two-dimensional float64 array."""
    try:
        array = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{name} must hold numbers: {error}") from None
    if array.ndim != 2 or array.size == 0:
        raise ValueError(f"{name} must be a matrix with rows and columns, got shape {array.shape}")
    if not np.isfinite(array).all():
        row, column = np.argwhere(~np.isfinite(array))[0]
        raise ValueError(f"{name} must be finite, got {array[row, column]} at row {row}, column {column}")
    return array


def check_symmetric(values: Any, name: str, size: int | None = None) -> FloatArray:
    """Return a finite symmetric matrix, of the given size where one is wanted."""
    array = check_matrix(values, name)
    side = array.shape[0] if size is None else size
    if array.shape != (side, side):
        raise ValueError(f"{name} must have shape ({side}, {side}), got {array.shape}")
    # A product such as B @ B.T is symmetric to a few roundings of its largest entry, far inside these.
    if not np.allclose(array, array.T, rtol=1e-10, atol=1e-12 * float(np.abs(array).max())):
        raise ValueError(f"{name} must be symmetric; average it with its transpose first")
    return array
