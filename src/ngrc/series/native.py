"""What a user's object is: a data frame, a column or an array, and the times that its index holds."""

from collections.abc import Sequence
from typing import Any

import narwhals as nw
import numpy as np

from ngrc.series.wording import listed

# By name, so that pandas need not be imported; any other index only numbers the rows.
TIME_INDEXES = frozenset({"DatetimeIndex", "PeriodIndex"})


def as_native(data: Any, expected: str = "a series is expected") -> Any:
    """Return a narwhals frame or series, or the data itself where it is an array or a list.

    `expected` begins the error about anything else.
    """
    if isinstance(data, np.ndarray):
        return data
    try:
        native = nw.from_native(data, eager_only=True, allow_series=True, pass_through=True)
    except nw.exceptions.DuplicateError as error:
        raise ValueError(f"column names must differ: {' '.join(str(error).split())}") from None
    if isinstance(native, nw.DataFrame | nw.Series):
        return native
    # A lazy frame of any library: collecting it here could run hours of somebody's query.
    if hasattr(data, "collect"):
        raise ValueError(f"{expected}, got a {type(data).__name__}; call .collect() first")
    if isinstance(data, Sequence) or (hasattr(data, "__array__") and not np.isscalar(data)):
        return data
    raise ValueError(
        f"{expected}: an array, a list, or a pandas or polars column; got a {type(data).__name__}"
    )


def time_index(native: Any) -> Any | None:
    """The pandas index of a frame or column where it holds times, else None; several levels raise."""
    if not isinstance(native, nw.DataFrame | nw.Series):
        return None
    index = nw.maybe_get_index(native)
    if index is not None and index.nlevels > 1:
        raise ValueError(
            f"the index has {index.nlevels} levels ({listed(index.names)}), as tables of several series have; take the "
            "rows of one series, or turn the levels into columns with .reset_index()"
        )
    return index if type(index).__name__ in TIME_INDEXES else None
