"""Tables in the user's own library: pandas for pandas, polars otherwise."""

import sys
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from ngrc._types import FloatArray

Frame: TypeAlias = Any
"""A pandas or polars DataFrame."""


def frame_like(source: Any, rows: Sequence[Mapping[str, Any]]) -> Frame:
    """Rows as a DataFrame of the library that `source` came from; polars for anything else.

    The first row names the columns, and every row has them all.

    Examples
    --------
    >>> frame_like([1.0, 2.0], [{"a": 1}, {"a": 2}]).shape
    (2, 1)
    """
    return columns_like(source, {name: [row[name] for row in rows] for name in rows[0]} if rows else {})


def columns_like(source: Any, columns: Mapping[str, Any]) -> Frame:
    """Columns as a DataFrame of the library that `source` came from; polars for anything else."""
    return columns_in(columns, is_pandas(source))


def columns_in(columns: Mapping[str, Any], pandas: bool) -> Frame:
    """Columns as a DataFrame of pandas or of polars."""
    if pandas:
        import pandas as pd

        return pd.DataFrame(dict(columns))
    import polars as pl

    return pl.DataFrame(dict(columns))


def is_pandas(source: Any) -> bool:
    """Whether `source` is a pandas Series or DataFrame.

    Examples
    --------
    >>> is_pandas([1.0, 2.0])
    False
    """
    # By the loaded modules: what is not imported made no frame.
    narwhals, pandas = sys.modules.get("narwhals"), sys.modules.get("pandas")
    if narwhals is not None and isinstance(source, narwhals.DataFrame | narwhals.Series):
        return bool(source.implementation.is_pandas())
    return pandas is not None and isinstance(source, pandas.DataFrame | pandas.Series)


def nullable(values: FloatArray) -> Any:
    """A polars column in which NaN is null: polars tells NaN, a number, from a value that is missing."""
    import polars as pl

    return pl.Series(values).fill_nan(None)
