"""The time zone of a typed column, also where narwhals cannot read it."""

from typing import Any

import narwhals as nw

from ngrc._types import AnyArray


def time_zone(column: "nw.Series[Any]") -> str | None:
    """Return the zone of a column of dates; None for dates without one and for other columns.

    narwhals gives the type Unknown to pandas zones with an underscore or a sign, such as America/New_York.

    Examples
    --------
    >>> import pandas as pd
    >>> time_zone(nw.from_native(pd.Series(pd.date_range("2024", periods=2, tz="Etc/GMT+5")), series_only=True))
    'Etc/GMT+5'
    """
    if isinstance(column.dtype, nw.Datetime):
        return column.dtype.time_zone
    zone = getattr(getattr(column.to_native(), "dtype", None), "tz", None)
    return None if zone is None else str(zone)


def two_clocks(column: "nw.Series[Any]") -> tuple[AnyArray, AnyArray]:
    """Return the times of a column with a zone, shape (n,) each: in UTC, and on the wall clock."""
    if isinstance(column.dtype, nw.Datetime):
        universal = column.dt.convert_time_zone("UTC").dt.replace_time_zone(None)
        return universal.to_numpy(), column.dt.replace_time_zone(None).to_numpy()
    native = column.to_native()
    return native.dt.tz_convert("UTC").dt.tz_localize(None).to_numpy(), native.dt.tz_localize(None).to_numpy()
