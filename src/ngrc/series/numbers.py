"""Columns and arrays as float64 with NaN where missing; whatever is not a number is named with its row."""

from decimal import Decimal
from numbers import Real
from typing import Any

import narwhals as nw
import numpy as np

from ngrc._types import AnyArray, FloatArray
from ngrc.series.wording import Where

_KINDS = {
    "b": ("booleans", "convert them with .astype(float) if 0 and 1 are meant"),
    "c": ("complex numbers", "take their real part or modulus"),
    "M": ("dates", "pass them as time="),
    "m": ("durations", "convert them to numbers first"),
}
# By name, so that pandas need not be imported to know its NA and NaT.
_MISSING_TYPES = frozenset({"NAType", "NaTType", "NoneType"})


def from_array(data: Any, where: Where) -> FloatArray:
    """Return a one-dimensional array, or one column, as floats of shape (n,).

    Examples
    --------
    >>> from ngrc.series.wording import array_row
    >>> from_array([1, None, 2.5], array_row)
    array([1. , nan, 2.5])
    """
    array = _one_dimensional(_plain(data))
    kind = array.dtype.kind
    if kind in "iuf":
        return finite(array.astype(np.float64), where)
    if kind in _KINDS:
        noun, remedy = _KINDS[kind]
        raise ValueError(f"the values must be numbers, got {noun}; {remedy}")
    values = np.empty(array.size)
    for row, element in enumerate(array.tolist()):
        values[row] = _element(element, row, where)
    return finite(values, where)


def from_column(column: "nw.Series[Any]", where: Where) -> FloatArray:
    """Return a typed data frame column as floats of shape (n,)."""
    if column.dtype.is_numeric():
        return finite(np.array(column.cast(nw.Float64).to_numpy(), dtype=np.float64), where)
    return from_array(column.to_numpy(), where)


def finite(values: FloatArray, where: Where) -> FloatArray:
    """Return the values; infinite ones raise."""
    bad = np.flatnonzero(np.isinf(values))
    if bad.size:
        raise ValueError(
            f"{where(int(bad[0]))}: {values[bad[0]]} is infinite; correct it or leave it missing (NaN)"
        )
    return values


def _plain(data: Any) -> AnyArray:
    if isinstance(data, np.ma.MaskedArray):
        # As objects, so that masked integers have a place for "missing" too.
        plain: AnyArray = np.ma.getdata(data).astype(object)
        plain[np.ma.getmaskarray(data)] = None
        return plain
    if not isinstance(data, list | tuple | range):
        return np.asarray(data)
    try:
        array = np.asarray(data)
    except ValueError:
        raise ValueError(
            "the values must be one row of numbers, got nested lists of different length; pass a flat list"
        ) from None
    # numpy turns numbers beside text into text, which would hide which element is the text.
    return np.array(data, dtype=object) if array.dtype.kind in "US" else array


def _one_dimensional(array: AnyArray) -> AnyArray:
    if array.ndim == 2 and array.shape[1] == 1:
        return array[:, 0]
    if array.ndim == 2:
        raise ValueError(
            f"one series is expected, got an array of shape {array.shape}; pass one column, data[:, 0]"
        )
    if array.ndim != 1:
        raise ValueError(
            f"one series is expected, got an array with {array.ndim} dimensions; pass shape (n,)"
        )
    return array


def _element(element: Any, row: int, where: Where) -> float:
    if type(element).__name__ in _MISSING_TYPES:
        return float("nan")
    if isinstance(element, bool | np.bool_) or not isinstance(element, Real | Decimal):
        remedy = (
            "convert text to numbers first" if isinstance(element, str) else "correct it or leave it missing"
        )
        raise ValueError(f"{where(row)}: {element!r} stands where a number belongs; {remedy}")
    try:
        return float(element)
    except OverflowError:
        raise ValueError(
            f"{where(row)}: {str(element)[:20]}... is too large for a float; rescale the series"
        ) from None
