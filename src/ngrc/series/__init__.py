"""A series at the border, and the channels beside it: numpy, pandas, polars and files of many kinds in."""

from ngrc.series.channels import Channels, as_channels, times_of
from ngrc.series.entry import as_series
from ngrc.series.files import read_series
from ngrc.series.long import LongTable, read_long
from ngrc.series.panels import SeveralSeriesError
from ngrc.series.recordings import Recording, read_channels
from ngrc.series.value import Series

__all__ = [
    "Channels",
    "LongTable",
    "Recording",
    "Series",
    "SeveralSeriesError",
    "as_channels",
    "as_series",
    "read_channels",
    "read_long",
    "read_series",
    "times_of",
]
