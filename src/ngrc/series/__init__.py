"""One scalar series at the border: numpy, pandas, polars, CSV and Parquet in, `Series` out."""

from ngrc.series.entry import as_series
from ngrc.series.files import read_series
from ngrc.series.value import Series

__all__ = ["Series", "as_series", "read_series"]
