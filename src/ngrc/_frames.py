"""Tables in the user's own library: pandas for pandas, polars otherwise."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import narwhals as nw
import numpy as np
import polars as pl

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
    if is_pandas(source):
        return nw.from_dict(dict(columns), backend=nw.Implementation.PANDAS).to_native()
    return pl.DataFrame(dict(columns))


def is_pandas(source: Any) -> bool:
    """Whether `source` is a pandas Series or DataFrame.

    Examples
    --------
    >>> is_pandas([1.0, 2.0])
    False
    """
    if isinstance(source, np.ndarray):
        return False
    # narwhals tells the library by its loaded modules, so that pandas is not imported for a user who has none.
    native = nw.from_native(source, allow_series=True, pass_through=True)
    return isinstance(native, nw.DataFrame | nw.Series) and native.implementation.is_pandas()
